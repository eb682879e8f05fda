#include "traffic/structures.h"

#include <bit>
#include <limits>

#include "base/spelling.h"
#include "nflib/hash.h"
#include "packet/packet.h"
#include "traffic/diagnostics.h"

namespace perfpact::traffic {
namespace {

constexpr std::uint64_t kMostSlots = std::uint64_t{1} << 31;
constexpr unsigned kMacBits = 48;

// How a structure's keys look.
struct KeyForm {
  std::string_view name;
  std::size_t words;
  unsigned bits;  // of a word
  std::string_view seed;
  std::uint64_t largest_seed;
};
KeyForm form_of(Structure structure) {
  if (structure == Structure::HashMap)
    return {"hash_map", 2, 64, "seed", std::numeric_limits<std::uint32_t>::max()};
  return {"mac_table", 1, kMacBits, "secret", std::numeric_limits<std::uint64_t>::max()};
}

class PlacementReader {
 public:
  PlacementReader(const Yaml& yaml, const NamedValues& values, std::uint64_t count, Diagnostics& diagnostics)
      : yaml_(yaml), values_(values), count_(count), diagnostics_(diagnostics) {
    for (const auto& [name, value] : values_) names_.push_back(name);
  }

  Result<Placement> read() {
    const std::size_t errors_before = diagnostics_.error_count();
    YamlMap map(yaml_, diagnostics_, "a place");
    placement_.span = yaml_.span();
    if (const auto structure = map.require("structure")) read_structure(*structure);
    if (diagnostics_.error_count() != errors_before) return std::unexpected(diagnostics_.already_reported());
    const KeyForm form = form_of(placement_.structure);
    if (const auto slots = map.require("slots")) read_slots(*slots);
    if (const auto seed = map.require(form.seed))
      placement_.seed = seed->as_u64(form.seed, form.largest_seed, diagnostics_).value_or(0);
    if (const auto place = map.require("place")) read_place(*place);
    if (const auto key = map.require("key")) read_key(*key, form);
    if (!map.finish() || diagnostics_.error_count() != errors_before)
      return std::unexpected(diagnostics_.already_reported());
    return std::move(placement_);
  }

 private:
  void read_structure(const Yaml& yaml) {
    const auto text = yaml.as_string("structure", diagnostics_);
    if (!text || *text == "hash_map") return;
    if (*text == "mac_table")
      placement_.structure = Structure::MacTable;
    else
      diagnostics_.report(diag::kUnknownStructure, yaml.span(), *text,
                          did_you_mean(*text, {"hash_map", "mac_table"}));
  }

  void read_slots(const Yaml& yaml) {
    const auto slots = yaml.as_integer("slots", diagnostics_);
    if (!slots) return;
    if (*slots < 1 || *slots > kMostSlots || (*slots & (*slots - 1)) != 0)
      diagnostics_.report(diag::kSlots, yaml.span(), yaml.text());
    else
      placement_.slots = slots->convert_to<std::uint32_t>();
  }

  void read_place(const Yaml& yaml) {
    const auto text = yaml.as_string("place", diagnostics_);
    if (!text) return;
    if (*text == "same_hash")
      placement_.place = Place::SameHash;
    else if (*text == "same_slot")
      placement_.place = Place::SameSlot;
    else if (*text == "own_slot")
      placement_.place = Place::OwnSlot;
    else
      diagnostics_.report(diag::kUnknownPlace, yaml.span(), *text,
                          did_you_mean(*text, {"same_hash", "same_slot", "own_slot"}));
  }

  // The name of a value stands for a word that is this value.
  void read_key(const Yaml& yaml, const KeyForm& form) {
    if (yaml.is_scalar()) {
      placement_.key.resize(form.words);
      if (const auto part = read_part(yaml, form.bits)) placement_.key.back().push_back(*part);
      return;
    }
    if (!yaml.is_list()) {
      diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), "key",
                          "the name of a value or a list of words", yaml.describe());
      return;
    }
    for (const Yaml& word : yaml.items()) read_word(word, form);
    if (placement_.key.size() != form.words)
      diagnostics_.report(diag::kKeyWords, yaml.span(), placement_.key.size(), form.name, form.words);
  }

  void read_word(const Yaml& yaml, const KeyForm& form) {
    KeyWord word;
    unsigned sum = 0;
    if (!yaml.is_map())
      diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), "a word of a key",
                          "a mapping from its parts to their bits", yaml.describe());
    for (const auto& [name, bits] : yaml.entries()) {
      const auto width = bits.as_u64("bits of a part of a key", form.bits, diagnostics_);
      if (!width) continue;
      if (const auto part = read_part(name, static_cast<unsigned>(*width))) word.push_back(*part);
      sum += static_cast<unsigned>(*width);
    }
    if (sum > form.bits) diagnostics_.report(diag::kKeyBits, yaml.span(), sum, form.bits);
    placement_.key.push_back(std::move(word));
  }

  std::optional<KeyPart> read_part(const Yaml& yaml, unsigned bits) {
    KeyPart part{{}, 0, bits};
    const std::string text = yaml.text();
    const auto named = std::ranges::find(names_, text);
    Wide largest = 0;
    if (named != names_.end()) {
      part.value = static_cast<std::size_t>(named - names_.begin());
      largest = values_[*part.value].second.largest(count_);
    } else if (const auto number = packet::parse_value(text);
               number && number->value <= std::numeric_limits<std::uint64_t>::max()) {
      part.constant = number->value.convert_to<std::uint64_t>();
      largest = part.constant;
    } else {
      diagnostics_.report(diag::kKeyPart, yaml.span(), text, did_you_mean(text, names_));
      return std::nullopt;
    }
    if (bits_of(largest) <= bits) return part;
    diagnostics_.report(diag::kKeyPartWide, yaml.span(), text, to_text(largest), bits);
    return std::nullopt;
  }

  const Yaml& yaml_;
  const NamedValues& values_;
  std::uint64_t count_;
  Diagnostics& diagnostics_;
  std::vector<std::string> names_;
  Placement placement_;
};

std::uint64_t word_of(const KeyWord& word, std::span<const Wide> values) {
  std::uint64_t result = 0;
  for (const KeyPart& part : word) {
    const std::uint64_t value = part.value ? static_cast<std::uint64_t>(values[*part.value]) : part.constant;
    result = (part.bits < 64 ? result << part.bits : 0) | value;
  }
  return result;
}

// The inverse of an odd number modulo 2^64 (Newton's iteration, five bits to start with).
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t result = odd * 3 ^ 2;
  for (int bits = 5; bits < 64; bits *= 2) result *= 2 - odd * result;
  return result;
}

}  // namespace

std::uint32_t Placement::hash(std::span<const Wide> values) const {
  if (structure == Structure::MacTable) return nf_mac_table_tag(word_of(key[0], values), seed);
  const nf_key words{{word_of(key[0], values), word_of(key[1], values)}};
  return nf_hash_map_tag(&words, static_cast<std::uint32_t>(seed));
}

std::uint32_t Placement::slot(std::span<const Wide> values) const {
  return nf_home(hash(values), slots);
}

std::uint32_t Placement::fixed_bits() const {
  return place == Place::SameHash ? ~NF_TAG_USED : (slots - 1) & ~NF_TAG_USED;
}

Result<Placement> read_placement(const Yaml& yaml, const NamedValues& values, std::uint64_t count,
                                 Diagnostics& diagnostics) {
  return PlacementReader(yaml, values, count, diagnostics).read();
}

// The steps of nf_mac_table_tag, each the other way round.
MacsOfHash::MacsOfHash(std::uint64_t secret)
    : inverse_of_factor_(inverse(0x9e3779b97f4a7c15U)), inverse_of_secret_(inverse(secret | 1)) {}

}  // namespace perfpact::traffic
