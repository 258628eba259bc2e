// include/dra/diag/severity.h
//
// How bad something is that was found without being asked for: in a cluster, in a manifest.

#pragma once

#include <string_view>

namespace dra::diag {

enum class Severity {
  Error,    // of a cluster: somebody does not get devices, loses them, or shares what cannot be
            // shared; of a manifest: the API server refuses it
  Warning,  // devices are lost to everybody, something is stuck; or it is taken, and then trouble
  Hint,     // worth knowing; may be meant
};
std::string_view name_of(Severity severity);  // "error", as in reports

}  // namespace dra::diag
