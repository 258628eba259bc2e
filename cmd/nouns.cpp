// cmd/nouns.cpp: see nouns.h.

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

// "resourceclaims.v1.resource.k8s.io" -> "resourceclaims", if that is the noun's group and one of
// its versions; the word itself if it has no dot.
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
  const std::string_view nearest = base::nearest(word, words);
  return {ErrorKind::BadInput, base::format("{}: there is no kind \"{}\"", verb, word),
          nearest.empty() ? "the kinds are " + base::join(singulars, ", ")
                          : base::format("did you mean {}?", nearest)};
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
    if (other != noun || slash + 1 == word.size()) {
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
