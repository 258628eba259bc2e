// src/checks/manifest/manifest.cpp: runs the phases on an object (check_object): fields, conversion
// and defaults, rules, lint, references; and on the pod templates inside other objects.

#include "dra/checks/manifest/manifest.h"

#include <algorithm>
#include <array>

#include "dra/api/kinds.h"
#include "dra/api/pod_templates.h"
#include "dra/api/schema.h"
#include "dra/base/text.h"
#include "dra/checks/fields/defaulting.h"
#include "dra/checks/fields/manifest_fields.h"
#include "dra/checks/fields/required_fields.h"
#include "dra/checks/lint/lint.h"
#include "dra/checks/manifest/typed_lists.h"
#include "dra/checks/rules/rules.h"
#include "dra/checks/rules/update_target.h"
#include "src/checks/manifest/consequences.h"
#include "src/checks/manifest/former_fields.h"

namespace dra::checks {
namespace {

using api::Kind;
using json::Value;

std::string name_of_object(const Value& object) {
  std::string kind = object.string_at("kind");
  const std::string& ns = object.string_at({"metadata", "namespace"});
  std::string name = object.string_at({"metadata", "name"});
  if (name.empty()) name = object.string_at({"metadata", "generateName"});
  if (name.empty()) return kind;
  return ns.empty() ? base::format("{} {}", kind, name) : base::format("{} {}/{}", kind, ns, name);
}

ObjectName name_in(const Value& object, const api::KindInfo& kind, std::string_view ns) {
  ObjectName name{kind.kind, object.string_at({"metadata", "namespace"}),
                  object.string_at({"metadata", "name"})};
  if (name.namespace_.empty()) name.namespace_ = ns;
  return name;
}

struct RulesOfKind {
  Kind kind;
  void (*check)(const Field& object);
};
constexpr std::array kRules = {
    RulesOfKind{Kind::Claim, check_claim},
    RulesOfKind{Kind::Class, check_class},
    RulesOfKind{Kind::Pod, check_pod},
    RulesOfKind{Kind::Slice, check_slice},
    RulesOfKind{Kind::TaintRule, check_taint_rule},
    RulesOfKind{Kind::Template, check_template},
};

// Fields that are misplaced within misplaced ones; no mistake goes deeper.
constexpr int kMostLevels = 8;

// nullptr: the kind has no rules, or the version does not exist.
const RulesOfKind* rules_for(const api::KindInfo* known) {
  if (known == nullptr) return nullptr;
  const auto* const found = std::ranges::find(kRules, known->kind, &RulesOfKind::kind);
  return found == kRules.end() ? nullptr : found;
}

// The document itself, or its items if it is a list.
std::vector<const Value*> objects_in(const Value& document) {
  const Value* items = document.find("items");
  const bool list = document.string_at("kind").ends_with("List") && items != nullptr &&
                    items->is(json::Kind::Array);
  if (!list) return {&document};
  std::vector<const Value*> objects;
  objects.reserve(items->items().size());
  for (const Value& item : items->items())
    objects.push_back(&item);
  return objects;
}

WrittenObject written_object(const Value& object) {
  return {.object = object,
          .api_version = object.string_at("apiVersion"),
          .kind = object.string_at("kind"),
          .namespace_ = object.string_at({"metadata", "namespace"}),
          .name = object.string_at({"metadata", "name"})};
}

// The number of pods that the object makes from its template; 1 if it does not say.
std::int64_t pods_of(const Field& object, std::string_view kind) {
  const Field spec = object.child("spec");
  const Field said = spec.child(kind == "Job" ? "parallelism" : "replicas");
  return said.integer().value_or(1);
}

template <class F>
void for_each_at(const Field& at, std::span<const std::string_view> steps, const F& on_field) {
  if (steps.empty()) {
    if (at.present()) on_field(at);
  } else if (steps.front() == "[]") {
    for (const Field& item : at.items())
      for_each_at(item, steps.subspan(1), on_field);
  } else if (steps.front() == "{}") {
    for (const Field::Entry& entry : at.entries())
      for_each_at(entry.field, steps.subspan(1), on_field);
  } else {
    for_each_at(at.child(steps.front()), steps.subspan(1), on_field);
  }
}

// Checks the pod templates of an object. True if its kind makes pods.
bool check_templates(const Field& object, std::string_view api_version, std::string_view kind,
                     bool known, CheckedObject& checked) {
  bool makes_pods = false;
  const std::string ns(object.child("metadata").child("namespace").text());
  for (const api::TemplatePlace& place : api::pod_template_places()) {
    if (place.kind != kind || place.group != api::group_of(api_version)) continue;
    makes_pods = true;
    for_each_at(object, base::split(place.path, '.'), [&](const Field& pods) {
      const api::SchemaType* type =
          api::schema_type(place.is_spec ? "core/v1.PodSpec" : "core/v1.PodTemplateSpec");
      if (!known && type != nullptr)
        check_fields(*pods.value(), *type, pods.path(), checked.findings);
      const Field spec = place.is_spec ? pods : pods.child("spec");
      check_pod_spec(spec);
      lint_pod(spec, pods_of(object, kind));
      find_pod_references(spec, ns, checked.references);
    });
  }
  return makes_pods;
}

// `complete`: no field of the object was lost for being unknown.
void lint_by_kind(const Field& object, Kind kind, bool complete) {
  const Field spec = object.child("spec");
  if (kind == Kind::Claim) lint_claim(spec.child("devices"));
  if (kind == Kind::Template) lint_claim(spec.child("spec").child("devices"));
  if (kind == Kind::Class) lint_class(spec, complete);
  if (kind == Kind::Pod) lint_pod(spec, 1);
}

std::pair<std::uint32_t, std::uint32_t> place_of(const ManifestFinding& finding) {
  return {finding.position.line, finding.position.column};
}

// Puts what is misplaced where it belongs, and adds what is wrong in it, level by level. The server
// does not come to that: it refuses the object for the place.
void check_misplaced(Value& whole, const api::SchemaType& type,
                     std::vector<ManifestFinding>& findings) {
  for (int level = 0; level < kMostLevels && put_in_place(whole, type); ++level) {
    std::vector<ManifestFinding> below;
    check_fields(whole, type, {}, below);
    for (ManifestFinding& finding : below) {
      const bool known = std::ranges::any_of(findings, [&finding](const ManifestFinding& one) {
        return one.code == finding.code && place_of(one) == place_of(finding);
      });
      if (known) continue;
      finding.phase = Phase::Validate;
      findings.push_back(std::move(finding));
    }
  }
}

ManifestFinding about(const Value& object, std::string_view field, std::string message) {
  const Value* value = object.find(field);
  return {.severity = Severity::Error,
          .code = value == nullptr ? "Required" : "NotFound",
          .phase = Phase::Decode,
          .path = std::string(field),
          .position = value == nullptr ? object.position() : value->position(),
          .message = std::move(message)};
}

// The finding for an object without a field that every object has. Another field may be meant.
ManifestFinding without(const Value& object, std::string_view field) {
  const auto& members = object.members();
  const auto meant = std::ranges::find_if(members, [field](const json::Member& member) {
    return base::lower(member.key) == base::lower(field);
  });
  if (meant == members.end() || meant->key == field)
    return about(object, field, base::format("{} is missing", field));
  ManifestFinding finding =
      about(object, field, base::format("the field {} is called {}", meant->key, field));
  finding.path = meant->key;
  finding.position = meant->position;
  finding.fix = base::format("write {}", field);
  return finding;
}

// False after a finding about what is no object, or has no version or kind.
bool says_what_it_is(const Value& object, std::vector<ManifestFinding>& findings) {
  if (!object.is(json::Kind::Object)) {
    findings.push_back(about(
        object, "kind", base::format("an object is wanted, not {}", json::name_of(object.kind()))));
    return false;
  }
  for (const char* field : {"apiVersion", "kind"}) {
    if (object.string_at(field).empty()) findings.push_back(without(object, field));
  }
  return findings.empty();
}

bool by_position(const ManifestFinding& a, const ManifestFinding& b) {
  return place_of(a) < place_of(b);
}

// The message for a kind of the DRA API in a version that it does not have.
std::string words_for_version(const api::KindInfo& kind, std::string_view version) {
  std::vector<std::string> versions;
  for (const std::string_view known : kind.versions) {
    const std::string api_version = api::api_version_of(kind, known);
    if (api::schema_of(api_version, kind.name) != nullptr) versions.push_back(api_version);
  }
  const std::string write = base::join(versions, " or ");
  if (version == "v1alpha2")
    return base::format(
        "v1alpha2, of the classic DRA, was last served by Kubernetes 1.30, and more than the "
        "version has to change: write a new object in {}",
        versions.front());
  if (version == "v1alpha3")
    return base::format("v1alpha3 has no {} any more: write {}, as `kubectl dra convert` does",
                        kind.name, versions.front());
  return base::format("there is no such version of {}: write {}", kind.name, write);
}

// "ResourceClaim, ResourceClaimTemplate": those of the DRA API.
std::vector<std::string_view> dra_kind_names() {
  std::vector<std::string_view> names;
  for (const api::KindInfo& kind : api::all_kinds()) {
    if (kind.is_dra()) names.push_back(kind.name);
  }
  return names;
}

// A group that Kubernetes itself serves, and that has no kinds of others.
bool is_built_in(std::string_view group) {
  return group.empty() || group == "apps" || group == "batch" || group == api::kDraGroup;
}

// Why the server has no such kind: it is misspelled, or is of another group. Empty: it may have it.
// `field` becomes the field that is wrong.
std::string words_for_kind(const std::string& api_version, const std::string& kind,
                           std::string_view& field) {
  const std::string_view group = api::group_of(api_version);
  const std::array groups = {api::kDraGroup};
  const bool near_dra = group != api::kDraGroup && !base::nearest(group, groups).empty();
  field = "kind";
  if (group == api::kDraGroup) {
    const std::string_view meant = base::nearest(kind, dra_kind_names());
    return base::format("{} has no kind {}{}", api::kDraGroup, kind,
                        meant.empty() ? "" : base::format("; did you mean {}?", meant));
  }
  for (const api::KindInfo& known : api::all_kinds()) {
    const bool other = known.group != group || api_version == known.group;
    if (known.name != kind || !other || known.is_custom() ||
        (!is_built_in(group) && !near_dra && api_version != api::kDraGroup))
      continue;
    field = "apiVersion";
    return base::format(
        "{} is of {}: write {}", kind,
        known.group.empty() ? std::string("the core group") : std::string(known.group),
        api::api_version_of(known, known.versions.front()));
  }
  return {};
}

const api::KindInfo* dra_kind(std::string_view name) {
  const auto kinds = api::all_kinds();
  const auto found = std::ranges::find_if(
      kinds, [name](const api::KindInfo& kind) { return kind.is_dra() && kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

// Whether the server knows no such kind in that group and version; the finding says so.
bool refuse_kind(const Value& object, const std::string& api_version, const std::string& kind,
                 std::vector<ManifestFinding>& findings) {
  const api::KindInfo* dra = dra_kind(kind);
  std::string_view field = "apiVersion";
  std::string words = api::group_of(api_version) == api::kDraGroup && dra != nullptr
                          ? words_for_version(*dra, api::version_of(api_version))
                          : words_for_kind(api_version, kind, field);
  if (words.empty()) return false;
  findings.push_back(about(object, field, std::move(words)));
  return true;
}

}  // namespace

ManifestChecker::ManifestChecker(const snapshot::Server& server)
    : server_(server),
      features_(engine::features_of(server)),
      language_(engine::language_of(server, engine::Expressions::New)) {}

void ManifestChecker::compare_with(const snapshot::Snapshot& cluster, std::string ns) {
  cluster_ = &cluster;
  default_namespace_ = std::move(ns);
}

std::vector<ObjectName> defined_names(const Document& document) {
  const auto* tree = std::get_if<Value>(&document);
  if (tree == nullptr) return {};
  const auto whole = with_kinds_of_list(*tree);
  std::vector<ObjectName> names;
  for (const Value* object : objects_in(whole ? *whole : *tree)) {
    if (!object->is(json::Kind::Object)) continue;
    const auto* known = api::kind_of(object->string_at("apiVersion"), object->string_at("kind"));
    if (rules_for(known) != nullptr) names.push_back(name_in(*object, *known, {}));
  }
  return names;
}

std::vector<CheckedObject> ManifestChecker::check(const Value& document) const {
  const auto whole = with_kinds_of_list(document);
  const Value& root = whole ? *whole : document;
  std::vector<CheckedObject> checked;
  for (const Value* object : objects_in(root))
    checked.push_back(check_object(*object, object != &root));
  return checked;
}

CheckedObject ManifestChecker::check_object(const Value& object, bool in_list) const {
  CheckedObject checked{.name = name_of_object(object)};
  auto& findings = checked.findings;
  if (!says_what_it_is(object, findings)) return checked;
  const std::string& api_version = object.string_at("apiVersion");
  const std::string& kind = object.string_at("kind");
  const api::SchemaType* type = api::schema_of(api_version, kind);
  const api::KindInfo* dra = dra_kind(kind);
  if (type == nullptr && refuse_kind(object, api_version, kind, findings)) return checked;
  Value whole = object;
  if (type != nullptr) {
    check_fields(object, *type, {}, findings);
    if (dra != nullptr && dra->kind == Kind::TaintRule)
      drop_former_fields(object, server_, findings);
    if (!findings.empty()) check_misplaced(whole, *type, findings);
    drop_unknown(whole, *type);
  }
  const std::string_view version = api::version_of(api_version);
  const auto known = api::kind_of(api_version, kind);
  const auto target =
      cluster_ == nullptr || known == nullptr
          ? std::optional<UpdateTarget>()
          : find_update_target(*cluster_, name_in(object, *known, default_namespace_));
  checked.exists = target.has_value();
  const Checking checking{.findings = findings,
                          .features = features_,
                          .language = language_,
                          .api_version = api_version,
                          .is_v1beta1 = dra != nullptr && version == "v1beta1",
                          .update_target = target ? &*target : nullptr};
  const Field root(checking, whole);
  const bool makes_pods = check_templates(root, api_version, kind, type != nullptr, checked);
  if (known != nullptr) lint_object(root, *known, version, server_);
  if (known != nullptr && known->kind == Kind::Namespace)
    checked.own_namespace = {object.string_at({"metadata", "name"}), admits_admin_access(root)};
  if (type != nullptr && kind == "ResourcePoolStatusRequest") check_pool_status_request(root);
  if (const RulesOfKind* rules = rules_for(known)) {
    upgrade_and_default(whole, known->kind, version);
    drop_disabled(whole, {known->kind, version, target ? &target->object : nullptr}, features_,
                  findings);
    const Field defaulted(checking, whole);
    rules->check(defaulted);
    lint_by_kind(
        defaulted, known->kind,
        std::ranges::find(findings, "UnknownField", &ManifestFinding::code) == findings.end());
    find_references(defaulted, known->kind, checked.references);
    if (!target) find_admin_access(defaulted, known->kind, checked.admin_access);
    checked.defines = name_in(object, *known, {});
  }
  checked.skipped = type == nullptr && !makes_pods;
  if (keeps_written_ && !checked.skipped) checked.written = written_object(object);
  if (in_list && type != nullptr) check_required(object, *type, findings);
  drop_consequences(whole, findings);
  if (rules_for(known) != nullptr) checked.whole = std::move(whole);
  std::ranges::stable_sort(findings, by_position);
  return checked;
}

}  // namespace dra::checks
