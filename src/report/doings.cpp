#include "report/doings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace perfpact::report {
namespace {

constexpr std::size_t kDoingsShown = 40;  // parser states, look-ups, passes

std::string describe_apply(const program::Trace& trace, std::size_t index, bool with_ranks) {
  const program::Event& event = trace.events[index];
  std::string text =
      fmt::format("{} {}", event.text("table").value(), event.number("hit").value() != 0 ? "hit" : "miss");
  if (with_ranks)
    text +=
        fmt::format(" ({} of {} visited)", event.number("visited").value(), event.number("entries").value());
  const bool runs_action =
      index + 1 < trace.events.size() && trace.events[index + 1].kind() == program::EventKind::ActionRun;
  return runs_action ? fmt::format("{}, {}", text, trace.events[index + 1].text("action").value()) : text;
}

}  // namespace

std::string what_it_does(const program::Trace& trace, bool with_ranks) {
  using enum program::EventKind;
  std::vector<std::string> parts;
  bool in_parser = false;
  std::size_t told = 0;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const program::Event& event = trace.events[i];
    const program::EventKind kind = event.kind();
    if (kind != ParserState && kind != TableApply && (kind != Start || i == 0)) continue;
    if (++told > kDoingsShown) continue;
    if (kind == ParserState && in_parser)
      parts.back() += fmt::format(", {}", event.text("name").value());
    else if (kind == ParserState)
      parts.push_back(fmt::format("parser {}", event.text("name").value()));
    else if (kind == TableApply)
      parts.push_back(describe_apply(trace, i, with_ranks));
    else
      parts.push_back(fmt::format("then {}", event.text("pass").value()));
    in_parser = kind == ParserState;
  }
  if (told > kDoingsShown) parts.push_back(fmt::format("and {} more", told - kDoingsShown));
  if (!trace.parser_error.empty()) parts.push_back("parser error " + trace.parser_error);
  return parts.empty() ? "nothing that is looked up or parsed" : fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace perfpact::report
