#include "p4/jit/expand.h"

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <cstddef>

#include "base/check.h"
#include "p4/jit/expander.h"

namespace perfpact::p4::jit {

using program::ir::Intrinsic;

// In the order of program::ir::Intrinsic.
const std::array<Expander::Handler, program::ir::kP4Intrinsics> Expander::kHandlers{
    &Expander::event,
    &Expander::decide,
    &Expander::loop,
    &Expander::packet_length,
    &Expander::packet_remaining,
    &Expander::packet_peek,
    &Expander::packet_read_varbit,
    &Expander::packet_advance,
    &Expander::packet_emit,
    &Expander::packet_emit_varbit,
    &Expander::packet_commit,
    &Expander::packet_truncate,
    &Expander::lookup,
    &Expander::lookup_data,
    &Expander::hash,
    &Expander::register_read,
    &Expander::register_write,
    &Expander::count,
    &Expander::meter,
    &Expander::random,
    &Expander::enqueue,
    &Expander::enqueue_group,
    &Expander::enqueue_clone,
    &Expander::send,
    &Expander::drop,
    &Expander::fail,
    &Expander::finish,
};

Expander::Expander(llvm::Module& module, const core::Program& program, const std::vector<ir::Pass>& passes)
    : module_(module), program_(program), passes_(passes), builder_(module.getContext()) {
  llvm::MDBuilder metadata(module.getContext());
  llvm::MDNode* root = metadata.createTBAARoot("perfpact");
  for (const auto& [memory, name] :
       {std::pair(Memory::Frame, "frame"), {Memory::Log, "log"}, {Memory::Data, "data"}}) {
    llvm::MDNode* type = metadata.createTBAAScalarTypeNode(name, root);
    memories_.at(static_cast<std::size_t>(memory)) = metadata.createTBAAStructTagNode(type, type, 0);
  }
}

Expander::Value Expander::load_from(Memory memory, Value from, llvm::Type* type, llvm::Align alignment) {
  llvm::LoadInst* load = builder_.CreateAlignedLoad(type, from, alignment);
  load->setMetadata(llvm::LLVMContext::MD_tbaa, memories_.at(static_cast<std::size_t>(memory)));
  return load;
}

void Expander::store_to(Memory memory, Value to, Value value, llvm::Align alignment) {
  llvm::StoreInst* store = builder_.CreateAlignedStore(value, to, alignment);
  store->setMetadata(llvm::LLVMContext::MD_tbaa, memories_.at(static_cast<std::size_t>(memory)));
}

void Expander::run() {
  std::vector<std::pair<llvm::CallInst*, Intrinsic>> calls;
  for (llvm::Function& function : module_)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (const auto id =
                  program::ir::find_intrinsic(std::string_view(call->getCalledFunction()->getName()));
              id && call->getCalledFunction()->isDeclaration())
            calls.emplace_back(call, id->intrinsic);
  for (const auto& [call, intrinsic] : calls) {
    call_ = call;
    builder_.SetInsertPoint(call);
    if (Value value = (this->*kHandlers[static_cast<std::size_t>(intrinsic)])();
        value != nullptr && !call->getType()->isVoidTy())
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  for (std::size_t i = 0; i < passes_.size(); ++i) add_enter(i);
}

// The pass is its own function, entered through one that reads its arguments from memory.
void Expander::add_enter(std::size_t pass) {
  auto* pointer = builder_.getPtrTy();
  auto* function = llvm::Function::Create(llvm::FunctionType::get(none(), {pointer, pointer}, false),
                                          llvm::Function::ExternalLinkage, enter_name(pass), module_);
  builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", function));
  llvm::Function* target = module_.getFunction(passes_[pass].function);
  std::vector<Value> values{function->getArg(0)};
  std::uint64_t word = 0;
  for (llvm::Argument& parameter : llvm::drop_begin(target->args())) {
    const std::uint32_t bits = width(&parameter);
    values.push_back(load_words(byte_at(function->getArg(1), number(8 * word)), bits));
    word += words_of(bits);
  }
  builder_.CreateCall(target, values);
  builder_.CreateRetVoid();
}

Expander::Value Expander::runtime(std::string_view name, llvm::Type* result, std::vector<Value> values) {
  values.insert(values.begin(), machine());
  std::vector<llvm::Type*> types;
  for (Value value : values) types.push_back(value->getType());
  llvm::FunctionCallee callee = module_.getOrInsertFunction(fmt::format("perfpact_{}", name),
                                                            llvm::FunctionType::get(result, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addParamAttr(0, llvm::Attribute::NoCapture);
  llvm::CallInst* made = builder_.CreateCall(callee, values);
  // Narrow arguments are passed as C passes a bool.
  for (unsigned i = 0; i < values.size(); ++i)
    if (types[i]->isIntegerTy(1)) {
      function->addParamAttr(i, llvm::Attribute::ZExt);
      made->addParamAttr(i, llvm::Attribute::ZExt);
    }
  if (result->isIntegerTy(1)) {
    function->addRetAttr(llvm::Attribute::ZExt);
    made->addRetAttr(llvm::Attribute::ZExt);
  }
  return made;
}

// ---- What happened

Expander::Value Expander::event() {
  log(llvm::cast<llvm::ConstantInt>(argument(0))->getZExtValue(), 1);
  return nullptr;
}

Expander::Value Expander::decide() {
  log(program_.sites.size() + llvm::cast<llvm::ConstantInt>(argument(0))->getZExtValue(), 1);
  return nullptr;
}

// What happened, with the numbers that are arguments from the begin-th on.
void Expander::log(std::uint64_t id, unsigned begin) {
  Value happened = load_pointer(offsetof(Frame, happened));
  store_to(Memory::Log, happened, builder_.getInt32(static_cast<std::uint32_t>(id)), llvm::Align(4));
  store(offsetof(Frame, happened), byte_at(happened, number(sizeof(std::uint32_t))));
  if (begin == arguments()) return;
  Value numbers = load_pointer(offsetof(Frame, numbers));
  for (unsigned i = begin; i < arguments(); ++i)
    store_to(Memory::Log, byte_at(numbers, number(8 * (i - begin))), argument(i));
  store(offsetof(Frame, numbers), byte_at(numbers, number(8 * (arguments() - begin))));
}

// ---- The packet

Expander::Value Expander::packet_length() {
  return fit(shifted_right(load_word(offsetof(Frame, input_bits)), 3), 32);
}

Expander::Value Expander::packet_remaining() {
  return fit(builder_.CreateSub(load_word(offsetof(Frame, input_bits)), load_word(offsetof(Frame, cursor))),
             32);
}

Expander::Value Expander::packet_peek() {
  Value position = builder_.CreateAdd(load_word(offsetof(Frame, cursor)), fit(argument(0), kWordBits));
  return read_bits(load_pointer(offsetof(Frame, input)), position, width(call_));
}

Expander::Value Expander::packet_read_varbit() {
  const std::uint32_t bits = width(call_);
  Value all = read_bits(load_pointer(offsetof(Frame, input)), load_word(offsetof(Frame, cursor)), bits);
  const std::uint32_t wide = std::max(bits, 32U);
  Value unread = builder_.CreateSub(llvm::ConstantInt::get(integer(wide), bits), fit(argument(0), wide));
  Value is_empty = builder_.CreateICmpEQ(argument(0), builder_.getInt32(0));
  return builder_.CreateSelect(is_empty, llvm::ConstantInt::get(integer(bits), 0),
                               builder_.CreateLShr(all, fit(unread, bits)));
}

Expander::Value Expander::packet_advance() {
  Value next = builder_.CreateAdd(load_word(offsetof(Frame, cursor)), fit(argument(0), kWordBits));
  store(offsetof(Frame, cursor),
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, next, load_word(offsetof(Frame, input_bits))));
  return nullptr;
}

Expander::Value Expander::packet_emit() {
  Value position = load_word(offsetof(Frame, output_bits));
  const std::uint32_t bits = width(argument(0));
  write_bits(load_pointer(offsetof(Frame, output)), position, argument(0), bits);
  store(offsetof(Frame, output_bits), builder_.CreateAdd(position, number(bits)));
  return nullptr;
}

Expander::Value Expander::packet_emit_varbit() {
  Value position = load_word(offsetof(Frame, output_bits));
  store(offsetof(Frame, output_bits),
        append_varbit(load_pointer(offsetof(Frame, output)), position, argument(0), argument(1)));
  return nullptr;
}

// ---- Tables, hashes, objects

Expander::Value Expander::lookup() {
  const std::uint64_t table = llvm::cast<llvm::ConstantInt>(argument(0))->getZExtValue();
  const tables::TableSchema& schema = program_.tables[table];
  Value data = nullptr;
  if (has_packed_key(schema)) {
    pass_packed_key(tables::KeyLayout(schema.keys));
    data = runtime("lookup_packed", builder_.getPtrTy(), {argument(0)});
  } else {
    pass_words(1);
    data = runtime("lookup", builder_.getPtrTy(), {argument(0)});
  }
  store(offsetof(Frame, data), data);
  Value result = llvm::PoisonValue::get(call_->getType());
  constexpr std::array kOffsets{offsetof(Frame, looked_up.hit),           offsetof(Frame, looked_up.action),
                                offsetof(Frame, looked_up.entries),       offsetof(Frame, looked_up.visited),
                                offsetof(Frame, looked_up.prefix_length), offsetof(Frame, looked_up.entry)};
  for (unsigned i = 0; i < kOffsets.size(); ++i) {
    const std::uint32_t bits = call_->getType()->getStructElementType(i)->getIntegerBitWidth();
    result = builder_.CreateInsertValue(result, fit(load_word(kOffsets.at(i)), bits), i);
  }
  return result;
}

void Expander::pass_packed_key(const tables::KeyLayout& layout) {
  Value words = load_pointer(offsetof(Frame, words));
  if (layout.mask_words() > 0) {
    const auto bits = static_cast<std::uint32_t>(kWordBits * layout.mask_words());
    Value packed = llvm::ConstantInt::get(integer(bits), 0);
    for (const tables::KeyLayout::Field& field : layout.masked_fields()) {
      if (field.width == 0) continue;
      Value key = fit(argument(static_cast<unsigned>(field.key) + 1), bits);
      packed = builder_.CreateOr(packed, shifted_left(key, field.offset));
    }
    store_words(words, packed);
  }
  for (const tables::KeyLayout::Field& field : layout.range_fields()) {
    Value key = argument(static_cast<unsigned>(field.key) + 1);
    const auto bits = static_cast<std::uint32_t>(kWordBits * field.words());
    for (std::size_t i = 0; i < field.words(); ++i) {
      Value word = fit(shifted_right(fit(key, bits), bits - kWordBits * (i + 1)), kWordBits);
      store_to(Memory::Data, byte_at(words, number(8 * (field.offset + i))), word);
    }
  }
}

Expander::Value Expander::lookup_data() {
  Value data = load_pointer(offsetof(Frame, data));
  return load_words(byte_at(data, builder_.CreateMul(fit(argument(0), kWordBits), number(8))), width(call_));
}

Expander::Value Expander::hash() {
  if (is_checksum_of_fields()) return checksum();
  Value bytes = load_pointer(offsetof(Frame, bytes));
  Value position = number(0);
  for (unsigned i = 2; i < arguments(); i += 2)
    position = append_item(bytes, position, argument(i), argument(i + 1));
  return runtime("hash", integer(64), {argument(0), argument(1), position});
}

Expander::Value Expander::register_read() {
  return load_words(runtime("register_cell", builder_.getPtrTy(), {argument(0), argument(1)}), width(call_));
}

Expander::Value Expander::register_write() {
  store_words(runtime("register_cell", builder_.getPtrTy(), {argument(0), argument(1)}), argument(2));
  return nullptr;
}

Expander::Value Expander::random() {
  const std::uint32_t bits = width(call_);
  pass_words(0);
  runtime("random", none(), {builder_.getInt32(bits)});
  return load_words(load_pointer(offsetof(Frame, words)), bits);
}

// ---- Passes

Expander::Value Expander::pass_number(Value function) {
  const auto found = std::ranges::find(passes_, std::string_view(function->getName()), &ir::Pass::function);
  PERFPACT_CHECK(found != passes_.end(), "no pass {}", std::string_view(function->getName()));
  return builder_.getInt32(static_cast<std::uint32_t>(found - passes_.begin()));
}

Expander::Value Expander::enqueue() {
  pass_words(4);
  return runtime("enqueue", none(), {argument(0), pass_number(argument(1)), argument(2), argument(3)});
}

Expander::Value Expander::enqueue_group() {
  pass_words(5);
  return runtime("enqueue_group", bit(),
                 {argument(0), pass_number(argument(1)), argument(2), argument(3), argument(4)});
}

Expander::Value Expander::enqueue_clone() {
  pass_words(7);
  return runtime("enqueue_clone", bit(),
                 {argument(0), pass_number(argument(1)), argument(2), argument(3), argument(4), argument(5),
                  argument(6)});
}

std::string enter_name(std::size_t pass) {
  return fmt::format("perfpact_enter_{}", pass);
}

bool has_packed_key(const tables::TableSchema& table) {
  return !table.keys.empty() && !table.implementation &&
         std::ranges::count(table.keys, tables::MatchKind::Selector, &tables::KeySchema::kind) == 0;
}

void expand(llvm::Module& module, const core::Program& program, const std::vector<ir::Pass>& passes) {
  Expander(module, program, passes).run();
}

}  // namespace perfpact::p4::jit
