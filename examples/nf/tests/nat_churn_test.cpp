// The NAT under churn does what a map of flows does: a million random packets from both sides, with flows
// that begin, go on, and expire one by one and all at once, a table that is full at times, and a clock that
// goes back now and then. Every packet that leaves is compared as a whole with one that the model makes anew.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

extern "C" {
#include "nf.h"
}

namespace {

constexpr uint16_t kInside = 0, kOutside = 1;
constexpr uint8_t kTcp = 6, kUdp = 17;
constexpr uint32_t kExternal = 0xcb007107;  // 203.0.113.7
constexpr uint16_t kFirstPort = 2000, kLastPort = 3999;
constexpr size_t kCapacity = 1500;
constexpr uint64_t kTimeoutNs = 20'000'000;
constexpr int kPackets = 1'000'000;

struct End {
  uint32_t address;
  uint16_t port;
  auto operator<=>(const End&) const = default;
};

struct Ends {
  End source, destination;
  uint8_t protocol;
  auto operator<=>(const Ends&) const = default;
};

using Bytes = std::vector<uint8_t>;

void append(Bytes& bytes, uint64_t value, int size) {
  while (size-- > 0) bytes.push_back(static_cast<uint8_t>(value >> 8 * size));
}

uint64_t sum(std::span<const uint8_t> bytes) {
  uint64_t sum = 0;
  for (size_t i = 0; i < bytes.size(); i++) sum += i % 2 == 0 ? bytes[i] << 8 : bytes[i];
  return sum;
}

uint16_t checksum(uint64_t sum) {
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

void put(Bytes& bytes, size_t at, uint16_t value) {
  bytes[at] = static_cast<uint8_t>(value >> 8);
  bytes[at + 1] = static_cast<uint8_t>(value);
}

// What a packet holds besides its ends.
struct Contents {
  uint32_t number;
  uint8_t payload_bytes;
  bool has_checksum;  // of UDP
};

Bytes make_packet(const Ends& ends, const Contents& contents) {
  const auto& [source, destination, protocol] = ends;
  size_t header = protocol == kTcp ? 20 : 8, length = header + contents.payload_bytes;
  Bytes packet;
  append(packet, 0x020000000002, 6), append(packet, 0x020000000001, 6), append(packet, 0x0800, 2);
  append(packet, 0x4500, 2), append(packet, 20 + length, 2), append(packet, contents.number, 2);
  append(packet, 0, 2), append(packet, 0x4000 | protocol, 2), append(packet, 0, 2);
  append(packet, source.address, 4), append(packet, destination.address, 4);
  append(packet, source.port, 2), append(packet, destination.port, 2);
  if (protocol == kTcp)
    append(packet, contents.number, 8), append(packet, 0x50100200, 4), append(packet, 0, 4);
  else
    append(packet, length, 2), append(packet, 0, 2);
  for (int i = 0; i < contents.payload_bytes; i++)
    packet.push_back(static_cast<uint8_t>(contents.number >> i % 4 * 8));

  std::span<const uint8_t> all(packet);
  put(packet, 24, checksum(sum(all.subspan(14, 20))));
  uint16_t value = checksum(sum(all.subspan(26)) + protocol + length);  // addresses and all that follows
  if (protocol == kTcp) put(packet, 50, value);
  if (protocol == kUdp && contents.has_checksum) put(packet, 40, value == 0 ? 0xffff : value);
  return packet;
}

struct Sent {
  uint16_t port;
  Ends ends;
};

// Flows by their ends as seen inside; the destination is the remote end.
class Model {
 public:
  // What becomes of a packet; nothing if it is dropped. A new flow gets PORT, the NAT's choice.
  std::optional<Sent> process(uint16_t from, const Ends& ends, uint64_t now_ns, uint16_t port) {
    expire(now_ns);
    return from == kInside ? from_inside(ends, now_ns, port) : from_outside(ends, now_ns);
  }
  size_t size() const { return flows_.size(); }
  // Whether all new flows got ports of the range that no other flow had.
  bool ports_were_right() const { return ports_were_right_; }
  // What a reply to some flow looks like outside; one at or after PORT.
  std::optional<Ends> some_reply(uint16_t port) const {
    auto owner = owners_.lower_bound(port);
    if (owner == owners_.end()) return std::nullopt;
    const Ends& flow = owner->second;
    return Ends{flow.destination, {kExternal, owner->first}, flow.protocol};
  }

 private:
  struct Flow {
    uint16_t port;
    uint64_t use;
  };

  void expire(uint64_t now_ns) {
    uint64_t limit = now_ns > kTimeoutNs ? now_ns - kTimeoutNs : 0;
    while (!uses_.empty() && uses_.begin()->second.time_ns < limit) {
      Ends flow = uses_.begin()->second.flow;
      owners_.erase(flows_.at(flow).port);
      flows_.erase(flow);
      uses_.erase(uses_.begin());
    }
  }

  void use(const Ends& flow, uint64_t now_ns) {
    newest_ns_ = std::max(newest_ns_, now_ns);
    uses_.erase(flows_.at(flow).use);
    flows_.at(flow).use = next_use_;
    uses_[next_use_++] = {newest_ns_, flow};
  }

  std::optional<Sent> from_inside(const Ends& ends, uint64_t now_ns, uint16_t port) {
    if (!flows_.contains(ends)) {
      newest_ns_ = std::max(newest_ns_, now_ns);
      if (flows_.size() == kCapacity) return std::nullopt;
      flows_[ends] = {port, next_use_};
      bool is_free = owners_.emplace(port, ends).second;
      ports_were_right_ = ports_were_right_ && is_free && port >= kFirstPort && port <= kLastPort;
    }
    use(ends, now_ns);
    return Sent{kOutside, {{kExternal, flows_.at(ends).port}, ends.destination, ends.protocol}};
  }

  std::optional<Sent> from_outside(const Ends& ends, uint64_t now_ns) {
    if (ends.destination.address != kExternal) return std::nullopt;
    auto owner = owners_.find(ends.destination.port);
    if (owner == owners_.end()) return std::nullopt;
    Ends flow = owner->second;
    if (flow.destination != ends.source || flow.protocol != ends.protocol) return std::nullopt;
    use(flow, now_ns);
    return Sent{kInside, {ends.source, flow.source, ends.protocol}};
  }

  struct Use {
    uint64_t time_ns;
    Ends flow;
  };

  std::map<Ends, Flow> flows_;
  std::map<uint16_t, Ends> owners_;
  std::map<uint64_t, Use> uses_;  // by number, so from the oldest on
  uint64_t next_use_ = 0;
  uint64_t newest_ns_ = 0;
  bool ports_were_right_ = true;
};

class Traffic {
 public:
  struct Packet {
    uint16_t port;
    Ends ends;
    Contents contents;
    uint64_t now_ns;
  };

  Packet next(const Model& model) {
    Packet packet{
        .port = below(5) < 3 ? kInside : kOutside, .ends = {}, .contents = {}, .now_ns = next_time()};
    packet.contents = {static_cast<uint32_t>(random_()), static_cast<uint8_t>(below(24)), below(8) != 0};
    std::optional<Ends> reply = model.some_reply(static_cast<uint16_t>(kFirstPort + below(2000)));
    if (packet.port == kInside) {
      packet.ends = {inside_end(), server(), protocol()};
    } else if (reply && below(4) != 0) {
      packet.ends = *reply;
      if (below(8) == 0) packet.ends.source = server();
    } else {
      uint16_t port = static_cast<uint16_t>(kFirstPort - 5 + below(2010));
      packet.ends = {server(), {kExternal + (below(8) == 0), port}, protocol()};
    }
    return packet;
  }

 private:
  uint64_t below(uint64_t bound) { return random_() % bound; }
  uint8_t protocol() { return below(2) ? kTcp : kUdp; }
  End inside_end() {
    return {0x0a000000 + static_cast<uint32_t>(below(40)), static_cast<uint16_t>(below(40))};
  }
  End server() { return {0xc6336400 + static_cast<uint32_t>(below(2)), 80}; }

  // Packets come densely or far apart for a while; some gaps end all flows; some times go back.
  uint64_t next_time() {
    if (below(10'000) == 0) step_ns_ = below(3) == 0 ? 100'000 : 10'000;
    if (below(20'000) == 0) now_ns_ += 2 * kTimeoutNs;
    if (below(100) == 0) return now_ns_ - below(kTimeoutNs / 2);
    return now_ns_ += below(step_ns_);
  }

  std::mt19937_64 random_{1};
  uint64_t now_ns_ = 1'700'000'000'000'000'000;
  uint64_t step_ns_ = 10'000;
};

bool start_nat() {
  std::vector<std::string> arguments = {"nat",
                                        "--external",
                                        "203.0.113.7",
                                        "--capacity",
                                        std::to_string(kCapacity),
                                        "--timeout-ms",
                                        std::to_string(kTimeoutNs / 1'000'000),
                                        "--ports",
                                        std::to_string(kFirstPort) + "-" + std::to_string(kLastPort)};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return nf_init(static_cast<int>(arguments.size()), pointers.data()) == 0;
}

TEST(NatChurn, DoesWhatAMapOfFlowsDoes) {
  ASSERT_TRUE(start_nat());
  Model model;
  Traffic traffic;
  std::map<std::string, int> seen;
  for (int number = 0; number < kPackets; number++) {
    auto [port, ends, contents, now_ns] = traffic.next(model);
    Bytes packet = make_packet(ends, contents);
    int output = nf_process(port, packet.data(), static_cast<uint16_t>(packet.size()), now_ns);

    size_t flows = model.size();
    uint16_t source_port = static_cast<uint16_t>(packet[34] << 8 | packet[35]);
    std::optional<Sent> expected = model.process(port, ends, now_ns, source_port);
    ASSERT_EQ(output, expected ? int{expected->port} : int{NF_DROP}) << "packet " << number;
    seen[std::to_string(port) + (expected ? " sent" : " dropped")]++;
    if (model.size() + 100 < flows) seen["many expired"]++;
    if (model.size() + 1 == flows) seen["one expired"]++;
    if (!expected) continue;
    ASSERT_EQ(packet, make_packet(expected->ends, contents)) << "packet " << number;
    ASSERT_TRUE(model.ports_were_right()) << "packet " << number;
  }
  for (const char* kind : {"0 sent", "0 dropped", "1 sent", "1 dropped", "one expired"})
    EXPECT_GT(seen[kind], 10'000) << kind;
  EXPECT_GT(seen["many expired"], 20);
}

}  // namespace
