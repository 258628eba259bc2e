// tests/engine/selectors/corrections_test.cpp: what is proposed for an expression that does not
// compile, while no device is known.

#include "dra/engine/selectors/corrections.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

namespace dra::engine::corrections_test {
namespace {

const std::vector<cel::KnownName> kNames = {
    {"attributes", "gpu.io", "model"},    {"attributes", "gpu.io", "driverVersion"},
    {"attributes", "gpu.io", "topology"}, {"attributes", "k8s.io", "pcieRoot"},
    {"capacity", "gpu.io", "memory"},
};

struct Row {
  const char* name;
  const char* expression;
  const char* want;  // empty: nothing is proposed
};

const Row kRows[] = {
    {"right", "device.driver == 'gpu.io'", ""},
    {"an amount as a number", "device.capacity['gpu.io'].memory >= 40",
     "device.capacity['gpu.io'].memory.compareTo(quantity(\"40\")) >= 0"},
    {"an amount as text", "device.capacity['gpu.io'].memory >= '40Gi'",
     "device.capacity['gpu.io'].memory.compareTo(quantity('40Gi')) >= 0"},
    {"a field of the amount", "device.capacity['gpu.io'].memory.value == quantity('1')",
     "device.capacity['gpu.io'].memory == quantity('1')"},
    {"no domain", "device.attributes.model == 'a'", "device.attributes[\"gpu.io\"].model == 'a'"},
    {"no domain, in other letters", "device.attributes.driverversion == 'a'",
     "device.attributes[\"gpu.io\"].driverVersion == 'a'"},
    {"no domain, in brackets", "device.attributes['model'] == 'a'",
     "device.attributes[\"gpu.io\"].model == 'a'"},
    {"the full name as the key", "device.attributes['gpu.io/model'] == 'a'",
     "device.attributes[\"gpu.io\"].model == 'a'"},
    {"a full name that no identifier can be", "device.attributes['gpu.io/a-b'] == 'a'",
     "device.attributes[\"gpu.io\"][\"a-b\"] == 'a'"},
    {"a name with a dash", "device.attributes['gpu.io'].gpu-topology == '2x2'",
     "device.attributes[\"gpu.io\"].topology == '2x2'"},
    {"a name with a dash in another domain", "device.attributes['io'].driver-version == 1",
     "device.attributes[\"gpu.io\"].driverVersion == 1"},
    {"a name with a dash that nothing is like", "device.attributes['gpu.io'].a-b == 1", ""},
    {"operators of another language", "device.driver = 'gpu.io' and true",
     "device.driver == 'gpu.io' && true"},
    {"no device", "driver == 'gpu.io'", "device.driver == 'gpu.io'"},
    {"a field that no device has", "device.labels['a'] == 'b'", ""},
};

TEST_CASE("corrections of what does not compile") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    CHECK(correction_of(row.expression, {}, kNames).value_or("") == row.want);
  }
}

TEST_CASE("a name without its domain that no device is known to have") {
  const auto words = [](const char* expression) {
    return missing_domain(Selector(expression, {}));
  };
  const std::string look = "; look for both with kubectl dra devices -o wide";
  CHECK(words("device.attributes.speed == 'a'") ==
        "attributes has the domain of a name before the name, and that is the driver's as a rule: "
        "device.attributes[\"DOMAIN\"].speed" +
            look);
  CHECK(words("true && device.capacity['slots'] >= 1") ==
        "capacity has the domain of a name before the name, and that is the driver's as a rule: "
        "device.capacity[\"DOMAIN\"].slots" +
            look);
  CHECK(words("device.attributes.speed.max == 1").empty());
  CHECK(words("device.attributes['gpu.io'].speed == 1").empty());
  CHECK(words("device.attributes['gpu.io/speed'] == 1").empty());
  CHECK(words("'speed' in device.attributes").empty());
  CHECK(words("device.driver ==").empty());
}

TEST_CASE("what is proposed compiles") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string expression(kRows[random() % std::size(kRows)].expression);
    expression.erase(random() % expression.size(), random() % 3);
    CAPTURE(expression);
    const auto better = correction_of(expression, {}, kNames);
    CHECK((!better || !Selector(*better, {}).failure()));
  }
}

}  // namespace
}  // namespace dra::engine::corrections_test
