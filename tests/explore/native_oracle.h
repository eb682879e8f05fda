// For tests: holds the paths that the explorer finds in a native program to what the program does. The inputs
// are put into the process here, not by the explorer.
#pragma once
#include <gtest/gtest.h>

#include <random>

#include "explore/native/explorer.h"

namespace perfpact::explore::test {

/// All that a run of the entry function depends on.
struct NativeInput {
  std::uint64_t port = 0, length = 0, now_ns = 0;
  std::vector<std::uint8_t> buffer;  // from the packet's first byte on, as many as the longest packet has
  struct Variable {
    std::string name;
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
    friend auto operator<=>(const Variable&, const Variable&) = default;
  };
  std::vector<Variable> state;
  std::vector<std::uint64_t> times;

  [[nodiscard]] static NativeInput of(const NativePath& path, const Entry& entry);
  /// What the explorer's symbol of this name is here; nothing: there is no such symbol.
  [[nodiscard]] std::optional<Integer> value(std::string_view symbol) const;
  [[nodiscard]] std::string to_string() const;
  friend auto operator<=>(const NativeInput&, const NativeInput&) = default;
};

/// A started program and its paths.
class NativeOracle {
 public:
  NativeOracle(const process::Launch& launch, NativeOptions options);

  [[nodiscard]] const process::Process& process() const { return *process_; }
  [[nodiscard]] const NativeExplorer& explorer() const { return *explorer_; }
  [[nodiscard]] const std::vector<NativePath>& paths() const { return paths_; }
  [[nodiscard]] const NativeOptions& options() const { return options_; }

  [[nodiscard]] process::Run step(const NativeInput& input) const;
  /// Whether the input meets the path's condition.
  [[nodiscard]] bool takes(const NativePath& path, const NativeInput& input) const;
  /// Fails the test where the run goes another way, counts otherwise or ends otherwise than the path says.
  void expect_same(const NativePath& path, const NativeInput& input, const process::Run& run) const;
  /// The index of the path that the input takes; fails the test where it takes none or several.
  [[nodiscard]] std::optional<std::size_t> only_path(const NativeInput& input) const;
  /// `count` inputs of the path, each different, made by changing bits of the witness that are free; fewer
  /// where more are not found.
  [[nodiscard]] std::vector<NativeInput> mutations(const NativePath& path, std::size_t count,
                                                   std::mt19937& random) const;
  /// Steps mutations of every `stride`-th path, at most `count` of each; gives how many.
  std::size_t expect_all_true(std::size_t count, std::size_t stride = 1) const;
  /// Of all paths, sorted: `dropped`, `sent(1)`, errors without their places.
  [[nodiscard]] std::vector<std::string> verdicts() const;
  /// Of all gaps, sorted.
  [[nodiscard]] std::vector<std::string> gaps() const;

 private:
  /// What the path's condition and port depend on.
  [[nodiscard]] const std::vector<smt::Expr>& symbols(const NativePath& path) const;
  [[nodiscard]] std::shared_ptr<smt::Model> model(const NativePath& path, const NativeInput& input) const;
  [[nodiscard]] std::string promised(const NativePath& path, const NativeInput& input) const;
  [[nodiscard]] std::string ending(const process::Run& run) const;
  void change(NativeInput& input, smt::Expr symbol, std::mt19937& random) const;

  SourceManager sources_;
  Diagnostics diagnostics_{sources_};
  NativeOptions options_;
  std::optional<process::Process> process_;
  std::unique_ptr<NativeExplorer> explorer_;
  std::vector<NativePath> paths_;
  std::vector<std::vector<smt::Expr>> symbols_;  // by index of the path
};

}  // namespace perfpact::explore::test
