// Which flow a packet belongs to: flows of a set in some order, with new ones coming in. Tested by
// tests/traffic/draw_test.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "traffic/random.h"

namespace perfpact::traffic {

enum class Order : std::uint8_t {
  Sequential,  // one after the other, over and over
  Uniform,     // each as likely as any other
  Zipf,        // the n-th with a probability in proportion to n^-exponent
};

struct DrawOptions {
  std::uint64_t first = 0;  // number of a flow
  std::uint64_t count = 1;  // flows at a time
  Order order = Order::Sequential;
  double exponent = 0;
  /// This share of the packets replaces the flow drawn by a new one: the one with the next number that was
  /// not drawn from yet.
  std::uint32_t churn_numerator = 0;
  std::uint32_t churn_denominator = 1;

  /// How many flows come in during so many packets.
  [[nodiscard]] std::uint64_t new_flows(std::uint64_t packets) const;
};

class Draw {
 public:
  explicit Draw(const DrawOptions& options);
  /// The number of the flow of the next packet.
  [[nodiscard]] std::uint64_t next(Random& random);

 private:
  [[nodiscard]] std::uint64_t position(Random& random);

  DrawOptions options_;
  std::uint64_t next_position_ = 0;
  std::uint64_t churn_ = 0;  // numerators since the last new flow
  std::uint64_t next_new_;
  std::vector<std::uint64_t> replaced_;  // the flow of each position, where there is churn
  std::vector<double> cumulative_;       // weights of Zipf's distribution
};

}  // namespace perfpact::traffic
