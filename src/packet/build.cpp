// Headers to bytes in two passes: write every field (given, derived from what follows, or constant), then
// patch the checksums from the last header to the first, since an outer one covers the inner ones.
#include <algorithm>
#include <map>

#include "base/spelling.h"
#include "packet/bit_writer.h"
#include "packet/diagnostics.h"
#include "packet/protocols.h"

namespace perfpact::packet {
namespace {

// A header as resolved: its layout, its protocol if it is a known one, the values given by field index.
struct Part {
  const HeaderLayout* layout = nullptr;
  const Protocol* protocol = nullptr;
  std::map<std::size_t, Integer> values;
  std::size_t offset = 0;  // in bytes; of known protocols only
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
      part.offset = writer.bits() / 8;
    }
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

// The Internet checksum's sum of 16-bit words (RFC 1071), not yet folded.
std::uint64_t word_sum(std::span<const std::uint8_t> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    sum += i % 2 == 0 ? std::uint64_t{bytes[i]} << 8 : std::uint64_t{bytes[i]};
  return sum;
}

std::uint16_t fold(std::uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

// The pseudo header's sum for a segment of `length` bytes after `ip`; nothing when `ip` is no IP header.
std::optional<std::uint64_t> pseudo_header_sum(const Part* ip, const Protocol& upper, std::size_t length,
                                               std::span<const std::uint8_t> packet) {
  if (ip == nullptr || ip->protocol == nullptr) return std::nullopt;
  const std::string_view name = ip->layout->name;
  const bool is_ipv4 = name == "ipv4";
  if (!is_ipv4 && name != "ipv6") return std::nullopt;
  const auto addresses = is_ipv4 ? packet.subspan(ip->offset + 12, 8) : packet.subspan(ip->offset + 8, 32);
  const auto numbering = is_ipv4 ? Numbering::Ipv4Protocol : Numbering::Ipv6NextHeader;
  return word_sum(addresses) + upper.numbers[static_cast<std::size_t>(numbering)].value_or(0) +
         (length & 0xffff) + (length >> 16);
}

void patch_checksum(const Part& part, const Part* before, Bytes& packet) {
  const ChecksumField& checksum = *part.protocol->checksum;
  const std::size_t index = *field_index(*part.layout, checksum.field);
  if (part.values.contains(index)) return;
  const std::span<const std::uint8_t> segment = std::span<const std::uint8_t>(packet).subspan(part.offset);
  std::uint64_t sum = 0;
  if (checksum.kind == ChecksumKind::HeaderOnly) {
    // Options, when ihl was given for them, stand at the start of what follows.
    const std::size_t given = 4U * (segment[0] & 0x0fU);
    sum = word_sum(
        segment.first(std::min(std::max<std::size_t>(given, part.layout->bits() / 8), segment.size())));
  } else {
    sum = word_sum(segment);
    const bool icmpv4 = checksum.kind == ChecksumKind::Icmp &&
                        (before == nullptr || before->protocol == nullptr || before->layout->name != "ipv6");
    if (!icmpv4) {
      const auto pseudo = pseudo_header_sum(before, *part.protocol, segment.size(), packet);
      if (!pseudo) return;
      sum += *pseudo;
    }
  }
  std::uint16_t value = fold(sum);
  if (checksum.kind == ChecksumKind::ZeroIsNone && value == 0) value = 0xffff;
  std::size_t bits_before = 0;
  for (std::size_t f = 0; f < index; ++f) bits_before += part.layout->fields[f].width;
  packet[part.offset + bits_before / 8] = static_cast<std::uint8_t>(value >> 8);
  packet[part.offset + bits_before / 8 + 1] = static_cast<std::uint8_t>(value & 0xff);
}

}  // namespace

Result<Bytes> build(std::span<const HeaderValue> headers, std::span<const std::uint8_t> payload,
                    std::span<const HeaderLayout> program_headers, Diagnostics& diagnostics) {
  std::vector<Part> parts;
  for (const HeaderValue& header : headers)
    if (auto part = resolve(header, program_headers, diagnostics)) parts.push_back(std::move(*part));
  if (parts.size() != headers.size()) return std::unexpected(diagnostics.already_reported());

  fill(parts, payload.size());
  auto packet = write(parts, headers, diagnostics);
  if (!packet) return std::unexpected(packet.error());
  packet->insert(packet->end(), payload.begin(), payload.end());
  for (std::size_t i = parts.size(); i-- > 0;)
    if (parts[i].protocol != nullptr && parts[i].protocol->checksum)
      patch_checksum(parts[i], i > 0 ? &parts[i - 1] : nullptr, *packet);
  return packet;
}

}  // namespace perfpact::packet
