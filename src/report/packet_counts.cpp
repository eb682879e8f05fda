#include "report/packet_counts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "explore/native/explorer.h"
#include "report/layout.h"

namespace perfpact::report {
namespace {

using Json = nlohmann::ordered_json;
using Ending = count::PacketCount::Ending;

std::string error_of(const count::PacketCount& packet) {
  switch (packet.ending) {
    case Ending::Returned:
      break;
    case Ending::Left:
      return "it was left by a jump";
    case Ending::Signal:
      return fmt::format("{} at {}", packet.signal, packet.at);
    case Ending::Ended:
      return "the program ended";
    case Ending::NotDecoded:
      return fmt::format("not supported yet: the instruction at {}", packet.at);
  }
  return "";
}

std::string verdict_of(const count::PacketCount& packet, const explore::Entry& entry) {
  explore::NativeVerdict verdict;
  if (packet.ending != Ending::Returned) {
    verdict.error = error_of(packet);
    return to_string(verdict);
  }
  const auto result = static_cast<std::int32_t>(packet.result);
  const auto found = std::ranges::find(entry.results, result, &explore::Entry::Returned::value);
  verdict.meaning = found != entry.results.end() ? found->meaning : entry.other;
  verdict.port = packet.result;
  return to_string(verdict);
}

void set_counts(Json& out, const process::Counts& counts) {
  out["instructions"] = counts.instructions;
  out["loads"] = counts.loads;
  out["stores"] = counts.stores;
}

Json calls_of(const count::PacketCount& packet) {
  Json out = Json::array();
  for (const count::MethodCall& call : packet.calls) {
    out.push_back({{"method", call.method},
                   {"structure", call.structure.empty() ? Json() : Json(call.structure)},
                   {"outcome", call.outcome.empty() ? Json() : Json(call.outcome)},
                   {"pcvs", Json(call.pcvs)}});
    set_counts(out.back(), call.counts);
  }
  return out;
}

Json accesses_of(const count::PacketCount& packet) {
  Json out = Json::array();
  for (const count::Access& access : packet.accesses)
    out.push_back({{"access", access.is_store ? "store" : "load"},
                   {"address", fmt::format("{:#x}", access.address)},
                   {"bytes", access.bytes},
                   {"place", access.place.empty() ? Json() : Json(access.place)},
                   {"instruction", access.instruction},
                   {"call", access.call ? Json(*access.call) : Json()}});
  return out;
}

// `flows.get`.
std::string name_of(const std::string& structure, const std::string& method) {
  return structure.empty() ? method : structure + "." + method;
}

// Names with what they cost, the dearest first.
using Costs = std::vector<std::pair<std::string, process::Counts>>;

template <class NameOf>
Costs costs_by(const count::Profile& profile, const NameOf& name_of) {
  std::map<std::string, process::Counts> sums;
  for (const count::Spot& spot : profile) {
    process::Counts& sum = sums[name_of(spot)];
    sum.instructions += spot.counts.instructions;
    sum.loads += spot.counts.loads;
    sum.stores += spot.counts.stores;
  }
  Costs costs(sums.begin(), sums.end());
  std::ranges::stable_sort(costs, std::greater(), [](const auto& cost) { return cost.second.instructions; });
  return costs;
}

Costs costs_by_function(const count::Profile& profile) {
  return costs_by(profile, [](const count::Spot& spot) {
    return spot.function.empty() ? std::string("(unknown)") : spot.function;
  });
}

Costs costs_by_line(const count::Profile& profile) {
  return costs_by(profile, [](const count::Spot& spot) {
    return spot.file.empty() ? std::string("(unknown)") : fmt::format("{}:{}", spot.file, spot.line);
  });
}

std::string to_text(const std::string& title, const Costs& costs) {
  std::uint64_t all = 0;
  for (const auto& [name, counts] : costs) all += counts.instructions;
  TextTable table({TextTable::Align::Left, TextTable::Align::Right}, 2);
  table.add({title, "instructions", "share", "loads", "stores"});
  for (const auto& [name, counts] : costs) {
    const double share = 100.0 * static_cast<double>(counts.instructions) / static_cast<double>(all);
    table.add({name, std::to_string(counts.instructions), fmt::format("{:.1f}%", share),
               std::to_string(counts.loads), std::to_string(counts.stores)});
  }
  return "\n" + table.render();
}

Json costs_json(std::string_view key, const Costs& costs) {
  Json out = Json::array();
  for (const auto& [name, counts] : costs) {
    out.push_back({{std::string(key), name}});
    set_counts(out.back(), counts);
  }
  return out;
}

}  // namespace

std::string to_text(const AccessesView& view) {
  TextTable table({TextTable::Align::Left, TextTable::Align::Right, TextTable::Align::Left}, 2);
  for (const count::Access& access : view.packet.accesses) {
    const count::MethodCall* call = access.call ? &view.packet.calls[*access.call] : nullptr;
    table.add({access.is_store ? "store" : "load", std::to_string(access.bytes),
               access.place.empty() ? fmt::format("{:#x}", access.address) : access.place, access.instruction,
               call != nullptr ? name_of(call->structure, call->method) : ""});
  }
  return table.render();
}

std::string to_text(const ProfileView& view) {
  std::string out;
  if (view.by_function) out += to_text("by function", costs_by_function(view.profile));
  if (view.by_line) out += to_text("by line", costs_by_line(view.profile));
  return out;
}

std::string to_json_line(const ProfileView& view) {
  Json out{{"schema", "perfpact.count-profile/1"}};
  if (view.by_function) out["functions"] = costs_json("function", costs_by_function(view.profile));
  if (view.by_line) out["lines"] = costs_json("line", costs_by_line(view.profile));
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_json_line(const count::PacketCount& packet, const explore::Entry& entry,
                         std::optional<ExpectedCycles> cycles) {
  Json out{{"schema", "perfpact.count/1"},
           {"packet", packet.packet ? Json(packet::to_hex(*packet.packet)) : Json()},
           {"verdict", verdict_of(packet, entry)}};
  set_counts(out, packet.own);
  if (cycles) out["cycles.expected"] = cycles->cycles ? Json(*cycles->cycles) : Json();
  out["pcvs"] = Json(packet.pcvs);
  out["calls"] = calls_of(packet);
  if (!packet.accesses.empty()) out["accesses"] = accesses_of(packet);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void CountSummary::Range::add(std::uint64_t value) {
  least = std::min(least, value);
  most = std::max(most, value);
  sum += value;
}

std::string CountSummary::Range::to_text(std::uint64_t times) const {
  const Rational mean = Rational(sum) / times;
  return fmt::format("{}/{:.1f}/{}", least, static_cast<double>(mean), most);
}

void CountSummary::Row::add(const process::Counts& counts) {
  ++times;
  instructions.add(counts.instructions);
  loads.add(counts.loads);
  stores.add(counts.stores);
}

std::vector<std::string> CountSummary::Row::cells(const std::string& name) const {
  return {name, std::to_string(times), instructions.to_text(times), loads.to_text(times),
          stores.to_text(times)};
}

void CountSummary::add(const count::PacketCount& packet, std::optional<ExpectedCycles> cycles) {
  if (cycles) {
    if (cycles->cycles) cycles_.add(*cycles->cycles);
    ++(cycles->cycles ? with_cycles_ : without_cycles_);
  }
  own_.add(packet.own);
  process::Counts total = packet.own;
  for (const count::MethodCall& call : packet.calls) {
    calls_[{call.structure, call.method, call.outcome}].add(call.counts);
    total.instructions += call.counts.instructions;
    total.loads += call.counts.loads;
    total.stores += call.counts.stores;
  }
  total_.add(total);
  if (packet.ending != Ending::Returned) ++unfinished_[error_of(packet)];
}

std::string CountSummary::to_text(const std::string& program, const explore::Entry& entry) const {
  std::string out =
      fmt::format("{}: {}; entry {}\n", program, count_of(own_.times, "packet"), entry.function);
  for (const auto& [error, times] : unfinished_)
    out += fmt::format("  not finished: {}: {}\n", count_of(times, "packet"), error);
  TextTable table({TextTable::Align::Left, TextTable::Align::Right}, 2);
  table.add({"least/mean/most", "times", "instructions", "loads", "stores"});
  table.add(own_.cells(entry.function));
  if (!calls_.empty()) table.add(total_.cells("with its methods"));
  for (const auto& [call, row] : calls_) {
    const auto& [structure, method, outcome] = call;
    table.add(row.cells(name_of(structure, method) + (outcome.empty() ? "" : " ") + outcome));
  }
  out += "\n" + table.render();
  if (with_cycles_ > 0) out += fmt::format("\n  cycles.expected {}\n", cycles_.to_text(with_cycles_));
  if (without_cycles_ > 0)
    out += fmt::format("\n  cycles.expected is not known of {}\n", count_of(without_cycles_, "packet"));
  return out;
}

}  // namespace perfpact::report
