#include "cli/expectations.h"

#include <fmt/format.h>

namespace perfpact::cli {
namespace {

std::string bytes(std::size_t digits) {
  return digits % 2 == 0 ? fmt::format("{} bytes", digits / 2)
                         : fmt::format("{} and a half bytes", digits / 2);
}

}  // namespace

std::optional<std::string> mismatch(const tables::stf::Expect& expect, const std::string& sent) {
  const std::string& wanted = expect.digits;
  if (sent.size() < wanted.size() || (expect.is_exact && sent.size() > wanted.size()))
    return fmt::format("{}, expected {}{}", bytes(sent.size()), expect.is_exact ? "" : "at least ",
                       bytes(wanted.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == '*' || wanted[i] == sent[i]) continue;
    const std::size_t byte = i / 2;
    return fmt::format("byte {} is {}, expected {}", byte, sent.substr(2 * byte, 2),
                       wanted.substr(2 * byte, 2));
  }
  return std::nullopt;
}

void Expectations::expect(const tables::stf::Expect& expect, const Span& at,
                          std::optional<PacketNumber> packet) {
  ports_[expect.port].expected.push_back({expect, at, packet});
}

void Expectations::sent(std::uint64_t port, std::string hex, PacketNumber packet, const Span& at) {
  ports_[port].sent.push_back({std::move(hex), packet, at});
}

std::size_t Expectations::count() const {
  std::size_t result = 0;
  for (const auto& [number, port] : ports_) result += port.expected.size();
  return result;
}

std::vector<Failure> Expectations::failures() const {
  std::vector<Failure> result;
  const bool judges_all = count() > 0;
  for (const auto& [number, port] : ports_) {
    for (std::size_t i = 0; i < port.expected.size(); ++i) {
      const Expected& expected = port.expected[i];
      const std::string wanted = expected.expect.digits + (expected.expect.is_exact ? "$" : "");
      if (i >= port.sent.size()) {
        result.push_back(
            {expected.at, fmt::format("port {}: no packet left on it", number), wanted, "", expected.packet});
      } else if (auto reason = mismatch(expected.expect, port.sent[i].hex)) {
        result.push_back({expected.at, fmt::format("port {}: {}", number, *reason), wanted, port.sent[i].hex,
                          port.sent[i].packet});
      }
    }
    if (!judges_all && !port.is_attached) continue;
    for (std::size_t i = port.expected.size(); i < port.sent.size(); ++i)
      result.push_back({port.sent[i].at,
                        fmt::format("port {}: a packet left on it that is not expected", number), "",
                        port.sent[i].hex, port.sent[i].packet});
  }
  return result;
}

}  // namespace perfpact::cli
