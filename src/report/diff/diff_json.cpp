// src/report/diff/diff_json.cpp: presents a diff as JSON, and makes its summary, which is also the
// first line of the text.

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/report/diff/diff_report.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/subject_json.h"
#include "src/report/diff/change_words.h"
#include "src/report/diff/diff_parts.h"

namespace dra::report {
namespace {

using answers::DeviceChange;
using answers::DeviceFate;
using answers::DeviceSide;
using answers::Diff;
using answers::StateAnswer;
using answers::VerdictChange;

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

json::Value verdict_json(const VerdictChange& verdict) {
  json::Value out = json::Value::object();
  out.set("subject", subject_json(verdict.subjects.front()));
  if (verdict.subjects.size() > 1) out.set("subjects", subjects_json(verdict.subjects));
  out.set("before", to_json(verdict.before));
  out.set("after", to_json(verdict.after));
  json::Value& decisive = out.set("decisive", json::Value::array());
  for (const answers::ObjectChange& one : verdict.decisive)
    decisive.push(to_json(one));
  if (verdict.decisive_of_first) out.set("decisiveOfFirst", true);
  if (verdict.rests_on_expired_events()) out.set("untold", true);
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

std::string summary_of(const Diff& diff) {
  if (diff.nothing())
    return diff.coverage_before.saw_all() && diff.coverage_after.saw_all()
               ? "Nothing changed."
               : "Nothing changed, as far as both states could be read.";
  std::vector<std::string> parts{
      base::plural(static_cast<std::int64_t>(diff.changes.size()), "object") + " changed"};
  if (!diff.devices.empty()) parts.push_back(devices_words(diff));
  std::int64_t verdicts = 0;
  std::int64_t unknown = 0;
  for (const VerdictChange& verdict : diff.verdicts)
    (verdict.rests_on_expired_events() ? unknown : verdicts) += std::ssize(verdict.subjects);
  parts.push_back(verdicts == 0 ? "no verdict changed"
                                : base::plural(verdicts, "verdict") + " changed");
  if (unknown > 0) parts.push_back(base::plural(unknown, "verdict") + " not known any more");
  if (diff.release)
    parts.push_back(
        base::format("Kubernetes {} instead of {}", diff.release->after, diff.release->before));
  return base::join(parts, "; ") + ".";
}

json::Value to_json(const StateAnswer& answer) {
  json::Value out = json::Value::object();
  out.set("exists", answer.exists);
  if (!answer.exists) return out;
  out.set("verdict", name_of(answer.verdict));
  if (answer.code) out.set("code", diag::name_of(*answer.code));
  out.set("summary", answer.summary);
  return out;
}

json::Value to_json(const Diff& diff) {
  json::Value out = report_object("Diff");
  out.set("summary", summary_of(diff));
  if (diff.release)
    out.set("serverVersion", json::Value::object({{"before", diff.release->before, {}},
                                                  {"after", diff.release->after, {}}}));
  json::Value& changes = out.set("changes", json::Value::array());
  for (const answers::ObjectChange& one : diff.changes)
    changes.push(to_json(one));
  json::Value& devices = out.set("devices", json::Value::array());
  for (const DeviceChange& one : diff.devices)
    devices.push(device_json(one));
  json::Value& verdicts = out.set("verdicts", json::Value::array());
  for (const VerdictChange& one : diff.verdicts)
    verdicts.push(verdict_json(one));
  if (!diff.not_looked_at.empty()) out.set("notLookedAt", subjects_json(diff.not_looked_at));
  add_coverage(out, diff.coverage_after);
  json::Value earlier = json::Value::object();
  add_coverage(earlier, diff.coverage_before);
  if (const json::Value* gaps = earlier.find("coverage")) out.set("coverageBefore", *gaps);
  return out;
}

}  // namespace dra::report
