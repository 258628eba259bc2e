// include/dra/diag/severity.h
//
// Severity of a problem of a cluster or of a manifest.

#pragma once

#include <string_view>

namespace dra::diag {

enum class Severity {
  // Cluster: a pod gets no devices, loses them, or shares devices that cannot be shared. Manifest:
  // the API server refuses it.
  Error,
  // Cluster: some devices cannot be used, or something is stuck. Manifest: the API server accepts
  // it, and it causes trouble.
  Warning,
  // Worth knowing; may be intended.
  Hint,
};
std::string_view name_of(Severity severity);  // "error", as in reports

}  // namespace dra::diag
