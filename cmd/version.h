// cmd/version.h: the version of this program.

#pragma once

#include <string>

namespace dra::cmd {

std::string version();       // "v0.1.0"
std::string version_line();  // "kubectl-dra v0.1.0 (Kubernetes 1.34 to 1.37)"
std::string user_agent();    // "kubectl-dra/v0.1.0 (linux/amd64)", as kubectl writes it

}  // namespace dra::cmd
