#include "forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <ranges>
#include <sstream>

#include "base/check.h"
#include "x86/registers.h"

namespace perfpact::lift {
namespace {

constexpr std::array<std::array<const char*, 4>, x86::kGprs> kNames{{
    {"al", "ax", "eax", "rax"},
    {"cl", "cx", "ecx", "rcx"},
    {"dl", "dx", "edx", "rdx"},
    {"bl", "bx", "ebx", "rbx"},
    {"spl", "sp", "esp", "rsp"},
    {"bpl", "bp", "ebp", "rbp"},
    {"sil", "si", "esi", "rsi"},
    {"dil", "di", "edi", "rdi"},
    {"r8b", "r8w", "r8d", "r8"},
    {"r9b", "r9w", "r9d", "r9"},
    {"r10b", "r10w", "r10d", "r10"},
    {"r11b", "r11w", "r11d", "r11"},
    {"r12b", "r12w", "r12d", "r12"},
    {"r13b", "r13w", "r13d", "r13"},
    {"r14b", "r14w", "r14d", "r14"},
    {"r15b", "r15w", "r15d", "r15"},
}};
constexpr std::array kHighBytes{"ah", "ch", "dh", "bh"};
// Implicit operands are in rax, rcx and rdx; rsp is no index.
constexpr std::array kAddressRegisters{x86::Rbx, x86::Rbp, x86::Rsi, x86::Rdi, x86::R8,  x86::R9,
                                       x86::R12, x86::R13, x86::R14, x86::R15, x86::R10, x86::R11};

std::uint64_t below(Random& random, std::uint64_t bound) {
  return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random);
}

const char* register_name(std::size_t number, unsigned width) {
  return kNames[number][static_cast<std::size_t>(std::countr_zero(width / 8))];
}

const char* size_name(unsigned width) {
  switch (width) {
    case 8:
      return "byte ptr ";
    case 16:
      return "word ptr ";
    case 32:
      return "dword ptr ";
    case 64:
      return "qword ptr ";
    case 128:
      return "xmmword ptr ";
    default:
      return "";
  }
}

class Writer {
 public:
  Writer(const Form& form, std::uint64_t code, std::uint64_t data, Random& random)
      : form_(form), code_(code), data_(data), random_(random) {
    std::ranges::copy(kAddressRegisters, order_.begin());
    std::ranges::shuffle(order_, random_);
  }

  std::string run() {
    // Only in that syntax a bare number is a target.
    const bool is_jump = std::ranges::count(form_.operands, "target") != 0;
    std::string text = is_jump ? ".att_syntax\n" : "";
    text += form_.mnemonic;
    const char* separator = " ";
    for (const std::string& pattern : form_.operands) {
      text += separator;
      text += operand(pattern);
      separator = ", ";
    }
    return text;
  }

 private:
  std::string operand(const std::string& pattern) {
    const std::string kind = pattern.substr(0, pattern.find_first_of("0123456789"));
    unsigned width = form_.width;
    if (kind.size() < pattern.size()) width = static_cast<unsigned>(std::stoul(pattern.substr(kind.size())));
    if (kind == "r") return general(width);
    if (kind == "a") return register_name(x86::Rax, width);
    if (kind == "m") return size_name(width) + memory();
    if (kind == "address") return memory();
    if (kind == "i") return immediate(width);
    if (kind == "count") return std::to_string(below(random_, 71));
    if (kind == "moffs") return fmt::format("{}[{:#x}]", size_name(width), data_ + kMiddle);
    if (kind == "target") return std::to_string(16 + below(random_, 64));
    if (kind == "x") return fmt::format("xmm{}", below(random_, x86::kXmms));
    return pattern;
  }

  // Not one of an address, but often the same one twice.
  std::string general(unsigned width) {
    constexpr std::uint64_t kHighByteOneIn = 4;
    if (width == 8 && below(random_, kHighByteOneIn) == 0)
      return kHighBytes[below(random_, kHighBytes.size())];
    std::size_t number = below(random_, x86::kGprs);
    while (number == x86::Rsp || number == order_[0] || number == order_[1])
      number = below(random_, x86::kGprs);
    return register_name(number, width);
  }

  std::string memory() {
    const char* const base = register_name(order_[0], 64);
    const char* const index = register_name(order_[1], 64);
    const auto scale = 1U << below(random_, 4);
    const auto small = static_cast<std::int64_t>(below(random_, 256)) - 128;
    const auto large = 8 * (static_cast<std::int64_t>(below(random_, 1 << 20)) - (1 << 19));
    switch (below(random_, 10)) {
      case 0:
      case 1:
        return fmt::format("[{}]", base);
      case 2:
        return fmt::format("[{} + {}]", base, small);
      case 3:
        return fmt::format("[{} + {}]", base, large);
      case 4:
        return fmt::format("[{} + {}*{} + {}]", base, index, scale, small);
      case 5:
        return fmt::format("[{}*{} + {}]", index, scale, large);
      case 6:
        return fmt::format("[rip + {}]", data_ + kMiddle - code_);
      case 7:
        return fmt::format("{}:[{} + {}]", below(random_, 2) == 0 ? "fs" : "gs", base, small);
      case 8:
        return fmt::format("[{} + {}*{}]", register_name(order_[0], 32), register_name(order_[1], 32), scale);
      default:
        return fmt::format("[{:#x}]", data_ + kMiddle);
    }
  }

  std::string immediate(unsigned width) {
    const unsigned kept = form_.mnemonic == "movabs" ? 64 : std::min(width, 32U);
    const auto number = static_cast<std::int64_t>(interesting_number(random_) << (64 - kept)) >> (64 - kept);
    return std::to_string(number);
  }

  static constexpr std::uint64_t kMiddle = 2048;
  const Form& form_;
  std::uint64_t code_, data_;
  Random& random_;
  std::array<std::size_t, kAddressRegisters.size()> order_{};
};

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (const auto part : std::views::split(text, separator)) {
    std::string word(part.begin(), part.end());
    const std::size_t begin = word.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    parts.push_back(word.substr(begin, word.find_last_not_of(' ') - begin + 1));
  }
  return parts;
}

std::uint64_t flag_mask(const std::string& name) {
  constexpr std::array<std::pair<const char*, std::uint64_t>, 6> kNamed{{{"CF", x86::kCf},
                                                                         {"PF", x86::kPf},
                                                                         {"AF", x86::kAf},
                                                                         {"ZF", x86::kZf},
                                                                         {"SF", x86::kSf},
                                                                         {"OF", x86::kOf}}};
  const auto* const found =
      std::ranges::find(kNamed, name, [](const auto& pair) { return std::string(pair.first); });
  PERFPACT_CHECK(found != kNamed.end(), "no flag '{}'", name);
  return found->second;
}

// | mnemonics | operands | widths | undefined flags |
void read_row(const std::string& line, std::vector<Form>& forms) {
  std::vector<std::string> cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
  PERFPACT_CHECK(cells.size() == 4, "not a row of forms: {}", line);
  std::uint64_t undefined = 0;
  for (const std::string& flag : split(cells[3], " ")) undefined |= flag_mask(flag);
  for (const std::string& mnemonic : split(cells[0], ","))
    for (const std::string& operands : split(cells[1], " "))
      for (const std::string& width : split(cells[2], " "))
        forms.push_back({.mnemonic = mnemonic,
                         .operands = operands == "-" ? std::vector<std::string>() : split(operands, ","),
                         .width = width == "-" ? 0 : static_cast<unsigned>(std::stoul(width)),
                         .undefined = undefined});
}

}  // namespace

std::string Form::name() const {
  return fmt::format("{} {} ({})", mnemonic, fmt::join(operands, ","), width);
}

std::vector<Form> read_forms(const std::string& path) {
  std::ifstream file(path);
  PERFPACT_CHECK(file.good(), "cannot read {}", path);
  std::vector<Form> forms;
  bool in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("|---"))
      in_table = true;
    else if (!line.starts_with("|"))
      in_table = false;
    else if (in_table)
      read_row(line, forms);
  }
  return forms;
}

std::string write_out(const Form& form, std::uint64_t code, std::uint64_t data, Random& random) {
  return Writer(form, code, data, random).run();
}

std::uint64_t interesting_number(Random& random) {
  switch (below(random, 6)) {
    case 0: {
      constexpr std::array<unsigned, 5> kSigns{7, 15, 31, 63, 0};
      const std::uint64_t bit = std::uint64_t{1} << kSigns[below(random, kSigns.size())];
      return bit - 1 + below(random, 3);
    }
    case 1:
      return below(random, 3) - 1;
    case 2:
      return below(random, 71);
    case 3:
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(random()) >> below(random, 64));
    default:
      return random();
  }
}

std::uint64_t interesting_lanes(Random& random) {
  if (below(random, 2) == 0) return interesting_number(random);
  constexpr unsigned kByte = 8;
  const unsigned width = kByte << below(random, 3);
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  const std::uint64_t mask = 2 * top - 1;
  std::uint64_t lanes = 0;
  for (unsigned position = 0; position < 64; position += width) {
    const std::array<std::uint64_t, 8> choices{0, 1, 2, top - 1, top, mask, below(random, 71), random()};
    lanes |= (choices[below(random, choices.size())] & mask) << position;
  }
  return lanes;
}

}  // namespace perfpact::lift
