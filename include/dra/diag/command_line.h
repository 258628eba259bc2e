// include/dra/diag/command_line.h
//
// A command line for the user to paste. All proposed commands are built here: words come from this
// program, names come from the cluster and are quoted for a shell. A name that begins with a dash
// would be read as a flag: it stands behind "--" at the end of the line, a value is joined to its
// flag by "=".

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/subject.h"

namespace dra::diag {

class CommandLine {
 public:
  explicit CommandLine(std::string_view line) { words(line); }

  // Written by this program, or a line that was built here; empty: no word.
  CommandLine& words(std::string_view words);
  CommandLine& name(std::string_view name);
  CommandLine& in(std::string_view ns);  // "-n NS"; nothing without a namespace
  CommandLine& option(std::string_view flag, std::string_view value);  // "--driver", "X"
  // Flags that every proposed command needs to ask about the same state, each with a leading space:
  // " --demo".
  CommandLine& flags(std::string_view flags);

  std::string text() const;

 private:
  void add(std::string& to, std::string_view words);

  std::string text_;
  std::string behind_;  // "--": the arguments from the first that begins with a dash
};

// A finished line with more flags, each with a leading space.
std::string with_flags(std::string_view line, std::string_view flags);

// A line of a shell in which each command of kubectl has these flags, each with a leading space:
// "kubectl get pod p -o json | kubectl replace -f -". Those of `kubectl dra`, and those that have
// flags of the cluster already, stay as they are.
std::string at_cluster(std::string_view line, std::string_view flags);

// Shows when kube-controller-manager last renewed its lease.
inline constexpr std::string_view kControllerLease =
    "kubectl get lease kube-controller-manager -n kube-system -o yaml";

CommandLine kubectl(std::string_view words);      // "kubectl describe pod"
CommandLine kubectl_dra(std::string_view words);  // "kubectl dra describe claim"

// Creates an object from its JSON, which has no name that JSON would have to escape.
std::string create_command(std::string_view object);  // "echo '{...}' | kubectl create -f -"

// Deletes pods of a namespace that no controller makes again, and saves them first in a file (see
// saved_file), from which `kubectl create -f` makes pods like them that any node may have: "kubectl
// get pod a -o json | ... > a.json && kubectl delete pod a". They must have nodes.
std::string save_and_delete_command(const std::vector<std::string>& pods, std::string_view ns);
std::string saved_file(const std::vector<std::string>& pods);  // "a.json"

// Replaces an object that cannot be edited: it is read, kept in a file (see replaced_file), changed
// by a JSON patch (empty: not changed), deleted and created. `resource` comes from this program.
std::string replace_command(std::string_view resource, std::string_view name, std::string_view ns,
                            std::string_view patch = {});
std::string replaced_file(std::string_view resource, std::string_view name);  // "pod-a.json"

// The arguments of `kubectl dra` for a question about a subject: "describe claim NAME -n
// NAMESPACE". `verb` and `noun` come from this program.
std::string command_for(std::string_view verb, std::string_view noun, const SubjectName& subject);

}  // namespace dra::diag
