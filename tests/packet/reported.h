// For tests: files that exist during one test, and what was reported.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace perfpact::test {

/// A directory of its own for one test, removed at its end.
class Folder {
 public:
  Folder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = fmt::format("perfpact-{}-{}-{}", test->test_suite_name(), test->name(), ::getpid());
    std::ranges::replace(name, '/', '-');  // of tests with parameters
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Writes a file and gives its path.
  std::string write(std::string_view name, std::string_view content) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  [[nodiscard]] std::string path(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Every diagnostic as `line:column: message [id]`, one a line.
inline std::string reported(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all())
    text += fmt::format("{}:{}: {} [{}]\n", d.span.begin.line, d.span.begin.column, d.message, d.kind->id);
  return text;
}

}  // namespace perfpact::test
