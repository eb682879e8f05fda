// Everything that is not computed: the packet, tables, objects, passes. One call of the conventions each.
#include "base/check.h"
#include "p4/ir/lowering.h"

namespace perfpact::p4::ir {

using program::ir::Intrinsic;

namespace {

constexpr std::uint32_t kWordBits = 64;

template <class Kind>
const Kind* instruction_at(const core::Block& block, std::size_t at) {
  return at < block.instructions.size() ? std::get_if<Kind>(&block.instructions[at].action) : nullptr;
}

}  // namespace

template <class Then>
void ProcedureLowering::only_if(llvm::Value* condition, Then&& then) {
  auto* yes = llvm::BasicBlock::Create(module_.context(), "", function_);
  auto* next = llvm::BasicBlock::Create(module_.context(), "", function_);
  builder_.CreateCondBr(condition, yes, next);
  builder_.SetInsertPoint(yes);
  then();
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
}

void ProcedureLowering::execute(const core::RaiseEvent& raise) {
  const program::EventKind kind = program_.sites[core::index(raise.site)].kind;
  const program::EventSchema& schema = program::schema(kind);
  Values arguments{constant(32, core::index(raise.site))};
  for (std::size_t i = 0; i < schema.numbers.size() && !schema.numbers[i].empty(); ++i)
    arguments.push_back(value64(raise.numbers[i]));
  call(Intrinsic::Event, arguments, 0, kind);
}

void ProcedureLowering::execute(const core::PacketLength& length) {
  write(length.to, call(Intrinsic::PacketLength, {}));
}

void ProcedureLowering::execute(const core::PacketRemaining& remaining) {
  write(remaining.to, call(Intrinsic::PacketRemaining, {}));
}

// Reads that follow each other are looks ahead from one cursor, then one move of it: what lies behind the end
// is zero either way.
std::size_t ProcedureLowering::read_run(const core::Block& block, std::size_t at) {
  std::size_t count = 0;
  std::uint32_t bits = 0;
  for (const core::PacketRead* read = nullptr;
       (read = instruction_at<core::PacketRead>(block, at + count)) != nullptr; ++count) {
    const std::uint32_t width = module_.width_of(read->to);
    if (width > 0) write(read->to, call(Intrinsic::PacketPeek, {constant(32, bits)}, width));
    bits += width;
  }
  call(Intrinsic::PacketAdvance, {constant(32, bits)});
  return count;
}

void ProcedureLowering::execute(const core::PacketReadVarbit& read) {
  llvm::Value* bits = value(read.bits);
  const std::uint32_t width = module_.width_of(read.to);
  if (width > 0) write(read.to, call(Intrinsic::PacketReadVarbit, {bits}, width));
  call(Intrinsic::PacketAdvance, {bits});
}

void ProcedureLowering::execute(const core::PacketPeek& peek) {
  const std::uint32_t width = module_.width_of(peek.to);
  if (width > 0) write(peek.to, call(Intrinsic::PacketPeek, {constant(32, peek.offset)}, width));
}

void ProcedureLowering::execute(const core::PacketAdvance& advance) {
  call(Intrinsic::PacketAdvance, {value(advance.bits)});
}

// Values that follow each other are joined up to a word.
std::size_t ProcedureLowering::emit_run(const core::Block& block, std::size_t at) {
  std::size_t count = 0;
  llvm::Value* joined = nullptr;
  std::uint32_t width = 0;
  const auto flush = [&] {
    if (width > 0) call(Intrinsic::PacketEmit, {joined}, width);
    width = 0;
  };
  for (const core::PacketEmit* emit = nullptr;
       (emit = instruction_at<core::PacketEmit>(block, at + count)) != nullptr; ++count) {
    const std::uint32_t more = emit->value.width;
    if (more == 0) continue;
    if (width + more > kWordBits) flush();
    joined = width == 0 ? value(emit->value) : concatenate(joined, width, value(emit->value), more);
    width += more;
  }
  flush();
  return count;
}

void ProcedureLowering::execute(const core::PacketEmitVarbit& emit) {
  if (emit.value.width == 0) return;
  call(Intrinsic::PacketEmitVarbit, {value(emit.value), value(emit.bits)}, emit.value.width);
}

void ProcedureLowering::execute(const core::PacketCommit&) {
  call(Intrinsic::PacketCommit, {});
}

void ProcedureLowering::execute(const core::PacketTruncate& truncate) {
  call(Intrinsic::PacketTruncate, {value(truncate.bytes)});
}

void ProcedureLowering::execute(const core::Lookup& lookup) {
  Values arguments{constant(32, static_cast<std::uint64_t>(lookup.table))};
  for (const core::Operand& key : lookup.keys) arguments.push_back(value(key));
  llvm::Value* result = call(Intrinsic::Lookup, arguments);
  llvm::Value* hit = builder_.CreateExtractValue(result, 0);
  llvm::Value* action = builder_.CreateExtractValue(result, 1);
  llvm::Value* outcome =
      builder_.CreateAdd(builder_.CreateShl(fit(action, 64), constant(64, 1)), fit(hit, 64));
  call(Intrinsic::Decide, {constant(32, core::index(lookup.decision)), outcome});
  write(lookup.hit, hit);
  write(lookup.action, action);
  write(lookup.entries, builder_.CreateExtractValue(result, 2));
  write(lookup.visited, builder_.CreateExtractValue(result, 3));
  write(lookup.prefix_length, builder_.CreateExtractValue(result, 4));
  if (lookup.entry) write(*lookup.entry, builder_.CreateExtractValue(result, 5));
  for (std::size_t i = 0; i < lookup.data.size(); ++i) {
    if (lookup.data[i].empty()) continue;
    only_if(builder_.CreateICmpEQ(action, constant(32, i)), [&] {
      std::uint32_t word = 0;
      for (core::SlotId parameter : lookup.data[i]) {
        const std::uint32_t width = module_.width_of(parameter);
        if (width > 0) write(parameter, call(Intrinsic::LookupData, {constant(32, word)}, width));
        word += (width + kWordBits - 1) / kWordBits;
      }
    });
  }
}

void ProcedureLowering::execute(const core::Hash& hash) {
  Values arguments{constant(32, static_cast<std::uint64_t>(hash.algorithm)),
                   constant(1, hash.with_payload ? 1 : 0)};
  for (const core::DataItem& item : hash.data) {
    if (item.value.width == 0) continue;
    arguments.push_back(value(item.value));
    arguments.push_back(builder_.CreateSelect(value(item.valid), value(item.length), constant(32, 0)));
  }
  llvm::Value* result = call(Intrinsic::Hash, arguments);
  if (module_.width_of(hash.to) > 0) write(hash.to, fit(result, module_.width_of(hash.to)));
}

llvm::Value* ProcedureLowering::is_within(core::ObjectId object, llvm::Value* index) {
  return builder_.CreateICmpULT(index, constant(64, program_.objects[core::index(object)].cells()));
}

void ProcedureLowering::execute(const core::RegisterRead& read) {
  const std::uint32_t width = module_.width_of(read.to);
  if (width == 0) return;
  llvm::Value* index = index64(read.index);
  only_if(is_within(read.object, index), [&] {
    write(read.to, call(Intrinsic::RegisterRead, {constant(32, core::index(read.object)), index}, width));
  });
}

void ProcedureLowering::execute(const core::RegisterWrite& store) {
  if (store.value.width == 0) return;
  llvm::Value* index = index64(store.index);
  llvm::Value* cell = value(store.value);
  only_if(is_within(store.object, index), [&] {
    call(Intrinsic::RegisterWrite, {constant(32, core::index(store.object)), index, cell}, store.value.width);
  });
}

void ProcedureLowering::execute(const core::Count& count) {
  llvm::Value* index = index64(count.index);
  only_if(is_within(count.object, index),
          [&] { call(Intrinsic::Count, {constant(32, core::index(count.object)), index}); });
}

void ProcedureLowering::execute(const core::Meter& meter) {
  llvm::Value* index = index64(meter.index);
  only_if(is_within(meter.object, index), [&] {
    llvm::Value* colour = call(Intrinsic::Meter, {constant(32, core::index(meter.object)), index});
    if (module_.width_of(meter.to) > 0) write(meter.to, fit(colour, module_.width_of(meter.to)));
  });
}

void ProcedureLowering::execute(const core::Random& random) {
  const std::uint32_t width = module_.width_of(random.to);
  if (width > 0) write(random.to, call(Intrinsic::Random, {value(random.low), value(random.high)}, width));
}

void ProcedureLowering::execute(const core::Call& callee) {
  llvm::Value* failed =
      builder_.CreateCall(module_.function(callee.procedure), {function_->getArg(0), function_->getArg(1)});
  if (module_.may_fail(callee.procedure)) fail_if(failed);
}

template <class Enqueue>
void ProcedureLowering::append_arguments(const Enqueue& enqueue, core::PassKind kind, Values& arguments) {
  for (core::SlotId slot : module_.pass(enqueue.procedure).arguments) {
    const std::uint32_t width = module_.width_of(slot);
    const auto set = std::ranges::find(enqueue.set, slot, [](const auto& pair) { return pair.first; });
    if (set != enqueue.set.end()) {
      arguments.push_back(value(set->second));
    } else if (slot == program_.instance_type) {
      arguments.push_back(constant(width, core::instance_type(kind)));
    } else if (std::ranges::count(enqueue.keep, slot) > 0) {
      arguments.push_back(value(core::Operand::of(slot, width)));
    } else {
      arguments.push_back(constant(width, 0));
    }
  }
}

llvm::Value* ProcedureLowering::position(core::ProcedureId pass, core::SlotId slot) {
  const std::vector<core::SlotId>& slots = module_.pass(pass).arguments;
  return constant(32, static_cast<std::uint64_t>(std::ranges::find(slots, slot) - slots.begin()));
}

llvm::Function* ProcedureLowering::pass_function(core::ProcedureId pass) {
  return module_.module().getFunction(module_.pass(pass).function);
}

void ProcedureLowering::execute(const core::Enqueue& enqueue) {
  Values arguments{place(), pass_function(enqueue.procedure),
                   constant(32, static_cast<std::uint64_t>(enqueue.kind)),
                   constant(1, enqueue.original_packet ? 1 : 0)};
  append_arguments(enqueue, enqueue.kind, arguments);
  call(Intrinsic::Enqueue, arguments);
}

void ProcedureLowering::execute(const core::EnqueueGroup& enqueue) {
  Values arguments{place(), pass_function(enqueue.procedure), value64(enqueue.group),
                   position(enqueue.procedure, enqueue.port), position(enqueue.procedure, enqueue.instance)};
  append_arguments(enqueue, core::PassKind::Replica, arguments);
  fail_if(call(Intrinsic::EnqueueGroup, arguments));
}

void ProcedureLowering::execute(const core::EnqueueClone& enqueue) {
  Values arguments{place(),
                   pass_function(enqueue.procedure),
                   value64(enqueue.session),
                   constant(32, static_cast<std::uint64_t>(enqueue.kind)),
                   constant(1, enqueue.original_packet ? 1 : 0),
                   position(enqueue.procedure, enqueue.port),
                   position(enqueue.procedure, enqueue.instance)};
  append_arguments(enqueue, enqueue.kind, arguments);
  fail_if(call(Intrinsic::EnqueueClone, arguments));
}

void ProcedureLowering::execute(const core::SendPacket& send) {
  call(Intrinsic::Send, {value64(send.port)});
}

void ProcedureLowering::execute(const core::DropPacket&) {
  call(Intrinsic::Drop, {});
}

// What follows in the block is never reached, as in the interpreter.
void ProcedureLowering::execute(const core::Fail& failure) {
  call(Intrinsic::Fail, {builder_.CreateGlobalString(failure.what, "", 0, &module_.module())});
  fail_if(builder_.getTrue());
}

}  // namespace perfpact::p4::ir
