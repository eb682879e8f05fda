// The hash tables in which flows can be given a place: those of nflib (nflib/include/nflib/hash.h). Tested by
// tests/traffic/structures_test.cpp against the tables' own hash functions.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/yaml.h"
#include "traffic/value.h"

namespace perfpact::traffic {

enum class Structure : std::uint8_t { HashMap, MacTable };

/// What a place is to be.
enum class Place : std::uint8_t {
  SameHash,  // all flows have the same stored hash, so that their keys are compared
  SameSlot,  // the search begins in the same slot for all flows
  OwnSlot,   // no two flows have the same: each is found in the first slot looked at
};

/// A part of a key, in a word of it: the value `value` of the flow, or a constant.
struct KeyPart {
  std::optional<std::size_t> value;
  std::uint64_t constant = 0;
  unsigned bits = 0;
};
/// A word of a key, the most significant part first, the last one down to bit 0.
using KeyWord = std::vector<KeyPart>;

/// A wish for the place of every flow of a set in a hash table.
struct Placement {
  Structure structure{};
  std::uint32_t slots = 1;  // a power of two
  std::uint64_t seed = 0;   // hash_map: the seed; mac_table: the secret key
  Place place{};
  std::vector<KeyWord> key;
  Span span;

  /// The stored hash of a flow's key.
  [[nodiscard]] std::uint32_t hash(std::span<const Wide> values) const;
  [[nodiscard]] std::uint32_t slot(std::span<const Wide> values) const;
  /// The part of the hash that SameHash and SameSlot fix.
  [[nodiscard]] std::uint32_t fixed_bits() const;
};

/// The values of a flow by name, in their order.
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// `{structure: hash_map, slots: N, seed: N, key: [{src: 32, dst: 32}, {sport: 16}], place: own_slot}`, or
/// `{structure: mac_table, slots: N, secret: N, key: mac, place: same_hash}`.
[[nodiscard]] Result<Placement> read_placement(const Yaml& yaml, const NamedValues& values,
                                               std::uint64_t count, Diagnostics& diagnostics);

/// The hash of a mac_table backwards.
class MacsOfHash {
 public:
  explicit MacsOfHash(std::uint64_t secret);
  /// The number whose hash is the high half of `mixed`, up to the bit that all hashes have set. Most are
  /// above 48 bits and so no MAC addresses.
  [[nodiscard]] std::uint64_t at(std::uint64_t mixed) const {
    mixed *= inverse_of_factor_;
    mixed ^= mixed >> 32;
    return mixed * inverse_of_secret_;
  }

 private:
  std::uint64_t inverse_of_factor_;
  std::uint64_t inverse_of_secret_;
};

}  // namespace perfpact::traffic
