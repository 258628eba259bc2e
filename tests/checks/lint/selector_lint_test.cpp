// tests/checks/lint/selector_lint_test.cpp: what selectors look for in vain.

#include "dra/checks/lint/lint.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/checks/lint/known_attributes.h"

namespace dra::checks::selector_lint_test {
namespace {

struct Row {
  const char* name;
  const char* expression;
  const char* fix;  // what is found says; empty: nothing is found
};

const Row kRows[] = {
    {"right", "device.attributes['gpu.example.com'].type == 'a'", ""},
    {"by an index", "device.attributes['gpu.example.com']['type'] == 'a'", ""},
    {"guarded", "device.attributes['gpu.example.com'].?type.orValue('') == 'a'", ""},
    {"capacity", "device.capacity['gpu.example.com'].mem.compareTo(quantity('1Gi')) > 0", ""},
    {"a key that is computed", "device.attributes[device.driver].type == 'a'", ""},
    {"the full name as the key", "device.attributes['gpu.example.com/type'].x == 'a'",
     "device.attributes[\"gpu.example.com\"].type"},
    {"a domain with a blank", "device.attributes['gpu example'].type == 'a'",
     "write the driver's name, or the domain before the \"/\" of the attribute's full name"},
    {"a name with a dash", "device.attributes['gpu.example.com']['numa-node'] == 1",
     "perhaps it is published as numa_node: look with kubectl dra devices -o wide"},
    {"the field of the API behind an attribute",
     "device.attributes['gpu.example.com'].type.stringValue == 'a'",
     "device.attributes[\"gpu.example.com\"].type"},
    {"the full name as the key, with a dash", "device.attributes['a.example.com/nic-id'].x == 'a'",
     "device.attributes[\"a.example.com\"][\"nic-id\"]"},
    {"another field behind an attribute", "device.attributes['gpu.example.com'].type.name == 'a'",
     "device.attributes[\"gpu.example.com\"].type"},
    {"a domain without brackets", "device.attributes.gpu.example.com.type == 'a'",
     "device.attributes[\"gpu.example.com\"].type"},
    {"a driver's name with a slash", "device.driver == 'gpu.example.com/gpu'",
     "device.driver == \"gpu.example.com\""},
    {"no driver's name", "'a b' != device.driver", "look for its name with kubectl dra drivers"},
    {"a name that is too long", "device.attributes['a.b'].aaaaaaaaaabbbbbbbbbbccccccccccddd == 1",
     "look for its name with kubectl dra devices -o wide"},
    {"what does not compile", "device.attributes['a/b'] ==", ""},
};

TEST_CASE("selectors of what cannot exist") {
  const engine::Language language;
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const auto found = lint_selector(engine::Selector(row.expression, language));
    CHECK(found.empty() == (*row.fix == '\0'));
    if (!found.empty()) CHECK(found.front().fix == row.fix);
  }
}

struct ConstantRow {
  const char* expression;
  const char* message;  // empty: nothing is found
  const char* fix;
};

const ConstantRow kConstants[] = {
    {"device.capacity['a'].b.compareTo(quantity('80Gi')) > 0", "", ""},
    {"device.capacity['a'].b.compareTo(quantity('80GB')) > 0",
     "quantity('80GB') cannot be evaluated, and the scheduler gives up on the pod: quantities "
     "must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
     "quantity(\"80Gi\") or quantity(\"80G\")"},
    {"cel.bind(q, quantity('80 Gi'), device.capacity['a'].b.compareTo(q) > 0)",
     "quantity('80 Gi') cannot be evaluated, and the scheduler gives up on the pod: quantities "
     "must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
     "quantity(\"80Gi\")"},
    {"device.attributes['a'].b.isGreaterThan(semver('v8'))",
     "semver('v8') cannot be evaluated, and the scheduler gives up on the pod: No "
     "Major.Minor.Patch elements found",
     "semver(\"8.0.0\")"},
    {"device.attributes['a'].b.isGreaterThan(semver('8.00.1'))",
     "semver('8.00.1') cannot be evaluated, and the scheduler gives up on the pod: Minor number "
     "must not contain leading zeroes \"00\"",
     "semver(\"8.0.1\")"},
    {"device.attributes['a'].b.isGreaterThan(semver('v8', true))", "", ""},
    {"url('a/b').getHost() == 'x'",
     "url('a/b') cannot be evaluated, and the scheduler gives up on the pod: URL parse error "
     "during conversion from string: parse \"a/b\": invalid URI for request",
     "url(\"https://a/b\")"},
    {"cidr('1.2.3.4').containsIP('1.2.3.4')",
     "cidr('1.2.3.4') cannot be evaluated, and the scheduler gives up on the pod: network address "
     "parse error during conversion from string: network address parse error during conversion "
     "from string: netip.ParsePrefix(\"1.2.3.4\"): no '/'",
     "cidr(\"1.2.3.4/32\")"},
    {"1 / 0 == 1 || device.driver == 'a'",
     "1 / 0 cannot be evaluated, and the scheduler gives up on the pod: division by zero", ""},
    {"['a'].exists(x, x == device.driver)", "", ""},
    {"isQuantity('80GB')", "", ""},
};

TEST_CASE("constants that cannot be evaluated") {
  const engine::Language language;
  for (const ConstantRow& row : kConstants) {
    CAPTURE(row.expression);
    const auto found = lint_constants(engine::Selector(row.expression, language), language);
    CHECK(found.size() == (*row.message == '\0' ? 0 : 1));
    if (found.empty()) continue;
    CHECK(found.front().message == row.message);
    CHECK(found.front().fix == row.fix);
    CHECK(found.front().code == diag::Code::SelectorError);
  }
}

struct KnownRow {
  const char* name;
  const char* device_class;
  const char* expression;
  const char* code;  // empty: nothing is found
  const char* fix;
};

const KnownRow kKnown[] = {
    {"a version as text", "", "device.attributes['gpu.nvidia.com'].driverVersion == '580'",
     "SelectorPathUnknown",
     "device.attributes[\"gpu.nvidia.com\"].driverVersion == semver(\"580.0.0\")"},
    {"a version as a number", "", "device.attributes['gpu.nvidia.com'].driverVersion > 550",
     "SelectorPathUnknown",
     "device.attributes[\"gpu.nvidia.com\"].driverVersion.compareTo(semver(\"550.0.0\")) > 0"},
    {"a function of text on a version", "",
     "device.attributes['gpu.nvidia.com'].driverVersion.startsWith('580.95')",
     "SelectorPathUnknown",
     "device.attributes[\"gpu.nvidia.com\"].driverVersion.major() == 580 && "
     "device.attributes[\"gpu.nvidia.com\"].driverVersion.minor() == 95"},
    {"a version as a list", "", "'580' in device.attributes['gpu.nvidia.com'].driverVersion",
     "SelectorPathUnknown", "device.attributes[\"gpu.nvidia.com\"].driverVersion.major() == 580"},
    {"text as a number", "", "device.attributes['gpu.nvidia.com'].productName != 100",
     "SelectorPathUnknown", "device.attributes[\"gpu.nvidia.com\"].productName != \"100\""},
    {"right", "gpu.nvidia.com", "device.attributes['gpu.nvidia.com'].productName == 'A'", "", ""},
    {"a driver that is not known", "", "device.attributes['a.example.com'].memory == 1", "", ""},
    {"a capacity", "gpu.nvidia.com", "device.attributes['gpu.nvidia.com'].memory == 1",
     "SelectorPathUnknown", "device.capacity[\"gpu.nvidia.com\"].memory"},
    {"an attribute", "gpu.nvidia.com",
     "device.capacity['gpu.nvidia.com'].driverVersion.isGreaterThan(quantity('1'))",
     "SelectorPathUnknown", "device.attributes[\"gpu.nvidia.com\"].driverVersion"},
    {"the driver's domain instead of the standard one", "",
     "device.attributes['gpu.nvidia.com'].pcieRoot == 'a'", "SelectorPathUnknown",
     "device.attributes[\"resource.kubernetes.io\"].pcieRoot"},
    {"nearly its name", "", "device.attributes['tpu.google.com'].tpuGeneration == 'a'",
     "SelectorPathUnknown",
     "it publishes accelerator, brand, chipCount, index, topology, tpuGen, uuid"},
    {"very nearly its name", "", "device.attributes['tpu.google.com'].tpugen == 'a'",
     "SelectorPathUnknown", "perhaps device.attributes[\"tpu.google.com\"].tpuGen"},
    {"a version as text", "", "device.attributes['gpu.nvidia.com'].driverVersion == '580.0.0'",
     "SelectorPathUnknown",
     "device.attributes[\"gpu.nvidia.com\"].driverVersion == semver(\"580.0.0\")"},
    {"a number as text", "", "'1' == device.attributes['tpu.google.com'].index",
     "SelectorPathUnknown", "device.attributes[\"tpu.google.com\"].index == 1"},
    {"a list that is none", "", "'A' in device.attributes['gpu.nvidia.com'].productName",
     "SelectorPathUnknown", "device.attributes[\"gpu.nvidia.com\"].productName.contains('A')"},
    {"what no release has", "", "device.attributes['gaudi.intel.com'].cores == 1",
     "SelectorPathUnknown", "it publishes healthy, model, pciRoot, serial"},
    {"what only partitions have", "gpu.nvidia.com",
     "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'", "SelectorUnguarded",
     "\"profile\" in device.attributes[\"gpu.nvidia.com\"] && "
     "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'"},
    {"what partitions have, of their class", "mig.nvidia.com",
     "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'", "", ""},
    {"what partitions have, of a class of somebody's own", "mine",
     "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'", "", ""},
    {"guarded by a question", "gpu.nvidia.com",
     "'profile' in device.attributes['gpu.nvidia.com'] && "
     "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'",
     "", ""},
    {"guarded by has()", "gpu.nvidia.com",
     "has(device.attributes['gpu.nvidia.com'].profile) && "
     "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'",
     "", ""},
    {"guarded by the type", "gpu.nvidia.com",
     "device.attributes['gpu.nvidia.com'].type == 'mig' && "
     "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'",
     "", ""},
    {"what does not compile", "", "device.attributes['gpu.nvidia.com'].memory ==", "", ""},
};

TEST_CASE("selectors that mistake what a driver publishes") {
  const engine::Language language;
  for (const KnownRow& row : kKnown) {
    CAPTURE(row.name);
    const auto found =
        mistaken_attributes(engine::Selector(row.expression, language), row.device_class);
    REQUIRE(found.size() == (*row.code == '\0' ? 0 : 1));
    if (found.empty()) continue;
    CHECK(diag::name_of(found.front().code) == row.code);
    CHECK(found.front().fix == row.fix);
  }
}

}  // namespace
}  // namespace dra::checks::selector_lint_test
