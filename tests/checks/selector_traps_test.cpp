// tests/checks/selector_traps_test.cpp: what selectors look for in vain.

#include "src/checks/selector_traps.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::checks {
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
    {"a name that is too long", "device.attributes['a.b'].aaaaaaaaaabbbbbbbbbbccccccccccddd == 1",
     "look for its name with kubectl dra devices -o wide"},
    {"what does not compile", "device.attributes['a/b'] ==", ""},
};

TEST_CASE("selectors of what cannot exist") {
  const engine::Language language;
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const auto traps = traps_in(engine::Selector(row.expression, language));
    CHECK(traps.empty() == (*row.fix == '\0'));
    if (!traps.empty()) CHECK(traps.front().fix == row.fix);
  }
}

}  // namespace
}  // namespace dra::checks
