// Entries whose instructions, loads and stores can be counted by hand. They are called as
// f(port: edi, packet: rsi, length: edx, now_ns: rcx).
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
.macro note type, place, name
.pushsection .note.perfpact, "a", @note
.balign 4
.long 9, 5f - 4f, \type
.asciz "perfpact"
.balign 4
4: .quad \place - .
.asciz "\name"
5: .balign 4
.popsection
.endm

function copies           // mov, lea, mov, an iteration each, xor, ret
  mov ecx, edx
  lea rdi, [rip + target]
  cld
  rep movsb
  xor eax, eax
  ret
end copies

function copies_none      // xor, rep, rep, mov, ret; zero times twice
  xor ecx, ecx
  rep stosb
  rep movsb
  mov eax, 1
  ret
end copies_none

function compares         // the first byte differs with one iteration to go, then none
  mov r8, rsi
  lea rdi, [rip + target]
  mov byte ptr [rdi], 99
  mov ecx, 1
  repe cmpsb
  xor ecx, ecx
  repe cmpsb
  mov ecx, 3
  mov al, 98
  lea rdi, [rip + target]
  repne scasb
  xor eax, eax
  ret
end compares

function marked_copy      // a mark at a rep counts once an execution
  mov r8d, 2
  mov r9d, edx
1:
  mov ecx, r9d
  lea rdi, [rip + target]
  lea rsi, [rip + target + 32]
marked_rep:
  rep movsb
  dec r8d
  jnz 1b
  xor eax, eax
  ret
end marked_copy
note 1, marked_rep, copies

function changes_memory   // add (load and store), lea, prefetch, mov (load), xchg (both), ret
  lea r8, [rip + target]
  add [r8], rsi
  prefetcht0 [r8]
  mov rax, [r8]
  xchg [r8], rax
  lock inc dword ptr [r8]
  mov eax, 2
  ret
end changes_memory

function uses_stack       // sub, push, call, nop, ret, pop, add, push (load and store), pop, add, ret
  sub rsp, 8
  push rdi
  call 1f
  pop rax
  push qword ptr [rsp]
  pop rdx
  add rsp, 8
  ret
1:
  nop
  ret
end uses_stack

function jumps_to_method
  mov esi, edx
  lea rdi, [rip + table]
  jmp table_erase
end jumps_to_method

function loops_at_head    // calls a method whose first instruction is the head of its loop
  mov edi, edx
  call counts_down
  ret
end loops_at_head

function counts_down
counts_down_head:
  dec edi
  jnz counts_down_head
  mov eax, 5
  ret
end counts_down
note 3, counts_down, counts_down
note 1, counts_down_head, n

function calls_system     // mov, syscall, ret
  mov eax, 24             // sched_yield gives 0
  syscall
  ret
end calls_system

function returns_by_jump  // a method that takes its return address off the stack
  call pops
  mov eax, 4
  ret
end returns_by_jump

function pops
  pop rcx
  nop
  jmp rcx
end pops
note 3, pops, pops

.bss
.balign 16
target: .skip 64
.section .note.GNU-stack, "", @progbits
