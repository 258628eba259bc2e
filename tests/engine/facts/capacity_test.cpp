// tests/engine/facts/capacity_test.cpp: what a request takes of a device's capacity, by the rules
// of consumable_capacity.go.

#include "dra/engine/facts/capacity.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::capacity_test {
namespace {

using support::request;
using support::scene;

constexpr std::array<std::string_view, 6> kFlaws{"None",  "Missing",  "Policy",
                                                 "Short", "Overflow", "Negative"};

std::string_view name_of(CapacityFlaw flaw) { return kFlaws.at(static_cast<std::size_t>(flaw)); }

// "memory 10Gi/80Gi, slots 1/4", with "Policy memory: " before it where there is a flaw.
std::string to_line(const CapacityDraw& draw) {
  std::vector<std::string> parts;
  parts.reserve(draw.parts.size());
  for (const CapacityPart& part : draw.parts)
    parts.push_back(
        base::format("{} {}/{}", part.name, part.part.to_string(), part.total.to_string()));
  std::string line = base::join(parts, ", ");
  if (draw.flaw == CapacityFlaw::None) return line;
  return base::format("{} {}: {}", name_of(draw.flaw), draw.name, line);
}

struct Case {
  std::string name;
  std::string capacity;  // of the device
  const char* asked;
  std::string want;
  bool fractional = false;
};

void check(const Case& row) {
  CAPTURE(row.name);
  const std::string asked = *row.asked == '\0'
                                ? std::string()
                                : base::format("capacity: {{requests: {{{}}}}}", row.asked);
  const auto snapshot =
      scene()
          .slice(
              {.name = "s", .devices = base::format("{{name: d, capacity: {{{}}}}}", row.capacity)})
          .claim("c", request("r", asked))
          .build();
  const auto& device = snapshot.all<api::ResourceSlice>().front().spec.devices.front();
  const auto& claim = snapshot.all<api::ResourceClaim>().front();
  const CapacityDraw draw = draw_of(claim.spec.devices.requests.front().exactly->demand, device,
                                    {.fractional = row.fractional});
  CHECK(to_line(draw) == row.want);
  CHECK(draw.fatal() ==
        (draw.flaw == CapacityFlaw::Overflow || draw.flaw == CapacityFlaw::Negative));
}

// A capacity of 80 with this policy.
std::string with_policy(std::string_view policy) {
  return base::format("slots: {{value: 80, requestPolicy: {{{}}}}}", policy);
}
std::string with_range(std::string_view range) {
  return with_policy(base::format("default: 1, validRange: {{{}}}", range));
}

TEST_CASE("without a policy") {
  const Case rows[] = {
      {"a device without capacity has nothing to take", "", "", ""},
      {"who asks for nothing takes everything", "memory: {value: 80Gi}", "", "memory 80Gi/80Gi"},
      {"who asks takes just that", "memory: {value: 80Gi}", "memory: 3Gi", "memory 3Gi/80Gi"},
      {"of a capacity that is not named everything", "memory: {value: 80Gi}, slots: {value: 4}",
       "slots: 1", "memory 80Gi/80Gi, slots 1/4"},
      {"nothing can be asked for", "memory: {value: 80Gi}", "memory: 0", "memory 0/80Gi"},
      {"an amount may have a fraction", "slots: {value: 4}", "slots: 500m", "slots 500m/4"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("names are literal") {
  const Case rows[] = {
      {"what the device does not have", "memory: {value: 80Gi}", "slots: 1", "Missing slots: "},
      {"with the driver's domain it is another one", "memory: {value: 80Gi}",
       "gpu.example.com/memory: 1Gi", "Missing gpu.example.com/memory: "},
      {"and so it is without", "gpu.example.com/memory: {value: 80Gi}", "memory: 1Gi",
       "Missing memory: "},
      {"a name that is missing hides that another cannot be computed",
       with_range("min: 0, step: 2"), "missing: 1, slots: 9223372036854775807",
       "Missing missing: "},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("the default") {
  const Case rows[] = {
      {"is for those who ask for nothing", with_policy("default: 10"), "", "slots 10/80"},
      {"and for nobody else", with_policy("default: 10"), "slots: 3", "slots 3/80"},
      {"needs not be among the values", with_policy("default: 3, validValues: [2, 4]"), "",
       "slots 3/80"},
      {"nor in the range", with_policy("default: 1, validRange: {min: 4, step: 2}"), "",
       "slots 1/80"},
      {"the whole is checked where there is none", with_policy("validValues: [2, 4]"), "",
       "Policy slots: slots 80/80"},
      {"more than there is", with_policy("default: 81"), "", "Short slots: slots 81/80"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("valid values") {
  const std::string values = with_policy("default: 1, validValues: [1, 4, 16]");
  const Case rows[] = {
      {"one of them stays", values, "slots: 4", "slots 4/80"},
      {"what lies between is rounded up", values, "slots: 5", "slots 16/80"},
      {"what is below all of them is, too", values, "slots: 0", "slots 1/80"},
      {"above the last none is left", values, "slots: 17", "Policy slots: slots 17/80"},
      {"an empty list rules nothing out", with_policy("default: 1, validValues: []"), "slots: 5",
       "slots 5/80"},
      {"they are compared by value", "memory: {value: 4Gi, requestPolicy: {validValues: [2Gi]}}",
       "memory: 2048Mi", "memory 2Gi/4Gi"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("a valid range") {
  const Case rows[] = {
      {"less than the least is the least", with_range("min: 4, max: 16"), "slots: 1", "slots 4/80"},
      {"without steps all amounts are good", with_range("min: 4, max: 16"), "slots: 5",
       "slots 5/80"},
      {"up to the most", with_range("min: 4, max: 16"), "slots: 16", "slots 16/80"},
      {"and no further", with_range("min: 4, max: 16"), "slots: 17", "Policy slots: slots 17/80"},
      {"steps are counted from the least", with_range("min: 2, step: 3"), "slots: 6", "slots 8/80"},
      {"an amount on a step stays", with_range("min: 2, step: 3"), "slots: 5", "slots 5/80"},
      {"the least is on a step", with_range("min: 2, step: 3"), "slots: 2", "slots 2/80"},
      {"a step up may lead beyond the most", with_range("min: 2, max: 7, step: 3"), "slots: 6",
       "Policy slots: slots 8/80"},
      {"or beyond what there is", with_range("min: 0, step: 50"), "slots: 60",
       "Short slots: slots 100/80"},
      {"without a least nothing is rounded", with_range("max: 16"), "slots: 5", "slots 5/80"},
      {"rounded amounts are written as the step is",
       "memory: {value: 4Gi, requestPolicy: {validRange: {min: 1Gi, step: 1Gi}}}", "memory: 1500M",
       "memory 2Gi/4Gi"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("steps that are fractions") {
  const std::string halves = with_range("min: 500m, step: 500m");
  const Case rows[] = {
      {"count in wholes without their gate", halves, "slots: 1200m", "slots 2/80"},
      {"and in thousandths with it", halves, "slots: 1200m", "slots 1500m/80", true},
      {"a whole is a whole", halves, "slots: 700m", "slots 1/80", true},
      {"what is finer than thousandths cannot be counted", halves, "slots: 600500u",
       "Overflow slots: ", true},
      {"unless it is below the least", halves, "slots: 500u", "slots 500m/80", true},
      {"a step finer than thousandths makes the range count in wholes",
       with_range("min: 500m, step: 100u"), "slots: 1200m", "slots 2/80", true},
      {"so does a least", with_range("min: 100u, step: 500m"), "slots: 1200m", "slots 2/80", true},
      {"without steps fractions need no gate", with_range("min: 500m, max: 2"), "slots: 1200m",
       "slots 1200m/80"},
      {"the most counts without rounding", with_range("min: 500m, max: 1400m, step: 500m"),
       "slots: 1200m", "Policy slots: slots 1500m/80", true},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("more than there is, and what cannot be") {
  const Case rows[] = {
      {"more than the device has", "memory: {value: 80Gi}", "memory: 81Gi",
       "Short memory: memory 81Gi/80Gi"},
      {"all of it is not more", "memory: {value: 80Gi}", "memory: 80Gi", "memory 80Gi/80Gi"},
      {"the first flaw is told", "a1: {value: 1}, b1: {value: 1}", "a1: 2, b1: 2",
       "Short a1: a1 2/1, b1 2/1"},
      {"without steps nothing is computed, however large", with_range("min: 1"),
       "slots: 10000000000000000000", "Short slots: slots 10E/80"},
      {"beyond 64 bits no step can be counted", with_range("min: 1, step: 1"),
       "slots: 9223372036854775808", "Overflow slots: "},
      {"nor where the next step is beyond them", with_range("min: 0, step: 10"),
       "slots: 9223372036854775807", "Overflow slots: "},
      {"nor with thousandths beyond them", with_range("min: 500m, step: 500m"),
       "slots: 9223372036854776", "Overflow slots: ", true},
      {"a negative amount", "slots: {value: 80}", "slots: -1", "Negative slots: "},
      {"rounded up it may be none", with_range("min: 0"), "slots: -1", "slots 0/80"},
      {"a device that has less than nothing", "slots: {value: -1}", "", "Negative slots: "},
      {"what cannot be computed outweighs what is short",
       "a1: {value: 1}, " + with_range("min: 0, step: 10"), "a1: 2, slots: 9223372036854775807",
       "Overflow slots: "},
  };
  for (const Case& row : rows)
    check(row);
}

base::Quantity quantity(std::string_view text) { return base::Quantity::parse(text).value(); }

TEST_CASE("shares add up, and can be given back") {
  CapacityUse use;
  CHECK(use.empty());
  CHECK(use.of("memory") == nullptr);
  use.add("memory", quantity("1Gi"));
  const std::vector<CapacityPart> parts{{"memory", quantity("4Gi"), quantity("2Gi")},
                                        {"slots", quantity("4"), quantity("1")}};
  use.add(parts);
  CHECK_FALSE(use.empty());
  CHECK(*use.of("memory") == quantity("3Gi"));
  CHECK(*use.of("slots") == quantity("1"));
  use.sub(parts);
  CHECK(*use.of("memory") == quantity("1Gi"));
  CHECK(use.of("slots")->is_zero());
}

struct ShortCase {
  std::string name;
  const char* memory;  // taken
  const char* slots;
  std::string want;  // the capacity that is short
};

const ShortCase kShort[] = {
    {"nothing is taken", "0", "0", ""},
    {"just enough is left", "2Gi", "3", ""},
    {"too little of one", "2Gi", "4", "slots"},
    {"too little of both: the first", "3Gi", "4", "memory"},
    {"it may be overdrawn already", "9Gi", "0", "memory"},
};

TEST_CASE("of what too little is left") {
  const std::vector<CapacityPart> parts{{"memory", quantity("4Gi"), quantity("2Gi")},
                                        {"slots", quantity("4"), quantity("1")}};
  for (const ShortCase& row : kShort) {
    CAPTURE(row.name);
    CapacityUse taken;
    taken.add("memory", quantity(row.memory));
    taken.add("slots", quantity(row.slots));
    const CapacityPart* part = short_of(parts, taken);
    CHECK((part == nullptr ? "" : part->name) == row.want);
  }
  const std::vector<CapacityPart> too_much{{"memory", quantity("4Gi"), quantity("5Gi")}};
  CHECK(short_of(too_much, {}) == too_much.data());
}

}  // namespace
}  // namespace dra::engine::capacity_test
