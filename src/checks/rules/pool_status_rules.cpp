// src/checks/rules/pool_status_rules.cpp: the rules of ResourcePoolStatusRequest, all but one of
// them declarative. Upstream: k8s.io/kubernetes/pkg/apis/resource/validation,
// ValidateResourcePoolStatusRequest; k8s.io/api/resource/v1alpha3, ResourcePoolStatusRequestSpec.

#include "dra/base/text.h"
#include "dra/checks/rules/rules.h"
#include "src/checks/rules/names.h"

namespace dra::checks {
namespace {

constexpr std::int64_t kMaxLimit = 1000;

}  // namespace

void check_pool_status_request(const Field& request) {
  check_metadata(request.child("metadata"), {});
  const Field spec = request.child("spec");
  check_driver_name(spec.child("driver"), Rule::Generated);
  const Field pool = spec.child("poolName");
  if (pool.is_text()) check_pool_name(pool, Rule::Generated);
  const Field limit = spec.child("limit");
  const auto number = limit.integer();
  if (number && (*number < 1 || *number > kMaxLimit))
    limit.error(ErrorType::Invalid, base::format("must be from 1 to {}", kMaxLimit),
                Rule::Generated);
}

}  // namespace dra::checks
