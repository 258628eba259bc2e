// src/base/quantity.cpp: quantities as k8s.io/apimachinery/pkg/api/resource computes them. Names in
// comments are upstream's.
//
// Upstream has two representations, and a user can see which one a value has. A small value
// (int64Amount) is 64 bits times a power of ten. A big one (infDecAmount) is a decimal of any size
// (inf.Dec). Which one a text becomes depends on how it is written: `1000m` and `1` are equal, but
// only the second is an integer to CEL; `1Ti` is small and `1Pi` is big, because a binary suffix
// above about 10^14 leave the fast path. So there are two representations here, too, and they are
// chosen by upstream's own conditions:
//
//   small   value_ * 10^scale_
//   big     negative_ and big_nanos_: billionths, as limbs in base 10^9 (natural.h)
//
// Billionths suffice for big values, because parsing rounds away anything finer. The first limb is
// then the fraction and the others are the integer.
//
// From text to value:
//  1. scan() splits the text into sign, digits, fraction and suffix, and finds the flaw of a text
//     that is no quantity. It follows parseQuantityString, so that messages of the API server can
//     be predicted: a character that no quantity has is another flaw than an unknown suffix.
//  2. parse_small() takes short numbers in steps of at least 1n.
//  3. parse_big() takes the rest. It rounds away from zero, and caps binary values at 2^63-1.
//
// A sum of two small values stays small while it fits in 64 bits, else both become big; no
// operation makes a big value small again. Comparisons do not depend on the representation.
//
// Quirks of upstream that are kept:
//  - Beyond `E` and `Ei` to_string() drops the unit.
//  - -2^63 has no opposite: subtracting it adds it, and it is written without a suffix.
//  - A binary fraction below 1 is decimal from then on, whatever is added to it.
//  - value() of what does not fit is 0 for small values and the lowest 64 bits for big ones.
//  - approximate() multiplies with upstream's table of powers, whose products are not always the
//    nearest double.

#include "dra/base/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "src/base/natural.h"

namespace dra::base {

namespace {

using Format = Quantity::Format;

Limbs integer_part(const Limbs& nanos) {
  return nanos.empty() ? Limbs() : Limbs(nanos.begin() + 1, nanos.end());
}

// --- Suffixes (suffix.go) ---

constexpr std::int64_t kMaxExponent = 4096;
constexpr std::size_t kMaxLength = 4096;
constexpr std::int32_t kNano = -9;

struct Suffix {
  Format format = Format::DecimalSI;
  std::int64_t exponent = 0;  // of 10, or of 2 in BinarySI
};

struct NamedSuffix {
  std::string_view name;
  Suffix suffix;
};
constexpr NamedSuffix kSuffixes[] = {
    {"", {Format::DecimalSI, 0}},   {"n", {Format::DecimalSI, -9}}, {"u", {Format::DecimalSI, -6}},
    {"m", {Format::DecimalSI, -3}}, {"k", {Format::DecimalSI, 3}},  {"M", {Format::DecimalSI, 6}},
    {"G", {Format::DecimalSI, 9}},  {"T", {Format::DecimalSI, 12}}, {"P", {Format::DecimalSI, 15}},
    {"E", {Format::DecimalSI, 18}}, {"Ki", {Format::BinarySI, 10}}, {"Mi", {Format::BinarySI, 20}},
    {"Gi", {Format::BinarySI, 30}}, {"Ti", {Format::BinarySI, 40}}, {"Pi", {Format::BinarySI, 50}},
    {"Ei", {Format::BinarySI, 60}},
};

std::optional<Suffix> interpret(std::string_view text) {
  const NamedSuffix* named = std::find_if(std::begin(kSuffixes), std::end(kSuffixes),
                                          [text](const NamedSuffix& s) { return s.name == text; });
  if (named != std::end(kSuffixes)) return named->suffix;
  if (!text.starts_with('e') && !text.starts_with('E')) return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Suffix suffix{Format::DecimalExponent, 0};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, suffix.exponent);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return suffix;
}

// Empty: no suffix has this exponent, and the unit is dropped. See to_string() in the header.
std::string construct(Format form, std::int64_t exponent) {
  if (form == Format::DecimalExponent) return exponent == 0 ? "" : format("e{}", exponent);
  const NamedSuffix* named = std::find_if(
      std::begin(kSuffixes), std::end(kSuffixes), [form, exponent](const NamedSuffix& s) {
        return s.suffix.exponent == exponent && (s.suffix.format == form || exponent == 0);
      });
  return named == std::end(kSuffixes) ? "" : std::string(named->name);
}

// Takes characters off the front of `text` as long as they fit.
template <class Fits>
std::string_view take_while(std::string_view& text, Fits fits) {
  const auto count =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), fits) - text.begin());
  const std::string_view taken = text.substr(0, count);
  text.remove_prefix(count);
  return taken;
}

// value * 10^exponent. No value: it does not fit.
std::optional<std::int64_t> scaled_up(std::int64_t value, std::int32_t exponent) {
  for (; exponent > 0 && value != 0; --exponent) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return std::nullopt;
  }
  return value;
}

std::uint64_t magnitude(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? ~bits + 1 : bits;
}

std::optional<std::int64_t> to_signed(std::uint64_t magnitude, bool negative) {
  constexpr auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > max + (negative ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
}

// math.Pow10: a product or quotient of two powers, which is not always the nearest double.
double go_power_of_ten(std::int32_t exponent) {
  constexpr std::array<double, 10> large = {1e0,   1e32,  1e64,  1e96,  1e128,
                                            1e160, 1e192, 1e224, 1e256, 1e288};
  constexpr std::array<double, 11> tiny = {1e0,    1e-32,  1e-64,  1e-96,  1e-128, 1e-160,
                                           1e-192, 1e-224, 1e-256, 1e-288, 1e-320};
  constexpr std::array<double, 32> powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23,
                                             1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31};
  if (exponent > 308) return std::numeric_limits<double>::infinity();
  if (exponent < -323) return 0;
  const auto distance = static_cast<std::size_t>(exponent < 0 ? -exponent : exponent);
  return exponent < 0 ? tiny[distance / 32] / powers[distance % 32]
                      : large[distance / 32] * powers[distance % 32];
}

Error unusable(std::string_view text, std::string_view what) {
  return {ErrorKind::BadInput, format("quantity \"{}\": {}", shorten_middle(text, 40), what),
          "write a number and a unit, such as 500m, 2, 1.5, 80Gi or 12e6"};
}

}  // namespace

// The parts of a text, not yet a number.
struct Quantity::Scanned {
  bool negative = false;
  bool has_digit = false;
  std::string_view integer;  // without leading zeros
  std::string_view fraction;
  Suffix suffix;
  Flaw flaw = Flaw::None;
  std::string_view culprit;  // the part that does not belong there
};

// parseQuantityString. As upstream, a character that no quantity has is another flaw than a suffix
// that does not exist.
Quantity::Scanned Quantity::scan(std::string_view text) {
  Scanned scanned;
  const auto flawed = [&scanned](Flaw flaw, std::string_view culprit) {
    scanned.flaw = flaw;
    scanned.culprit = culprit;
    return scanned;
  };
  if (text.empty()) return flawed(Flaw::Format, {});
  if (text.size() > kMaxLength) return flawed(Flaw::Length, text);
  std::string_view rest = text;
  scanned.negative = rest.starts_with('-');
  if (scanned.negative || rest.starts_with('+')) rest.remove_prefix(1);
  const std::string_view zeros = take_while(rest, [](char c) { return c == '0'; });
  scanned.integer = take_while(rest, is_digit);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    scanned.fraction = take_while(rest, is_digit);
  }
  scanned.has_digit = !zeros.empty() || !scanned.integer.empty() || !scanned.fraction.empty();

  const std::string_view suffix = rest;
  take_while(rest, [](char c) {
    return std::string_view("eEinumkKMGTP").find(c) != std::string_view::npos;
  });
  if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
  take_while(rest, is_digit);
  if (!rest.empty()) return flawed(Flaw::Format, rest);
  const std::optional<Suffix> known = interpret(suffix);
  if (!known) return flawed(Flaw::Suffix, suffix);
  if (known->exponent > kMaxExponent || known->exponent < -kMaxExponent) {
    return flawed(Flaw::Exponent, suffix);
  }
  scanned.suffix = *known;
  return scanned;
}

// The fast path of ParseQuantity: at most 18 digits and nothing finer than nano; binary values only
// without a decimal point and up to about 10^14.
std::optional<Quantity> Quantity::parse_small(const Scanned& scanned) {
  const auto digits = std::max<std::int64_t>(1, static_cast<std::int64_t>(scanned.integer.size()));
  const auto places = static_cast<std::int64_t>(scanned.fraction.size());
  const std::int64_t exponent = scanned.suffix.exponent;
  const bool binary = scanned.suffix.format == Format::BinarySI;
  const bool small = binary ? places == 0 && digits + exponent * 3 / 10 <= 14
                            : digits + places <= 18 && exponent - places >= kNano;
  if (!small) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : scanned.integer)
    value = value * 10 + (c - '0');
  for (const char c : scanned.fraction)
    value = value * 10 + (c - '0');
  if (binary) value <<= exponent;  // below 10^14 * 1.13
  Quantity quantity(scanned.negative ? -value : value, scanned.suffix.format);
  if (!binary) quantity.scale_ = static_cast<std::int32_t>(exponent - places);
  return quantity;
}

// The rest of ParseQuantity, in decimals of any size.
Quantity Quantity::parse_big(const Scanned& scanned) {
  const auto places = static_cast<std::int64_t>(scanned.fraction.size());
  const bool binary = scanned.suffix.format == Format::BinarySI;
  const std::int64_t written = (binary ? 0 : scanned.suffix.exponent) - places;
  Nanos nanos = from_digits(std::string(scanned.integer).append(scanned.fraction));
  if (binary) {
    for (std::int64_t i = 0; i < scanned.suffix.exponent; i += 10)
      multiply(nanos, 1024);
  }
  scale(nanos, written - kNano);

  Quantity quantity(0, scanned.suffix.format);
  quantity.scale_ = nanos.empty() ? static_cast<std::int32_t>(written) : kNano;
  const Nanos max_binary = {0, 854'775'807, 223'372'036, 9};  // 2^63-1
  if (binary && std::is_gt(compare(nanos, max_binary))) {
    nanos = max_binary;
    quantity.scale_ = 0;
  }
  // A binary fraction below 1 becomes decimal, whatever is added to it later.
  if (binary && nanos.size() == 1) quantity.format_ = Format::DecimalSI;
  quantity.big_ = true;
  quantity.negative_ = scanned.negative && !nanos.empty();
  quantity.big_nanos_ = std::move(nanos);
  return quantity;
}

Quantity::Flaw Quantity::convert(const Scanned& scanned, Quantity& out) {
  if (scanned.flaw != Flaw::None) return scanned.flaw;
  if (std::optional<Quantity> small = parse_small(scanned)) {
    out = *std::move(small);
    return Flaw::None;
  }
  if (!scanned.has_digit) return Flaw::Number;
  out = parse_big(scanned);
  return Flaw::None;
}

namespace {

// "110": most amounts of nodes are written so, and a plan reads those of each node for each pod.
std::optional<std::int64_t> whole_number(std::string_view text) {
  constexpr std::size_t most = 18;  // digits, as in parse_small()
  if (text.empty() || text.size() > most || !std::ranges::all_of(text, is_digit))
    return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text)
    value = value * 10 + (c - '0');
  return value;
}

}  // namespace

Quantity::Flaw Quantity::read(std::string_view text, Quantity& out) {
  if (const auto whole = whole_number(text)) {
    out = Quantity(*whole, Format::DecimalSI);
    return Flaw::None;
  }
  return convert(scan(text), out);
}

Result<Quantity> Quantity::parse(std::string_view text) {
  const Scanned scanned = scan(text);
  Quantity quantity;
  switch (convert(scanned, quantity)) {
    case Flaw::None:
      return quantity;
    case Flaw::Format:
      if (text.empty()) return unusable(text, "is empty");
      return unusable(text, base::format("\"{}\" cannot stand in a quantity",
                                         shorten_middle(scanned.culprit, 20)));
    case Flaw::Suffix:
      return unusable(text,
                      base::format("there is no unit \"{}\"", shorten_middle(scanned.culprit, 20)));
    case Flaw::Length:
      return unusable(text, base::format("is longer than {} bytes", kMaxLength));
    case Flaw::Exponent:
      return unusable(text, base::format("the exponent is beyond {}", kMaxExponent));
    case Flaw::Number:
      break;
  }
  return unusable(text, "there is no number");
}

int Quantity::sign() const {
  if (big_) return big_nanos_.empty() ? 0 : negative_ ? -1 : 1;
  return value_ == 0 ? 0 : value_ < 0 ? -1 : 1;
}

Quantity::Nanos Quantity::nanos() const {
  if (big_) return big_nanos_;
  Nanos nanos;
  for (std::uint64_t rest = magnitude(value_); rest > 0; rest /= kBase) {
    nanos.push_back(static_cast<std::uint32_t>(rest % kBase));
  }
  scale(nanos, scale_ - kNano);
  return nanos;
}

// ToDec
void Quantity::make_big() {
  if (big_) return;
  big_nanos_ = nanos();
  negative_ = value_ < 0;
  big_ = true;
}

// int64Amount.Add: false if the sum does not fit, and then nothing has changed.
bool Quantity::add_small(const Quantity& other) {
  if (other.value_ == 0) return true;
  if (value_ == 0) {
    value_ = other.value_;
    scale_ = other.scale_;
    return true;
  }
  const std::int32_t finest = std::min(scale_, other.scale_);
  const std::optional<std::int64_t> a = scaled_up(value_, scale_ - finest);
  const std::optional<std::int64_t> b = scaled_up(other.value_, other.scale_ - finest);
  std::int64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return false;
  value_ = sum;
  scale_ = finest;
  return true;
}

void Quantity::add_big(const Quantity& other, bool negative) {
  const Nanos nanos = other.nanos();
  make_big();
  scale_ = std::min(scale_, other.scale_);
  if (negative_ == negative) {
    add_limbs(big_nanos_, nanos);
  } else if (std::is_gteq(compare(big_nanos_, nanos))) {
    big_nanos_ = difference(std::move(big_nanos_), nanos);
  } else {
    big_nanos_ = difference(nanos, big_nanos_);
    negative_ = negative;
  }
  if (big_nanos_.empty()) negative_ = false;
}

void Quantity::add(const Quantity& other) {
  if (is_zero()) format_ = other.format_;
  if (!big_ && !other.big_ && add_small(other)) return;
  add_big(other, other.sign() < 0);
}

void Quantity::sub(const Quantity& other) {
  if (is_zero()) format_ = other.format_;
  if (!big_ && !other.big_) {
    // -2^63 is its own opposite, so it is added, as upstream does.
    Quantity negated(static_cast<std::int64_t>(~static_cast<std::uint64_t>(other.value_) + 1));
    negated.scale_ = other.scale_;
    if (add_small(negated)) return;
  }
  add_big(other, other.sign() > 0);
}

// Both in steps of the finer scale. A value that does not fit there is beyond the other one.
std::weak_ordering Quantity::compare_small(const Quantity& a, const Quantity& b) {
  const std::int32_t finest = std::min(a.scale_, b.scale_);
  const std::optional<std::int64_t> x = scaled_up(a.value_, a.scale_ - finest);
  if (!x) return a.value_ <=> 0;
  const std::optional<std::int64_t> y = scaled_up(b.value_, b.scale_ - finest);
  return y ? *x <=> *y : 0 <=> b.value_;
}

std::weak_ordering operator<=>(const Quantity& a, const Quantity& b) {
  if (!a.big_ && !b.big_) return Quantity::compare_small(a, b);
  if (a.sign() != b.sign()) return a.sign() <=> b.sign();
  return a.sign() < 0 ? compare(b.nanos(), a.nanos()) : compare(a.nanos(), b.nanos());
}

std::string Quantity::to_string() const {
  if (is_zero()) return "0";
  // -2^63 has no opposite, and upstream finds no suffix for it.
  if (!big_ && scale_ == 0 && value_ == std::numeric_limits<std::int64_t>::min())
    return std::to_string(value_);
  const Nanos all = nanos();
  const std::string minus = sign() < 0 ? "-" : "";
  const bool below_1024 = all.size() < 2 || (all.size() == 2 && all[1] < 1024);
  if (format_ == Format::BinarySI && !below_1024 && all[0] == 0) {
    Limbs integer = integer_part(all);
    std::int64_t exponent = 0;
    for (Limbs next = integer; divide(next, 1024) == 0; integer = next)
      exponent += 10;
    return minus + to_digits(integer) + construct(Format::BinarySI, exponent);
  }
  std::string digits = to_digits(all);
  const std::size_t significant = digits.find_last_not_of('0') + 1;
  std::int64_t exponent = kNano + static_cast<std::int64_t>(digits.size() - significant);
  digits.resize(significant);
  for (; exponent % 3 != 0; --exponent)
    digits += '0';
  const Format form = format_ == Format::BinarySI ? Format::DecimalSI : format_;
  return minus + digits + construct(form, exponent);
}

// The value in units of 10^-places, rounded away from zero. No value: it does not fit.
std::optional<std::int64_t> Quantity::scaled(std::int32_t places) const {
  if (!big_ && scale_ + places >= 0) return scaled_up(value_, scale_ + places);
  Limbs all = nanos();
  scale(all, places + kNano);
  std::uint64_t total = 0;
  for (std::size_t i = all.size(); i-- > 0;) {
    const bool overflow = __builtin_mul_overflow(total, kBase, &total) ||
                          __builtin_add_overflow(total, std::uint64_t{all[i]}, &total);
    if (overflow) return std::nullopt;
  }
  return to_signed(total, sign() < 0);
}

std::optional<std::int64_t> Quantity::value() const { return scaled(0); }
std::optional<std::int64_t> Quantity::milli_value() const { return scaled(3); }

std::int64_t Quantity::wrapped_value() const {
  if (const auto fits = value()) return *fits;
  if (!big_) return 0;
  const Nanos all = nanos();
  Limbs integer = integer_part(all);
  if (all[0] != 0) add_limbs(integer, {1});
  std::uint64_t total = 0;
  for (std::size_t i = integer.size(); i-- > 0;)
    total = total * kBase + integer[i];
  return static_cast<std::int64_t>(negative_ ? ~total + 1 : total);
}

Quantity Quantity::milli(std::int64_t value, Format format) {
  if (value % 1000 == 0) return Quantity(value / 1000, format);
  Quantity quantity(value, format);
  quantity.scale_ = -3;
  return quantity;
}

std::optional<std::int64_t> Quantity::as_int64() const {
  if (big_ || scale_ < 0) return std::nullopt;
  return scaled_up(value_, scale_);
}

double Quantity::approximate() const {
  if (!big_) {
    const auto value = static_cast<double>(value_);
    return scale_ == 0 ? value : value * go_power_of_ten(scale_);
  }
  // As many digits as upstream's integer has. Dropped digits are zeros.
  std::string digits = to_digits(big_nanos_);
  const std::int64_t longer = std::int64_t{kNano} - scale_;
  if (!digits.empty()) {
    digits.resize(static_cast<std::size_t>(static_cast<std::int64_t>(digits.size()) + longer), '0');
  }
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec == std::errc::result_out_of_range) value = std::numeric_limits<double>::infinity();
  if (negative_) value = -value;
  return scale_ == 0 ? value : value * go_power_of_ten(scale_);
}

}  // namespace dra::base
