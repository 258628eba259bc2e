// src/checks/lint/version_lint.h: versions of the DRA API that a server does not have, or soon will
// not have.

#pragma once

#include <string_view>

#include "dra/api/kinds.h"
#include "dra/checks/fields/field.h"
#include "dra/snapshot/snapshot.h"

namespace dra::checks {

void lint_version(const Field& object, const api::KindInfo& kind, std::string_view version,
                  const snapshot::Server& server);

}  // namespace dra::checks
