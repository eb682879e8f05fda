#include "traffic/draw.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfpact::traffic {

std::uint64_t DrawOptions::new_flows(std::uint64_t packets) const {
  return static_cast<std::uint64_t>(Wide{packets} * churn_numerator / churn_denominator);
}

Draw::Draw(const DrawOptions& options) : options_(options), next_new_(options.first + options.count) {
  if (options_.churn_numerator > 0) {
    replaced_.resize(options_.count);
    std::iota(replaced_.begin(), replaced_.end(), options_.first);
  }
  if (options_.order != Order::Zipf) return;
  cumulative_.reserve(options_.count);
  double sum = 0;
  for (std::uint64_t n = 1; n <= options_.count; ++n)
    cumulative_.push_back(sum += std::pow(static_cast<double>(n), -options_.exponent));
}

std::uint64_t Draw::position(Random& random) {
  if (options_.order == Order::Uniform) return scale(random(), options_.count);
  if (options_.order == Order::Zipf) {
    const double point = fraction(random) * cumulative_.back();
    const auto found = std::ranges::upper_bound(cumulative_, point);
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(found - cumulative_.begin()),
                                   options_.count - 1);
  }
  const std::uint64_t result = next_position_;
  next_position_ = result + 1 == options_.count ? 0 : result + 1;
  return result;
}

std::uint64_t Draw::next(Random& random) {
  const std::uint64_t at = position(random);
  if (replaced_.empty()) return options_.first + at;
  churn_ += options_.churn_numerator;
  if (churn_ >= options_.churn_denominator) {
    churn_ -= options_.churn_denominator;
    replaced_[at] = next_new_++;
  }
  return replaced_[at];
}

}  // namespace perfpact::traffic
