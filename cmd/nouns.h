// cmd/nouns.h
//
// The kinds of things that commands are about, and every word that a user may say for one: ours
// ("claims"), kubectl's ("resourceclaim", "resourceclaims.resource.k8s.io",
// "resourceclaims.v1.resource.k8s.io"), in any case. One table; commands take their aliases from
// here.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/base/result.h"

namespace dra::cmd {

enum class Noun : std::uint8_t {
  Claims,
  Classes,
  Devices,
  Drivers,
  Nodes,
  Pods,
  Pools,
  Slices,
  TaintRules,
  Templates,
};

struct NounInfo {
  Noun noun;
  std::string_view plural;                // the name of the command that lists them: "claims"
  std::string_view singular;              // "claim"
  std::vector<std::string_view> aliases;  // the other words, sorted
  std::optional<api::Kind> kind;          // none for what the API has no object for
};

std::span<const NounInfo> all_nouns();  // in the order of the enumeration
const NounInfo& info_of(Noun noun);

// By any of its words; nullptr if there is none.
const NounInfo* find_noun(std::string_view word);

// The version that a word asks for: "v1beta1" of "resourceclaims.v1beta1.resource.k8s.io". Empty if
// it leaves the choice to us, as all words of the core group do.
std::string version_in(const NounInfo& noun, std::string_view word);

// Every word for a noun but its plural, sorted: the aliases of the command that lists them.
std::vector<std::string_view> aliases_of(Noun noun);

// What the words after a verb name: a noun and names, as `claim a b` or `claim/a claim/b`.
struct Subjects {
  Noun noun;
  std::vector<std::string> names;  // may be empty
};
// `verb` is for messages. Fails with BadInput for unknown words and for several kinds at once.
Result<Subjects> read_subjects(const std::vector<std::string>& words, std::string_view verb);

// Objects of one kind that stand together in the answer.
struct Group {
  Noun noun;
  std::string version = {};             // of the API, if it was said
  std::vector<std::string> names = {};  // none: all objects
};
// What the words after `get` name: `claims,pods`, `claims,pods NAME`, `claim/a pod/b`. Several
// kinds stand in the order in which they were named. Upstream: k8s.io/cli-runtime/pkg/resource,
// Builder.ResourceTypeOrNameArgs. Fails with BadInput.
Result<std::vector<Group>> read_groups(const std::vector<std::string>& words);

}  // namespace dra::cmd
