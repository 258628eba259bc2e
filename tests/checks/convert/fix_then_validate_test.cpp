// tests/checks/convert/fix_then_validate_test.cpp: generated claims with mistakes. What is found in
// a text that was corrected was found before: no mistake hides another.

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/checks/convert/corrections.h"
#include "dra/checks/manifest/manifest.h"
#include "tests/support/seed.h"

namespace dra::checks::fix_then_validate_test {
namespace {

using support::pick;

class Mistakes {
 public:
  explicit Mistakes(std::mt19937_64& random) : random_(random) {}

  std::string claim() {
    version_ = one_of(std::array{"v1", "v1beta1", "v1beta2", "v1"});
    std::vector<std::string> requests;
    for (std::uint64_t i = 0; i <= pick(random_, 2); ++i)
      requests.push_back(request(base::format("r{}", i)));
    const bool is_template = pick(random_, 3) == 0;
    const std::string spec = base::format(
        "devices: {{requests: [{}]{}}}", base::join(requests, ", "), one_in(5) ? constraint() : "");
    return base::format(
        "apiVersion: resource.k8s.io/{}\nkind: {}\nmetadata: {{name: {}}}\nspec: {{{}}}\n",
        version_, is_template ? "ResourceClaimTemplate" : "ResourceClaim",
        one_in(6) ? "Claim_1" : "claim-1",
        is_template && !one_in(8) ? base::format("spec: {{{}}}", spec) : spec);
  }

 private:
  bool one_in(std::uint64_t of) { return pick(random_, of) == 0; }
  template <class List>
  std::string one_of(const List& list) {
    return list[pick(random_, list.size())];
  }

  std::string constraint() {
    return one_of(std::array{", constraints: [{matchAttribute: a.com/numa}]",
                             ", constraints: [{matchAttribute: numa}]",
                             ", constraints: [{requests: [r9], matchAttribute: a.com/numa}]"});
  }

  // The fields of a demand, each right or wrong.
  std::string demand() {
    std::vector<std::string> fields;
    fields.push_back(one_of(std::array{"deviceClassName: gpu.a.com", "deviceClassName: gpu.a.com",
                                       "deviceClassName: Gpu_A", "deviceClassname: gpu.a.com",
                                       "deviceClasName: gpu.a.com", "deviceClassName: 7"}));
    if (one_in(2))
      fields.push_back(one_of(
          std::array{"count: 2", "count: -1", "count: two", "Count: 2", "count: 0", "count: 1.5"}));
    if (one_in(3))
      fields.push_back(one_of(std::array{"allocationMode: All", "allocationMode: all",
                                         "allocationmode: All", "allocationMode: ExactCount"}));
    if (one_in(2))
      fields.push_back(one_of(std::array{
          "selectors: [{cel: {expression: device.driver == 'a.com'}}]",
          "selectors: [{cel: {expression: device.drive == 'a.com'}}]",
          "selectors: [{cel: {expression: device.driver = 'a.com'}}]",
          "selectors: [{expression: device.driver == 1}]", "selectors: [{cel: device.driver}]",
          "selectors: {cel: {expression: 'true'}}"}));
    if (one_in(4))
      fields.push_back(one_of(std::array{
          "tolerations: [{key: a.com/x, operator: Exists}]", "tolerations: [{operator: Maybe}]",
          "toleration: [{key: a.com/x}]", "tolerations: [{key: a b}]"}));
    if (one_in(6)) fields.emplace_back("capacity: {requests: {memory: 1Gi, 'a b': x}}");
    return base::join(fields, ", ");
  }

  std::string request(const std::string& name) {
    const std::string named = base::format("name: {}", one_in(8) ? "R_" + name : name);
    switch (pick(random_, 6)) {
      case 0:
        return base::format("{{{}, firstAvailable: [{{name: a, {}}}, {{name: b, {}}}]}}", named,
                            demand(), demand());
      case 1:
      case 2:
        return base::format("{{{}, {}}}", named, demand());
      case 3:  // in v1beta1 it would be `exactly` that is out of place
        return base::format("{{{}, exactly: {{{}}}{}}}", named, demand(),
                            version_ == "v1beta1" ? "" : ", tolerations: [{operator: Maybe}]");
      default:
        return base::format("{{{}, exactly: {{{}}}}}", named, demand());
    }
  }

  std::mt19937_64& random_;
  std::string version_;
};

struct Said {
  std::string code;
  std::string message;
  auto operator<=>(const Said&) const = default;
};

// The place is another one in the shape of another version, and so is what is said about where an
// unknown field belongs.
std::set<Said> said_of(const std::string& text, const ManifestChecker& checker) {
  std::set<Said> said;
  for (const Document& document : read_documents(text)) {
    const auto* tree = std::get_if<json::Value>(&document);
    if (tree == nullptr) continue;
    for (const CheckedObject& object : checker.check(*tree)) {
      for (const ManifestFinding& finding : object.findings)
        said.insert({finding.code, finding.code == "UnknownField"
                                       ? finding.message.substr(0, finding.message.find(" here"))
                                       : finding.message});
    }
  }
  return said;
}

TEST_CASE("what is found after a correction was found before") {
  std::mt19937_64 random = support::seeded();
  const ManifestChecker checker{snapshot::Server()};
  int changed = 0;
  const std::uint64_t count = support::cases(1'500);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string text = Mistakes(random).claim();
    CAPTURE(text);
    const auto fixed = correct(text, checker);
    REQUIRE(fixed.ok());
    const std::string& after = fixed.value().text;
    if (after == text) continue;
    ++changed;
    CAPTURE(after);
    const auto before = said_of(text, checker);
    for (const Said& one : said_of(after, checker))
      CHECK_MESSAGE(before.contains(one), one.code, ": ", one.message);
  }
  CHECK(changed > 100);
}

}  // namespace
}  // namespace dra::checks::fix_then_validate_test
