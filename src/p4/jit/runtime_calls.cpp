#include "p4/jit/runtime_calls.h"

#include "p4/jit/runtime.h"
#include "p4/jit/words.h"
#include "packet/bit_writer.h"

namespace perfpact::p4::jit {
namespace {

bool loop(Frame* frame, std::uint32_t place, std::uint64_t blocks) {
  return Runtime::of(frame).enter_loop(place, blocks);
}
void commit(Frame* frame) {
  Runtime::of(frame).commit();
}
void truncate(Frame* frame, std::uint32_t bytes) {
  Runtime::of(frame).truncate(bytes);
}
const std::uint64_t* lookup(Frame* frame, std::uint32_t table) {
  return Runtime::of(frame).look_up(static_cast<tables::TableId>(table));
}
const std::uint64_t* lookup_packed(Frame* frame, std::uint32_t table) {
  return Runtime::of(frame).look_up_packed(static_cast<tables::TableId>(table));
}
std::uint64_t hash(Frame* frame, std::uint32_t algorithm, bool with_payload, std::uint64_t bits) {
  return Runtime::of(frame).hash(static_cast<core::HashAlgorithm>(algorithm), with_payload, bits);
}
std::uint64_t* register_cell(Frame* frame, std::uint32_t object, std::uint64_t index) {
  return Runtime::of(frame).cell(object, index);
}
void count(Frame* frame, std::uint32_t object, std::uint64_t index) {
  Runtime::of(frame).count(object, index);
}
// Green, as in the interpreter.
std::uint32_t meter(Frame*, std::uint32_t, std::uint64_t) {
  return 0;
}
void random(Frame* frame, std::uint32_t bits) {
  Runtime::of(frame).random(bits);
}
// The low `bits` of the number in the frame's words, behind the first `position` bits of the buffer.
void append(Frame* frame, std::uint8_t* buffer, std::uint64_t position, std::uint32_t width,
            std::uint32_t bits) {
  packet::BitWriter writer;
  writer.append(Integer(buffer[position / 8] >> (8 - position % 8)),
                static_cast<std::uint32_t>(position % 8));
  writer.append(from_words(frame->words, width), bits);
  std::ranges::copy(writer.bytes(), buffer + position / 8);
}
void enqueue(Frame* frame, std::uint32_t place, std::uint32_t pass, std::uint32_t kind, bool original) {
  Runtime::of(frame).enqueue(place, pass, static_cast<core::PassKind>(kind), original);
}
bool enqueue_group(Frame* frame, std::uint32_t place, std::uint32_t pass, std::uint64_t group,
                   std::uint32_t port, std::uint32_t instance) {
  return Runtime::of(frame).enqueue_group(place, pass, group, port, instance);
}
bool enqueue_clone(Frame* frame, std::uint32_t place, std::uint32_t pass, std::uint64_t session,
                   std::uint32_t kind, bool original, std::uint32_t port, std::uint32_t instance) {
  return Runtime::of(frame).enqueue_clone(place, pass, session, static_cast<core::PassKind>(kind), original,
                                          port, instance);
}
void send(Frame* frame, std::uint64_t port) {
  Runtime::of(frame).send(port);
}
void drop(Frame* frame) {
  Runtime::of(frame).drop();
}
void fail(Frame* frame, const char* what) {
  Runtime::of(frame).fail(what);
}
void finish(Frame* frame, std::uint32_t parser_error) {
  Runtime::of(frame).finish(parser_error);
}

template <class Function>
RuntimeCall entry(std::string_view name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

std::array<RuntimeCall, 18> runtime_calls() {
  return {entry("loop", loop),
          entry("commit", commit),
          entry("truncate", truncate),
          entry("lookup", lookup),
          entry("lookup_packed", lookup_packed),
          entry("hash", hash),
          entry("register_cell", register_cell),
          entry("count", count),
          entry("meter", meter),
          entry("random", random),
          entry("append", append),
          entry("enqueue", enqueue),
          entry("enqueue_group", enqueue_group),
          entry("enqueue_clone", enqueue_clone),
          entry("send", send),
          entry("drop", drop),
          entry("fail", fail),
          entry("finish", finish)};
}

}  // namespace perfpact::p4::jit
