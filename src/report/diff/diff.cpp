// src/report/diff/diff.cpp: what differs, in numbers and as JSON. See diff.h; devices are in
// diff_devices.cpp, verdicts in diff_verdicts.cpp, the text in diff_view.cpp.

#include "dra/report/diff/diff.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/subject_json.h"
#include "src/report/diff/change_words.h"
#include "src/report/diff/diff_parts.h"

namespace dra::report {
namespace {

using snapshot::Difference;

json::Value side_json(const DeviceSide& side) {
  json::Value out = json::Value::object();
  out.set("state", engine::name_of(side.state));
  out.set("claims", strings_json(side.claims));
  out.set("pods", strings_json(side.pods));
  return out;
}

json::Value device_json(const DeviceChange& change) {
  json::Value out = json::Value::object();
  out.set("id", engine::to_string(change.id));
  out.set("fate", name_of(change.fate));
  if (change.before) out.set("before", side_json(*change.before));
  if (change.after) out.set("after", side_json(*change.after));
  return out;
}

json::Value subjects_json(const std::vector<SubjectName>& subjects) {
  json::Value out = json::Value::array();
  for (const SubjectName& subject : subjects)
    out.push(subject_json(subject));
  return out;
}

json::Value verdict_json(const VerdictChange& verdict, const ChangeWords& words) {
  json::Value out = json::Value::object();
  out.set("subject", subject_json(verdict.subjects.front()));
  if (verdict.subjects.size() > 1) out.set("subjects", subjects_json(verdict.subjects));
  out.set("before", to_json(verdict.before));
  out.set("after", to_json(verdict.after));
  json::Value& decisive = out.set("decisive", json::Value::array());
  for (const Difference& one : verdict.decisive)
    decisive.push(to_json(one, words));
  if (verdict.of_the_first) out.set("decisiveOfFirst", true);
  if (verdict.untold()) out.set("untold", true);
  if (verdict.bounded) out.set("bounded", true);
  return out;
}

std::string devices_words(const Diff& diff) {
  struct Counted {
    DeviceFate fate;
    std::string_view what;
  };
  const std::array counted{Counted{DeviceFate::Came, "came"}, Counted{DeviceFate::Went, "gone"},
                           Counted{DeviceFate::ChangedHands, "changed hands"},
                           Counted{DeviceFate::StateChanged, "changed in state"}};
  std::vector<std::string> parts;
  for (const Counted& one : counted) {
    const auto count = std::ranges::count(diff.devices, one.fate, &DeviceChange::fate);
    if (count == 0) continue;
    const std::string number =
        parts.empty() ? base::plural(count, "device") : std::to_string(count);
    parts.push_back(base::format("{} {}", number, one.what));
  }
  return base::join(parts, ", ");
}

}  // namespace

bool saw_both(const snapshot::Snapshot& before, const snapshot::Snapshot& after, api::Kind kind) {
  return before.coverage().saw(kind) && after.coverage().saw(kind);
}

std::string_view name_of(DeviceFate fate) {
  switch (fate) {
    case DeviceFate::Came:
      return "came";
    case DeviceFate::Went:
      return "went";
    case DeviceFate::ChangedHands:
      return "changedHands";
    case DeviceFate::StateChanged:
      return "stateChanged";
  }
  return "";
}

Diff diff_of(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
             std::string_view ns) {
  Diff diff;
  diff.changes = seen_differences(before, after);
  if (before.server().version != after.server().version)
    diff.server_before = before.server().version;
  const AskedState earlier(before);
  const AskedState later(after);
  diff.devices = device_changes(earlier, later);
  const std::vector<Difference> all = diff.changes;
  add_verdicts(earlier, later, all, ns, diff);
  if (!ns.empty())
    std::erase_if(diff.changes, [ns](const Difference& one) {
      return !one.namespace_.empty() && one.namespace_ != ns;
    });
  return diff;
}

std::string summary_of(const Diff& diff, const snapshot::Snapshot& before,
                       const snapshot::Snapshot& after) {
  if (diff.nothing())
    return before.coverage().saw_all() && after.coverage().saw_all()
               ? "Nothing changed."
               : "Nothing changed, as far as both states could be read.";
  std::vector<std::string> parts{
      base::plural(static_cast<std::int64_t>(diff.changes.size()), "object") + " changed"};
  if (!diff.devices.empty()) parts.push_back(devices_words(diff));
  std::int64_t verdicts = 0;
  std::int64_t untold = 0;
  for (const VerdictChange& verdict : diff.verdicts)
    (verdict.untold() ? untold : verdicts) += std::ssize(verdict.subjects);
  parts.push_back(verdicts == 0 ? "no verdict changed"
                                : base::plural(verdicts, "verdict") + " changed");
  if (untold > 0) parts.push_back(base::plural(untold, "verdict") + " not known any more");
  if (diff.server_before)
    parts.push_back(
        base::format("Kubernetes {} instead of {}", after.server().version, *diff.server_before));
  return base::join(parts, "; ") + ".";
}

json::Value to_json(const Diff& diff, const snapshot::Snapshot& before,
                    const snapshot::Snapshot& after) {
  json::Value out = report_object("Diff");
  out.set("summary", summary_of(diff, before, after));
  if (diff.server_before)
    out.set("serverVersion", json::Value::object({{"before", *diff.server_before, {}},
                                                  {"after", after.server().version, {}}}));
  const ChangeWords words(before, after);
  json::Value& changes = out.set("changes", json::Value::array());
  for (const Difference& one : diff.changes)
    changes.push(to_json(one, words));
  json::Value& devices = out.set("devices", json::Value::array());
  for (const DeviceChange& one : diff.devices)
    devices.push(device_json(one));
  json::Value& verdicts = out.set("verdicts", json::Value::array());
  for (const VerdictChange& one : diff.verdicts)
    verdicts.push(verdict_json(one, words));
  if (!diff.not_looked_at.empty()) out.set("notLookedAt", subjects_json(diff.not_looked_at));
  add_coverage(out, after.coverage());
  json::Value earlier = json::Value::object();
  add_coverage(earlier, before.coverage());
  if (const json::Value* gaps = earlier.find("coverage")) out.set("coverageBefore", *gaps);
  return out;
}

}  // namespace dra::report
