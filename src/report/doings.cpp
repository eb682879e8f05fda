#include "report/doings.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

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

std::vector<Doing> doings(const program::Trace& trace, bool with_ranks) {
  using enum program::EventKind;
  std::vector<Doing> all;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const program::Event& event = trace.events[i];
    if (event.kind() == ParserState)
      all.push_back({true, std::string(event.text("name").value())});
    else if (event.kind() == TableApply)
      all.push_back({false, describe_apply(trace, i, with_ranks)});
    else if (event.kind() == Start && i > 0)
      all.push_back({false, fmt::format("then {}", event.text("pass").value())});
  }
  if (!trace.parser_error.empty()) all.push_back({false, "parser error " + trace.parser_error});
  return all;
}

std::string what_it_does(const program::Trace& trace, bool with_ranks) {
  const std::vector<Doing> all = doings(trace, with_ranks);
  if (all.empty()) return "nothing that is looked up or parsed";
  const std::size_t last = trace.parser_error.empty() ? all.size() : all.size() - 1;
  const std::size_t shown = std::min(last, kDoingsShown);
  std::string out;
  bool in_parser = false;
  const auto add = [&out](std::string_view separator, std::string_view text) {
    out += fmt::format("{}{}", out.empty() ? "" : separator, text);
  };
  for (const Doing& doing : std::span(all).first(shown)) {
    if (doing.is_parser_state && in_parser)
      add(", ", doing.text);
    else
      add("; ", doing.is_parser_state ? "parser " + doing.text : doing.text);
    in_parser = doing.is_parser_state;
  }
  if (shown < last) add("; ", fmt::format("and {} more", last - shown));
  if (last < all.size()) add("; ", all.back().text);
  return out;
}

}  // namespace perfpact::report
