// What compiled code asks of tables, hashes, objects, and the packet as a whole.
#include <cstring>

#include "base/check.h"
#include "p4/jit/runtime.h"
#include "p4/jit/words.h"
#include "packet/bit_writer.h"
#include "packet/hash.h"
#include "tables/action_words.h"

namespace perfpact::p4::jit {

void Runtime::commit() {
  Bytes& target = emitted_[emits_to_];
  const std::uint64_t rest = input_bits - cursor;
  const std::uint64_t size = (output_bits + rest + 7) / 8;
  if (target.size() < size + slack_) target.resize(2 * (size + slack_));
  if (output_bits % 8 == 0 && cursor % 8 == 0) {
    if (rest > 0) std::memcpy(target.data() + output_bits / 8, input + cursor / 8, rest / 8);
  } else {
    packet::BitWriter joined;
    joined.append(Integer(target[output_bits / 8] >> (8 - output_bits % 8)),
                  static_cast<std::uint32_t>(output_bits % 8));
    joined.append({input, input_bits / 8}, cursor);
    std::ranges::copy(joined.bytes(), target.data() + output_bits / 8);
  }
  std::memset(target.data() + size, 0, slack_);
  input = target.data();
  input_bits = 8 * size;
  cursor = 0;
  output_bits = 0;
  emits_to_ = 1 - emits_to_;
  make_output_room();
}

void Runtime::truncate(std::uint32_t to) {
  pass_->truncate_to = std::min<std::uint64_t>(to, pass_->truncate_to.value_or(to));
}

const std::uint64_t* Runtime::look_up(tables::TableId table) {
  const tables::TableSchema& schema = program_.tables[static_cast<std::size_t>(table)];
  key_.clear();
  const std::uint64_t* word = words;
  for (const tables::KeySchema& key : schema.keys) {
    key_.push_back(from_words(word, key.width));
    word += words_of(key.width);
  }
  const tables::LookupResult result = tables_.lookup(table, key_);
  action_words_ = tables::action_words(schema, *result.action);
  looked_up = {.hit = result.hit ? std::uint64_t{1} : 0,
               .action = action_words_[0],
               .entries = result.entries,
               .visited = result.visited,
               .prefix_length = result.prefix_length,
               .entry = result.entry};
  return action_words_.data() + 1;
}

std::uint64_t Runtime::hash(core::HashAlgorithm algorithm, bool with_payload, std::uint64_t bits) {
  if (algorithm == core::HashAlgorithm::Random) return random_.next();
  const std::uint64_t size = (bits + 7) / 8;
  if (bits % 8 != 0) bytes[size - 1] &= static_cast<std::uint8_t>(0xff00 >> (bits % 8));
  if (!with_payload) return packet::hash_value(algorithm, {bytes, size});
  packet::BitWriter payload;
  payload.append({input, input_bits / 8}, cursor);
  Bytes all(bytes, bytes + size);
  all.insert(all.end(), payload.bytes().begin(), payload.bytes().end());
  return packet::hash_value(algorithm, all);
}

void Runtime::count(std::uint32_t object, std::uint64_t index) {
  std::uint64_t* counter = cell(object, index);
  counter[0] += 1;
  counter[1] += pass_->size;
}

void Runtime::random(std::uint32_t bits) {
  const Integer low = from_words(words, bits);
  const Integer high = from_words(words + words_of(bits), bits);
  to_words(random_.uniform(low, high), bits, words);
}

}  // namespace perfpact::p4::jit
