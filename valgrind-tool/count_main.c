/* SPDX-License-Identifier: GPL-2.0-or-later

   A valgrind tool that counts instructions, loads and stores of a program's calls of one function, those
   inside methods apart. See protocol.h.

   Every block adds what its instructions count to three numbers, always; what a call costs is a difference.
   What a thread has called is kept as a stack of frames, the entry's first. */
#include "libvex_guest_amd64.h"
#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "protocol.h"

#define GUEST(reg) offsetof(VexGuestAMD64State, guest_##reg)

/* ---- The socket */

static Int connection = -1;
static UChar buffer[1 << 16];
static SizeT buffered;

static void send_all(const void* bytes, SizeT size) {
  const UChar* at = bytes;
  while (size > 0) {
    Int sent = VG_(write)(connection, at, (Int)size);
    if (sent == -VKI_EINTR) continue;
    if (sent <= 0) VG_(exit)(1); /* perfpact has gone */
    at += sent;
    size -= (SizeT)sent;
  }
}

static void flush(void) {
  send_all(buffer, buffered);
  buffered = 0;
}

static void put(const void* bytes, SizeT size) {
  if (buffered + size > sizeof buffer) flush();
  if (size > sizeof buffer) {
    send_all(bytes, size);
    return;
  }
  VG_(memcpy)(buffer + buffered, bytes, size);
  buffered += size;
}

static void receive(void* bytes, SizeT size) {
  UChar* at = bytes;
  flush();
  while (size > 0) {
    Int got = VG_(read)(connection, at, (Int)size);
    if (got == -VKI_EINTR) continue;
    if (got <= 0) VG_(exit)(1);
    at += got;
    size -= (SizeT)got;
  }
}

static void wait_for_answer(void) {
  UChar answer;
  receive(&answer, 1);
}

/* ---- Counting. What translated code writes is in globals; those of a thread that does not run are kept. */

struct counts {
  ULong instructions, loads, stores;
};

/* Instructions that are executed one after the other; translated code counts them when it is through. */
struct run {
  struct run* next;
  ULong times; /* in calls of the entry, for a profile */
  UInt size;
  struct {
    Addr address;
    UChar loads, stores;
  } each[];
};

struct frame {
  Addr function;
  Addr sp; /* where its return address is */
  Addr return_address;
};

struct thread {
  struct counts now;
  const struct run* run; /* the one it is in */
  Addr watched;          /* the innermost frame's sp; the highest address where nothing is to be watched */
  Addr repeated;         /* the last instruction that repeated, */
  ULong repeated_at;     /* and how many were executed then */
  struct counts begun, suspended_at;
  struct frame* frames;
  UInt size, capacity;
  Bool is_suspended; /* a signal handler runs */
  ULong is_counted;  /* 1 in a call of the entry, 0 outside */
};

static struct thread current;
static ThreadId running = VG_INVALID_THREADID;
static struct thread* threads; /* by their ids */
static ThreadId thread_limit;

#define NOTHING_WATCHED (~(Addr)0)

static struct thread* kept(ThreadId tid) {
  if (tid >= thread_limit) {
    ThreadId limit = 2 * tid + 8;
    threads = VG_(realloc)("count.threads", threads, limit * sizeof *threads);
    for (; thread_limit < limit; thread_limit++) {
      VG_(memset)(&threads[thread_limit], 0, sizeof *threads);
      threads[thread_limit].watched = NOTHING_WATCHED;
    }
  }
  return &threads[tid];
}

static void on_start_client_code(ThreadId tid, ULong blocks) {
  (void)blocks;
  if (tid == running) return;
  if (running != VG_INVALID_THREADID) *kept(running) = current;
  current = *kept(tid);
  running = tid;
}

/* ---- Records */

static Bool in_call(void) {
  return current.size > 0 && !current.is_suspended;
}

static void record(enum count_kind kind, ULong a, ULong b, ULong c) {
  struct count_record to_send = {
      .kind = kind,
      .thread = running,
      .a = a,
      .b = b,
      .c = c,
      .instructions = current.now.instructions - current.begun.instructions,
      .loads = current.now.loads - current.begun.loads,
      .stores = current.now.stores - current.begun.stores,
  };
  put(&to_send, sizeof to_send);
}

static void watch(void) {
  current.watched = in_call() ? current.frames[current.size - 1].sp : NOTHING_WATCHED;
  current.is_counted = in_call() ? 1 : 0;
}

static void end_call(enum count_ending how, ULong what, Addr at) {
  record(COUNT_END, how, what, at);
  current.size = 0;
  current.is_suspended = False;
  watch();
}

static void push_frame(Addr function, Addr sp) {
  if (current.size == current.capacity) {
    current.capacity = 2 * current.capacity + 16;
    current.frames = VG_(realloc)("count.frames", current.frames, current.capacity * sizeof *current.frames);
  }
  current.frames[current.size++] = (struct frame){function, sp, *(Addr*)sp};
  watch();
}

static VgHashTable* handles;

static void note_handle(Addr handle) {
  if (VG_(HT_lookup)(handles, handle) != NULL) return;
  VgHashNode* node = VG_(malloc)("count.handle", sizeof *node);
  node->key = handle;
  VG_(HT_add_node)(handles, node);
  record(COUNT_HANDLE, handle, 0, 0);
  wait_for_answer();
}

/* ---- The profile: runs have how often they were executed, single instructions what they counted */

static Bool wants_profile;
static struct run* runs;

struct single {
  VgHashNode node; /* by address */
  struct counts counts;
};
static VgHashTable* singles;

static void count_single(Addr address, ULong instructions, ULong loads, ULong stores) {
  current.now.instructions += instructions;
  current.now.loads += loads;
  current.now.stores += stores;
  if (!wants_profile || !in_call()) return;
  struct single* single = VG_(HT_lookup)(singles, address);
  if (single == NULL) {
    single = VG_(calloc)("count.single", 1, sizeof *single);
    single->node.key = address;
    VG_(HT_add_node)(singles, &single->node);
  }
  single->counts.instructions += instructions;
  single->counts.loads += loads;
  single->counts.stores += stores;
}

static void send_executed(Addr address, ULong instructions, ULong loads, ULong stores) {
  struct count_record to_send = {
      .kind = COUNT_EXECUTED, .a = address, .instructions = instructions, .loads = loads, .stores = stores};
  put(&to_send, sizeof to_send);
}

static void send_profile(void) {
  for (const struct run* run = runs; run != NULL; run = run->next)
    for (UInt i = 0; run->times > 0 && i < run->size; i++)
      send_executed(run->each[i].address, run->times, run->times * run->each[i].loads,
                    run->times * run->each[i].stores);
  VG_(HT_ResetIter)(singles);
  for (const struct single* each = VG_(HT_Next)(singles); each != NULL; each = VG_(HT_Next)(singles))
    send_executed(each->node.key, each->counts.instructions, each->counts.loads, each->counts.stores);
}

/* ---- Called by translated code */

static const Int argument_registers[COUNT_ARGUMENTS] = {GUEST(RDI), GUEST(RSI), GUEST(RDX),
                                                        GUEST(RCX), GUEST(R8),  GUEST(R9)};

static void on_entry(Addr function, Addr sp) {
  if (current.size > 0) return;
  current.begun = current.now;
  push_frame(function, sp);
  record(COUNT_BEGIN, 0, 0, 0);
  ULong arguments[COUNT_ARGUMENTS];
  for (Int i = 0; i < COUNT_ARGUMENTS; i++)
    VG_(get_shadow_regs_area)(running, (UChar*)&arguments[i], 0, argument_registers[i], sizeof(ULong));
  put(arguments, sizeof arguments);
  wait_for_answer();
}

/* `handle` is null where the method has no structure. */
static void on_method(Addr function, Addr sp, Addr handle) {
  if (!in_call()) return;
  for (UInt i = current.size; i-- > 0 && current.frames[i].sp <= sp;) {
    if (current.frames[i].function != function || current.frames[i].sp != sp) continue;
    for (; current.size > i + 1; current.size--) record(COUNT_LEAVE, 0, 0, 0);
    watch();
    return;
  }
  push_frame(function, sp);
  if (handle != 0) note_handle(handle);
  record(COUNT_ENTER, function, handle, 0);
}

/* Behind a jump to anywhere, with the return address of the innermost frame off the stack. */
static void on_left(Addr ip, Addr sp, ULong rax) {
  while (current.size > 0 && sp > current.frames[current.size - 1].sp) {
    const struct frame* left = &current.frames[current.size - 1];
    Bool has_returned = ip == left->return_address && sp == left->sp + sizeof(Addr);
    if (current.size == 1) {
      end_call(has_returned ? COUNT_RETURNED : COUNT_LEFT, rax, ip);
      return;
    }
    current.size--;
    record(COUNT_LEAVE, rax, has_returned, 0);
  }
  watch();
}

static void on_mark(Addr address) {
  if (in_call()) record(COUNT_MARK, address, 0, 0);
}

static void on_unknown(Addr address) {
  if (in_call()) end_call(COUNT_NOT_DECODED, 0, address);
}

/* An iteration. valgrind comes back to a repeated instruction once more when the count has come to zero. */
static void on_repeat(Addr address, ULong count, ULong fate_bits) {
  struct count_fate fate;
  VG_(memcpy)(&fate, &fate_bits, sizeof fate);
  if (fate.flags & COUNT_REPEATS_32) count = (UInt)count;
  Bool goes_on = current.repeated == address && current.repeated_at == current.now.instructions;
  if (!goes_on && (fate.flags & COUNT_IS_MARK)) on_mark(address);
  if (count == 0 && goes_on) {
    current.repeated = 0;
    return;
  }
  count_single(address, 1, count == 0 ? 0 : fate.loads, count == 0 ? 0 : fate.stores);
  if (count == 0) return;
  current.repeated = address;
  current.repeated_at = current.now.instructions;
}

/* ---- Signals */

/* What was executed of the run that an instruction has broken off. */
static void count_broken_run(Addr at) {
  for (UInt i = 0; current.run != NULL && i < current.run->size; i++) {
    if (current.run->each[i].address != at) continue;
    for (UInt before = 0; before < i; before++)
      count_single(current.run->each[before].address, 1, current.run->each[before].loads,
                   current.run->each[before].stores);
    return;
  }
}

static void end_by_signal(ULong signal) {
  Addr at = VG_(get_IP)(running);
  count_broken_run(at);
  end_call(COUNT_SIGNAL, signal, at);
}

static Bool is_fault(Int signal) {
  return signal == VKI_SIGSEGV || signal == VKI_SIGBUS || signal == VKI_SIGILL || signal == VKI_SIGFPE ||
         signal == VKI_SIGTRAP;
}

static void on_signal(ThreadId tid, Int signal, Bool alternate_stack) {
  (void)alternate_stack;
  on_start_client_code(tid, 0);
  if (!in_call()) return;
  if (is_fault(signal)) {
    end_by_signal((ULong)signal);
    return;
  }
  current.suspended_at = current.now;
  current.is_suspended = True;
  watch();
}

static void on_signal_handled(ThreadId tid, Int signal) {
  (void)signal;
  on_start_client_code(tid, 0);
  if (!current.is_suspended) return;
  current.now = current.suspended_at;
  current.is_suspended = False;
  watch();
}

/* ---- System calls that end the program's code */

static void before_system_call(ThreadId tid, UInt number, UWord* arguments, UInt size) {
  (void)tid, (void)arguments, (void)size;
  if (connection < 0 || number != __NR_execve) return;
  record(COUNT_EXECUTE, 0, 0, 0);
  flush();
}

static void after_system_call(ThreadId tid, UInt number, UWord* arguments, UInt size, SysRes result) {
  (void)tid, (void)arguments, (void)size, (void)result;
  if (connection >= 0 && number == __NR_execve) record(COUNT_NOT_EXECUTED, 0, 0, 0);
}

/* ---- Translation */

struct translation {
  IRSB* out;
  struct run* run; /* not yet counted */
  ULong loads, stores;
};

static IRExpr* word(ULong value) {
  return IRExpr_Const(IRConst_U64(value));
}

static IRExpr* bind(IRSB* out, IRExpr* value, IRType type) {
  IRTemp temporary = newIRTemp(out->tyenv, type);
  addStmtToIRSB(out, IRStmt_WrTmp(temporary, value));
  return IRExpr_RdTmp(temporary);
}

static IRExpr* load(IRSB* out, const void* number) {
  return bind(out, IRExpr_Load(Iend_LE, Ity_I64, word((ULong)(Addr)number)), Ity_I64);
}

static void add_to(IRSB* out, const ULong* number, IRExpr* amount) {
  IRExpr* sum = bind(out, IRExpr_Binop(Iop_Add64, load(out, number), amount), Ity_I64);
  addStmtToIRSB(out, IRStmt_Store(Iend_LE, word((ULong)(Addr)number), sum));
}

static void count_run(struct translation* to) {
  if (to->run == NULL) return;
  add_to(to->out, &current.now.instructions, word(to->run->size));
  if (to->loads > 0) add_to(to->out, &current.now.loads, word(to->loads));
  if (to->stores > 0) add_to(to->out, &current.now.stores, word(to->stores));
  if (wants_profile) add_to(to->out, &to->run->times, load(to->out, &current.is_counted));
  to->run = NULL;
  to->loads = to->stores = 0;
}

static void add_to_run(struct translation* to, Addr address, struct count_fate fate, UInt most) {
  if (to->run == NULL) {
    to->run = VG_(malloc)("count.run", sizeof *to->run + most * sizeof to->run->each[0]);
    to->run->size = 0;
    to->run->times = 0;
    to->run->next = runs;
    runs = to->run;
    addStmtToIRSB(to->out,
                  IRStmt_Store(Iend_LE, word((ULong)(Addr)&current.run), word((ULong)(Addr)to->run)));
  }
  UInt i = to->run->size++;
  to->run->each[i].address = address;
  to->run->each[i].loads = fate.loads;
  to->run->each[i].stores = fate.stores;
  to->loads += fate.loads;
  to->stores += fate.stores;
}

static IRDirty* call(IRSB* out, const HChar* name, void* function, IRExpr** arguments) {
  IRDirty* dirty = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
  addStmtToIRSB(out, IRStmt_Dirty(dirty));
  return dirty;
}

static IRExpr* guest_register(IRSB* out, Int offset) {
  return bind(out, IRExpr_Get(offset, Ity_I64), Ity_I64);
}

static void begin_instruction(struct translation* to, Addr address, struct count_fate fate, UInt most) {
  IRSB* out = to->out;
  const UChar flags = fate.flags;
  if (flags & (COUNT_IS_ENTRY | COUNT_IS_METHOD | COUNT_IS_UNKNOWN | COUNT_REPEATS | COUNT_REPEATS_32))
    count_run(to);
  if (flags & COUNT_IS_ENTRY) {
    IRDirty* dirty =
        call(out, "on_entry", on_entry, mkIRExprVec_2(word(address), guest_register(out, GUEST(RSP))));
    dirty->nFxState = 1;
    dirty->fxState[0].fx = Ifx_Read;
    dirty->fxState[0].offset = GUEST(RAX);
    dirty->fxState[0].size = GUEST(R15) + sizeof(ULong) - GUEST(RAX);
    dirty->fxState[0].nRepeats = 0;
    dirty->fxState[0].repeatLen = 0;
  }
  if (flags & COUNT_IS_METHOD)
    call(out, "on_method", on_method,
         mkIRExprVec_3(
             word(address), guest_register(out, GUEST(RSP)),
             fate.handle < COUNT_ARGUMENTS ? guest_register(out, argument_registers[fate.handle]) : word(0)));
  if (flags & COUNT_IS_UNKNOWN) call(out, "on_unknown", on_unknown, mkIRExprVec_1(word(address)));
  if (flags & (COUNT_REPEATS | COUNT_REPEATS_32)) {
    ULong bits = 0;
    VG_(memcpy)(&bits, &fate, sizeof fate);
    call(out, "on_repeat", on_repeat,
         mkIRExprVec_3(word(address), guest_register(out, GUEST(RCX)), word(bits)));
    return;
  }
  if (flags & COUNT_IS_MARK) call(out, "on_mark", on_mark, mkIRExprVec_1(word(address)));
  add_to_run(to, address, fate, most);
}

/* A jump to where a register or memory says: what was called may have been left. */
static void check_left(IRSB* out) {
  if (out->next->tag == Iex_Const) return;
  IRExpr* sp = guest_register(out, GUEST(RSP));
  IRExpr* guard = bind(out, IRExpr_Binop(Iop_CmpLT64U, load(out, &current.watched), sp), Ity_I1);
  call(out, "on_left", on_left, mkIRExprVec_3(out->next, sp, guest_register(out, GUEST(RAX))))->guard = guard;
}

static UInt instructions_of(const IRSB* in) {
  UInt count = 0;
  for (Int i = 0; i < in->stmts_used; i++)
    if (in->stmts[i]->tag == Ist_IMark) count++;
  return count;
}

static void ask(const IRSB* in, UInt count, struct count_fate* fates) {
  if (connection < 0) { /* a child process, which is not counted */
    VG_(memset)(fates, 0, count * sizeof *fates);
    return;
  }
  record(COUNT_BLOCK, count, 0, 0);
  for (Int i = 0; i < in->stmts_used; i++) {
    const IRStmt* statement = in->stmts[i];
    if (statement->tag != Ist_IMark) continue;
    struct count_instruction instruction = {.address = statement->Ist.IMark.addr,
                                            .length = (UChar)statement->Ist.IMark.len};
    if (instruction.length > COUNT_LONGEST_INSTRUCTION) instruction.length = 0;
    VG_(memcpy)(instruction.bytes, (const void*)instruction.address, instruction.length);
    put(&instruction, sizeof instruction);
  }
  receive(fates, count * sizeof *fates);
}

static IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                        const VexGuestExtents* extents, const VexArchInfo* architecture, IRType guest_word,
                        IRType host_word) {
  (void)closure, (void)layout, (void)extents, (void)architecture, (void)guest_word, (void)host_word;
  UInt count = instructions_of(in);
  struct count_fate* fates = VG_(malloc)("count.fates", (count + 1) * sizeof *fates);
  ask(in, count, fates);
  struct translation to = {.out = deepCopyIRSBExceptStmts(in)};
  UInt number = 0;
  for (Int i = 0; i < in->stmts_used; i++) {
    IRStmt* statement = in->stmts[i];
    if (statement->tag == Ist_Exit) count_run(&to);
    addStmtToIRSB(to.out, statement);
    if (statement->tag != Ist_IMark) continue;
    begin_instruction(&to, statement->Ist.IMark.addr, fates[number], count - number);
    number++;
  }
  count_run(&to);
  check_left(to.out);
  VG_(free)(fates);
  return to.out;
}

/* ---- Beginning and end */

static Bool process_option(const HChar* argument) {
  return VG_INT_CLO(argument, "--connection", connection) ||
         VG_BOOL_CLO(argument, "--profile", wants_profile);
}
static void print_usage(void) {
  VG_(printf)(
      "    --connection=N  the socket to perfpact\n"
      "    --profile=no|yes  tell what each instruction counted [no]\n");
}
static void print_debug_usage(void) {}

static void after_options(void) {
  if (connection < 0) VG_(fmsg_bad_option)("--connection", "perfpact starts this tool\n");
  handles = VG_(HT_construct)("count.handles");
  singles = VG_(HT_construct)("count.singles");
}

static void in_child(ThreadId tid) {
  (void)tid;
  VG_(close)(connection);
  connection = -1;
}

static void finish(Int status) {
  (void)status;
  if (connection < 0) return;
  *kept(running == VG_INVALID_THREADID ? 0 : running) = current;
  for (ThreadId tid = 0; tid < thread_limit; tid++) {
    current = threads[tid];
    running = tid;
    if (current.size == 0) continue;
    Addr at = VG_(get_IP)(tid);
    count_broken_run(at);
    end_call(COUNT_ENDED, 0, at);
  }
  if (wants_profile) send_profile();
  flush();
}

static void before_options(void) {
  VG_(details_name)("perfpact");
  VG_(details_version)(NULL);
  VG_(details_description)("counts the calls of a function for perfpact");
  VG_(details_copyright_author)("GNU GPL 2 or later");
  VG_(details_bug_reports_to)("perfpact");
  VG_(basic_tool_funcs)(after_options, instrument, finish);
  VG_(needs_command_line_options)(process_option, print_usage, print_debug_usage);
  VG_(needs_syscall_wrapper)(before_system_call, after_system_call);
  VG_(track_start_client_code)(on_start_client_code);
  VG_(track_pre_deliver_signal)(on_signal);
  VG_(track_post_deliver_signal)(on_signal_handled);
  VG_(atfork)(NULL, NULL, in_child);
}

VG_DETERMINE_INTERFACE_VERSION(before_options)
