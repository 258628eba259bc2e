// tests/cel/check/reads_test.cpp

#include "dra/cel/check/reads.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/support/compile_cel.h"
#include "tests/support/random_cel.h"
#include "tests/support/show_cel.h"

namespace dra::cel::reads_test {
namespace {

// "driver attributes/a.io/p capacity/a.io?"; "." is the variable itself.
std::string shown(const std::vector<Read>& reads) {
  std::vector<std::string> out;
  for (const Read& read : reads)
    out.push_back((read.keys.empty() ? "." : base::join(read.keys, "/")) +
                  (read.presence ? "?" : ""));
  return base::join(out, " ");
}

struct Case {
  const char* name;
  const char* expression;
  const char* want;
};

const Case kCases[] = {
    {"a constant reads nothing", "1 < 2", ""},
    {"a field", "device.driver == \"a.io\"", "driver"},
    {"an attribute, by index and by field",
     R"(device.attributes["a.io"].p == device.attributes["a.io"]["q"])",
     "attributes/a.io/p attributes/a.io/q"},
    {"a field of a value of unknown type is part of that value",
     R"(device.attributes["a.io"].p.string == "x")", "attributes/a.io/p"},
    {"whether something is there", R"(has(device.attributes["a.io"].p))", "attributes/a.io/p?"},
    {"presence is part of what is read anyway",
     R"(has(device.attributes["a.io"].p) && device.attributes["a.io"].p == 1)",
     "attributes/a.io/p"},
    {"a domain that is looked for", R"("a.io" in device.attributes)", "attributes/a.io?"},
    {"a computed domain is looked for in all",
     R"(device.driver in device.attributes && device.capacity["a.io"].p == device.capacity["a.io"].p)",
     "attributes capacity/a.io/p driver"},
    {"optional steps", R"(device.attributes[?"a.io"].?p.orValue("") == "x")", "attributes/a.io/p"},
    {"another value in place of a missing one",
     R"(device.attributes.?x.orValue(device.attributes["y"]).p == 1)",
     "attributes/x? attributes/x/p attributes/y/p"},
    {"optMap names what it found",
     R"(device.attributes["a.io"].?p.optMap(v, v == 1).orValue(false))", "attributes/a.io/p"},
    {"a computed key reads all it may be", R"(device.attributes[device.driver].p == 1)",
     "attributes driver"},
    {"a bound key is as good as a literal", R"(cel.bind(d, "a.io", device.attributes[d].p == 1))",
     "attributes/a.io/p"},
    {"a bound map is gone into", R"(cel.bind(m, device.attributes["a.io"], m.p == 1 && has(m.q)))",
     "attributes/a.io/p attributes/a.io/q?"},
    {"a bound map of maps is read whole: whether it is empty matters",
     R"(cel.bind(m, device.attributes, m["a.io"].p == 1))", "attributes"},
    {"the variable under another name", "cel.bind(x, device, x.driver == \"\")", "driver"},
    {"a hidden variable is not the variable", "[1].all(device, device == 1)", ""},
    {"and is seen past what hides it", "[1].all(device, .device.driver == \"\")", "driver"},
    {"after a fold its variables are gone", "[1].all(device, device == 1) && device.driver == \"\"",
     "driver"},
    {"a map that is iterated is read whole",
     R"(device.attributes["a.io"].exists(k, k == "p") && device.attributes["a.io"].q == 1)",
     "attributes/a.io"},
    {"elements of what is iterated have no keys of their own",
     R"(device.attributes.exists(d, m, m.p == 1))", "attributes"},
    {"a map that is passed on is read whole", R"(size(device.attributes["a.io"]) == 0)",
     "attributes/a.io"},
    {"a map that is compared is read whole", "device.capacity == device.capacity", "capacity"},
    {"a map in a list is read whole", R"([device.attributes["a.io"]][0].p == 1)",
     "attributes/a.io"},
    {"a choice reads its condition, and either branch as what is done with it",
     R"((device.allowMultipleAllocations ? device.attributes : device.attributes)["a.io"].p == 1)",
     "allowMultipleAllocations attributes/a.io/p"},
    {"between branches of different types all is read",
     R"((true ? dyn(device) : dyn(1)).driver == "a.io")", "."},
};

TEST_CASE("reads") {
  for (const Case& row : kCases) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(shown(reads_of(test::compile(row.expression).checked(), "device")) == row.want);
  }
}

TEST_CASE("another variable's name reads nothing") {
  CHECK(reads_of(test::compile("device.driver == \"\"").checked(), "driver").empty());
}

TEST_CASE("of many choices each is read") {
  std::string choice = R"(device.attributes["d0"])";
  for (int i = 1; i < 40; ++i)
    choice = base::format(R"(device.driver == "{}" ? device.attributes["d{}"] : {})", i, i, choice);
  const auto reads = reads_of(test::compile("(" + choice + ").p == 1").checked(), "device");
  CHECK(reads.size() == 41);
}

// `a`, but with `b`'s values where the reads do not look.
template <class T>
test::ByDomain<T> agreeing(const test::ByDomain<T>& a, const test::ByDomain<T>& b,
                           const std::string& root, const std::vector<Read>& reads) {
  const auto is_read = [&](const std::string& domain, const std::string& id) {
    const std::vector<std::string> path{root, domain, id};
    return std::ranges::any_of(reads, [&path](const Read& read) {
      return !read.presence && read.keys.size() <= path.size() &&
             std::equal(read.keys.begin(), read.keys.end(), path.begin());
    });
  };
  test::ByDomain<T> out;
  for (const std::string_view domain : test::RandomCel::kDomains) {
    for (const std::string_view id : test::RandomCel::kIds) {
      const std::string d(domain);
      const std::string i(id);
      const auto& from = is_read(d, i) ? a : b;
      if (from.contains(d) && from.at(d).contains(i)) out[d][i] = from.at(d).at(i);
    }
  }
  return out;
}

// Presences are agreed on by having the same keys throughout.
template <class T>
bool same_presences(const test::ByDomain<T>& a, const test::ByDomain<T>& b, const std::string& root,
                    const std::vector<Read>& reads) {
  return std::ranges::all_of(reads, [&](const Read& read) {
    if (!read.presence || read.keys[0] != root) return true;
    const auto has = [&read](const test::ByDomain<T>& domains) {
      const auto domain = domains.find(read.keys[1]);
      if (domain == domains.end()) return false;
      return read.keys.size() < 3 || domain->second.contains(read.keys[2]);
    };
    return has(a) == has(b);
  });
}

std::string result(const Program& program, const test::DeviceFacts& facts) {
  Scratch scratch;
  const Value device = test::device_value(facts, scratch);
  Run run;
  return test::show(program.evaluate({&device, 1}, run));
}

TEST_CASE("devices that agree on what is read give the same result") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    test::RandomCel random(seed);
    const std::string expression = random.condition();
    const auto program = test::try_compile(expression);
    if (!program) continue;
    const std::vector<Read> reads = reads_of(program->checked(), "device");
    const test::DeviceFacts one = random.device();
    test::DeviceFacts other = random.device();
    const auto whole = [&reads](const std::string& field) {
      return std::ranges::any_of(reads, [&field](const Read& read) {
        return read.keys.empty() || read.keys == std::vector<std::string>{field};
      });
    };
    if (whole("driver")) other.driver = one.driver;
    if (whole("allowMultipleAllocations")) other.allow_multiple = one.allow_multiple;
    other.attributes = agreeing(one.attributes, other.attributes, "attributes", reads);
    other.capacity = agreeing(one.capacity, other.capacity, "capacity", reads);
    if (!same_presences(one.attributes, other.attributes, "attributes", reads)) continue;
    if (!same_presences(one.capacity, other.capacity, "capacity", reads)) continue;
    ++compared;
    CAPTURE(expression);
    CAPTURE(shown(reads));
    CHECK(result(*program, one) == result(*program, other));
  }
  CHECK(compared > 150);
}

}  // namespace
}  // namespace dra::cel::reads_test
