// For tests: programs of programs/, started.
#pragma once
#include <gtest/gtest.h>

#include <cstring>

#include "process/process.h"

namespace perfpact::process::test {

inline std::string program(std::string_view name) {
  return std::string(PROGRAMS) + std::string(name);
}

/// A program that stands at its entry; fails the test where it does not.
class Started {
 public:
  explicit Started(std::string_view name, std::string entry = "nf_process",
                   std::vector<std::string> arguments = {})
      : diagnostics(sources),
        process_(Process::start(
            {.program = program(name), .arguments = std::move(arguments), .entry = std::move(entry)},
            diagnostics)) {
    EXPECT_TRUE(process_) << diagnostics.render();
    if (!process_) throw std::runtime_error("not started");
  }

  const Process& operator*() const { return *process_; }
  const Process* operator->() const { return &*process_; }

  /// A variable of the program.
  template <class T>
  T get(std::uint64_t address) const {
    std::array<std::uint8_t, sizeof(T)> bytes{};
    EXPECT_TRUE(process_->read(address, bytes));
    return std::bit_cast<T>(bytes);
  }
  template <class T>
  T get(std::string_view name) const {
    return get<T>(address(name));
  }
  [[nodiscard]] std::uint64_t address(std::string_view name) const {
    const auto found = process_->find_symbols(name);
    EXPECT_FALSE(found.empty()) << name;
    return found.empty() ? 0 : found.front()->address;
  }
  [[nodiscard]] std::uint64_t argument(std::size_t number) const {
    return process_->registers().gpr[x86::kArguments[number]];
  }

 private:
  SourceManager sources;

 public:
  Diagnostics diagnostics;

 private:
  Result<Process> process_;
};

}  // namespace perfpact::process::test
