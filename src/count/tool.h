// valgrind's tool as a process: it is started, and sends records (valgrind-tool/protocol.h).
#pragma once
#include <sys/types.h>

#include <memory>
#include <optional>
#include <span>

#include "count/count.h"
#include "process/run_to.h"

namespace perfpact::count {

class Tool {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Tool>> start(const Options& options, Diagnostics& diagnostics);
  ~Tool();  // ends it
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int pid_file() const { return pid_file_; }

  /// Fills `bytes` with what it sends; false at its end.
  [[nodiscard]] bool receive(std::span<std::byte> bytes);
  template <class T>
  [[nodiscard]] std::optional<T> receive() {
    T value{};
    if (!receive(std::as_writable_bytes(std::span(&value, 1)))) return std::nullopt;
    return value;
  }
  void answer(std::span<const std::byte> bytes) const;

  /// Whether it sends something before it has become another program.
  [[nodiscard]] bool sends_before_replaced() const;
  /// Of the program that it has become.
  [[nodiscard]] std::string replaced_by() const;

  /// Waits for its end.
  [[nodiscard]] process::RunEnd wait();
  /// What the program wrote, standard output and error together.
  [[nodiscard]] std::string output() const;

 private:
  Tool() = default;
  pid_t pid_ = 0;
  int pid_file_ = -1, connection_ = -1, output_ = -1;
  std::string path_;
  std::vector<std::byte> received_;
  std::size_t used_ = 0;
};

}  // namespace perfpact::count
