// src/answers/validate/reference_check.cpp: see reference_check.h.

#include "src/answers/validate/reference_check.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "dra/diag/command_line.h"
#include "src/answers/validate/validation_findings.h"

namespace dra::answers {
namespace {

using api::Kind;
using checks::ManifestFinding;
using checks::ObjectName;
using checks::Reference;
using checks::Severity;

class ReferenceCheck {
 public:
  ReferenceCheck(const snapshot::Snapshot& snapshot, const std::string& ns, Validation& validation)
      : snapshot_(snapshot),
        default_namespace_(ns),
        validation_(validation),
        defined_(validation.defined()) {}

  void check(const FileObject& seen) {
    for (const Reference& reference : seen.object.references) {
      ObjectName to = reference.to;
      if (to.kind != Kind::Class && to.namespace_.empty()) to.namespace_ = default_namespace_;
      const snapshot::Coverage& coverage = snapshot_.coverage();
      const bool visible = coverage.saw(to.kind) || (coverage.find(to.kind) != nullptr &&
                                                     coverage.saw(to.kind, to.namespace_));
      if (!visible || defined_.has(to)) continue;
      const auto requests = requests_of(to);
      drop_of_files(seen, reference, requests.has_value());
      if (requests) {
        check_requests(seen, to, *requests, reference);
      } else if (to.kind != Kind::Class && !is_found_missing(seen, reference)) {
        add_finding(seen, missing(to, reference), validation_);
      }
    }
  }

 private:
  static std::size_t place_of(const FileObject& seen, const Validation& validation) {
    return static_cast<std::size_t>(&seen - validation.seen.data());
  }

  bool is_about(const FileFinding& entry, const FileObject& seen,
                const Reference& reference) const {
    return entry.seen == place_of(seen, validation_) && entry.finding.path == reference.path &&
           entry.finding.code == name_of_missing(reference.to.kind);
  }

  // That the files have the object in another namespace is all that has to be said, unless the
  // cluster has it.
  bool is_found_missing(const FileObject& seen, const Reference& reference) const {
    return std::ranges::any_of(validation_.findings, [&](const FileFinding& entry) {
      return is_about(entry, seen, reference);
    });
  }

  // Drops what was said about the reference without the cluster.
  void drop_of_files(const FileObject& seen, const Reference& reference, bool exists) {
    std::erase_if(validation_.findings, [&](const FileFinding& entry) {
      return is_about(entry, seen, reference) &&
             (exists || entry.finding.severity == Severity::Hint);
    });
  }

  static std::string_view name_of_missing(Kind kind) {
    using enum diag::Code;
    return diag::name_of(kind == Kind::Class   ? ClassMissing
                         : kind == Kind::Claim ? ClaimMissing
                                               : TemplateMissing);
  }

  // The names of the requests of a claim or template; none of a class. No value: the cluster does
  // not have the object.
  std::optional<std::vector<std::string>> requests_of(const ObjectName& to) const {
    std::vector<std::string> names;
    const auto add = [&names](const api::ClaimSpec& spec) {
      for (const api::DeviceRequest& request : spec.devices.requests)
        names.emplace_back(request.name);
      return names;
    };
    if (to.kind == Kind::Class) {
      const auto* found = snapshot_.find<api::DeviceClass>(to.name);
      return found == nullptr ? std::nullopt : std::optional(names);
    }
    if (to.kind == Kind::Claim) {
      const auto* found = snapshot_.find<api::ResourceClaim>(to.namespace_, to.name);
      return found == nullptr ? std::nullopt : std::optional(add(found->spec));
    }
    const auto* found = snapshot_.find<api::ResourceClaimTemplate>(to.namespace_, to.name);
    return found == nullptr ? std::nullopt : std::optional(add(found->spec.spec));
  }

  void check_requests(const FileObject& seen, const ObjectName& to,
                      const std::vector<std::string>& names, const Reference& reference) {
    for (const checks::RequestReference& used : reference.requests) {
      const std::string_view name = std::string_view(used.name).substr(0, used.name.find('/'));
      if (std::ranges::find(names, name) == names.end())
        add_finding(seen, checks::no_such_request(to, names, used), validation_);
    }
  }

  // A name that exists in that namespace, or in the files.
  std::string near_name(const ObjectName& to) const {
    std::vector<std::string_view> names;
    const auto add = [&](const auto& objects) {
      for (const auto& object : objects) {
        if (object.meta.namespace_ == to.namespace_) names.push_back(object.meta.name);
      }
    };
    if (to.kind == Kind::Claim) add(snapshot_.all<api::ResourceClaim>());
    if (to.kind == Kind::Template) add(snapshot_.all<api::ResourceClaimTemplate>());
    for (const FileObject& seen : validation_.seen) {
      const auto& one = seen.object.defines;
      if (one && one->kind == to.kind && one->namespace_ == to.namespace_)
        names.push_back(one->name);
    }
    return std::string(base::nearest(to.name, names));
  }

  ManifestFinding missing(const ObjectName& to, const Reference& reference) const {
    const api::KindInfo& info = api::info_of(to.kind);
    const std::string near = near_name(to);
    return {.severity = Severity::Warning,
            .code = std::string(name_of_missing(to.kind)),
            .phase = checks::Phase::Validate,
            .path = reference.path,
            .position = reference.position,
            .message = base::format("{} {} is neither in namespace {} of the cluster nor among the "
                                    "files: pods stay Pending until it is created",
                                    info.name, to.name, to.namespace_),
            .fix = near.empty() ? diag::kubectl("get").words(info.resource).in(to.namespace_).text()
                                : base::format("did you mean {}?", near)};
  }

  const snapshot::Snapshot& snapshot_;
  const std::string& default_namespace_;
  Validation& validation_;
  checks::DefinedNames defined_;
};

}  // namespace

void check_references_in(const snapshot::Snapshot& snapshot, const std::string& ns,
                         Validation& validation) {
  ReferenceCheck check(snapshot, ns, validation);
  for (const FileObject& seen : validation.seen)
    check.check(seen);
}

}  // namespace dra::answers
