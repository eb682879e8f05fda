#include "p4/jit/runtime.h"

#include <cstring>

#include "base/check.h"
#include "p4/jit/words.h"

namespace perfpact::p4::jit {

Runtime::Runtime(const core::Program& program, const tables::TableSet& tables, Code code,
                 ExecutionLimits limits)
    : program_(program), tables_(tables), code_(std::move(code)), limits_(limits) {
  PERFPACT_CHECK(tables.size() == program.tables.size(), "the table set has {} tables, the program {}",
                 tables.size(), program.tables.size());
  for (const ir::Pass& pass : code_.passes) {
    Layout& layout = layouts_.emplace_back();
    for (core::SlotId slot : pass.arguments) {
      layout.offsets.push_back(layout.words);
      layout.words += words_of(program.slots[core::index(slot)].width);
    }
  }
  for (const program::EventSite& site : program.sites) {
    const auto& names = program::schema(site.kind).numbers;
    number_counts_.push_back(static_cast<std::uint8_t>(std::ranges::find(names, "") - names.begin()));
  }
  const auto position = [&slots = code_.passes[0].arguments](core::SlotId slot) {
    return static_cast<std::uint32_t>(std::ranges::find(slots, slot) - slots.begin());
  };
  port_argument_ = position(program.ingress_port);
  length_argument_ = position(program.packet_length);
  for (const core::Object& object : program.objects)
    cells_.emplace_back(object.cells(),
                        object.kind == core::ObjectKind::Register ? words_of(object.width) : 2);
  slack_ = kSlackBytes + code_.bounds.ahead_bits / 8;
  words_.resize(code_.bounds.argument_words + 1);
  words = words_.data();
  hash_bytes_.resize(code_.bounds.hash_bits / 8 + kSlackBytes);
  bytes = hash_bytes_.data();
}

void Runtime::reset() {
  for (Cells& cells : cells_) cells.reset();
  random_ = interpreter::SplitMix64();
}

program::Trace Runtime::run(const program::InputPacket& packet) {
  keeps_outputs_ = true;
  execute(packet);
  program::Trace trace;
  decode(trace);
  trace.outputs = std::exchange(outputs_, {});
  trace.verdict = outcome_.verdict();
  if (parser_error_ != 0) trace.parser_error = program_.errors.at(parser_error_);
  return trace;
}

void Runtime::count(const program::InputPacket& packet, std::vector<std::uint64_t>& counts) {
  keeps_outputs_ = false;
  execute(packet);
  for (const std::uint32_t* id = ids_.data(); id < happened; ++id) ++counts[*id];
}

void Runtime::execute(const program::InputPacket& packet) {
  begins_.clear();
  queued_ = 0;
  loop_blocks_ = 0;
  outcome_ = Outcome();
  parser_error_ = 0;
  happened = ids_.data();
  numbers = numbers_.data();
  enqueue_first(packet);
  for (std::size_t next = 0; next < queued_ && !outcome_.has_ended(); ++next) {
    if (next == limits_.passes)
      return outcome_.stop({fmt::format("more than {} passes", limits_.passes), queue_[next].enqueued_at});
    run_pass(queue_[next]);
  }
}

Runtime::Pass& Runtime::new_pass() {
  if (queued_ == queue_.size()) queue_.emplace_back();
  return queue_[queued_++];
}

void Runtime::fill(Pass& pass, const std::uint8_t* from, std::uint64_t size) const {
  pass.bytes.resize(std::max(pass.bytes.size(), size + slack_));
  if (size > 0) std::memcpy(pass.bytes.data(), from, size);
  std::memset(pass.bytes.data() + size, 0, slack_);
  pass.size = size;
}

void Runtime::enqueue_first(const program::InputPacket& packet) {
  Pass& pass = new_pass();
  pass.kind = core::PassKind::Normal;
  pass.pass = 0;
  pass.is_clone = pass.is_copy = false;
  pass.arguments.assign(layouts_[0].words, 0);
  fill(pass, packet.bytes.data(), packet.bytes.size());
  pass.cursor = pass.output_bits = 0;
  pass.truncate_to.reset();
  write_checked(pass, port_argument_, packet.port);
  write_checked(pass, length_argument_, packet.bytes.size());
}

void Runtime::run_pass(Pass& pass) {
  pass_ = &pass;
  fate_ = Fate();
  begins_.push_back({logged(), pass.kind, pass.is_copy});
  input = pass.bytes.data();
  input_bits = 8 * pass.size;
  cursor = pass.cursor;
  output_bits = pass.output_bits;
  if (output_bits > 0) emitted_[emits_to_] = pass.output;
  make_room();
  code_.enter[pass.pass](this, pass.arguments.data());
}

// For all that can happen until the next loop head.
void Runtime::make_room() {
  const std::size_t used = logged();
  const auto used_numbers = static_cast<std::size_t>(numbers - numbers_.data());
  if (ids_.size() < used + code_.bounds.log_words) ids_.resize(2 * used + code_.bounds.log_words);
  if (numbers_.size() < used_numbers + code_.bounds.log_words)
    numbers_.resize(2 * used_numbers + code_.bounds.log_words);
  happened = ids_.data() + used;
  numbers = numbers_.data() + used_numbers;
  make_output_room();
}

void Runtime::make_output_room() {
  Bytes& emitted = emitted_[emits_to_];
  const std::size_t bytes_needed = (output_bits + code_.bounds.output_bits) / 8 + kSlackBytes;
  if (emitted.size() < bytes_needed) emitted.resize(2 * bytes_needed);
  output = emitted.data();
}

void Runtime::decode(program::Trace& trace) const {
  program::PathHasher path;
  auto begin = begins_.begin();
  const std::size_t sites = program_.sites.size();
  const std::uint64_t* number = numbers_.data();
  for (const std::uint32_t* id = ids_.data();; ++id) {
    for (; begin != begins_.end() && id == ids_.data() + begin->at; ++begin) {
      trace.passes.push_back({trace.events.size(), begin->is_copy});
      path.decide(kPassSite, static_cast<std::uint64_t>(begin->kind));
    }
    if (id == happened) break;
    if (*id >= sites) {
      path.decide(*id - static_cast<std::uint32_t>(sites), *number++);
      continue;
    }
    program::Event& event = trace.events.emplace_back(&program_.sites[*id]);
    std::copy_n(number, number_counts_[*id], event.numbers.begin());
    number += number_counts_[*id];
  }
  trace.path = path.id();
}

void Runtime::finish(std::uint32_t parser_error) {
  if (begins_.size() == 1) parser_error_ = parser_error;
}

bool Runtime::enter_loop(std::uint32_t place, std::uint64_t blocks) {
  loop_blocks_ += blocks;
  if (loop_blocks_ > limits_.loop_blocks) {
    outcome_.stop({"execution limit", code_.places[place]});
    return true;
  }
  make_room();
  return false;
}

// ---- Further passes

Runtime::Pass& Runtime::further_pass(std::uint32_t place, std::uint32_t pass, core::PassKind kind,
                                     bool original) {
  Pass& further = new_pass();
  further.kind = kind;
  further.pass = pass;
  further.is_clone = pass_->is_clone || core::is_clone(kind);
  further.is_copy = pass_->is_copy || core::is_clone(kind) || kind == core::PassKind::Replica;
  further.enqueued_at = place_of_request(kind, place);
  further.arguments.assign(words, words + layouts_[pass].words);
  further.truncate_to.reset();
  if (original) {
    fill(further, pass_->bytes.data(), pass_->size);
    further.cursor = further.output_bits = 0;
  } else {
    fill(further, input, input_bits / 8);
    further.cursor = cursor;
    further.output.assign(output, output + (output_bits + 7) / 8);
    further.output_bits = output_bits;
  }
  return further;
}

Span Runtime::place_of_request(core::PassKind kind, std::uint32_t place) const {
  const auto request = requested_by(kind);
  Span found;
  for (const std::uint32_t* id = ids_.data() + begins_.back().at; request && id < happened; ++id)
    if (*id < program_.sites.size() && program_.sites[*id].kind == *request) found = program_.sites[*id].at;
  return found.is_known() ? found : code_.places[place];
}

void Runtime::enqueue(std::uint32_t place, std::uint32_t pass, core::PassKind kind, bool original) {
  if (!core::is_clone(kind)) fate_.meet(Fate::Kind::Continued);
  further_pass(place, pass, kind, original);
}

void Runtime::write_checked(Pass& pass, std::uint32_t argument, std::uint64_t value) {
  const core::SlotId slot = code_.passes[pass.pass].arguments[argument];
  const core::Slot& declared = program_.slots[core::index(slot)];
  if (declared.width < 64 && value >> declared.width != 0)
    return outcome_.fail(
        fmt::format("{} does not fit in the {} bits of {}", value, declared.width, declared.name));
  pass.arguments[layouts_[pass.pass].offsets[argument]] = value;
}

bool Runtime::enqueue_replicas(const Pass& model, const std::vector<tables::MulticastReplica>& replicas,
                               std::uint32_t port, std::uint32_t instance) {
  for (const tables::MulticastReplica& replica : replicas) {
    Pass& pass = new_pass();
    pass = model;
    write_checked(pass, port, replica.port);
    write_checked(pass, instance, replica.instance);
  }
  return outcome_.has_ended();
}

bool Runtime::enqueue_group(std::uint32_t place, std::uint32_t pass, std::uint64_t id, std::uint32_t port,
                            std::uint32_t instance) {
  fate_.meet(Fate::Kind::Continued);
  if (!pass_->is_clone) outcome_.multicast(id);
  const auto* group = tables_.control_plane().find_group(id);
  if (group == nullptr) return false;
  const Pass model = further_pass(place, pass, core::PassKind::Replica, false);
  --queued_;
  return enqueue_replicas(model, group->replicas, port, instance);
}

bool Runtime::enqueue_clone(std::uint32_t place, std::uint32_t pass, std::uint64_t id, core::PassKind kind,
                            bool original, std::uint32_t port, std::uint32_t instance) {
  const auto* session = tables_.control_plane().find_session(id);
  if (session == nullptr) return false;
  Pass model = further_pass(place, pass, kind, original);
  --queued_;
  if (session->truncate_to > 0) model.truncate_to = session->truncate_to;
  return enqueue_replicas(model, session->replicas, port, instance);
}

void Runtime::send(std::uint64_t port) {
  fate_.meet(Fate::Kind::Sent);
  if (!pass_->is_clone) outcome_.send(port);
  if (!keeps_outputs_) return;
  const std::uint64_t size = std::min(input_bits / 8, pass_->truncate_to.value_or(input_bits / 8));
  outputs_.push_back({port, Bytes(input, input + size)});
}

}  // namespace perfpact::p4::jit
