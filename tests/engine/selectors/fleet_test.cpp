// tests/engine/selectors/fleet_test.cpp

#include "dra/engine/selectors/fleet.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "dra/base/text.h"

namespace dra::engine::fleet_test {
namespace {

constexpr Language kStored{};
constexpr Language kWithoutLists{.release = 36, .reads_lists = false};

// Devices that differ in something for every selector below, and are equal in something, too.
class Devices {
 public:
  explicit Devices(unsigned seed) : random_(seed) {
    devices_.reserve(300);
    for (int i = 0; i < 300; ++i)
      devices_.push_back(invent());
  }

  std::vector<Candidate> candidates() {
    std::vector<Candidate> out;
    for (const api::Device& device : devices_)
      out.push_back({chance(70) ? "gpu.example.com" : "nic.example.com", &device});
    return out;
  }

 private:
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  std::string_view one_of(std::initializer_list<std::string_view> all) {
    return all.begin()[random_() % all.size()];
  }

  api::DeviceAttribute attribute() {
    api::DeviceAttribute made;
    switch (random_() % 6) {
      case 0:
        made.set_int(static_cast<std::int64_t>(random_() % 2));
        break;
      case 1:
        made.set_bool(chance(50));
        break;
      case 2:
        made.set_version(one_of({"1.0.0", "1.0.0", "2.0.0", "1.0"}));
        break;
      case 3:
        made.set_strings({"a", one_of({"a", "b"})});
        break;
      default:
        made.set_string(one_of({"a", "b"}));
    }
    return made;
  }

  api::Device invent() {
    api::Device device;
    for (const std::string_view name :
         {"gpu.example.com/type", "nic.example.com/type", "other.example.com/x", "type", "x"}) {
      if (chance(50)) device.attributes.push_back({name, attribute()});
    }
    for (const std::string_view name : {"gpu.example.com/memory", "memory"}) {
      if (chance(60))
        device.capacity.push_back({name, {.value = {one_of({"1k", "1000", "1000m", "2Gi"})}}});
    }
    device.allow_multiple_allocations = chance(30);
    return device;
  }

  std::mt19937 random_;
  std::vector<api::Device> devices_;
};

constexpr const char* kSelectors[] = {
    "true",
    "device.driver == 'gpu.example.com'",
    "device.allowMultipleAllocations",
    "device.attributes['gpu.example.com'].type == 'a'",
    "device.attributes['gpu.example.com'].?type.orValue('a') == 'a'",
    "has(device.attributes['nic.example.com'].type)",
    "'type' in device.attributes[device.driver]",
    "'gpu.example.com' in device.attributes",
    "has(device.attributes.nobody)",
    "device.attributes.exists(d, d == 'other.example.com')",
    "device.attributes['other.example.com'].x.exists(y, y == 'b')",
    "device.capacity['gpu.example.com'].memory.isInteger()",
    "device.capacity['gpu.example.com'].memory == quantity('1k')",
    "size(device.capacity) == 1 || device.driver == 'nic.example.com'",
    "cel.bind(g, device.attributes['gpu.example.com'], g.type == 1 && has(g.x))",
    "device.attributes['gpu.example.com'].type == 1 ? device.allowMultipleAllocations : false",
};

std::string say(const Answer& answer) {
  const std::string failure = answer.failure ? answer.failure->message : std::string();
  return base::format("{} {} {}", answer.matches ? "yes" : "no", answer.cost, failure);
}

TEST_CASE("every device of a fleet gets the answer that it would get alone") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Devices devices(seed);
    const Fleet fleet(devices.candidates());
    for (const char* expression : kSelectors) {
      CAPTURE(expression);
      const Selector selector(expression, seed % 2 == 0 ? kStored : kWithoutLists);
      REQUIRE(selector.program() != nullptr);
      const FleetAnswer answers(selector, fleet);
      DeviceValue value;
      cel::Run run;
      std::size_t matches = 0;
      for (std::size_t i = 0; i < fleet.size(); ++i) {
        value.set(fleet[i].driver, *fleet[i].device);
        const Answer alone = selector.evaluate(value, run);
        matches += alone.matches ? 1 : 0;
        CHECK(say(answers.of(i)) == say(alone));
      }
      CHECK(answers.matches() == matches);
    }
  }
}

TEST_CASE("devices behind one that cannot be read") {
  api::Device flawed;
  flawed.attributes.push_back({"v", {}});
  flawed.attributes.back().value.set_version("1.0");
  const api::Device good;
  Fleet fleet;
  fleet.add({"gpu.example.com", &good});
  fleet.add({"gpu.example.com", &flawed});
  for (int i = 0; i < 100; ++i)
    fleet.add({"gpu.example.com", &good});
  CHECK_FALSE(fleet.readable(1));
  CHECK(fleet.readable(0));
  CHECK(fleet.readable(101));
}

TEST_CASE("devices that agree in what is read are one group") {
  std::vector<api::Device> devices(50);
  std::vector<std::string> ids;
  for (int i = 0; i < 50; ++i)
    ids.push_back(base::format("id-{}", i));
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    devices[i].attributes = {{"type", api::DeviceAttribute::string(i % 2 == 0 ? "gpu" : "mig")},
                             {"uuid", api::DeviceAttribute::string(ids[i])}};
    candidates.push_back({"gpu.example.com", &devices[i]});
  }
  const Fleet fleet(candidates);
  const FleetAnswer by_type(Selector("device.attributes['gpu.example.com'].type == 'gpu'", kStored),
                            fleet);
  REQUIRE(by_type.groups().size() == 2);
  CHECK(by_type.groups()[0].count == 25);
  CHECK(by_type.matches() == 25);
  CHECK(by_type.failures() == 0);
  const FleetAnswer by_all(Selector("size(device.attributes) == 1", kStored), fleet);
  CHECK(by_all.groups().size() == 50);
}

}  // namespace
}  // namespace dra::engine::fleet_test
