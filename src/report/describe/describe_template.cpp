// src/report/describe/describe_template.cpp: one ResourceClaimTemplate: its spec, and the claims
// that pods got from it.

#include <algorithm>

#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/report/lists/list_claims.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_spec.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxUses = 12;

// A pod's reference to the template, and the claim created for it.
struct Use {
  const api::Pod* pod;
  std::string_view reference;
  std::string_view claim_name = {};
  const api::ResourceClaim* claim = nullptr;
  bool created = false;     // the controller has handled the reference
  bool not_needed = false;  // the controller decided that no claim is needed

  bool served() const { return not_needed || (claim != nullptr && claim->allocated()); }
};

// Counts pods: a pod may use the template for several claims, which are adjacent.
template <class Predicate>
std::int64_t pods_among(const std::vector<Use>& uses, Predicate counts) {
  std::int64_t pods = 0;
  const api::Pod* last = nullptr;
  for (const Use& use : uses) {
    if (!counts(use) || use.pod == last) continue;
    last = use.pod;
    ++pods;
  }
  return pods;
}

class TemplateDescription {
 public:
  TemplateDescription(const Scene& scene, const api::ResourceClaimTemplate& from)
      : scene_(scene), from_(from) {
    for (const api::Pod& pod : scene.snapshot.all<api::Pod>()) {
      if (pod.meta.namespace_ == from.meta.namespace_ && !pod.finished()) add_uses(pod);
    }
  }

  Described build() {
    const bool all = std::ranges::all_of(uses_, &Use::served);
    Description out(
        scene_, "TemplateDescription", subject_of("ResourceClaimTemplate", from_.meta),
        base::format("Template {}/{}: {}.", from_.meta.namespace_, from_.meta.name, use_words()),
        all ? Tone::Strong : Tone::Warn);
    out.saw(api::Kind::Pod, "who uses the template is not known");
    out.saw(api::Kind::Claim, "the state of its claims is not known");
    out.saw(api::Kind::Class, "whether the classes exist is not known");
    add_not_created_problem(out);
    add_lifecycle(out, from_.meta);
    given_metadata(out);
    add_requests(out, from_.spec.spec, nullptr);
    add_constraints(out, from_.spec.spec.devices.constraints);
    add_config(out, from_.spec.spec, nullptr);
    uses(out);
    add_events(out, "ResourceClaimTemplate", from_.meta);
    go_on(out);
    return std::move(out).finish();
  }

 private:
  void add_uses(const api::Pod& pod);
  std::string use_words() const;
  void add_not_created_problem(Description& out) const;
  void given_metadata(Description& out) const;
  void uses(Description& out) const;
  std::string_view state_of(const Use& use) const;  // in JSON
  json::Value use_json(const Use& use) const;
  std::vector<view::Cell> row_of(const Use& use) const;
  void go_on(Description& out) const;

  const Scene& scene_;
  const api::ResourceClaimTemplate& from_;
  std::vector<Use> uses_;
};

void TemplateDescription::add_uses(const api::Pod& pod) {
  for (const api::PodClaim& reference : pod.spec.claims) {
    if (reference.template_name != from_.meta.name) continue;
    Use use{.pod = &pod, .reference = reference.name};
    const auto made =
        std::ranges::find(pod.status.claims, reference.name, &api::PodClaimStatus::name);
    if (made != pod.status.claims.end()) {
      use.created = true;
      use.not_needed = !made->claim_name;
      use.claim_name = made->claim_name.value_or(std::string_view());
      use.claim = scene_.snapshot.find<api::ResourceClaim>(pod.meta.namespace_, use.claim_name);
    }
    uses_.push_back(use);
  }
}

std::string TemplateDescription::use_words() const {
  const snapshot::Coverage& coverage = scene_.snapshot.coverage();
  if (!coverage.saw(api::Kind::Pod, from_.meta.namespace_)) return "its pods cannot be read";
  if (uses_.empty()) return "no pod uses it";
  const std::int64_t pods = pods_among(uses_, [](const Use&) { return true; });
  std::string used = "used by " + base::plural(pods, "pod");
  if (!coverage.saw(api::Kind::Claim, from_.meta.namespace_)) return used;
  const std::int64_t waiting = pods_among(uses_, [](const Use& use) { return !use.served(); });
  if (waiting == 0)
    return used + (pods == 1 ? ", which has its devices" : ", all have their devices");
  if (waiting == pods) return used + (pods == 1 ? ", which waits" : ", which all wait");
  return base::format("{}, {} of them {}", used, waiting, waiting == 1 ? "waits" : "wait");
}

// The controller's message, if there is one.
void TemplateDescription::add_not_created_problem(Description& out) const {
  for (const Use& use : uses_) {
    if (use.created) continue;
    const engine::Subject subject = engine::subject_of_pod(scene_.snapshot, *use.pod);
    const diag::Reason* reason = nullptr;
    for (const diag::Reason& blocker : subject.blockers) {
      const bool says_why = blocker.code == diag::Code::ClaimCreationFailed;
      if (!says_why && blocker.code != diag::Code::ClaimNotCreated) continue;
      if (blocker.claim == use.reference && (reason == nullptr || says_why)) reason = &blocker;
    }
    if (reason == nullptr) continue;
    out.problem(base::format("Pod {}: {}", use.pod->meta.name, reason->message),
                std::string(diag::info_of(reason->code).remedy));
  }
}

std::string pairs_text(const api::Map<std::string_view>& pairs) {
  std::vector<std::string> parts;
  for (const auto& entry : pairs)
    parts.push_back(base::format("{}={}", entry.key, entry.value));
  return base::join(parts, ", ");
}

void TemplateDescription::given_metadata(Description& out) const {
  out.set("labels", pairs_json(from_.spec.meta.labels));
  out.set("annotations", pairs_json(from_.spec.meta.annotations));
  out.fact("gives labels", pairs_text(from_.spec.meta.labels));
  out.fact("gives annotations", pairs_text(from_.spec.meta.annotations));
}

std::vector<view::Cell> TemplateDescription::row_of(const Use& use) const {
  const view::Cell status = cell(engine::pod_status(*use.pod));
  if (use.claim != nullptr) {
    const ClaimRow claim = claim_row(scene_.snapshot, *use.claim);
    const bool has = use.claim->allocated();
    return {cell(use.claim_name), state_cell(*use.claim), cell(has ? claim.devices : ""),
            cell(has ? claim.node : ""), status};
  }
  const std::string name = use.claim_name.empty()
                               ? base::format("{} of pod {}", use.reference, use.pod->meta.name)
                               : std::string(use.claim_name);
  if (use.not_needed) return {cell(name), cell("not needed"), cell(""), cell(""), status};
  const bool seen = scene_.snapshot.coverage().saw(api::Kind::Claim, from_.meta.namespace_);
  const char* gone = seen ? "gone" : "";
  return {cell(name), cell(use.created ? gone : "not created", Tone::Bad), cell(""), cell(""),
          status};
}

std::string_view TemplateDescription::state_of(const Use& use) const {
  if (use.not_needed) return "notNeeded";
  if (use.claim != nullptr) {
    if (use.claim->meta.deleted) return "deleting";
    return use.claim->allocated() ? "allocated" : "pending";
  }
  if (!use.created) return "notCreated";
  const bool seen = scene_.snapshot.coverage().saw(api::Kind::Claim, from_.meta.namespace_);
  return seen ? "missing" : "unknown";
}

json::Value TemplateDescription::use_json(const Use& use) const {
  json::Value out = json::Value::object();
  out.set("pod", use.pod->meta.name);
  out.set("podStatus", engine::pod_status(*use.pod));
  out.set("resourceClaim", use.reference);
  set_if_any(out, "resourceClaimName", use.claim_name);
  out.set("state", state_of(use));
  if (use.claim == nullptr || !use.claim->allocated()) return out;
  json::Value devices = json::Value::array();
  for (const auto& result : use.claim->status.allocation->devices.results)
    devices.push(engine::to_string({result.driver, result.pool, result.device}));
  set_if_any(out, "devices", std::move(devices));
  set_if_any(out, "nodes", claim_row(scene_.snapshot, *use.claim).node);
  return out;
}

void TemplateDescription::uses(Description& out) const {
  json::Value list = json::Value::array();
  for (const Use& use : uses_)
    list.push(use_json(use));
  out.set("claims", std::move(list));
  // Pending claims come first.
  std::vector<Use> sorted = uses_;
  std::stable_partition(sorted.begin(), sorted.end(), [](const Use& use) { return !use.served(); });
  view::Table table = section_table({"CLAIM", "STATE", "DEVICES", "NODE", "POD IS"},
                                    {"STATE", "DEVICES", "POD IS"});
  for (const Use& use : sorted) {
    if (table.rows.size() == kMaxUses) break;
    table.rows.push_back(row_of(use));
  }
  const std::size_t left = sorted.size() - table.rows.size();
  drop_empty_columns(table);
  out.section("Claims made from it");
  out.add(std::move(table));
  if (left > 0) out.note(base::format("and {} more", left));
}

void TemplateDescription::go_on(Description& out) const {
  if (uses_.empty() || !scene_.snapshot.coverage().saw(api::Kind::Claim, from_.meta.namespace_))
    return;
  const auto waiting = std::ranges::find_if(uses_, [](const Use& use) { return !use.served(); });
  const Use& first = waiting == uses_.end() ? uses_.front() : *waiting;
  if (!first.served()) {
    out.next(command_for("explain", "pod", subject_of("Pod", first.pod->meta)), "why it waits");
  } else if (first.claim != nullptr) {
    out.next(command_for("describe", "claim", subject_of("ResourceClaim", first.claim->meta)),
             "what it got");
  }
}

}  // namespace

Described describe_template(const Scene& scene, const api::ResourceClaimTemplate& from) {
  return TemplateDescription(scene, from).build();
}

}  // namespace dra::report
