// tests/report/schema/schema_test.cpp

#include "dra/report/schema/schema.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "dra/diag/codes.h"
#include "dra/diag/reason.h"
#include "dra/diag/severity.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/scheduler/device_verdict.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/engine/selectors/selector.h"
#include "dra/engine/whatif/advice.h"
#include "dra/engine/whatif/conflicts.h"
#include "dra/report/explain/explanation.h"
#include "dra/report/validate/validation.h"

namespace dra::report::schema_test {
namespace {

using Words = std::vector<std::string>;

json::Value schema(std::string_view kind) {
  const auto found = std::ranges::find(report_kinds(), kind, &ReportKind::name);
  REQUIRE(found != report_kinds().end());
  return schema_of(*found);
}

// The words that a part of a schema allows, sorted.
Words allowed(std::string_view kind, std::initializer_list<std::string_view> path) {
  const json::Value whole = schema(kind);
  const json::Value* part = whole.at(path);
  REQUIRE(part != nullptr);
  const json::Value* words = part->find("enum");
  REQUIRE(words != nullptr);
  Words out;
  for (const json::Value& word : words->items())
    out.push_back(word.text());
  std::ranges::sort(out);
  return out;
}

// The names of all enumerators up to the last, sorted.
template <class E>
Words names_up_to(E last) {
  Words out;
  for (int i = 0; i <= static_cast<int>(last); ++i)
    out.emplace_back(name_of(static_cast<E>(i)));
  std::ranges::sort(out);
  return out;
}

TEST_CASE("a reader can rely on the words of a field: they are all that the program has for it") {
  using engine::ClaimState;
  using engine::DeviceOutcome;
  using engine::DeviceState;
  using engine::Stage;
  CHECK(allowed("Explanation", {"$defs", "verdict"}) == names_up_to(Verdict::Undetermined));
  CHECK(allowed("Explanation", {"$defs", "certainty"}) == names_up_to(diag::Certainty::Heuristic));
  CHECK(allowed("Explanation", {"$defs", "explanationFields", "properties", "when"}) ==
        names_up_to(answers::When::NotHere));
  CHECK(allowed("Explanation", {"$defs", "explanationFields", "properties", "whyNever"}) ==
        names_up_to(answers::WhyNever::HeldByOld));
  CHECK(allowed("Explanation", {"$defs", "claim", "properties", "state"}) ==
        names_up_to(ClaimState::Deleting));
  CHECK(allowed("Explanation", {"$defs", "op"}) == names_up_to(engine::Means::Drain));
  CHECK(allowed("Explanation", {"$defs", "demandPart", "properties", "kind"}) ==
        names_up_to(engine::DemandPart::Kind::Filter));
  CHECK(allowed("Explanation", {"$defs", "chance"}) == names_up_to(DeviceOutcome::Unknown));
  CHECK(allowed("Explanation", {"$defs", "afterReason", "properties", "fails"}) ==
        names_up_to(engine::Fails::End));
  CHECK(allowed("Evaluation", {"$defs", "stage"}) == names_up_to(Stage::Result));
  CHECK(allowed("Overview", {"$defs", "problem", "properties", "severity"}) ==
        names_up_to(diag::Severity::Hint));
  CHECK(allowed("PoolList", {"$defs", "poolStatus"}) == names_up_to(engine::PoolState::Invalid));
  CHECK(allowed("DeviceList", {"$defs", "deviceState"}) == names_up_to(DeviceState::Unknown));
  CHECK(allowed("Validation", {"$defs", "severity"}) == names_up_to(diag::Severity::Hint));
  CHECK(allowed("Validation", {"$defs", "phase"}) == names_up_to(checks::Phase::Validate));
}

TEST_CASE("reason codes are those of the catalogue") {
  Words codes;
  for (const diag::CodeInfo& code : diag::all_codes())
    codes.emplace_back(code.name);
  CHECK(allowed("ReasonCode", {"$defs", "code"}) == codes);
}

// All names under $defs that it refers to.
void add_references(const json::Value& value, Words& names) {
  for (const json::Member& member : value.members()) {
    if (member.key == "$ref") names.push_back(member.value.text());
    add_references(member.value, names);
  }
  for (const json::Value& item : value.items())
    add_references(item, names);
}

TEST_CASE("a schema has what it refers to, and nothing else") {
  for (const ReportKind& kind : report_kinds()) {
    CAPTURE(kind.name);
    const json::Value whole = schema_of(kind);
    Words wanted;
    add_references(whole, wanted);
    std::ranges::sort(wanted);
    wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
    Words there;
    if (const json::Value* defs = whole.find("$defs")) {
      for (const json::Member& definition : defs->members())
        there.push_back("#/$defs/" + definition.key);
    }
    CHECK(there == wanted);
    CHECK(whole.at({"title"})->text() == kind.name);
  }
}

}  // namespace
}  // namespace dra::report::schema_test
