// include/dra/diag/command_line.h
//
// A command line for the user to paste. All that the program proposes are built here: words are
// ours, names come from the cluster and are quoted for a shell.

#pragma once

#include <string>
#include <string_view>

#include "dra/diag/subject.h"

namespace dra::diag {

class CommandLine {
 public:
  explicit CommandLine(std::string_view words) : text_(words) {}

  CommandLine& words(std::string_view words);  // ours, or quoted already; none if empty
  CommandLine& name(std::string_view name);
  CommandLine& in(std::string_view ns);  // "-n NS"; nothing without a namespace
  CommandLine& option(std::string_view flag, std::string_view value);  // "--driver", "X"
  // " --demo": what every further command needs to ask about the same state; each with its space.
  CommandLine& flags(std::string_view flags);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Shows when kube-controller-manager was heard of last.
inline constexpr std::string_view kControllerLease =
    "kubectl get lease kube-controller-manager -n kube-system -o yaml";

CommandLine kubectl(std::string_view words);      // "kubectl describe pod"
CommandLine kubectl_dra(std::string_view words);  // "kubectl dra describe claim"

// What stands after `kubectl dra` to ask about a subject: "describe claim NAME -n NAMESPACE".
// `verb` and `noun` are ours.
std::string command_for(std::string_view verb, std::string_view noun, const SubjectName& subject);

}  // namespace dra::diag
