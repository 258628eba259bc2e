// cmd/nouns.cpp: the table of nouns, and the parser of words such as KIND, KIND/NAME and
// PLURAL.VERSION.GROUP.

#include "cmd/nouns.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

const std::array<NounInfo, 10>& nouns() {
  static const std::array<NounInfo, 10> table{{
      {Noun::Claims, "claims", "claim", {"resourceclaim", "resourceclaims"}, api::Kind::Claim},
      {Noun::Classes, "classes", "class", {"deviceclass", "deviceclasses"}, api::Kind::Class},
      {Noun::Devices, "devices", "device", {"dev"}, std::nullopt},
      {Noun::Drivers, "drivers", "driver", {}, std::nullopt},
      {Noun::Nodes, "nodes", "node", {"no"}, api::Kind::Node},
      {Noun::Pods, "pods", "pod", {"po"}, api::Kind::Pod},
      {Noun::Pools, "pools", "pool", {}, std::nullopt},
      {Noun::Slices, "slices", "slice", {"resourceslice", "resourceslices"}, api::Kind::Slice},
      {Noun::TaintRules,
       "taintrules",
       "taintrule",
       {"devicetaintrule", "devicetaintrules"},
       api::Kind::TaintRule},
      {Noun::Templates,
       "templates",
       "template",
       {"resourceclaimtemplate", "resourceclaimtemplates"},
       api::Kind::Template},
  }};
  return table;
}

// Sets `bare` to "resourceclaims" for "resourceclaims.v1.resource.k8s.io", if group and version are
// the noun's; to the word itself if it has no dot.
bool is_qualified(const NounInfo& noun, std::string_view word, std::string_view& bare) {
  const std::size_t dot = word.find('.');
  bare = word.substr(0, dot);
  if (dot == std::string_view::npos) return true;
  if (!noun.kind) return false;
  const api::KindInfo& kind = api::info_of(*noun.kind);
  const std::string_view rest = word.substr(dot + 1);
  if (!kind.group.empty() && rest == kind.group) return true;
  return std::ranges::any_of(kind.versions, [&](std::string_view version) {
    return !version.empty() && rest == base::format("{}.{}", version, kind.group);
  });
}

bool is_word_of(const NounInfo& noun, std::string_view word) {
  std::string_view bare;
  if (!is_qualified(noun, word, bare)) return false;
  return bare == noun.plural || bare == noun.singular ||
         std::ranges::find(noun.aliases, bare) != noun.aliases.end();
}

Error unknown_noun(std::string_view word, std::string_view verb) {
  std::vector<std::string_view> words;
  std::vector<std::string> singulars;
  for (const NounInfo& noun : nouns()) {
    words.insert(words.end(), {noun.plural, noun.singular});
    words.insert(words.end(), noun.aliases.begin(), noun.aliases.end());
    singulars.emplace_back(noun.singular);
  }
  // A word of one or two letters is similar to every short one.
  constexpr std::size_t shortest = 3;
  const std::string_view nearest =
      word.size() < shortest ? std::string_view() : base::nearest(word, words);
  return {ErrorKind::BadInput, base::format("{}: there is no kind \"{}\"", verb, word),
          nearest.empty() ? "the kinds are " + base::join(singulars, ", ")
                          : base::format("did you mean {}?", nearest)};
}

void add_to(std::vector<ListTarget>& targets, const NounInfo& noun, std::string_view word,
            std::string name) {
  const std::string version = version_in(noun, word);
  const bool goes_on =
      !targets.empty() && targets.back().noun == noun.noun && targets.back().version == version;
  if (!goes_on) targets.push_back({noun.noun, version});
  targets.back().names.push_back(std::move(name));
}

Error not_kind_and_name(std::string_view word) {
  return {ErrorKind::BadInput, base::format("get: \"{}\" is not of the form KIND/NAME", word),
          "`get KIND NAME ...` and `get KIND/NAME ...` cannot be mixed"};
}

Result<const NounInfo*> noun_of(std::string_view word, std::string_view verb) {
  const NounInfo* noun = find_noun(word);
  if (noun == nullptr) return unknown_noun(word, verb);
  return noun;
}

}  // namespace

std::span<const NounInfo> all_nouns() { return nouns(); }

const NounInfo& info_of(Noun noun) { return nouns()[static_cast<std::size_t>(noun)]; }

const NounInfo* find_noun(std::string_view word) {
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = std::ranges::find_if(
      nouns(), [&lower](const NounInfo& noun) { return is_word_of(noun, lower); });
  return found == nouns().end() ? nullptr : &*found;
}

std::string version_in(const NounInfo& noun, std::string_view word) {
  if (!noun.kind || !api::info_of(*noun.kind).is_dra()) return {};
  const std::vector<std::string_view> parts = base::split(word, '.');
  // PLURAL.VERSION.GROUP has one part more than PLURAL.GROUP.
  const auto& group = api::info_of(*noun.kind).group;
  const auto group_parts = base::split(group, '.').size();
  return parts.size() == group_parts + 2 ? base::lower(parts[1]) : std::string();
}

std::vector<std::string_view> aliases_of(Noun noun) {
  const NounInfo& info = info_of(noun);
  std::vector<std::string_view> aliases = info.aliases;
  aliases.push_back(info.singular);
  std::ranges::sort(aliases);
  return aliases;
}

// A kind can be read in one version only.
Result<Done> check_versions(const std::vector<ListTarget>& targets) {
  for (const ListTarget& target : targets) {
    const auto other = std::ranges::find_if(targets, [&target](const ListTarget& candidate) {
      return candidate.noun == target.noun && candidate.version != target.version;
    });
    if (other == targets.end()) continue;
    return Error{ErrorKind::BadInput,
                 base::format("get: {} are asked for in two versions", info_of(target.noun).plural),
                 "one version at a time"};
  }
  return Done{};
}

Result<std::vector<ListTarget>> read_list_targets(const std::vector<std::string>& words) {
  DRA_CHECK(!words.empty());
  std::vector<ListTarget> targets;
  const bool by_names = words.front().find('/') != std::string::npos;
  if (by_names) {
    for (const std::string& word : words) {
      const std::size_t slash = word.find('/');
      if (slash == std::string::npos || slash + 1 == word.size()) return not_kind_and_name(word);
      const std::string kind = word.substr(0, slash);
      const NounInfo* noun = DRA_TRY(noun_of(kind, "get"));
      add_to(targets, *noun, kind, word.substr(slash + 1));
    }
    DRA_TRY(check_versions(targets));
    return targets;
  }
  for (const std::string_view word : base::split(words.front(), ',')) {
    const NounInfo* noun = DRA_TRY(noun_of(word, "get"));
    const bool known = std::ranges::find(targets, noun->noun, &ListTarget::noun) != targets.end();
    if (known) continue;
    targets.push_back({noun->noun, version_in(*noun, word)});
    targets.back().names.assign(words.begin() + 1, words.end());
  }
  return targets;
}

Result<Subjects> read_subjects(const std::vector<std::string>& words, std::string_view verb) {
  DRA_CHECK(!words.empty());
  const std::string& first = words.front();
  const NounInfo* noun = DRA_TRY(noun_of(first.substr(0, first.find('/')), verb));
  Subjects subjects{.noun = noun->noun, .names = {}};
  if (first.find('/') == std::string::npos) {
    subjects.names.assign(words.begin() + 1, words.end());
    return subjects;
  }
  for (const std::string& word : words) {
    const std::size_t slash = word.find('/');
    const NounInfo* other = slash == std::string::npos ? nullptr : find_noun(word.substr(0, slash));
    if (other == noun && slash + 1 == word.size())
      return Error{ErrorKind::BadInput,
                   base::format("{}: \"{}\" names no {}", verb, word, noun->singular),
                   base::format("write the name behind the slash: {}/NAME", noun->singular)};
    if (other != noun) {
      return Error{ErrorKind::BadInput,
                   base::format("{}: \"{}\" is not of the form {}/NAME, as the first name is", verb,
                                word, noun->singular),
                   "one kind at a time"};
    }
    subjects.names.push_back(word.substr(slash + 1));
  }
  return subjects;
}

}  // namespace dra::cmd
