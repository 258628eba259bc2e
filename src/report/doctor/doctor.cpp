// src/report/doctor/doctor.cpp: counts the checked objects and presents the problems, which
// problems*.cpp find.

#include "dra/report/doctor/doctor.h"

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using view::Tone;

// Counts objects of a kind; namespaced ones only in `ns`, unless it is empty.
template <class T>
void count(const Scene& scene, api::Kind kind, std::string_view ns, Doctor::Looked looked,
           Doctor& doctor) {
  if (!scene.snapshot.coverage().saw(kind, ns)) return;
  const bool all = ns.empty() || !api::info_of(kind).namespaced;
  looked.count = std::ranges::count_if(scene.snapshot.all<T>(), [&](const T& object) {
    return all || object.meta.namespace_ == ns;
  });
  doctor.looked_at.push_back(looked);
}

std::string looked_words(const Doctor& doctor) {
  std::vector<std::string> parts;
  for (const Doctor::Looked& looked : doctor.looked_at)
    parts.push_back(base::plural(looked.count, looked.one, looked.many));
  if (parts.empty()) return "nothing";
  const std::string only =
      doctor.namespace_.empty()
          ? ""
          : base::format(" (claims and pods of namespace {} only)", doctor.namespace_);
  return base::join(parts, ", ") + only;
}

}  // namespace

bool Doctor::found() const {
  return std::ranges::any_of(
      problems, [](const Problem& problem) { return problem.finding.severity != Severity::Hint; });
}

Doctor examine(const Scene& scene, std::string_view ns) {
  Doctor doctor{.problems = find_problems(scene, ns, Detail::Everything),
                .namespace_ = std::string(ns),
                .looked_at = {}};
  if (scene.snapshot.coverage().saw(api::Kind::Slice)) {
    doctor.looked_at.push_back(
        {"pool", "pools", static_cast<std::int64_t>(scene.inventory.pools().size())});
    doctor.looked_at.push_back(
        {"device", "devices", static_cast<std::int64_t>(scene.inventory.devices().size())});
  }
  count<api::DeviceClass>(scene, api::Kind::Class, ns, {"class", "classes", 0}, doctor);
  count<api::ResourceClaim>(scene, api::Kind::Claim, ns, {"claim", "claims", 0}, doctor);
  count<api::DeviceTaintRule>(scene, api::Kind::TaintRule, ns, {"taint rule", "taint rules", 0},
                              doctor);
  count<api::Node>(scene, api::Kind::Node, ns, {"node", "nodes", 0}, doctor);
  count<api::Pod>(scene, api::Kind::Pod, ns, {"pod", "pods", 0}, doctor);
  return doctor;
}

json::Value to_json(const Doctor& doctor, const Scene& scene, const OverviewSource& source) {
  json::Value report = report_object("Doctor");
  if (!doctor.namespace_.empty()) report.set("namespace", doctor.namespace_);
  json::Value& problems = report.set("problems", json::Value::array());
  for (const Problem& problem : doctor.problems) {
    problems.push(to_json(problem, source.command(problem.remedy.command)));
  }
  json::Value& looked = report.set("lookedAt", json::Value::array());
  for (const Doctor::Looked& one : doctor.looked_at) {
    json::Value& kind = looked.push(json::Value::object());
    kind.set("kind", one.one);
    kind.set("count", one.count);
  }
  add_coverage(report, scene.snapshot.coverage());
  return report;
}

// True if no device is published. Without devices nothing can be wrong with them, so "all is well"
// would claim more than was checked.
bool lacks_devices(const Doctor& doctor) {
  return std::ranges::any_of(doctor.looked_at, [](const Doctor::Looked& looked) {
    return looked.one == std::string_view("device") && looked.count == 0;
  });
}

// Advice of a code follows the first problem with that code.
view::Document to_view(const Doctor& doctor, const OverviewSource& source) {
  view::Document document;
  if (doctor.problems.empty()) {
    const bool none = lacks_devices(doctor);
    document.add(view::Paragraph{
        .spans = {none ? span("Nothing is wrong, but no driver publishes any device.", Tone::Warn)
                       : span("Nothing is wrong.", Tone::Good),
                  span(base::format(" Looked at {}.", looked_words(doctor)))}});
    return document;
  }
  std::set<diag::Code> advised;
  for (const Problem& problem : doctor.problems) {
    document.add(view::Paragraph{
        .spans = {
            span(std::string(name_of(problem.finding.severity)), tone_of(problem.finding.severity)),
            span(base::format(" {}", diag::name_of(problem.finding.code)), Tone::Strong),
            span(base::format(": {}", problem.finding.message))}});
    // Advice that is special to a problem is repeated for each.
    if (!problem.remedy.text.empty() || advised.insert(problem.finding.code).second)
      document.add(view::Paragraph{.spans = {span(advice_of(problem))}, .indent = 4, .hang = 0});
    document.add(view::Verbatim{
        .lines = {{span(source.command(problem.remedy.command), Tone::Dim)}}, .indent = 4});
    document.add(view::Blank{});
  }
  document.add(view::Paragraph{
      .spans = {span(counts_of(doctor.problems), Tone::Strong),
                span(base::format("{}; looked at {}.",
                                  lacks_devices(doctor) ? "; no driver publishes any device" : "",
                                  looked_words(doctor)))}});
  return document;
}

}  // namespace dra::report
