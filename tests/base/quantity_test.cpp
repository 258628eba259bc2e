// tests/base/quantity_test.cpp

#include "dra/base/quantity.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace dra::base::quantity_test {
namespace {

Quantity quantity(std::string_view text) {
  Result<Quantity> parsed = Quantity::parse(text);
  CAPTURE(text);
  REQUIRE(parsed.ok());
  return std::move(parsed).take();
}

struct Case {
  const char* name;
  const char* text;
  const char* want;
};

// What upstream's CanonicalizeBytes answers.
const Case kCanonical[] = {
    {"an integer stays", "2", "2"},
    {"thousands become a suffix", "12000", "12k"},
    {"a fraction becomes milli", "1.5", "1500m"},
    {"milli that make a whole become one", "2000m", "2"},
    {"micro and nano are kept exactly", "1.000001", "1000001u"},
    {"what is finer than nano is rounded up", "1.0000000001", "1000000001n"},
    {"the smallest request is not nothing", "0.0000000000001", "1n"},
    {"a negative one is rounded away from zero too", "-0.0000000000001", "-1n"},
    {"binary suffixes are kept", "80Gi", "80Gi"},
    {"binary becomes the largest suffix that loses nothing", "1.5Gi", "1536Mi"},
    {"1024 of a binary suffix become the next", "1024Ki", "1Mi"},
    {"binary below 1024 shows as decimal", "0.5Ki", "512"},
    {"a binary fraction shows as decimal", "1.0001Ki", "1024102400u"},
    {"a binary value is at most 2^63-1", "8Ei", "9223372036854775807"},
    {"and at least its negative", "-16Ei", "-9223372036854775807"},
    {"a decimal value is not capped", "9223372036854775808", "9223372036854775808"},
    {"forty digits are exact", "1234567890123456789012345678901234567891",
     "1234567890123456789012345678901234567891"},
    {"an exponent is kept as exponent", "12e6", "12e6"},
    {"an exponent becomes a multiple of three", "1E22", "10e21"},
    {"a small exponent is kept", "15e-1", "1500e-3"},
    {"an exponent below nano rounds up", "1e-12", "1e-9"},
    {"E alone is exa", "1E", "1E"},
    {"zero of any suffix is 0", "0Ki", "0"},
    {"a plus sign and leading zeros go", "+007", "7"},
    {"a fraction needs no digit before the point", ".5", "500m"},
    {"nor after it", "1.Gi", "1Gi"},
    {"a sign alone is zero, as upstream has it", "-", "0"},
    {"a unit alone is zero, as upstream has it", "Ki", "0"},
    {"beyond exa the unit is lost, as upstream has it", "1000E", "1"},
};

TEST_CASE("canonical form") {
  for (const Case& c : kCanonical) {
    CAPTURE(c.name);
    CHECK(quantity(c.text).to_string() == c.want);
  }
}

const Case kErrors[] = {
    {"nothing is not zero", "", "quantity \"\": is empty"},
    {"white space is not trimmed", " 1", "quantity \" 1\": \" 1\" cannot stand in a quantity"},
    {"a word is not a number", "lots", "quantity \"lots\": \"lots\" cannot stand in a quantity"},
    {"there is one decimal point", "1.2.3",
     "quantity \"1.2.3\": \".3\" cannot stand in a quantity"},
    {"units are spelled exactly", "1ki", "quantity \"1ki\": there is no unit \"ki\""},
    {"there is no kilobyte", "1KB", "quantity \"1KB\": \"B\" cannot stand in a quantity"},
    {"there is one unit", "1MiMi", "quantity \"1MiMi\": there is no unit \"MiMi\""},
    {"an exponent needs a number", "1e", "quantity \"1e\": there is no unit \"e\""},
    {"an exponent has one sign", "1e+-1", "quantity \"1e+-1\": \"-1\" cannot stand in a quantity"},
    {"an exponent is an integer of 64 bits", "1e99999999999999999999",
     "quantity \"1e99999999999999999999\": there is no unit \"e99999999…9999999999\""},
    {"an exponent is within reason", "1e5000", "quantity \"1e5000\": the exponent is beyond 4096"},
    {"the largest units need a digit", "Ei", "quantity \"Ei\": there is no number"},
};

TEST_CASE("what is not a quantity") {
  for (const Case& c : kErrors) {
    CAPTURE(c.name);
    const Result<Quantity> parsed = Quantity::parse(c.text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().message == c.want);
  }
  CHECK_FALSE(Quantity::parse(std::string(5000, '1')).ok());
  CHECK(Quantity::parse(std::string(4096, '1')).ok());
}

struct Pair {
  const char* name;
  const char* a;
  const char* b;
  int order;
  const char* sum;
  const char* difference;
};

const Pair kPairs[] = {
    {"the same value in two notations is equal", "1Ki", "1024", 0, "2Ki", "0"},
    {"fractions align", "1", "300m", 1, "1300m", "700m"},
    {"the left operand decides the format", "1Gi", "1G", 1, "2073741824", "73741824"},
    {"unless it is zero", "0", "1Gi", -1, "1Gi", "-1Gi"},
    {"negative values order by distance", "-2", "-1", -1, "-3", "-1"},
    {"signs order first", "-1e20", "1n", -1, "-99999999999999999999999999999e-9",
     "-100000000000000000000000000001e-9"},
    {"a sum may leave 64 bits", "9223372036854775807", "1", 1, "9223372036854775808",
     "9223372036854775806"},
    {"a binary sum may leave 64 bits", "8Ei", "1", 1, "8Ei", "9223372036854775806"},
    {"a difference may change its sign", "1Ei", "2Ei", -1, "3Ei", "-1Ei"},
    {"exponents far apart are exact", "1e30", "1e-9", 1,
     "1000000000000000000000000000000000000001e-9", "999999999999999999999999999999999999999e-9"},
    {"borrowing goes through every limb", "1000000000000000000000000000", "1n", 1,
     "1000000000000000000000000000000000001n", "999999999999999999999999999999999999n"},
};

TEST_CASE("compare, add and subtract") {
  for (const Pair& c : kPairs) {
    CAPTURE(c.name);
    const Quantity a = quantity(c.a);
    const Quantity b = quantity(c.b);
    CHECK((a < b) == (c.order < 0));
    CHECK((a == b) == (c.order == 0));
    CHECK((b < a) == (c.order > 0));
    Quantity sum = a;
    sum.add(b);
    CHECK(sum.to_string() == c.sum);
    Quantity difference = a;
    difference.sub(b);
    CHECK(difference.to_string() == c.difference);
    sum.sub(b);
    CHECK(sum == a);
  }
}

struct IntegerCase {
  const char* name;
  const char* text;
  std::optional<std::int64_t> value;
  std::optional<std::int64_t> as_int64;
};

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

const IntegerCase kIntegers[] = {
    {"an integer", "42", 42, 42},
    {"a suffix counts", "2Gi", 2147483648, 2147483648},
    {"a fraction rounds up", "1500m", 2, std::nullopt},
    {"a negative fraction rounds away from zero", "-1500m", -2, std::nullopt},
    {"a nano is one", "1n", 1, std::nullopt},
    {"a fraction that is whole is an integer for one only", "1000m", 1, std::nullopt},
    {"so is a large binary suffix", "128Ti", 140737488355328, std::nullopt},
    {"a smaller one is an integer for both", "16Ti", 17592186044416, 17592186044416},
    {"the largest that fits", "9223372036854775807", kMost, std::nullopt},
    {"one more does not fit", "9223372036854775808", std::nullopt, std::nullopt},
    {"the smallest that fits", "-9223372036854775808", -kMost - 1, std::nullopt},
    {"one less does not fit", "-9223372036854775809", std::nullopt, std::nullopt},
    {"a small number with a large exponent does not fit", "1e19", std::nullopt, std::nullopt},
    {"far beyond does not fit", "1e4096", std::nullopt, std::nullopt},
    {"zero", "0e4096", 0, 0},
};

TEST_CASE("as integers") {
  for (const IntegerCase& c : kIntegers) {
    CAPTURE(c.name);
    CHECK((quantity(c.text).value() == c.value));
    CHECK((quantity(c.text).as_int64() == c.as_int64));
  }
}

struct MilliCase {
  const char* name;
  const char* text;
  std::optional<std::int64_t> milli;
};

const MilliCase kMillis[] = {
    {"a whole is a thousand", "2", 2000},
    {"thousandths are themselves", "1500m", 1500},
    {"a suffix counts", "1Ki", 1024000},
    {"a fraction", "0.25", 250},
    {"what is finer rounds up", "1n", 1},
    {"beside thousandths, too", "1000100u", 1001},
    {"a negative one rounds away from zero", "-1500001u", -1501},
    {"a large one", "128Ti", 140737488355328000},
    {"the largest that fits", "9223372036854775807m", kMost},
    {"one more does not fit", "9223372036854775808m", std::nullopt},
    {"a value that fits may not do so in thousandths", "9223372036854775807", std::nullopt},
    {"far beyond does not fit", "1e4096", std::nullopt},
    {"zero", "0", 0},
};

TEST_CASE("in thousandths") {
  for (const MilliCase& c : kMillis) {
    CAPTURE(c.name);
    CHECK((quantity(c.text).milli_value() == c.milli));
  }
}

struct ApproximateCase {
  const char* name;
  const char* text;
  double want;
};

const ApproximateCase kApproximate[] = {
    {"an integer", "42", 42},
    {"a fraction is a product of rounded factors", "0.3", 3 * 0.1},
    {"a fraction of a large unit is counted in billionths", "1.5Gi", 1610612736},
    {"the cap of binary suffixes is counted in ones", "9Ei", 9223372036854775807.0},
    {"a large decimal", "-1e300", -1e300},
    {"beyond doubles", "1e400", std::numeric_limits<double>::infinity()},
};

TEST_CASE("as doubles") {
  for (const ApproximateCase& c : kApproximate) {
    CAPTURE(c.name);
    CHECK(quantity(c.text).approximate() == c.want);
  }
  const double none = quantity("0e400").approximate();  // zero times infinity
  CHECK(none != none);
}

TEST_CASE("flaws are told apart without words") {
  Quantity read(7);
  CHECK(Quantity::read("", read) == Quantity::Flaw::Format);
  CHECK(Quantity::read("1 Gi", read) == Quantity::Flaw::Format);
  CHECK(Quantity::read("1K", read) == Quantity::Flaw::Suffix);
  CHECK(Quantity::read("Ei", read) == Quantity::Flaw::Number);
  CHECK(Quantity::read("1e5000", read) == Quantity::Flaw::Exponent);
  CHECK(Quantity::read(std::string(5000, '1'), read) == Quantity::Flaw::Length);
  CHECK(read == Quantity(7));
  CHECK(Quantity::read("40Gi", read) == Quantity::Flaw::None);
  CHECK(read == quantity("40960Mi"));
}

TEST_CASE("small values of different steps are compared exactly") {
  CHECK(quantity("9G") < quantity("9000000001"));
  CHECK(quantity("999999999999999999") < quantity("1E"));
  CHECK(quantity("-1e4000") < quantity("1n"));
  CHECK(quantity("1e4000") > quantity("999999999999999999"));
}

TEST_CASE("signs and zero") {
  CHECK(quantity("-1n").sign() == -1);
  CHECK(quantity("1e40").sign() == 1);
  CHECK(quantity("-0.0Ki").is_zero());
  CHECK(Quantity().to_string() == "0");
  Quantity limit(std::numeric_limits<std::int64_t>::min());
  limit.sub(Quantity(std::numeric_limits<std::int64_t>::min()));
  CHECK(limit.is_zero());
  // Upstream negates the least integer, which gives it back, and adds it.
  Quantity five(5);
  five.sub(Quantity(std::numeric_limits<std::int64_t>::min()));
  CHECK(five.sign() == -1);
  Quantity twice = quantity("1e30");
  twice.add(twice);
  CHECK(twice.to_string() == "2e30");
  twice.sub(twice);
  CHECK(twice.is_zero());
}

}  // namespace
}  // namespace dra::base::quantity_test
