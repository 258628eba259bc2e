// src/checks/fields/references.cpp: collects references by kind of object, and looks them up among
// the objects of the files.

#include "dra/checks/fields/references.h"
#include "dra/api/cluster_objects.h"

#include <algorithm>
#include <iterator>

#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "dra/diag/command_line.h"

namespace dra::checks {
namespace {

diag::Code code_of(api::Kind kind) {
  if (kind == api::Kind::Class) return diag::Code::ClassMissing;
  return kind == api::Kind::Template ? diag::Code::TemplateMissing : diag::Code::ClaimMissing;
}

void add(const Field& field, api::Kind kind, const std::string& ns, std::vector<Reference>& out) {
  if (!field.is_text() || field.text().empty()) return;
  out.push_back({{kind, ns, std::string(field.text())}, field.path(), field.position()});
}

void add_classes(const Field& devices, std::vector<Reference>& out) {
  for (const Field& request : devices.child("requests").items()) {
    add(request.child("exactly").child("deviceClassName"), api::Kind::Class, {}, out);
    for (const Field& alternative : request.child("firstAvailable").items())
      add(alternative.child("deviceClassName"), api::Kind::Class, {}, out);
  }
}

std::vector<RequestReference> requests_used(std::span<const Field> uses, std::string_view claim) {
  std::vector<RequestReference> used;
  for (const Field& one : uses) {
    const Field request = one.child("request");
    if (one.child("name").text() == claim && !request.text().empty())
      used.push_back({std::string(request.text()), request.path(), request.position()});
  }
  return used;
}

}  // namespace

bool admits_admin_access(const Field& object_of_namespace) {
  return object_of_namespace.child("metadata")
             .child("labels")
             .entry(api::kAdminAccessLabel)
             .text() == "true";
}

void find_admin_access(const Field& object, api::Kind kind, std::vector<Reference>& out) {
  Field spec = object.child("spec");
  if (kind == api::Kind::Template) spec = spec.child("spec");
  const std::string ns(object.child("metadata").child("namespace").text());
  for (const Field& request : spec.child("devices").child("requests").items()) {
    const Field field = request.child("exactly").child("adminAccess");
    if (!field.is_true()) continue;
    Reference& reference = out.emplace_back();
    reference.to.kind = api::Kind::Namespace;
    reference.to.name = ns;
    reference.path = field.path();
    reference.position = field.position();
  }
}

ManifestFinding no_admin_access(const Reference& reference, bool among_files) {
  const std::string& ns = reference.to.name;
  const std::string which = ns.empty() ? "its namespace" : base::format("namespace {}", ns);
  return {
      .severity = among_files ? Severity::Warning : Severity::Hint,
      .code = std::string(diag::name_of(diag::Code::AdminAccessNotAllowed)),
      .phase = Phase::Validate,
      .path = reference.path,
      .position = reference.position,
      .message = among_files
                     ? base::format("{} is among the files, and does not allow admin access", which)
                     : base::format("refused unless {} has the label {}: \"true\"", which,
                                    api::kAdminAccessLabel),
      .fix = diag::kubectl("label namespace")
                 .name(ns.empty() ? std::string_view("NAMESPACE") : ns)
                 .words(base::format("{}=true", api::kAdminAccessLabel))
                 .text()};
}

void find_references(const Field& object, api::Kind kind, std::vector<Reference>& out) {
  const Field spec = object.child("spec");
  if (kind == api::Kind::Claim) add_classes(spec.child("devices"), out);
  if (kind == api::Kind::Template) add_classes(spec.child("spec").child("devices"), out);
  if (kind == api::Kind::Pod)
    find_pod_references(spec, std::string(object.child("metadata").child("namespace").text()), out);
}

std::vector<Field> claim_uses(const Field& pod_spec) {
  std::vector<Field> uses;
  for (const std::string_view kind : {"containers", "initContainers", "ephemeralContainers"}) {
    for (const Field& container : pod_spec.child(kind).items())
      std::ranges::move(container.child("resources").child("claims").items(),
                        std::back_inserter(uses));
  }
  return uses;
}

void find_pod_references(const Field& spec, const std::string& ns, std::vector<Reference>& out) {
  const std::vector<Field> uses = claim_uses(spec);
  for (const Field& claim : spec.child("resourceClaims").items()) {
    const std::size_t before = out.size();
    add(claim.child("resourceClaimName"), api::Kind::Claim, ns, out);
    add(claim.child("resourceClaimTemplateName"), api::Kind::Template, ns, out);
    const auto requests = requests_used(uses, claim.child("name").text());
    for (std::size_t i = before; i < out.size(); ++i)
      out[i].requests = requests;
  }
}

ManifestFinding no_such_request(const ObjectName& claim, std::span<const std::string> requests,
                                const RequestReference& reference) {
  const api::KindInfo& info = api::info_of(claim.kind);
  const std::vector<std::string_view> names(requests.begin(), requests.end());
  const std::string_view near = base::nearest(reference.name, names);
  return {.severity = Severity::Warning,
          .code = std::string(diag::name_of(diag::Code::RequestMissing)),
          .phase = Phase::Validate,
          .path = reference.path,
          .position = reference.position,
          .message = base::format("{} {} has no request \"{}\": the container gets no device of it",
                                  info.name, claim.name, reference.name),
          .fix = near.empty() ? base::format("its requests are: {}", base::join(requests, ", "))
                              : base::format("did you mean {}?", near)};
}

DefinedNames::DefinedNames(std::span<const ObjectName> defined) {
  for (const ObjectName& one : defined)
    names_[one.kind][one.name].insert(one.namespace_);
}

// An unknown namespace matches every namespace.
bool DefinedNames::has(const ObjectName& name) const {
  const auto kind = names_.find(name.kind);
  if (kind == names_.end()) return false;
  const auto found = kind->second.find(name.name);
  if (found == kind->second.end()) return false;
  return name.namespace_.empty() || found->second.contains("") ||
         found->second.contains(name.namespace_);
}

std::optional<ManifestFinding> DefinedNames::check(const Reference& reference) {
  const ObjectName& to = reference.to;
  const auto kind = names_.find(to.kind);
  if (kind == names_.end() || has(to)) return std::nullopt;
  if (const auto found = kind->second.find(to.name); found != kind->second.end())
    return in_other_namespaces(reference, found->second);
  const api::KindInfo& info = api::info_of(to.kind);
  auto [fix, is_new] = fixes_.try_emplace({to.kind, base::format("{}/{}", to.namespace_, to.name)});
  if (is_new) {
    std::vector<std::string_view> names;
    names.reserve(kind->second.size());
    for (const auto& [name, unused] : kind->second)
      names.push_back(name);
    const std::string_view near = base::nearest(to.name, names);
    const auto command = diag::kubectl("get").words(info.resource).in(to.namespace_).name(to.name);
    fix->second = near.empty() ? base::format("see that the cluster has it: {}", command.text())
                               : base::format("did you mean {}?", near);
  }
  return ManifestFinding{
      .severity = Severity::Hint,
      .code = std::string(diag::name_of(code_of(to.kind))),
      .phase = Phase::Validate,
      .path = reference.path,
      .position = reference.position,
      .message = base::format("no {} \"{}\" is among the files", info.name, to.name),
      .fix = fix->second};
}

ManifestFinding DefinedNames::in_other_namespaces(const Reference& reference,
                                                  const Namespaces& namespaces) const {
  const ObjectName& to = reference.to;
  const std::vector<std::string> others(namespaces.begin(), namespaces.end());
  return {.severity = Severity::Warning,
          .code = std::string(diag::name_of(code_of(to.kind))),
          .phase = Phase::Validate,
          .path = reference.path,
          .position = reference.position,
          .message = base::format("{} {} is in namespace {}, and a pod uses those of its own, {}",
                                  api::info_of(to.kind).name, to.name, base::join(others, " and "),
                                  to.namespace_),
          .fix = base::format("create it in namespace {}, or the pod in namespace {}",
                              to.namespace_, others.front())};
}

}  // namespace dra::checks
