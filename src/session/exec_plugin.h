// src/session/exec_plugin.h
//
// Credentials from a program that a kubeconfig names (users[].user.exec), as clouds use it. It runs
// when credentials are needed, and again when they have expired or the server refused them. Its
// request and answer are in exec_credential.h; kuberc.h decides if it may run at all.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dra/base/result.h"
#include "dra/session/authenticator.h"
#include "dra/session/http.h"
#include "dra/session/kubeconfig.h"
#include "src/session/exec_credential.h"
#include "src/session/kubeconfig_file.h"

namespace dra::session {

// The program's use of our standard input.
enum class InteractiveMode : std::uint8_t { Never, IfAvailable, Always };

struct ExecPlan {
  std::string place = {};  // `kubeconfig F: line N`, for messages
  std::string api_version = {};
  std::string command = {};  // a name to look for in PATH, or a clean absolute path
  std::vector<std::string> args = {};
  std::vector<std::pair<std::string, std::string>> env = {};  // added to the environment
  InteractiveMode mode = InteractiveMode::Never;
  std::string install_hint = {};
  std::optional<ExecCluster> cluster = {};
  std::string kuberc = {};  // --kuberc
  // The time that it has; a person who is asked has at least kLongestRequest.
  base::Duration within = kLongestRequest;
};

// Checks the kubeconfig's entry for the program, as clientcmd's validateAuthInfo does; nothing is
// searched or run. The cluster is left out.
Result<ExecPlan> plan_exec(const UserEntry& user);

std::shared_ptr<Authenticator> make_exec_plugin(ExecPlan plan, const Environment& environment,
                                                Log log);

}  // namespace dra::session
