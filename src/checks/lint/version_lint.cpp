// src/checks/lint/version_lint.cpp: compares an object's version with the ones that the server
// serves, or, where these are not known, with the ones that its release serves by default.

#include "src/checks/lint/version_lint.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "dra/api/version_history.h"
#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "dra/engine/facts/features.h"

namespace dra::checks {
namespace {

using base::format;
using diag::Code;

std::string api_version(std::string_view version) {
  return format("{}/{}", api::kDraGroup, version);
}

std::string runtime_config(std::string_view version) {
  return format("--runtime-config={}=true", api_version(version));
}

// "v1.37 is the last release that has it"; empty for a version that stays.
std::string last_release_words(const api::VersionHistory& history) {
  if (history.removed == 0) return {};
  return format("; Kubernetes v1.{} is the last release that has it", history.removed - 1);
}

// An object in a version that the server may have.
class VersionLint {
 public:
  VersionLint(const Field& object, const api::KindInfo& kind, std::string_view version,
              const snapshot::Server& server)
      : field_(object.child("apiVersion")),
        kind_(kind),
        version_(version),
        served_(server.dra_versions),
        release_(engine::minor_release(server)),
        history_(api::history_of(kind, version)) {
    for (const std::string_view one : api::versions_in(kind, release_)) {
      if (served_.empty() || serves(one)) possible_.push_back(one);
    }
  }

  void check() const {
    if (!served_.empty() && !serves(version_)) {
      field_.warn(
          Code::VersionNotServed,
          format("the server does not serve {}, but {}", version_, base::join(served_, ", ")),
          write_words());
    } else if (history_) {
      check_release(*history_);
    }
  }

 private:
  bool serves(std::string_view version) const {
    return std::ranges::find(served_, version) != served_.end();
  }

  std::string write_words() const {
    return possible_.empty() ? std::string() : format("write {}", api_version(possible_.front()));
  }

  void check_release(const api::VersionHistory& history) const {
    if (!api::has_version(kind_, version_, release_)) {
      const bool later = history.introduced > release_;
      field_.refuse(
          ErrorType::NotFound,
          format("Kubernetes v1.{} has no {} of {}: v1.{} is the {} release that has it", release_,
                 kind_.name, version_, later ? history.introduced : history.removed - 1,
                 later ? "first" : "last"),
          write_words());
      return;
    }
    const bool is_best = possible_.empty() || possible_.front() == version_;
    if (served_.empty() && !api::is_on_by_default(version_)) return check_default(history, is_best);
    if (is_best || history.deprecated == 0) return;
    field_.hint(Code::VersionDeprecated,
                format("{} is deprecated{}{}", version_,
                       history.deprecated <= release_
                           ? std::string()
                           : format(" from Kubernetes v1.{} on", history.deprecated),
                       last_release_words(history)),
                write_words());
  }

  void check_default(const api::VersionHistory& history, bool is_best) const {
    if (!possible_.empty() && api::is_on_by_default(possible_.front())) {
      field_.warn(Code::VersionNotServed,
                  format("{} is off by default in Kubernetes v1.{}: such a server has no {} of "
                         "this version, unless it was started with {}{}",
                         version_, release_, kind_.name, runtime_config(version_),
                         last_release_words(history)),
                  write_words());
      return;
    }
    // There is no better version, or none that needs no flag.
    field_.hint(Code::VersionNotServed,
                format("every version of {} is off by default in Kubernetes v1.{}: the server must "
                       "have been started with {}",
                       kind_.name, release_, runtime_config(version_)),
                is_best ? std::string() : write_words());
  }

  Field field_;
  const api::KindInfo& kind_;
  std::string_view version_;
  const std::vector<std::string>& served_;  // empty: not known
  int release_;
  std::optional<api::VersionHistory> history_;
  std::vector<std::string_view> possible_;  // of the kind, in that server; the best first
};

}  // namespace

void lint_version(const Field& object, const api::KindInfo& kind, std::string_view version,
                  const snapshot::Server& server) {
  VersionLint(object, kind, version, server).check();
}

}  // namespace dra::checks
