// tests/support/pod_claims.h: how a pod refers to its claim, for tests of what to do about it.

#pragma once

namespace dra::support {

inline constexpr const char* kByName = "{name: gpu, resourceClaimName: c}";
inline constexpr const char* kByTemplate = "{name: gpu, resourceClaimTemplateName: t}";

}  // namespace dra::support
