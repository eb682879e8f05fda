// The command line: every command and flag in one table of CLI11 calls (options.cpp), so that help and
// parsing cannot differ.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "count/engine.h"
#include "explore/native/entry.h"
#include "explore/p4/explorer.h"
#include "p4/engine.h"
#include "p4/syntax/parser.h"
#include "timing/latencies.h"

namespace perfpact::cli {

enum class Command {
  Predict,
  Export,
  Check,
  Run,
  Paths,
  Count,
  Contract,
  Diff,
  Traffic,
  Derive,
  MeasureMemory,
  Chain
};
enum class Engine { Auto, Reference, Jit, Both };
/// What a program's state is when the packet comes: unknown; registers zero; that of the first packet.
enum class State { Unknown, Zero, Snapshot };
enum class DiffFormat { Text, Markdown, Json, Sarif };
enum class Stage { None, Parse, Check, Lower };

inline constexpr std::string_view kLlvm = "llvm";  // a value of --to

struct Options {
  Command command{};
  std::string program;
  p4::ParseOptions parse;
  Stage dump = Stage::None;        // --dump=ast|core
  Stage stop_after = Stage::None;  // --stop-after=parse|check|lower
  std::vector<std::string> tables;
  // predict, export
  std::string workload;
  std::vector<std::string> cost_models;
  // predict, run, paths
  bool json = false;
  bool exact = false;
  bool explain = false;
  // run
  std::string stf;
  std::string pcap;
  std::string pcap_out;    // paths: a directory
  std::uint32_t port = 0;  // on which the packets of a capture come in
  // everything that runs packets
  Engine engine = Engine::Auto;
  std::uint32_t max_passes = p4::ExecutionLimits{}.passes;
  // paths
  std::optional<std::pair<std::uint32_t, std::uint32_t>> packet_length;  // bytes, both included
  State state = State::Unknown;
  std::uint32_t explored_passes = explore::Limits{}.passes;
  std::uint32_t max_replicas = explore::Limits{}.replicas;
  std::uint64_t max_paths = explore::Limits{}.paths;
  double time_limit = 60;  // seconds
  std::vector<std::string> packs;
  bool statistics = false;
  // contract
  std::string classes;
  std::vector<std::string> bindings;  // `t=1`
  // diff; the new one is `program`
  std::string old_program;
  Rational allowed;  // 1/50: 2 % dearer
  DiffFormat diff_format{};
  std::string dot;           // file
  std::string save_queries;  // directory
  // paths of a native program
  std::string entry;  // function
  std::string entry_file;
  explore::Entry::Preset preset = explore::Entry::Preset::Raw;
  std::vector<std::string> arguments;
  bool cuts_c_library = true;
  bool merges = false;
  bool verify = false;
  // what cycles are told of, and for which machine
  std::vector<std::string> metrics;
  std::string cpu;
  std::string latencies;  // file
  std::optional<timing::Level> miss;
  // count
  count::Engine count_engine = count::Engine::Step;
  bool by_function = false;
  bool by_line = false;
  bool wants_accesses = false;  // --addresses
  // derive
  std::string methods;
  // export
  std::string format;  // --to
  std::string output_directory;
  // traffic
  std::string recipe;
  std::string output;  // capture; derive: pack; measure: latencies
  std::string ports_out;
  std::string phases_out;
  std::vector<std::string> routes_out;
};

/// What parsing the command line gives: options, or the exit status after help, version or a usage error has
/// been printed.
[[nodiscard]] std::variant<Options, int> parse_command_line(int argc, char** argv);

}  // namespace perfpact::cli
