// cmd/name_hints.cpp: looks for similar names, the likeliest mistake first.

#include "cmd/name_hints.h"

#include <algorithm>
#include <set>

#include "cmd/nouns.h"
#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/snapshot/select.h"

namespace dra::cmd {
namespace {

constexpr std::size_t kMostNames = 3;  // that are suggested
// A word of one or two letters is similar to every short name.
constexpr std::size_t kShortest = 3;

std::vector<std::string> similar_names(const std::string& word,
                                       const std::vector<std::string>& names) {
  std::vector<std::string> near;
  if (word.size() < kShortest) return near;
  std::vector<std::string_view> left(names.begin(), names.end());
  while (near.size() < kMostNames) {
    const std::string_view nearest = base::nearest(word, left);
    if (nearest.empty()) break;
    near.emplace_back(nearest);
    std::erase(left, nearest);
  }
  return near;
}

std::string question(std::vector<std::string> names) {
  if (names.empty()) return {};
  const std::string last = names.back();
  names.pop_back();
  return base::format("did you mean {}{}{}?", base::join(names, ", "), names.empty() ? "" : " or ",
                      last);
}

template <class F>
void for_each_object(const snapshot::Snapshot& state, F use) {
  for (const api::KindInfo& kind : api::all_kinds()) {
    for (const snapshot::ObjectRef& object : snapshot::objects_of(state, kind.kind))
      use(object);
  }
}

// Of Namespace objects, and of what is in some.
std::set<std::string> namespaces_of(const snapshot::Snapshot& state) {
  std::set<std::string> names;
  for_each_object(state, [&names](const snapshot::ObjectRef& object) {
    if (!object.meta->namespace_.empty()) names.emplace(object.meta->namespace_);
  });
  for (const api::Namespace& one : state.all<api::Namespace>())
    names.emplace(one.meta.name);
  return names;
}

// Namespaces that Kubernetes creates itself always exist.
bool always_exists(std::string_view ns) { return ns == "default" || ns.starts_with("kube-"); }

// True if the state has all Namespace objects, or the one that was asked for. A file without any
// namespaced object cannot tell.
bool would_know(const snapshot::Snapshot& state, const std::set<std::string>& known) {
  if (state.coverage().saw(api::Kind::Namespace)) return !known.empty();
  return std::ranges::any_of(state.refusals(), [](const snapshot::Refusal& refusal) {
    return refusal.kind == api::Kind::Namespace && refusal.error.kind == ErrorKind::NotFound;
  });
}

// "claim": the word by which an object of the kind is named on the command line.
std::string word_for(api::Kind kind) {
  const auto nouns = all_nouns();
  const auto noun = std::ranges::find(nouns, std::optional(kind), &NounInfo::kind);
  return noun == nouns.end() ? base::lower(api::info_of(kind).name) : std::string(noun->singular);
}

// Kinds that users name; events, quotas and the like have names of their own.
bool is_named(api::Kind kind) {
  return std::ranges::find(all_nouns(), std::optional(kind), &NounInfo::kind) != all_nouns().end();
}

// Another kind of object has the very name. `kind` may be the namespaced one of both.
std::string other_kind(const snapshot::Snapshot& snapshot, api::Kind kind, const std::string& ns,
                       const std::string& name) {
  for (const api::KindInfo& other : api::all_kinds()) {
    if (other.kind == kind || !is_named(other.kind)) continue;
    for (const snapshot::ObjectRef& object : snapshot::objects_of(snapshot, other.kind)) {
      const bool here = !other.namespaced || ns.empty() || object.meta->namespace_ == ns;
      if (here && object.meta->name == name)
        return base::format("there is a {} of that name, but no {}", word_for(other.kind),
                            word_for(kind));
    }
  }
  return {};
}

// Similar names, each with the namespace that it is in.
std::string elsewhere(const std::vector<std::pair<std::string, std::string>>& places,
                      const std::string& name) {
  std::vector<std::string> names;
  names.reserve(places.size());
  for (const auto& [ns, one] : places)
    names.push_back(one);
  std::vector<std::string> near = similar_names(name, names);
  for (std::string& one : near) {
    const auto place = std::ranges::find(places, one, [](const auto& p) { return p.second; });
    one = base::format("{} in namespace {}", one, place->first);
  }
  return question(std::move(near));
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  return question(similar_names(word, names));
}

std::string near_object(const snapshot::Snapshot& snapshot, api::Kind kind, const std::string& ns,
                        const std::string& name) {
  std::vector<std::string> names;
  std::vector<std::string> namespaces;
  std::vector<std::pair<std::string, std::string>> others;
  for (const snapshot::ObjectRef& object : snapshot::objects_of(snapshot, kind)) {
    if (object.meta->name == name) {
      namespaces.emplace_back(object.meta->namespace_);
    } else if (object.meta->namespace_ == ns) {
      names.emplace_back(object.meta->name);
    } else {
      others.emplace_back(object.meta->namespace_, object.meta->name);
    }
  }
  if (namespaces.size() == 1)
    return base::format("it is in namespace {0}: -n {0}", base::shell_word(namespaces.front()));
  if (!namespaces.empty() && namespaces.size() <= kMostNames)
    return base::format("namespaces {} have one: -n names which", base::join(namespaces, ", "));
  if (std::string kinds = other_kind(snapshot, kind, ns, name); !kinds.empty()) return kinds;
  if (std::string near = did_you_mean(name, names); !near.empty()) return near;
  if (std::string near = near_namespace(snapshot, ns); !near.empty()) return near;
  return elsewhere(others, name);
}

std::string hint_about(const snapshot::Snapshot& snapshot, api::Kind kind, const std::string& ns,
                       const std::string& name) {
  std::string near = near_object(snapshot, kind, ns, name);
  if (!near.empty() || ns.empty()) return near;
  return base::format("looked in namespace {}; -n names another", ns);
}

std::string near_namespace(const snapshot::Snapshot& snapshot, const std::string& ns) {
  const std::set<std::string> known = namespaces_of(snapshot);
  if (ns.empty() || always_exists(ns) || known.contains(ns)) return {};
  return did_you_mean(ns, {known.begin(), known.end()});
}

Result<Done> check_namespace(std::string_view command, const std::string& ns,
                             const std::vector<const snapshot::Snapshot*>& states,
                             std::string_view otherwise) {
  if (ns.empty() || always_exists(ns)) return Done{};
  std::set<std::string> all;
  for (const snapshot::Snapshot* state : states) {
    const std::set<std::string> known = namespaces_of(*state);
    if (known.contains(ns) || !would_know(*state, known)) return Done{};
    all.insert(known.begin(), known.end());
  }
  const std::string near = did_you_mean(ns, {all.begin(), all.end()});
  return Error{ErrorKind::NotFound,
               base::format("{}: namespace {} does not exist, and no object is in it", command,
                            base::shell_word(ns)),
               near.empty() ? std::string(otherwise) : near};
}

}  // namespace dra::cmd
