// Functions whose instructions, loads and stores can be counted by hand.
.intel_syntax noprefix
.text

.macro function name
.globl \name
.type \name, @function
\name:
.endm
.macro end name
.size \name, . - \name
.endm

function copy_bytes     // 1 mov, an iteration each, 1 xor, 1 ret
  mov rcx, rdx
  rep movsb
  xor eax, eax
  ret
end copy_bytes

function copy_bytes_32  // mov, bts, an iteration each, ret; repeated by ecx
  mov rcx, rdx
  bts rcx, 40
  .byte 0x67
  rep movsb
  ret
end copy_bytes_32

function compare_bytes  // until they differ
  mov rcx, rdx
  cmp rdx, rdx
  repe cmpsb
  sete al
  movzx eax, al
  ret
end compare_bytes

function use_stack      // push, call, nop, ret, pop, add, ret
  push rdi
  call 1f
  pop rax
  add eax, 1
  ret
1:
  nop
  ret
end use_stack

function change_memory  // add (load and store), lea, prefetch, mov (load), ret
  add [rdi], rsi
  lea rdx, [rdi + 8]
  prefetcht0 [rdi]
  mov rax, [rdi]
  ret
end change_memory

function read_time
  rdtsc
  shl rdx, 32
  or rax, rdx
  ret
end read_time

function read_time_twice
  rdtsc
  mov r8, rax
  rdtscp
  sub rax, r8
  add rax, rcx
  ret
end read_time_twice

function push_flags
  pushfq
  pop rax
  ret
end push_flags

function call_system
  mov eax, 39
  syscall
  ret
end call_system

function break_point
  nop
  int3
  ret
end break_point

function undefined
  nop
  ud2
end undefined

function divide
  mov eax, edi
  cdq
  idiv esi
  ret
end divide

function spin           // 1 + 2 an iteration
1:
  dec rdi
  jnz 1b
  ret
end spin

function add_seven
  lea rax, [rdi + 7]
  ret
end add_seven

function call_twice     // call, mov, call, ret
  call add_seven
  mov rdi, rax
  call add_seven
  ret
end call_twice

.section .note.GNU-stack, "", @progbits
