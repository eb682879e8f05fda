#include "base/number.h"

#include <algorithm>
#include <cctype>

#include "base/check.h"

namespace perfpact {
namespace {

using boost::multiprecision::mpz_int;

mpz_int to_mpz(const Integer& value) {
  return mpz_int(value);
}
Integer to_integer(const mpz_int& value) {
  return Integer(value);
}

mpz_int floor_div(const Rational& value) {
  mpz_int n = numerator(value);
  mpz_int d = denominator(value);
  mpz_int result;
  mpz_fdiv_q(result.backend().data(), n.backend().data(), d.backend().data());
  return result;
}

mpz_int power_of_ten(unsigned exponent) {
  mpz_int result;
  mpz_ui_pow_ui(result.backend().data(), 10, exponent);
  return result;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// `12`, `0.25`, `.5`, `1e-3`; no sign.
std::optional<Rational> parse_decimal(std::string_view text) {
  int exponent = 0;
  if (auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    bool negative = false;
    if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) {
      negative = digits.front() == '-';
      digits.remove_prefix(1);
    }
    if (!all_digits(digits) || digits.size() > 3) return std::nullopt;
    exponent = std::stoi(std::string(digits)) * (negative ? -1 : 1);
    text = text.substr(0, e);
  }
  std::string_view whole = text;
  std::string_view fraction;
  if (auto point = text.find('.'); point != std::string_view::npos) {
    whole = text.substr(0, point);
    fraction = text.substr(point + 1);
    if (fraction.empty() && whole.empty()) return std::nullopt;
    if (!fraction.empty() && !all_digits(fraction)) return std::nullopt;
  }
  if (!whole.empty() && !all_digits(whole)) return std::nullopt;
  if (whole.empty() && fraction.empty()) return std::nullopt;
  std::string digits = std::string(whole) + std::string(fraction);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  Rational result{mpz_int(digits)};
  exponent -= static_cast<int>(fraction.size());
  if (exponent > 0) result *= Rational(power_of_ten(static_cast<unsigned>(exponent)));
  if (exponent < 0) result /= Rational(power_of_ten(static_cast<unsigned>(-exponent)));
  return result;
}

}  // namespace

Rational to_rational(const Integer& value) {
  return Rational(to_mpz(value));
}
Integer floor(const Rational& value) {
  return to_integer(floor_div(value));
}
Integer ceil(const Rational& value) {
  return -floor(-value);
}
bool is_integer(const Rational& value) {
  return denominator(value) == 1;
}

Integer all_ones(unsigned bits) {
  return (Integer(1) << bits) - 1;
}

unsigned log2_ceil(const Integer& value) {
  PERFPACT_CHECK(value >= 1, "log2_ceil of {}", value.str());
  if (value == 1) return 0;
  return static_cast<unsigned>(msb(Integer(value - 1))) + 1;
}

std::optional<Rational> parse_rational(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  std::optional<Rational> result;
  if (auto slash = text.find('/'); slash != std::string_view::npos) {
    std::string_view n = text.substr(0, slash);
    std::string_view d = text.substr(slash + 1);
    if (!all_digits(n) || !all_digits(d)) return std::nullopt;
    auto numerator = parse_decimal(n);
    auto denominator = parse_decimal(d);
    if (*denominator == 0) return std::nullopt;
    result = *numerator / *denominator;
  } else {
    result = parse_decimal(text);
  }
  if (result && negative) *result = -*result;
  return result;
}

std::optional<Integer> parse_integer(std::string_view text) {
  unsigned base = 10;
  if (text.size() > 2 && text[0] == '0') {
    switch (std::tolower(static_cast<unsigned char>(text[1]))) {
      case 'x':
        base = 16;
        break;
      case 'b':
        base = 2;
        break;
      case 'o':
        base = 8;
        break;
      case 'd':
        base = 10;
        break;
      default:
        break;
    }
    if (std::isalpha(static_cast<unsigned char>(text[1]))) {
      if (base == 10 && std::tolower(static_cast<unsigned char>(text[1])) != 'd') return std::nullopt;
      text.remove_prefix(2);
    }
  }
  std::string digits;
  for (char c : text) {
    if (c == '_') continue;
    int digit = std::isdigit(static_cast<unsigned char>(c))    ? c - '0'
                : std::isxdigit(static_cast<unsigned char>(c)) ? std::tolower(c) - 'a' + 10
                                                               : 99;
    if (digit >= static_cast<int>(base)) return std::nullopt;
    digits += c;
  }
  if (digits.empty() || text.front() == '_') return std::nullopt;
  mpz_int result;
  if (mpz_set_str(result.backend().data(), digits.c_str(), static_cast<int>(base)) != 0) return std::nullopt;
  return to_integer(result);
}

std::string to_fraction(const Rational& value) {
  return value.str();
}

std::string to_decimal(const Rational& value, int significant) {
  if (value == 0) return "0";
  if (value < 0) return "-" + to_decimal(-value, significant);
  // Scale so that `significant` digits stand before the point, then round once.
  mpz_int whole = floor_div(value);
  int whole_digits = whole == 0 ? 0 : static_cast<int>(whole.str().size());
  int decimals = significant - whole_digits;
  if (whole == 0) {
    Rational scaled = value * 10;
    while (scaled < 1) {
      scaled *= 10;
      ++decimals;
    }
  }
  if (is_integer(value) || decimals <= 0) {
    return floor_div(value + Rational(1, 2)).str();
  }
  mpz_int digits =
      floor_div(value * Rational(power_of_ten(static_cast<unsigned>(decimals))) + Rational(1, 2));
  std::string text = digits.str();
  auto places = static_cast<std::size_t>(decimals);
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  text.insert(text.size() - places, ".");
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string to_hex(const Integer& value) {
  if (value < 0) return "-" + to_hex(-value);
  return "0x" + value.str(0, std::ios_base::hex);
}

double to_double(const Rational& value) {
  return value.convert_to<double>();
}

}  // namespace perfpact
