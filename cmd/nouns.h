// cmd/nouns.h
//
// The kinds of objects that commands are about, and every word that a user may write for one: this
// program's ("claims") and kubectl's ("resourceclaim", "resourceclaims.resource.k8s.io",
// "resourceclaims.v1.resource.k8s.io"), in upper or lower case. Commands take their aliases from
// this table.

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
  std::optional<api::Kind> kind;          // none for drivers, pools and devices
};

std::span<const NounInfo> all_nouns();  // in the order of the enumeration
const NounInfo& info_of(Noun noun);

// Finds a noun by any of its words; else nullptr.
const NounInfo* find_noun(std::string_view word);

// The version in a word: "v1beta1" of "resourceclaims.v1beta1.resource.k8s.io". Empty if the word
// has none, as all words of the core group.
std::string version_in(const NounInfo& noun, std::string_view word);

// Every word for a noun except its plural, sorted: the aliases of the command that lists it.
std::vector<std::string_view> aliases_of(Noun noun);

// The words after a verb: a noun and names, as `claim a b` or `claim/a claim/b`.
struct Subjects {
  Noun noun;
  std::vector<std::string> names;  // may be empty
};
// `verb` is for messages. Fails with BadInput for unknown words and for several kinds.
Result<Subjects> read_subjects(const std::vector<std::string>& words, std::string_view verb);

// The objects of one kind that a list prints.
struct ListTarget {
  Noun noun;
  std::string version = {};             // of the API, if the word has one
  std::vector<std::string> names = {};  // empty: all objects
  std::string namespace_ = {};          // of the objects, if they say one
};
// Parses the words after `get`: `claims,pods`, `claims,pods NAME`, `claim/a pod/b`. Kinds keep
// their order. Upstream: k8s.io/cli-runtime/pkg/resource,
// Builder.ResourceTypeOrNameArgs. Fails with BadInput.
Result<std::vector<ListTarget>> read_list_targets(const std::vector<std::string>& words);

// BadInput where a kind is asked for in two versions.
Result<Done> check_versions(const std::vector<ListTarget>& targets);

}  // namespace dra::cmd
