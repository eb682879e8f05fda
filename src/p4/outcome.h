// What every engine keeps of a packet's passes to say in the end what became of it; interpreter.h, "Verdict".
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/check.h"
#include "program/trace.h"

namespace perfpact::p4 {

class Outcome {
 public:
  /// The first failure or limit ends the run.
  void fail(std::string what) { end(program::Error{std::move(what)}); }
  void stop(program::Gap gap) { end(std::move(gap)); }
  [[nodiscard]] bool has_ended() const { return ended_.has_value(); }

  // On the original's way.
  void multicast(std::uint64_t group) {
    if (!group_) group_ = group;
  }
  void send(std::uint64_t port) {
    if (sent_++ == 0) first_port_ = port;
  }

  [[nodiscard]] program::Verdict verdict() const {
    if (ended_) return *ended_;
    if (sent_ == 0) return program::Dropped{};
    if (group_) return program::Multicast{*group_, sent_};
    return program::Sent{first_port_};
  }

 private:
  void end(program::Verdict verdict) {
    if (!ended_) ended_ = std::move(verdict);
  }

  std::optional<program::Verdict> ended_;  // Error or Gap
  std::optional<std::uint64_t> group_;     // the first one
  std::uint64_t sent_ = 0;
  std::uint64_t first_port_ = 0;
};

/// What a pass does with its packet, once at most.
class Fate {
 public:
  enum class Kind : std::uint8_t { Open, Sent, Dropped, Continued };

  void meet(Kind kind) {
    PERFPACT_CHECK(kind_ == Kind::Open, "a pass meets a second fate ({} after {})", static_cast<int>(kind),
                   static_cast<int>(kind_));
    kind_ = kind;
  }

 private:
  Kind kind_ = Kind::Open;
};

}  // namespace perfpact::p4
