// src/checks/rules/update_rules.cpp: rules for updates in addition to those for all objects.
// Upstream: k8s.io/apimachinery/pkg/api/validation, ValidateObjectMetaUpdate and
// ValidateImmutableField; k8s.io/apiserver/pkg/registry/generic/registry, Store.Update, and
// pkg/registry/rest, BeforeUpdate; k8s.io/kubernetes/pkg/apis/core/validation, ValidatePodUpdate.

#include <algorithm>
#include <iterator>

#include "dra/base/text.h"
#include "dra/checks/rules/rules.h"
#include "dra/checks/rules/update_target.h"
#include "dra/diag/command_line.h"
#include "src/checks/rules/differences.h"

namespace dra::checks {
namespace {

using base::format;
using json::Value;

const Value* existing_of(const Field& field, std::initializer_list<std::string_view> path) {
  const Value* value = field.checking().update_target->object.at(path);
  return value != nullptr && value->is(json::Kind::Null) ? nullptr : value;
}

std::string_view text_of(const Value* value) {
  return value == nullptr ? std::string_view() : std::string_view(value->text());
}

// An update with the uid or resourceVersion of another object or state is refused. kubectl replace
// fills in a missing resourceVersion; "0" matches any.
void check_conflict(const Field& metadata, bool wants_state) {
  const Field uid = metadata.child("uid");
  const std::string_view old_uid = text_of(existing_of(metadata, {"metadata", "uid"}));
  if (!uid.is_blank() && !old_uid.empty() && uid.text() != old_uid)
    uid.refuse(ErrorType::Conflict,
               format("another object has this name now: its uid is {}", old_uid), "remove uid");
  const Field version = metadata.child("resourceVersion");
  const std::string_view old = text_of(existing_of(metadata, {"metadata", "resourceVersion"}));
  const bool any = version.is_blank() || version.text() == "0";
  if (wants_state && version.text() == "0")
    version.refuse(ErrorType::Invalid, "an update must say which state of the object it is for",
                   "remove resourceVersion: kubectl replace fills it in");
  if (!any && !old.empty() && version.text() != old)
    version.refuse(ErrorType::Conflict,
                   format("the object has changed since it was read: it is at {} now", old),
                   "remove resourceVersion, or read the object again and change that");
}

// Deletion cannot be undone: the object goes once its finalizers are gone.
void check_deletion(const Field& metadata) {
  const bool going = existing_of(metadata, {"metadata", "deletionTimestamp"}) != nullptr;
  const Field deleted = metadata.child("deletionTimestamp");
  if (!going && deleted.present())
    deleted.refuse(ErrorType::Invalid, "only the API server sets this, when it is asked to delete",
                   "remove it");
  const Field period = metadata.child("deletionGracePeriodSeconds");
  const Value* old = existing_of(metadata, {"metadata", "deletionGracePeriodSeconds"});
  if (period.present() && (old == nullptr || old->text() != period.value()->text()))
    period.refuse(ErrorType::Invalid, "only the API server sets this, when it is asked to delete",
                  "remove it");
  const Value* kept = existing_of(metadata, {"metadata", "finalizers"});
  const auto is_new = [kept](const Field& finalizer) {
    return kept == nullptr ||
           std::ranges::find(kept->items(), finalizer.text(), &Value::text) == kept->items().end();
  };
  const std::vector<Field> finalizers = metadata.child("finalizers").items();
  const auto added = std::ranges::find_if(finalizers, is_new);
  if (going && added != finalizers.end())
    metadata.child("finalizers")
        .reported_at(*added)
        .refuse(ErrorType::Forbidden,
                format("the object is being deleted: \"{}\" cannot be added",
                       base::shorten_middle(added->text(), 60)),
                "wait until it is gone, and re-create it");
}

// The server increments the generation when deletion begins; it refuses every update with one that
// overflows.
void check_generation(const Field& metadata) {
  if (text_of(existing_of(metadata, {"metadata", "generation"})).starts_with('-'))
    metadata.child("generation")
        .refuse(ErrorType::Invalid, "the object in the cluster has a negative one",
                "wait until it is gone, and re-create it");
}

// True if the manifest only leaves fields out: kubectl apply keeps fields that it did not set.
bool is_only_less(const std::vector<Difference>& differences) {
  return std::ranges::none_of(differences, [](const Difference& one) { return one.now.present(); });
}

std::string fix_for_spec(const Field& object, const std::vector<Difference>& differences) {
  const Field metadata = object.child("metadata");
  const auto command = diag::kubectl("delete")
                           .words(base::lower(object.child("kind").text()))
                           .name(metadata.child("name").text())
                           .in(metadata.child("namespace").text());
  const bool is_template = object.child("kind").text() == "ResourceClaimTemplate";
  std::string fix = format(
      "give this one another name, or re-create it: {}, then create this{}", command.text(),
      is_template ? "; pods keep the claims that they have" : "; pods that use it must go first");
  if (is_only_less(differences))
    fix += "; kubectl apply keeps what others have set, kubectl replace does not";
  return fix;
}

std::string words_for_recreation(const std::vector<ManifestFinding>& on_creation) {
  if (on_creation.empty()) return {};
  const std::string more =
      on_creation.size() == 1 ? std::string() : format(", and for {} more", on_creation.size() - 1);
  return format(". Re-created, it would be refused for {} ({}){}", on_creation.front().path,
                on_creation.front().message, more);
}

// The container of that name in the pod of the cluster.
const Value* existing_container(const Value* containers, std::string_view name) {
  if (containers == nullptr) return nullptr;
  const auto found = std::ranges::find_if(containers->items(), [name](const Value& container) {
    return text_of(container.find("name")) == name;
  });
  return found == containers->items().end() ? nullptr : &*found;
}

constexpr std::string_view kFixPod =
    "delete the pod and re-create it; of pods that something else makes, change its template";

// False for a new container that uses claims: the server then reports nothing else.
bool check_kept_uses(const Field& containers, const Value* before,
                     std::vector<Difference>& differing) {
  for (const Field& container : containers.items()) {
    const Field resources = container.child("resources");
    const Value* old = existing_container(before, container.child("name").text());
    if (old == nullptr) {
      if (resources.child("claims").size() == 0) continue;
      containers.reported_at(container).refuse(
          ErrorType::Forbidden, "an update cannot add containers to a pod", std::string(kFixPod));
      return false;
    }
    const auto found =
        differences_of(resources, old->find("resources"), "core/v1.ResourceRequirements", "claims");
    differing.insert(differing.end(), found.begin(), found.end());
  }
  return true;
}

}  // namespace

void check_metadata_update(const Field& metadata, bool wants_state) {
  check_conflict(metadata, wants_state);
  check_deletion(metadata);
  check_generation(metadata);
}

void check_kept(const Field& object, std::string_view name, std::string_view type,
                std::string_view fix) {
  const Value* before = &object.checking().update_target->object;
  for (const std::string_view step : base::split(object.path(), '.'))
    before = before == nullptr ? nullptr : before->find(step);
  const auto differing = differences_of(object, before, type, name);
  if (!differing.empty())
    object.child(name).refuse(ErrorType::Invalid,
                              format("field is immutable: {}", words_for(differing)),
                              std::string(fix));
}

void check_kept_spec(const Field& object, std::string_view type,
                     const std::vector<ManifestFinding>& on_creation) {
  if (object.checking().update_target == nullptr) return;
  const Field spec = object.child("spec");
  const auto differing = differences(spec, existing_of(object, {"spec"}), type);
  if (differing.empty()) return;
  spec.reported_at(differing.front().now)
      .refuse(ErrorType::Invalid, format("field is immutable: {}", words_for(differing)),
              fix_for_spec(object, differing) + words_for_recreation(on_creation));
}

void check_kept_claims(const Field& spec) {
  if (spec.checking().update_target == nullptr) return;
  const Value* before = existing_of(spec, {"spec"});
  auto differing = differences_of(spec, before, "core/v1.PodSpec", "resourceClaims");
  for (const std::string_view kind : {"containers", "initContainers"}) {
    const Value* containers = before == nullptr ? nullptr : before->find(kind);
    if (!check_kept_uses(spec.child(kind), containers, differing)) return;
  }
  if (!differing.empty())
    spec.reported_at(differing.front().now)
        .refuse(ErrorType::Forbidden,
                format("the claims of a pod cannot be changed: {}", words_for(differing)),
                std::string(kFixPod));
}

std::vector<ManifestFinding> errors_of_creation(const Field& field, void (*check)(const Field&)) {
  const Checking& outside = field.checking();
  std::vector<ManifestFinding> findings;
  const Checking inside{.findings = findings,
                        .features = outside.features,
                        .language = outside.language,
                        .api_version = outside.api_version,
                        .is_v1beta1 = outside.is_v1beta1,
                        .only = outside.only};
  check(field.with(inside));
  const auto first = std::stable_partition(
      findings.begin(), findings.end(),
      [](const ManifestFinding& finding) { return finding.severity != Severity::Error; });
  std::move(findings.begin(), first, std::back_inserter(outside.findings));
  findings.erase(findings.begin(), first);
  return findings;
}

}  // namespace dra::checks
