#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <map>

#include "cli/cycles.h"
#include "cli/exit_status.h"
#include "cli/native_paths.h"

namespace perfpact::cli {
namespace {

const std::map<std::string, Stage> kDumps = {{"ast", Stage::Parse}, {"core", Stage::Lower}};
const std::map<std::string, Stage> kStages = {
    {"parse", Stage::Parse}, {"check", Stage::Check}, {"lower", Stage::Lower}};
constexpr std::uint32_t kMostPasses = 1'000'000;
constexpr std::uint32_t kMostReplicas = 64;
constexpr double kShortestLimit = 0.001;  // seconds
constexpr double kLongestLimit = 1e6;

const std::map<std::string, State> kStates = {
    {"unknown", State::Unknown}, {"zero", State::Zero}, {"snapshot", State::Snapshot}};
const std::map<std::string, explore::Entry::Preset> kPresets = {{"raw", explore::Entry::Preset::Raw},
                                                                {"mbuf", explore::Entry::Preset::Mbuf}};
const std::map<std::string, count::Engine> kCountEngines = {{"step", count::Engine::Step},
                                                            {"valgrind", count::Engine::Valgrind}};
const std::map<std::string, DiffFormat> kDiffFormats = {{"text", DiffFormat::Text},
                                                        {"markdown", DiffFormat::Markdown},
                                                        {"json", DiffFormat::Json},
                                                        {"sarif", DiffFormat::Sarif}};
const std::map<std::string, timing::Level> kMissLevels = {
    {"l2", timing::Level::L2}, {"llc", timing::Level::Llc}, {"dram", timing::Level::Dram}};
const std::map<std::string, Engine> kEngines = {
    {"auto", Engine::Auto}, {"reference", Engine::Reference}, {"jit", Engine::Jit}, {"both", Engine::Both}};

void add_program_options(CLI::App& command, Options& options) {
  command.add_option("program", options.program, "P4_16 program")->required()->type_name("PROGRAM.p4");
  command
      .add_option("-I", options.parse.include_directories, "Look for included files here (may be repeated)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_option("-D", options.parse.defines, "Define a macro (may be repeated)")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  command.add_option("--dump", options.dump, "Print the program in one of its forms (ast, core), and stop")
      ->transform(CLI::Transformer(kDumps).description("ast|core"))
      ->check(CLI::IsMember({Stage::Parse, Stage::Lower}).description(""));
  command.add_option("--stop-after", options.stop_after, "Stop after a stage: parse, check, lower")
      ->transform(CLI::Transformer(kStages).description("parse|check|lower"))
      ->check(CLI::IsMember({Stage::Parse, Stage::Check, Stage::Lower}).description(""));
}

CLI::Option* add_tables_option(CLI::App& command, Options& options) {
  return command
      .add_option("-t,--tables", options.tables,
                  "Table entries: YAML, simple_switch_CLI commands or P4Runtime JSON (may be repeated)")
      ->type_name("FILE");
}

void add_engine_options(CLI::App& command, Options& options) {
  command
      .add_option("--engine", options.engine,
                  "What runs the packets: the reference interpreter, machine code (jit), both with their "
                  "results compared, or what is faster for so many packets (auto)")
      ->transform(CLI::Transformer(kEngines).description("auto|reference|jit|both"))
      ->check(CLI::IsMember({Engine::Auto, Engine::Reference, Engine::Jit, Engine::Both}).description(""));
  command
      .add_option("--max-passes", options.max_passes,
                  "Passes of a packet and its copies together (resubmitted, recirculated, cloned, multicast) "
                  "before the rest is a gap")
      ->capture_default_str()
      ->check(CLI::Range(std::uint32_t{1}, kMostPasses))
      ->type_name("N");
}

void add_input_options(CLI::App& command, Options& options) {
  command.add_option("-w,--workload", options.workload, "Which packets arrive, and how often (YAML)")
      ->type_name("FILE");
  add_tables_option(command, options);
  command
      .add_option("-m,--cost-model", options.cost_models,
                  "What operations cost on the target (YAML); several are compared")
      ->type_name("FILE");
  add_engine_options(command, options);
}

void add_run_options(CLI::App& command, Options& options) {
  CLI::Option* stf =
      command
          .add_option("--stf", options.stf, "The test: packets in, packets expected out, table entries (STF)")
          ->type_name("FILE");
  CLI::Option* pcap =
      command.add_option("--pcap", options.pcap, "The packets of a capture instead (pcap, pcapng)")
          ->type_name("FILE")
          ->excludes(stf);
  command.add_option("--pcap-out", options.pcap_out, "Write the packets that leave to this capture (pcap)")
      ->type_name("FILE")
      ->needs(pcap);
  command.add_option("--port", options.port, "On which port the packets of the capture come in")
      ->capture_default_str()
      ->type_name("N")
      ->needs(pcap);
  add_tables_option(command, options)->needs(pcap);
  command.add_flag("--json", options.json, "Print a line of JSON per packet (perfpact.run/1)")->needs(pcap);
  command.add_flag("--explain", options.explain, "Show every event of every packet");
  add_engine_options(command, options);
}

/// `64..1514`, or one number.
std::string parse_length(const std::string& text, Options& options) {
  constexpr std::uint32_t kMost = 65535;
  const std::size_t dots = text.find("..");
  const std::string first = text.substr(0, dots);
  const std::string last = dots == std::string::npos ? first : text.substr(dots + 2);
  std::pair<std::uint32_t, std::uint32_t> length;
  if (!CLI::detail::lexical_cast(first, length.first) || !CLI::detail::lexical_cast(last, length.second) ||
      length.first > length.second || length.second > kMost)
    return fmt::format("expected LOW..HIGH, bytes from 0 to {}, got '{}'", kMost, text);
  options.packet_length = length;
  return "";
}

/// Of every command that explores.
void add_limit_options(CLI::App& command, Options& options) {
  command.add_option("--max-paths", options.max_paths, "Paths before the rest is a gap")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--time-limit", options.time_limit, "Seconds before the rest is a gap")
      ->capture_default_str()
      ->check(CLI::Range(kShortestLimit, kLongestLimit))
      ->type_name("SECONDS");
  command
      .add_option("--save-queries", options.save_queries,
                  "Write every query of the solver to this directory (SMT-LIB)")
      ->check(CLI::ExistingDirectory.description(""))
      ->type_name("DIR");
}

void add_search_options(CLI::App& command, Options& options) {
  command
      .add_option_function<std::string>(
          "--packet-length",
          [&options](const std::string& text) {
            if (std::string fault = parse_length(text, options); !fault.empty())
              throw CLI::ValidationError("--packet-length", fault);
          },
          "Bytes that packets have, from LOW to HIGH (P4: 0..1514; native: 14..1514)")
      ->type_name("LOW..HIGH");
  command
      .add_option_function<std::string>(
          "--state", [&options](const std::string& state) { options.state = kStates.at(state); },
          "State that packets change, at the start: unknown (anything), zero (P4), or as it stands when the "
          "first packet comes (native: snapshot)")
      ->check(CLI::IsMember({std::string("unknown"), std::string("zero"), std::string("snapshot")}))
      ->type_name("STATE");
  add_limit_options(command, options);
  command.add_flag("--stats", options.statistics, "Tell on stderr how the solver's queries were answered");
}

void add_exploration_options(CLI::App& command, Options& options, std::string_view schema) {
  add_search_options(command, options);
  command.add_flag("--json", options.json, fmt::format("Print JSON ({}) instead of text", schema));
}

void add_paths_options(CLI::App& command, Options& options) {
  add_tables_option(command, options)
      ->description(
          "Table entries: only these, not any; YAML, simple_switch_CLI commands or P4Runtime JSON "
          "(may be repeated)");
  add_exploration_options(command, options, "perfpact.paths/1");
  command
      .add_option("--max-passes", options.explored_passes,
                  "Passes of a packet and its copies together before the rest is a gap")
      ->capture_default_str()
      ->check(CLI::Range(std::uint32_t{1}, kMostPasses))
      ->type_name("N");
  command
      .add_option(
          "--max-replicas", options.max_replicas,
          "Members of a multicast group or clone session, where any tables may be installed, before the "
          "rest is a gap")
      ->capture_default_str()
      ->check(CLI::Range(std::uint32_t{0}, kMostReplicas))
      ->type_name("N");
  command
      .add_option("--pcap-out", options.pcap_out,
                  "Write the packet of each path to a capture (ID.pcap) in this directory")
      ->type_name("DIR");
  command.add_option("--dot", options.dot, "Write the paths as a tree for Graphviz to this file")
      ->type_name("FILE");
}

void add_entry_options(CLI::App& command, Options& options) {
  CLI::Option* entry = command
                           .add_option("--entry", options.entry,
                                       "Native program: its per-packet function, int f(port, packet, length, "
                                       "now_ns): a name, or an address (0x1139)")
                           ->type_name("FUNCTION");
  command.add_option("--entry-file", options.entry_file, "How the per-packet function is called (YAML)")
      ->type_name("FILE")
      ->excludes(entry);
  command
      .add_option_function<std::string>(
          "--preset", [&options](const std::string& preset) { options.preset = kPresets.at(preset); },
          "What the per-packet function takes: raw (port, packet, length, now_ns), or a DPDK mbuf")
      ->check(CLI::IsMember({std::string("raw"), std::string("mbuf")}))
      ->type_name("PRESET");
  command.add_option("arguments", options.arguments, "Of the native program, after --")->type_name("ARGS");
}

void add_machine_options(CLI::App& command, Options& options) {
  command
      .add_option("--cpu", options.cpu,
                  "Processor that cycles are told for, as LLVM names it; this machine's")
      ->type_name("CPU");
  command
      .add_option("--latencies", options.latencies,
                  "What accesses to memory cost, as perfpact measure memory writes it (YAML)")
      ->type_name("FILE");
}

void add_cycle_options(CLI::App& command, Options& options) {
  command
      .add_option("--metric", options.metrics,
                  "Tell this too (may be repeated): cycles.bound, what a path takes at most, "
                  "cycles.expected, what it takes where code and data are in the caches; "
                  "--cpu, --miss and --latencies ask for it as well")
      ->delimiter(',')
      ->check(CLI::IsMember({std::string(timing::kCyclesBound), std::string(timing::kCyclesExpected)}))
      ->allow_extra_args(false)
      ->type_name("METRIC");
  add_machine_options(command, options);
  command
      .add_option_function<std::string>(
          "--miss", [&options](const std::string& level) { options.miss = kMissLevels.at(level); },
          "Where cycles.bound takes lines to be that L1 may not hold (llc)")
      ->check(CLI::IsMember({std::string("l2"), std::string("llc"), std::string("dram")}))
      ->type_name("LEVEL");
}

void add_pack_option(CLI::App& command, Options& options, const std::string& help) {
  command.add_option("--pack", options.packs, help)->allow_extra_args(false)->type_name("FILE");
}

void add_native_options(CLI::App& command, Options& options) {
  add_entry_options(command, options);
  add_pack_option(command, options,
                  "Contract pack: the methods that it lists are cut out of the native program (YAML)");
  command.add_flag(
      "!--no-c-pack", options.cuts_c_library,
      "Run the C library's code instead of cutting out its functions (memcpy, strlen, printf, ...)");
  command.add_flag("--merge", options.merges,
                   "Merge states that meet at a loop head with a PCV mark, with equal counts and PCVs: fewer "
                   "paths of loops over the packet, found more slowly");
  command.add_flag("--verify", options.verify,
                   "Step the packet of each path through the native program and compare");
  add_cycle_options(command, options);
}

void add_contract_options(CLI::App& command, Options& options) {
  command.add_option("program", options.program, "Native program (ELF)")->required()->type_name("PROGRAM");
  add_exploration_options(command, options, "perfpact.contract/1");
  add_native_options(command, options);
  command
      .add_option("--classes", options.classes,
                  "Input classes (YAML); without them all packets are one class")
      ->type_name("FILE");
  command
      .add_option("--bind", options.bindings,
                  "Values of PCVs, by their names or the ends of them: t=1,flows.expire.e=0")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("PCV=NUMBER");
}

void add_chain_options(CLI::App& command, Options& options) {
  command.add_option("chain", options.program, "The programs, and which port leads where (YAML)")
      ->required()
      ->type_name("CHAIN");
  command
      .add_option("--classes", options.classes,
                  "Input classes of the packets that enter the chain (YAML); without them all are one class")
      ->type_name("FILE");
  command.add_flag("--verify", options.verify,
                   "Run the packet of each path through all programs and compare");
  add_limit_options(command, options);
  command.add_flag("--json", options.json, "Print JSON (perfpact.chain-contract/1) instead of text");
}

// `2%`, or `0.02`.
std::string read_allowed(std::string text, Rational& allowed) {
  const bool is_percentage = text.ends_with('%');
  if (is_percentage) text.pop_back();
  const auto number = parse_rational(text);
  if (!number || *number < 0)
    return fmt::format("expected a share, 2% or 0.02, got '{}{}'", text, is_percentage ? "%" : "");
  allowed = is_percentage ? *number / 100 : *number;
  return "";
}

void add_diff_options(CLI::App& command, Options& options) {
  command.add_option("old", options.old_program, "Native program (ELF), or its contract (JSON)")
      ->required()
      ->type_name("OLD");
  command.add_option("new", options.program, "What it has become")->required()->type_name("NEW");
  command
      .add_option_function<std::string>(
          "--allow",
          [&options](const std::string& text) {
            if (const std::string wrong = read_allowed(text, options.allowed); !wrong.empty())
              throw CLI::ValidationError("--allow", wrong);
          },
          "How much dearer a class may get: 2%")
      ->type_name("SHARE");
  command.add_option("--format", options.diff_format, "How to print it")
      ->transform(CLI::Transformer(kDiffFormats).description("text|markdown|json|sarif"))
      ->check(CLI::IsMember({DiffFormat::Text, DiffFormat::Markdown, DiffFormat::Json, DiffFormat::Sarif})
                  .description(""));
  command.add_option("--classes", options.classes, "Of programs: input classes (YAML)")->type_name("FILE");
  command.add_option("--bind", options.bindings, "Of programs: values of PCVs: t=1,flows.expire.e=0")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("PCV=NUMBER");
  add_search_options(command, options);
  add_native_options(command, options);
}

void add_count_engine_option(CLI::App& command, Options& options) {
  command
      .add_option("--engine", options.count_engine,
                  "What counts: step (instruction by instruction), or valgrind, for long runs")
      ->transform(CLI::Transformer(kCountEngines).description("step|valgrind"))
      ->check(CLI::IsMember({count::Engine::Step, count::Engine::Valgrind}).description(""));
}

void add_count_options(CLI::App& command, Options& options) {
  command.add_option("program", options.program, "Native program (ELF)")->required()->type_name("PROGRAM");
  add_entry_options(command, options);
  add_count_engine_option(command, options);
  add_pack_option(
      command, options,
      "Contract pack: the methods that it lists, and no others, are counted apart, and named as it "
      "names them (YAML)");
  command
      .add_option("--pcap", options.pcap,
                  "The packets of a capture (pcap, pcapng) in the place of the program's own, one after the "
                  "other as if its first call had got them")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Print a line of JSON per packet (perfpact.count/1)");
  command.add_flag("--by-function", options.by_function,
                   "Show what each function cost, of all packets together (with --json: a last line, "
                   "perfpact.count-profile/1)");
  command.add_flag("--by-line", options.by_line, "Show what each source line cost, likewise");
  command.add_flag(
      "--addresses", options.wants_accesses,
      "Show every access to memory of each packet, in order: where, how many bytes, load or store");
  command
      .add_option(
          "--metric", options.metrics,
          "Tell this too: cycles.expected, what a packet takes among others like it, the caches as the "
          "packets before have left them; --cpu and --latencies ask for it as well")
      ->check(CLI::IsMember({std::string(timing::kCyclesExpected)}))
      ->allow_extra_args(false)
      ->type_name("METRIC");
  add_machine_options(command, options);
}

void add_derive_options(CLI::App& command, Options& options) {
  command.add_option("program", options.program, "Native program (ELF)")->required()->type_name("PROGRAM");
  command
      .add_option("--methods", options.methods,
                  "The methods and their outcomes: perfpact.methods/1, or a pack without costs (YAML)")
      ->required()
      ->type_name("FILE");
  command.add_option("-o,--output", options.output, "Write the contract pack to this file (YAML)")
      ->required()
      ->type_name("FILE");
  command
      .add_option(
          "--entry", options.entry,
          "Run the program, and hold the formulas to what the calls of methods cost that this function "
          "makes; main, where arguments are given")
      ->type_name("FUNCTION");
  command
      .add_option("--cpu", options.cpu,
                  "Derive latencies too, for this processor (as LLVM names it): what cycles.bound of paths "
                  "that call the methods is made of")
      ->type_name("CPU");
  add_count_engine_option(command, options);
  command.add_option("arguments", options.arguments, "Of the program, after --")->type_name("ARGS");
}

/// What is wrong with the options of `count`.
std::string unfit_count_option(const Options& options) {
  if (options.entry.empty() && options.entry_file.empty()) return "--entry or --entry-file is required";
  if (options.preset != explore::Entry::Preset::Raw && !options.entry_file.empty())
    return "--preset goes with --entry; an entry file names its own";
  if (!options.pcap.empty() && options.count_engine == count::Engine::Valgrind)
    return "not supported yet: --pcap with --engine=valgrind; give the program its capture, after --";
  if (options.wants_accesses && options.count_engine == count::Engine::Valgrind)
    return "not supported yet: --addresses with --engine=valgrind; use --engine=step";
  if (!cycle_metrics(options).empty() && options.count_engine == count::Engine::Valgrind)
    return "not supported yet: cycles with --engine=valgrind; use --engine=step";
  return "";
}

/// What is wrong with the options of `diff`.
std::string unfit_diff_option(const Options& options) {
  const bool has_entry = !options.entry.empty() || !options.entry_file.empty();
  for (const std::string& file : {options.old_program, options.program})
    if (is_elf(file) && !has_entry) return fmt::format("--entry is required: '{}' is a native program", file);
  return "";
}

/// Options that go with the other kind of program.
std::string misplaced_option(const Options& options) {
  if (is_native(options)) {
    if (options.entry.empty() && options.entry_file.empty())
      return "--entry is required for a native program";
    if (!options.tables.empty()) return "--tables goes with P4 programs only";
    if (options.state == State::Zero) return "--state zero goes with P4 programs only";
    if (!options.dot.empty()) return "not supported yet: --dot for a native program";
    if (options.dump != Stage::None || options.stop_after != Stage::None)
      return "--dump and --stop-after go with P4 programs only";
    if (!options.parse.include_directories.empty() || !options.parse.defines.empty())
      return "-I and -D go with P4 programs only";
    if (options.preset != explore::Entry::Preset::Raw && !options.entry_file.empty())
      return "--preset goes with --entry; an entry file names its own";
    if (options.merges && !cycle_metrics(options).empty())
      return "not supported yet: cycles of merged paths; leave --merge out";
    return "";
  }
  if (!options.arguments.empty()) return "arguments go with native programs only";
  if (options.state == State::Snapshot) return "--state snapshot goes with native programs only";
  if (options.verify) return "--verify goes with native programs only";
  if (!options.packs.empty()) return "--pack goes with native programs only";
  if (options.merges) return "--merge goes with native programs only";
  if (!options.cuts_c_library) return "--no-c-pack goes with native programs only";
  if (!cycle_metrics(options).empty())
    return "--metric, --cpu, --miss and --latencies go with native programs only";
  if (options.preset != explore::Entry::Preset::Raw) return "--preset goes with native programs only";
  return "";
}

void add_traffic_options(CLI::App& command, Options& options) {
  command.add_option("recipe", options.recipe, "Which packets to make (YAML)")
      ->required()
      ->type_name("RECIPE");
  command.add_option("-o,--output", options.output, "Write the packets to this capture (pcap)")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--ports-out", options.ports_out,
                  "Write a line for each packet: the port by which it comes in")
      ->type_name("FILE");
  command
      .add_option("--phases-out", options.phases_out,
                  "Write which packets belong to which phase (perfpact.traffic-phases/1)")
      ->type_name("FILE");
  command
      .add_option("--routes-out", options.routes_out,
                  "Write routes of the recipe, a line PREFIX/LENGTH PORT for each (may be repeated)")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
}

/// What a command needs once it is known that it does not stop early.
std::string missing_option(const Options& options) {
  if (options.command == Command::Paths) return misplaced_option(options);
  if (options.command == Command::Contract)
    return is_native(options) ? misplaced_option(options) : "not supported yet: contracts of P4 programs";
  if (options.command == Command::Diff) return unfit_diff_option(options);
  if (options.command == Command::Count) return unfit_count_option(options);
  if (options.command == Command::Chain || options.command == Command::Traffic ||
      options.command == Command::Check || options.command == Command::Derive ||
      options.command == Command::MeasureMemory || options.dump != Stage::None ||
      options.stop_after != Stage::None)
    return "";
  if (options.command == Command::Run)
    return options.stf.empty() && options.pcap.empty() ? "--stf or --pcap is required" : "";
  if (options.format == kLlvm)
    return options.output_directory.empty() ? ""
                                            : "--output does not go with --to llvm, which prints the module";
  if (options.workload.empty()) return "--workload is required";
  if (options.cost_models.empty()) return "--cost-model is required";
  if (options.command == Command::Export && options.output_directory.empty()) return "--output is required";
  return "";
}

}  // namespace

std::variant<Options, int> parse_command_line(int argc, char** argv) {
  Options options;
  CLI::App app{"perfpact tells what every packet will cost before the program ever runs.", "perfpact"};
  app.set_version_flag("--version", "perfpact " PERFPACT_VERSION);
  app.require_subcommand(1);

  CLI::App* predict =
      app.add_subcommand("predict", "Predict what the packets of a workload cost in a P4 program");
  add_program_options(*predict, options);
  add_input_options(*predict, options);
  predict->add_flag("--json", options.json, "Print JSON (perfpact.prediction/1) instead of text");
  predict->add_flag("--exact", options.exact, "Print JSON with exact fractions instead of decimals");
  predict->add_flag("--explain", options.explain, "Show every case with every step");

  CLI::App* exporter =
      app.add_subcommand("export", "Write the program, or its weighted cases, for another tool");
  add_program_options(*exporter, options);
  add_input_options(*exporter, options);
  exporter
      ->add_option("--to", options.format,
                   "prism-explicit: the weighted cases, files for the PRISM model checker and Graphviz; "
                   "llvm: the program, "
                   "an LLVM module")
      ->required()
      ->check(CLI::IsMember({std::string("prism-explicit"), std::string(kLlvm)}));
  exporter->add_option("-o,--output", options.output_directory, "Directory to write; must be new or empty")
      ->type_name("DIR");

  CLI::App* check = app.add_subcommand("check", "Check a P4 program and lower it, without running it");
  add_program_options(*check, options);

  CLI::App* run = app.add_subcommand("run", "Run the packets of a test or a capture through a P4 program");
  add_program_options(*run, options);
  add_run_options(*run, options);

  CLI::App* paths =
      app.add_subcommand("paths", "Find every execution path of a program, with a packet that takes it");
  add_program_options(*paths, options);
  paths->get_option("program")->description("P4_16 program, or a native one (ELF)")->type_name("PROGRAM");
  add_paths_options(*paths, options);
  add_native_options(*paths, options);

  CLI::App* contract = app.add_subcommand(
      "contract", "Tell what packets of each input class cost at most, as formulas over PCVs");
  add_contract_options(*contract, options);

  CLI::App* chain = app.add_subcommand(
      "chain", "Tell what packets cost in a chain of programs, each of which hands on what it sends");
  add_chain_options(*chain, options);

  CLI::App* diff = app.add_subcommand(
      "diff",
      "Tell which input classes got dearer from one program, or contract, to another, by how much and where");
  add_diff_options(*diff, options);

  CLI::App* traffic = app.add_subcommand("traffic", "Make a capture of packets by a recipe");
  add_traffic_options(*traffic, options);
  CLI::App* count =
      app.add_subcommand("count", "Count what the packets of a native program cost as it runs for real");
  add_count_options(*count, options);
  CLI::App* derive = app.add_subcommand(
      "derive",
      "Derive what the methods of a library cost from the machine code of a program: a contract pack");
  add_derive_options(*derive, options);
  CLI::App* measure = app.add_subcommand("measure", "Measure what this machine does");
  measure->require_subcommand(1);
  CLI::App* memory = measure->add_subcommand(
      "memory", "What accesses to memory cost, by a chase of pointers over growing working sets");
  memory->add_option("-o,--output", options.output, "Write it to this file, for --latencies (YAML)")
      ->type_name("FILE");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  options.command = predict->parsed()    ? Command::Predict
                    : exporter->parsed() ? Command::Export
                    : run->parsed()      ? Command::Run
                    : paths->parsed()    ? Command::Paths
                    : traffic->parsed()  ? Command::Traffic
                    : contract->parsed() ? Command::Contract
                    : chain->parsed()    ? Command::Chain
                    : diff->parsed()     ? Command::Diff
                    : count->parsed()    ? Command::Count
                    : derive->parsed()   ? Command::Derive
                    : measure->parsed()  ? Command::MeasureMemory
                                         : Command::Check;
  options.json |= options.exact;
  if (std::string missing = missing_option(options); !missing.empty()) {
    fmt::print(stderr, "perfpact {}: {}\nRun with --help for more information.\n",
               app.get_subcommands().front()->get_name(), missing);
    return kExitUsage;
  }
  return options;
}

}  // namespace perfpact::cli
