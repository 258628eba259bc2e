// src/checks/manifest/former_fields.cpp: see former_fields.h.

#include "src/checks/manifest/former_fields.h"

#include <algorithm>
#include <string>

#include "dra/api/kinds.h"
#include "dra/api/taint_rule_versions.h"
#include "dra/base/text.h"
#include "dra/engine/facts/features.h"

namespace dra::checks {

void drop_former_fields(const json::Value& rule, const snapshot::Server& server,
                        std::vector<ManifestFinding>& findings) {
  const json::Value* version = rule.find("apiVersion");
  if (version == nullptr || api::version_of(version->text()) != api::kClassSelectorVersion ||
      engine::minor_release(server) > api::kLastClassSelectorRelease)
    return;
  std::erase_if(findings, [](const ManifestFinding& finding) {
    return std::ranges::any_of(api::kClassSelectorFields, [&finding](std::string_view field) {
      return finding.path == base::format("spec.deviceSelector.{}", field);
    });
  });
}

}  // namespace dra::checks
