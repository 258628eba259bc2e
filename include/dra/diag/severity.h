// include/dra/diag/severity.h
//
// How bad a problem of a cluster or of a manifest is.

#pragma once

#include <string_view>

namespace dra::diag {

enum class Severity {
  Error,    // cluster: a pod does not get devices, loses them, or shares devices that cannot be
            // shared; manifest: the API server refuses it
  Warning,  // cluster: nobody can use some devices, or something is stuck; manifest: the server
            // takes it, and it causes trouble
  Hint,     // worth knowing; may be intended
};
std::string_view name_of(Severity severity);  // "error", as in reports

}  // namespace dra::diag
