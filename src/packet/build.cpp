// Headers to bytes in two passes: write every field (given, derived from what follows, or constant), then
// fill in the checksums from the last header to the first, since an outer one covers the inner ones.
#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/spelling.h"
#include "packet/bit_writer.h"
#include "packet/checksums.h"
#include "packet/diagnostics.h"
#include "packet/protocols.h"
#include "packet/template.h"

namespace perfpact::packet {
namespace {

// A header as resolved: its layout, its protocol if it is a known one, the values given by field index.
struct Part {
  const HeaderLayout* layout = nullptr;
  const Protocol* protocol = nullptr;
  std::map<std::size_t, Integer> values;
  std::size_t first_bit = 0;  // in the packet; known protocols start at a byte
};

std::optional<std::size_t> field_index(const HeaderLayout& layout, std::string_view name) {
  const auto found =
      std::ranges::find(layout.fields, name, [](const FieldLayout& f) { return std::string_view(f.name); });
  if (found == layout.fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - layout.fields.begin());
}

std::optional<std::size_t> find_field(const Part& part, std::string_view name) {
  if (part.protocol != nullptr)
    for (const auto& [other, field] : part.protocol->aliases)
      if (other == name) name = field;
  return field_index(*part.layout, name);
}

std::vector<std::string> field_names(const Part& part) {
  std::vector<std::string> names;
  names.reserve(part.layout->fields.size());
  for (const FieldLayout& field : part.layout->fields) names.push_back(field.name);
  if (part.protocol != nullptr)
    for (const auto& [other, field] : part.protocol->aliases) names.emplace_back(other);
  return names;
}

bool take_value(Part& part, const FieldValue& given, Diagnostics& diagnostics) {
  const auto index = find_field(part, given.name);
  if (!index) {
    diagnostics.report(diag::kUnknownField, given.name_span, part.layout->name, given.name,
                       did_you_mean(given.name, field_names(part)));
    return false;
  }
  const FieldLayout& field = part.layout->fields[*index];
  const auto parsed = parse_value(given.value);
  if (!parsed) {
    diagnostics.report(diag::kBadValue, given.value_span, given.value);
    return false;
  }
  if (parsed->natural_width && *parsed->natural_width != field.width) {
    diagnostics.report(diag::kAddressWidth, given.value_span, given.value, *parsed->natural_width, field.name,
                       field.width);
    return false;
  }
  if (parsed->value > all_ones(field.width)) {
    diagnostics.report(diag::kValueTooWide, given.value_span, given.value, field.name, field.width);
    return false;
  }
  if (!part.values.emplace(*index, parsed->value).second) {
    diagnostics.report(diag::kFieldTwice, given.name_span, field.name, part.layout->name);
    return false;
  }
  return true;
}

std::optional<Part> resolve(const HeaderValue& header, std::span<const HeaderLayout> program_headers,
                            Diagnostics& diagnostics) {
  Part part;
  const auto own = std::ranges::find(program_headers, header.name, &HeaderLayout::name);
  if (own != program_headers.end()) {
    part.layout = &*own;
  } else if (const Protocol* protocol = find_protocol(header.name)) {
    part.layout = &protocol->layout;
    part.protocol = protocol;
  } else {
    std::vector<std::string> names;
    for (const HeaderLayout& layout : program_headers) names.push_back(layout.name);
    for (const Protocol& known : protocols()) names.push_back(known.layout.name);
    diagnostics.report(diag::kUnknownHeader, header.span, header.name, did_you_mean(header.name, names));
    return std::nullopt;
  }
  bool ok = true;
  for (const FieldValue& given : header.fields) ok &= take_value(part, given, diagnostics);
  if (!ok) return std::nullopt;
  return part;
}

// What the header after `part` fixes: the ethertype, the protocol, the port.
void fill_next(Part& part, const Part* next) {
  const NextHeaderField& field = *part.protocol->next;
  std::optional<std::uint16_t> number;
  if (next != nullptr && next->protocol != nullptr)
    number = next->protocol->numbers[static_cast<std::size_t>(field.numbering)];
  part.values.try_emplace(*field_index(*part.layout, field.field), number.value_or(field.otherwise));
}

void fill(std::vector<Part>& parts, std::size_t payload_bytes) {
  std::size_t bits_after = 8 * payload_bytes;
  for (std::size_t i = parts.size(); i-- > 0;) {
    Part& part = parts[i];
    const std::size_t bits_after_start = bits_after + part.layout->bits();
    if (part.protocol != nullptr) {
      for (const auto& [field, value] : part.protocol->constants)
        part.values.try_emplace(*field_index(*part.layout, field), value);
      if (part.protocol->next) fill_next(part, i + 1 < parts.size() ? &parts[i + 1] : nullptr);
      if (const auto& length = part.protocol->length) {
        const std::size_t bytes = (length->counts_header ? bits_after_start : bits_after) / 8;
        const std::size_t index = *field_index(*part.layout, length->field);
        // A length beyond the field (a jumbo) is 0, as RFC 2675 has it.
        part.values.try_emplace(index,
                                Integer(bytes) > all_ones(part.layout->fields[index].width) ? 0 : bytes);
      }
    }
    bits_after = bits_after_start;
  }
}

// Writes all headers and notes the place of known ones, which must start at a byte, as must the payload.
Result<Bytes> write(std::vector<Part>& parts, std::span<const HeaderValue> headers,
                    Diagnostics& diagnostics) {
  BitWriter writer;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    if (part.protocol != nullptr) {
      if (writer.bits() % 8 != 0)
        return std::unexpected(diagnostics.report(diag::kNotBytes, headers[i].span,
                                                  fmt::format("'{}'", part.layout->name), writer.bits()));
    }
    part.first_bit = writer.bits();
    for (std::size_t f = 0; f < part.layout->fields.size(); ++f) {
      const auto value = part.values.find(f);
      writer.append(value == part.values.end() ? Integer(0) : value->second, part.layout->fields[f].width);
    }
  }
  if (writer.bits() % 8 != 0)
    return std::unexpected(
        diagnostics.report(diag::kNotBytes, headers.back().span, "the payload", writer.bits()));
  return writer.take();
}

std::size_t first_bit_of(const Part& part, std::size_t field) {
  std::size_t bit = part.first_bit;
  for (std::size_t f = 0; f < field; ++f) bit += part.layout->fields[f].width;
  return bit;
}

// Nothing when `ip` is no IP header.
std::optional<PseudoHeader> pseudo_header(const Part* ip, const Protocol& upper) {
  if (ip == nullptr || ip->protocol == nullptr) return std::nullopt;
  const std::string_view name = ip->layout->name;
  const bool is_ipv4 = name == "ipv4";
  if (!is_ipv4 && name != "ipv6") return std::nullopt;
  const auto numbering = is_ipv4 ? Numbering::Ipv4Protocol : Numbering::Ipv6NextHeader;
  const std::uint16_t protocol = upper.numbers[static_cast<std::size_t>(numbering)].value_or(0);
  if (is_ipv4) return PseudoHeader{ip->first_bit / 8 + 12, 8, protocol};
  return PseudoHeader{ip->first_bit / 8 + 8, 32, protocol};
}

// The checksum of a part that is to be filled in, if there is one.
std::optional<Checksum> checksum_of(const Part& part, const Part* before) {
  if (part.protocol == nullptr || !part.protocol->checksum) return std::nullopt;
  const ChecksumField& field = *part.protocol->checksum;
  const std::size_t index = *field_index(*part.layout, field.field);
  if (part.values.contains(index)) return std::nullopt;
  Checksum checksum{
      field.kind, first_bit_of(part, index) / 8, part.first_bit / 8, part.layout->bits() / 8, {}};
  const bool after_ipv6 = before != nullptr && before->protocol != nullptr && before->layout->name == "ipv6";
  const bool is_alone =
      field.kind == ChecksumKind::HeaderOnly || (field.kind == ChecksumKind::Icmp && !after_ipv6);
  if (is_alone) return checksum;
  checksum.pseudo_header = pseudo_header(before, *part.protocol);
  if (!checksum.pseudo_header) return std::nullopt;
  return checksum;
}

}  // namespace

struct Template::State {
  std::vector<Part> parts;
  std::vector<Checksum> checksums;  // in the order of filling in
  Bytes packet;
};

Template::Template(std::unique_ptr<State> state) : state_(std::move(state)) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

Result<Template> Template::create(std::span<const HeaderValue> headers, std::span<const std::uint8_t> payload,
                                  std::span<const HeaderLayout> program_headers, Diagnostics& diagnostics) {
  std::vector<Part> parts;
  for (const HeaderValue& header : headers)
    if (auto part = resolve(header, program_headers, diagnostics)) parts.push_back(std::move(*part));
  if (parts.size() != headers.size()) return std::unexpected(diagnostics.already_reported());

  fill(parts, payload.size());
  auto packet = write(parts, headers, diagnostics);
  if (!packet) return std::unexpected(packet.error());
  packet->insert(packet->end(), payload.begin(), payload.end());
  std::vector<Checksum> checksums;
  for (std::size_t i = parts.size(); i-- > 0;)
    if (const auto checksum = checksum_of(parts[i], i > 0 ? &parts[i - 1] : nullptr))
      checksums.push_back(*checksum);
  return Template(std::make_unique<State>(std::move(parts), std::move(checksums), std::move(*packet)));
}

FieldPlace Template::place(std::size_t header, std::string_view field) const {
  const Part& part = state_->parts.at(header);
  const auto index = find_field(part, field);
  PERFPACT_CHECK(index, "a template is asked for the field '{}' that header '{}' does not have", field,
                 part.layout->name);
  return {first_bit_of(part, *index), part.layout->fields[*index].width};
}

void Template::set(const FieldPlace& place, Wide value) {
  std::size_t bit = place.bit + place.width;  // behind what is still to be written
  for (unsigned left = place.width; left > 0;) {
    std::uint8_t& byte = state_->packet[(bit - 1) / 8];
    const auto shift = static_cast<unsigned>((8 - bit % 8) % 8);
    const unsigned taken = std::min(8 - shift, left);
    const unsigned mask = ((1U << taken) - 1) << shift;
    byte = static_cast<std::uint8_t>((byte & ~mask) | (static_cast<unsigned>(value) << shift & mask));
    value >>= taken;
    bit -= taken;
    left -= taken;
  }
}

std::span<const std::uint8_t> Template::bytes() {
  for (const Checksum& checksum : state_->checksums) fill_in(checksum, state_->packet);
  return state_->packet;
}

Result<Bytes> build(std::span<const HeaderValue> headers, std::span<const std::uint8_t> payload,
                    std::span<const HeaderLayout> program_headers, Diagnostics& diagnostics) {
  auto made = Template::create(headers, payload, program_headers, diagnostics);
  if (!made) return std::unexpected(made.error());
  const auto bytes = made->bytes();
  return Bytes(bytes.begin(), bytes.end());
}

}  // namespace perfpact::packet
