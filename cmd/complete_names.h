// cmd/complete_names.h: names of objects for completion, from wherever the flags on the line say.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/nouns.h"
#include "dra/base/function_ref.h"

namespace dra::cmd {

struct Choice {
  std::string value;
  std::string description = {};
  std::string brief = {};  // of devices and pools: a name that others may have, too
};

// What cannot be read in time has no names.
class CompletionNames {
 public:
  CompletionNames(const Console& console, GlobalFlags globals);

  // What may stand where a name of the noun is wanted, of which `typed` is there.
  std::vector<Choice> of(Noun noun, std::string_view typed) const;
  std::vector<Choice> of(api::Kind workload) const { return objects(workload); }
  // --pool takes the name alone.
  std::vector<Choice> pool_names() const;
  std::vector<Choice> node_pools() const;
  std::vector<Choice> namespaces() const;

 private:
  std::optional<snapshot::Snapshot> load(std::span<const snapshot::Need> needs) const;
  std::vector<Choice> objects(api::Kind kind) const;
  std::vector<Choice> pods() const;
  std::vector<Choice> of_slices(
      base::FunctionRef<void(const api::ResourceSlice&, std::vector<Choice>&)> add) const;
  std::string current_namespace() const;

  GlobalFlags globals_;
  snapshot::Source source_;
};

}  // namespace dra::cmd
