// libFuzzer target: any bytes are refused with an error told, or parsed, checked, lowered and dumped.
// Built with the preset `fuzz`; tools/fuzz runs it from the programs in seeds/.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <random>

#include "base/check.h"
#include "p4/check/typed_program.h"
#include "p4/core/core.h"
#include "p4/core/lower.h"
#include "p4/syntax/parser.h"

// How a violated PERFPACT_CHECK ends the program. libFuzzer does not hear of it, but saves the input at an
// abort.
extern "C" void _Exit(int status) noexcept {
  if (status == perfpact::kExitInternalError) std::abort();
  ::_exit(status);
}

namespace {

using namespace perfpact;

bool is_word(std::uint8_t c) {
  return std::isalnum(c) != 0 || c == '_';
}

/// The first byte after the token at `begin`: a word, spaces, or one other byte.
std::size_t token_end(const std::string& text, std::size_t begin) {
  auto kind = [&](std::size_t at) {
    const auto c = static_cast<std::uint8_t>(text[at]);
    return is_word(c) ? 1 : std::isspace(c) != 0 ? 2 : 0;
  };
  std::size_t end = begin + 1;
  while (kind(begin) != 0 && end < text.size() && kind(end) == kind(begin)) ++end;
  return end;
}

/// Where the tokens of the text begin, and its end.
std::vector<std::size_t> token_starts(const std::string& text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at = token_end(text, at)) starts.push_back(at);
  starts.push_back(text.size());
  return starts;
}

/// Deletes, copies or replaces some tokens in a row by others of the text.
void mutate_tokens(std::string& text, std::minstd_rand& random) {
  const std::vector<std::size_t> starts = token_starts(text);
  const std::size_t tokens = starts.size() - 1;
  auto range = [&](std::size_t most) {
    const std::size_t first = random() % tokens;
    return std::pair(starts[first], starts[std::min(tokens, first + 1 + random() % most)]);
  };
  const auto [begin, end] = range(random() % 4 == 0 ? 40 : 2);
  const auto [from, to] = range(random() % 4 == 0 ? 40 : 2);
  const std::string other = text.substr(from, to - from);
  switch (random() % 3) {
    case 0:
      text.erase(begin, end - begin);
      break;
    case 1:
      text.insert(begin, other);
      break;
    default:
      text.replace(begin, end - begin, other);
      break;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// Most changes of single bytes are syntax errors: changes of tokens reach the checker and the lowering.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  std::minstd_rand random(seed);
  if (size == 0 || random() % 3 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (auto changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) mutate_tokens(text, random);
  const std::size_t length = std::min(text.size(), max_size);
  std::ranges::copy_n(text.begin(), static_cast<std::ptrdiff_t>(length), data);
  return length;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const auto lowered = [&]() -> Result<std::unique_ptr<p4::core::Program>> {
    auto tree = p4::parse_program_text("fuzzed.p4", std::string(reinterpret_cast<const char*>(data), size),
                                       {}, diagnostics);
    if (!tree) return std::unexpected(tree.error());
    static_cast<void>(p4::dump(**tree, sources));
    auto typed = p4::check(std::shared_ptr<const p4::ast::Ast>(std::move(*tree)), diagnostics);
    if (!typed) return std::unexpected(typed.error());
    return p4::lower(**typed, "fuzzed.p4", diagnostics);
  }();
  PERFPACT_CHECK(lowered.has_value() == !diagnostics.has_errors(),
                 "refused without an error, or not refused");
  static_cast<void>(diagnostics.render());
  if (lowered) static_cast<void>(p4::core::dump(**lowered, sources));
  return 0;
}
