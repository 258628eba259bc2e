// cmd/commands/file_targets.h
//
// What `get -f` asks for: the objects that manifests name, in their order. Only kind, version,
// namespace and name are read of them. Errors are kubectl's (k8s.io/cli-runtime/pkg/resource).

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "cmd/commands/list.h"
#include "cmd/nouns.h"

namespace dra::cmd {

struct FileFlags {
  std::vector<std::string> files;
  std::string kustomize;
  bool recursive = false;

  std::vector<Flag> flags();  // sorted by name
  bool given() const { return !files.empty() || !kustomize.empty(); }
};

struct FileTargets {
  std::vector<ListTarget> targets;  // none is of an unknown namespace
  NamedByFiles named;
};

// BadInput for files that cannot be read, for a kustomization, and where no object is of a kind
// that is listed. With `all_namespaces` an object must say its own.
Result<FileTargets> read_file_targets(const Context& context, const FileFlags& flags,
                                      bool all_namespaces);

}  // namespace dra::cmd
