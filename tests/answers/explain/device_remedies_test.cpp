// tests/answers/explain/device_remedies_test.cpp: what to write in place of a name that no device
// has.

#include "src/answers/explain/device_remedies.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace dra::answers::device_remedies_test {
namespace {

struct Case {
  const char* name;
  const char* part;
  const char* key;
  std::vector<std::string> names;
  const char* want;
};

TEST_CASE("a key that no device has") {
  const Case rows[] = {
      {"of another domain",
       "device.attributes['nic.acme.com'].speed",
       "speed",
       {"net.acme.com/speed", "net.acme.com/mac"},
       "Write device.attributes[\"net.acme.com\"].speed: no device has nic.acme.com/speed."},
      {"nearly the name",
       "device.attributes[\"net.acme.com\"].sped",
       "sped",
       {"net.acme.com/speed"},
       "Write device.attributes[\"net.acme.com\"].speed: no device has net.acme.com/sped."},
      {"of a capacity",
       "device.capacity['nic.acme.com'].queues",
       "queues",
       {"net.acme.com/queues"},
       "Write device.capacity[\"net.acme.com\"].queues: no device has nic.acme.com/queues."},
      {"without a domain",
       "device.attributes.speed",
       "speed",
       {"net.acme.com/speed"},
       "Write device.attributes[\"net.acme.com\"].speed: no device has speed."},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const SelectorFinding finding{
        .finding = {}, .part = row.part, .devices = 2, .of = 2, .key = row.key, .names = row.names};
    CHECK(remedy_for(finding).text == row.want);
  }
}

}  // namespace
}  // namespace dra::answers::device_remedies_test
