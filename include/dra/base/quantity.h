// include/dra/base/quantity.h
//
// An amount as Kubernetes writes it: `500m`, `2`, `1.5`, `80Gi`, `12e6`. Capacities of devices and
// counters of a pool are quantities.
//
// Behaves as k8s.io/apimachinery/pkg/api/resource.Quantity; where a rule is stated below, it is
// upstream's, oddities included, because the server computes with them:
//  * Values are exact, of any size, in steps of a billionth (`1n`). Finer values are rounded away
//    from zero when parsed, so that a request never becomes nothing (ParseQuantity).
//  * Parsed with a binary suffix (Ki to Ei), a value is at most 2^63-1 in magnitude: `8Ei` is one
//    less than it says. Decimal values have no such cap (ParseQuantity).
//  * The suffix decides the format: binary, decimal, or decimal exponent. Results keep the format
//    of the left operand unless that is zero (Add, Sub).
//  * A number without any digit, such as `+`, `.` or `Ki`, is zero; `Pi`, `Ei` and exponents below
//    -9 need a digit (an artefact of parseQuantityString).
//
// Two inputs are errors here and not upstream, which would not survive them: exponents beyond ±4096
// and texts beyond 4096 bytes. JSON decoding of upstream trims white space first (UnmarshalJSON);
// parse() does not.

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"

namespace dra::base {

class Quantity {
 public:
  enum class Format {
    DecimalSI,        // 12M
    BinarySI,         // 12Mi
    DecimalExponent,  // 12e6
  };

  Quantity() = default;  // zero
  explicit Quantity(std::int64_t value, Format format = Format::DecimalSI)
      : value_(value), format_(format) {}

  // From thousandths. Whole numbers equal those of the other constructor (NewMilliQuantity,
  // NewQuantity).
  static Quantity milli(std::int64_t value, Format format);

  static Result<Quantity> parse(std::string_view text);

  // The reason why a text is no quantity. The first three are upstream's ErrFormatWrong, ErrSuffix
  // and ErrNumeric; the others are limits of this class.
  enum class Flaw { None, Format, Suffix, Number, Length, Exponent };
  // parse() without a message: sets `out` if there is no flaw.
  static Flaw read(std::string_view text, Quantity& out);

  Format format() const { return format_; }
  int sign() const;  // -1, 0 or 1
  bool is_zero() const { return sign() == 0; }

  void add(const Quantity& other);
  void sub(const Quantity& other);

  // By value: `1Ki` and `1024` are equivalent.
  friend std::weak_ordering operator<=>(const Quantity& a, const Quantity& b);
  friend bool operator==(const Quantity& a, const Quantity& b) { return std::is_eq(a <=> b); }

  // The canonical form (CanonicalizeBytes): no fraction, the largest suffix that loses nothing. A
  // binary format shows as decimal below 1024 in magnitude and for fractions. Beyond the suffix `E`
  // (`Ei`) upstream drops the unit: `1000E` becomes `1`, and so it does here and in the server.
  // Upstream's String() differs in that it returns text that looked canonical as it was written,
  // such as `+5` or `1.500`.
  std::string to_string() const;

  // The value rounded away from zero, as Value() is documented. No value: it does not fit.
  std::optional<std::int64_t> value() const;
  // Value() as it behaves: a value that does not fit is 0, or its lowest 64 bits where upstream
  // computes with inf.Dec.
  std::int64_t wrapped_value() const;
  // value() in thousandths, as the scheduler counts CPUs (MilliValue).
  std::optional<std::int64_t> milli_value() const;

  // AsInt64(), which CEL's isInteger() and asInteger() use. Some integers have no value: those
  // written with a fraction (`1000m`, `1.5Gi`), and those so long or with so large a suffix that
  // upstream computes them with inf.Dec (`128Ti`, `1Pi`, decimal numbers of 19 digits).
  std::optional<std::int64_t> as_int64() const;

  // AsApproximateFloat64(): digits times a power of ten, each rounded, so the last bits depend on
  // how the value was computed. Infinite beyond doubles, and NaN for a zero such as `0e400`.
  double approximate() const;

 private:
  // Billionths without a sign, in base 10^9 from the least significant limb, without leading zeros:
  // the first limb is the fraction, the others are the integer.
  using Nanos = std::vector<std::uint32_t>;

  struct Scanned;
  static Scanned scan(std::string_view text);
  static Flaw convert(const Scanned& scanned, Quantity& out);
  static std::optional<Quantity> parse_small(const Scanned& scanned);
  static Quantity parse_big(const Scanned& scanned);

  static std::weak_ordering compare_small(const Quantity& a, const Quantity& b);
  Nanos nanos() const;
  std::optional<std::int64_t> scaled(std::int32_t places) const;
  void make_big();
  bool add_small(const Quantity& other);
  void add_big(const Quantity& other, bool negative);

  // A small value (int64Amount) is value_ * 10^scale_. A value that does not fit, or was not parsed
  // that way, is big (infDecAmount) and stays so. See quantity.cpp.
  std::int64_t value_ = 0;
  std::int32_t scale_ = 0;
  Format format_ = Format::DecimalSI;
  bool big_ = false;
  bool negative_ = false;  // of big_nanos_, which are not zero then
  Nanos big_nanos_;
};

}  // namespace dra::base
