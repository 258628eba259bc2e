// tests/engine/selectors/driver_summary_test.cpp

#include "dra/engine/selectors/driver_summary.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::driver_summary_test {
namespace {

using support::Scene;

struct NamedCase {
  const char* name;
  const char* expression;  // YAML
  const char* want;
};

const NamedCase kNamed[] = {
    {"as the drivers' own classes say it",
     "'device.driver == \"a.com\" && device.attributes[\"a.com\"].x'", "a.com"},
    {"in single quotes and without blanks", "\"device.driver=='a.com'\"", "a.com"},
    {"either of two", "\"device.driver == 'b.com' || device.driver == 'a.com'\"", "a.com,b.com"},
    {"another comparison", "\"device.driver != 'a.com'\"", ""},
    {"a text without an end", "\"device.driver == 'a.com\"", ""},
    {"something that is computed", "device.driver == x", ""},
    {"nothing behind it", "device.driver", ""},
};

TEST_CASE("which drivers a class names") {
  for (const NamedCase& row : kNamed) {
    CAPTURE(std::string(row.name));
    const auto snapshot =
        Scene(Scene::Empty{})
            .yaml(base::format("{{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: "
                               "{{name: c}}, spec: {{selectors: [{{cel: {{expression: {}}}}}]}}}}",
                               row.expression))
            .build();
    std::vector<std::string> names;
    for (const auto name : drivers_named_by(snapshot.all<api::DeviceClass>().at(0)))
      names.emplace_back(name);
    CHECK(base::join(names, ",") == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::driver_summary_test
