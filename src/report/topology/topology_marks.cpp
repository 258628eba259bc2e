// src/report/topology/topology_marks.cpp: assigns letters to claims in the order of the drawing,
// chooses the sign of each device, and writes the legend of what it used.

#include "src/report/topology/topology_marks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/words.h"
#include "src/report/topology/topology_parts.h"

namespace dra::report {
namespace {

using engine::DeviceState;
using topology::CellState;
using view::Tone;

// Without U and X, whose small letters are signs: claims that no pod has reserved have small
// letters.
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTVWYZ0123456789";
constexpr char kNoLetter = '*';        // there are more claims than letters
constexpr char kTwiceMark = '%';       // held by claims that cannot share it
constexpr char kNotKnown = 'u';        // the holder is not known
constexpr char kWhichHost = 'h';       // the host at this place is not known: drawn as '?'
constexpr char kWhichChip = 'c';       // the chip at this place is not known: drawn as '?'
constexpr std::size_t kMaxClaims = 8;  // claims in a legend without -o wide
constexpr std::size_t kMaxShared = 4;  // lines about shared devices in such a legend

struct Meaning {
  char sign;
  char mark;
  std::string_view words;
};
constexpr std::array kMeanings = {
    Meaning{'.', '.', "free"},
    Meaning{'+', '+', "shared, with room for more"},
    Meaning{'&', '&', "held by several claims"},
    Meaning{kTwiceMark, kTwiceMark, "held twice: these claims cannot share it"},
    Meaning{'@', '@', "free, with admin access"},
    Meaning{'-', '-', "blocked: what it shares with others is taken"},
    Meaning{'x', 'x', "tainted"},
    Meaning{'#', '#', "unusable"},
    Meaning{'!', '!', "missing"},
    Meaning{'?', '?', "missing: its host is gone or publishes nothing"},
    Meaning{kWhichHost, '?', "which host this is is not known"},
    Meaning{kWhichChip, '?', "which chip this is is not known"},
    Meaning{kNotKnown, kNotKnown, "who is using it is not known"},
    Meaning{kNoLetter, kNoLetter, "held by claims beyond the letters"}};

// The mark of a place without a device.
struct Nothing {
  CellState state;
  char sign;
  char mark;
  Tone tone;
  std::string_view words;
};
constexpr std::array kNothing = {
    Nothing{CellState::Missing, '!', '!', Tone::Bad, "missing: the chip is gone"},
    Nothing{CellState::HostMissing, '?', '?', Tone::Bad, "missing: the host is gone"},
    Nothing{CellState::ChipNotKnown, kWhichChip, '?', Tone::Dim, "which chip this is is not known"},
    Nothing{CellState::HostNotKnown, kWhichHost, '?', Tone::Dim,
            "which host this is is not known"}};

const Nothing& nothing_at(CellState state) {
  const auto* found = std::ranges::find(kNothing, state, &Nothing::state);
  return found == kNothing.end() ? kNothing.front() : *found;
}

// The sign of a device's state.
struct Sign {
  char sign;  // 0: none
  Tone tone;
};
Sign sign_of(engine::DeviceState state, std::size_t takers) {
  switch (state) {
    case DeviceState::Free:
      return {'.', Tone::Good};
    case DeviceState::Shared:
      return {'+', Tone::Strong};
    case DeviceState::Allocated:
      return {takers > 1 ? '&' : '\0', Tone::Strong};
    case DeviceState::Blocked:
      return {'-', Tone::Dim};
    case DeviceState::Tainted:
      return {'x', Tone::Warn};
    case DeviceState::Unusable:
      return {'#', Tone::Warn};
    case DeviceState::Missing:
      return {'!', Tone::Bad};
    case DeviceState::Unknown:
      return {kNotKnown, Tone::Dim};
  }
  return {kNotKnown, Tone::Dim};
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// True for a taint that keeps claims without a toleration away.
bool keeps_away(const engine::InventoryDevice& device) {
  return std::ranges::any_of(device.taints, [](const engine::DeviceTaintOf& taint) {
    return taint.taint->keeps_pods_away();
  });
}

view::Place mark(char letter, Tone tone) {
  return {.mark = {std::string(1, letter), tone}, .about = {}};
}

// "x1 y0", "x1 y0 z3"
std::string place_words(const topology::ChipGrid& grid, const topology::Coord& at) {
  const std::string plane = base::format("{}{} {}{}", grid.axes[0], at.x, grid.axes[1], at.y);
  return grid.shape.dimensions > 2 ? base::format("{} {}{}", plane, grid.axes[2], at.z) : plane;
}

}  // namespace

void add_fact(view::Place& place, std::string name, std::string value) {
  if (!value.empty()) place.facts.push_back({std::move(name), {span(std::move(value))}});
}

void Marks::describe(const engine::InventoryDevice& device, view::Place& place) const {
  if (!details_) return;
  const std::string id = engine::to_string(device.published.id());
  const std::string claims = base::join(claims_of(device), ", ");
  const std::string state = base::format(
      "{}{}", words_of(device.state), engine::is_held_twice(device.holders) ? ", held twice" : "");
  place.about = base::format("{}: {}", id, state);
  if (!claims.empty()) place.about += base::format(", claim {}", claims);
  const std::string taints = base::join(taint_texts(scene_, device), ", ");
  if (!taints.empty()) place.about += base::format(", taints {}", taints);
  add_fact(place, "device", id);
  add_fact(place, "state", state);
  add_fact(place, "claim", claims);
  add_fact(place, "pod", base::join(users_of(device), ", "));
  add_fact(place, "node", where_of(device));
  add_fact(place, "taints", taints);
  for (const auto& [key, value] : device.published.device->attributes)
    add_fact(place, std::string(key), engine::attribute_text(value));
}

void Marks::note_admins(const engine::InventoryDevice& device) {
  for (const engine::Holding& holding : device.holders) {
    const api::ObjectMeta& meta = holding.claim->meta;
    if (holding.admin())
      admins_.emplace(!asked_.claims.contains(holding.claim),
                      base::format("{}/{}", meta.namespace_, meta.name));
  }
}

// Claims that hold the device or a part of it, each once; selected ones come first.
std::vector<const api::ResourceClaim*> Marks::takers_of(
    const engine::InventoryDevice& device) const {
  std::vector<const api::ResourceClaim*> takers;
  for (const engine::Holding& holding : device.holders)
    if (!holding.admin() &&
        (takers.empty() || takers.back() != holding.claim))  // holders are sorted by claim
      takers.push_back(holding.claim);
  std::stable_partition(takers.begin(), takers.end(),
                        [this](const auto* one) { return asked_.claims.contains(one); });
  return takers;
}

char Marks::letter_of(const api::ResourceClaim& claim) {
  const bool left = told_.size() < kLetters.size();
  const auto [letter, is_new] =
      letters_.try_emplace(&claim, left ? kLetters[told_.size()] : kNoLetter);
  if (is_new) (left ? told_ : beyond_).push_back(&claim);
  return letter->second;
}

// The claim's letter: small if no pod has reserved the claim.
char Marks::mark_of(const api::ResourceClaim& claim) {
  const char letter = letter_of(claim);
  return claim.status.reserved_for.empty() ? lower(letter) : letter;
}

view::Place Marks::held_by(const api::ResourceClaim& claim) {
  view::Place place = mark(mark_of(claim), Tone::Strong);
  const char letter = letter_of(claim);
  if (letter == kNoLetter)
    used_.insert(kNoLetter);
  else
    place.group = static_cast<int>(kLetters.find(letter));
  return place;
}

void Marks::note_together(const engine::InventoryDevice& device,
                          std::vector<const api::ResourceClaim*> claims) {
  const engine::Pool* pool = &scene_.inventory.pools()[device.pool];
  const bool twice = engine::is_held_twice(device.holders);
  const auto [at, is_new] = together_at_.try_emplace({pool, twice, claims}, together_.size());
  if (is_new) together_.push_back({std::move(claims), pool, twice, {}});
  together_[at->second].devices.push_back(device.published.device->name);
}

view::Place Marks::marked(const engine::InventoryDevice& device) {
  note_admins(device);
  std::vector<const api::ResourceClaim*> takers = takers_of(device);
  Sign sign = sign_of(device.state, takers.size());
  if (device.state == DeviceState::Allocated && takers.size() == 1 && keeps_away(device))
    sign = {'x', Tone::Warn};
  if (device.state == DeviceState::Free && !device.holders.empty()) sign.sign = '@';
  if (engine::is_held_twice(device.holders)) sign = {kTwiceMark, Tone::Bad};
  if (takers.empty() && sign.sign == 0) sign = {kNotKnown, Tone::Dim};
  if (sign.sign != 0) used_.insert(sign.sign);
  if (sign.sign == '#')
    pools_.insert(base::lower(name_of(scene_.inventory.pools()[device.pool].state)));
  if (sign.sign == 'x') {
    for (const engine::DeviceTaintOf& taint : device.taints)
      taints_.insert(std::string(taint.taint->key));
  }
  if (takers.empty()) return mark(sign.sign, sign.tone);
  view::Place place = held_by(*takers.front());
  place.mark.tone = sign.tone;
  if (sign.sign != 0) place.mark.text += sign.sign;
  if (takers.size() > 1) note_together(device, std::move(takers));
  return place;
}

bool Marks::is_asked(const engine::InventoryDevice& device) const {
  const auto number = static_cast<std::size_t>(&device - scene_.inventory.devices().data());
  return asked_.devices.contains(number);
}

void Marks::point_at(view::Place& place) {
  if (asked_.is_all) return;
  place.asked = true;
  tells_asked_ = true;
  if (!place.about.empty()) place.about += ", asked for";
}

view::Place Marks::of(const engine::InventoryDevice& device) {
  view::Place place = marked(device);
  describe(device, place);
  if (details_ && device.state == DeviceState::Blocked) {
    place.about += ": what it shares with others is taken";
    add_fact(place, "room", "what it shares with others is taken");
  }
  if (is_asked(device)) point_at(place);
  return place;
}

view::Place Marks::part(std::string_view name, std::optional<bool> left) {
  view::Place place = mark(kNotKnown, Tone::Dim);
  std::string_view words = "who is using it is not known";
  if (left) {
    place = *left ? mark('.', Tone::Good) : mark('-', Tone::Dim);
    words = *left ? "free" : "nothing is left of it";
  }
  used_.insert(left ? place.mark.text.front() : kNotKnown);
  if (!details_) return place;
  place.about = base::format("{}: {}", name, words);
  add_fact(place, "part", std::string(name));
  return place;
}

view::Place Marks::of(const topology::ChipGrid& grid, std::size_t number) {
  const topology::GridCell& cell = grid.cells[number];
  const topology::GridHost& host = grid.hosts[cell.host];
  view::Place place;
  if (cell.device) {
    place = of(scene_.inventory.devices()[*cell.device]);
  } else {
    const Nothing& nothing = nothing_at(cell.state);
    used_.insert(nothing.sign);
    place = mark(nothing.mark, nothing.tone);
    place.about = nothing.words;
    add_fact(place, "chip", cell.chip);
    add_fact(place, "node", std::string(host.node));
    add_fact(place, "why", host.why);
    if (asked_.has(host)) point_at(place);
  }
  if (!details_) return place;
  const topology::Coord at = grid.shape.at(static_cast<std::int64_t>(number));
  const std::string where =
      grid.placement == topology::Placement::Assumed ? "assumed place" : place_words(grid, at);
  place.about = base::format("{}, {}", where, place.about);
  place.facts.insert(place.facts.begin(), {"place", {span(where)}});
  return place;
}

void Marks::add_claim(const api::ResourceClaim& claim, view::Document& document) {
  const std::string users =
      claim.status.reserved_for.empty() ? "not reserved for any pod" : consumers_of(claim, 2);
  document.add(view::Paragraph{
      .spans = {span(std::string(1, mark_of(claim)), Tone::Strong),
                span(base::format("  {}/{}  {}", claim.meta.namespace_, claim.meta.name, users))},
      .indent = 2,
      .hang = 3});
}

// Lists the claims with a letter, and all selected ones.
void Marks::add_claims(view::Document& document, bool wide) {
  // Claims that only share devices get their letters last: claims with a place of their own come
  // first.
  for (const Together& one : together_) {
    for (const api::ResourceClaim* claim : one.claims)
      letter_of(*claim);
  }
  std::size_t shown = 0;
  std::size_t left = 0;
  const auto add = [&](const api::ResourceClaim* claim, bool folded) {
    if (folded && !asked_.claims.contains(claim)) {
      ++left;
      return;
    }
    add_claim(*claim, document);
    ++shown;
  };
  for (const api::ResourceClaim* claim : told_)
    add(claim, !wide && shown >= kMaxClaims);
  // In HTML and SVG the places name their claims.
  for (const api::ResourceClaim* claim : beyond_)
    add(claim, !wide || details_);
  if (left > 0 && !details_)
    document.add(view::Paragraph{
        .spans = {span(base::format("and {}: -o wide",
                                    base::plural(static_cast<std::int64_t>(left), "more claim")),
                       Tone::Dim)},
        .indent = 2});
}

std::string Marks::letter_or_name(const api::ResourceClaim& claim) {
  const char letter = mark_of(claim);
  if (letter != kNoLetter) return std::string(1, letter);
  return base::format("{}/{}", claim.meta.namespace_, claim.meta.name);
}

void Marks::add_together(view::Document& document, bool wide) {
  std::stable_partition(together_.begin(), together_.end(), [this](const Together& one) {
    return asked_.claims.contains(one.claims.front());
  });
  const std::size_t most = wide ? together_.size() : std::min(together_.size(), kMaxShared);
  for (std::size_t i = 0; i < most; ++i) {
    const Together& one = together_[i];
    std::string letters;
    const std::size_t few = wide ? one.claims.size() : std::min(one.claims.size(), kMaxClaims);
    for (std::size_t k = 0; k < few; ++k)
      letters += base::format("{}{}", k == 0 ? "" : " ", letter_or_name(*one.claims[k]));
    if (few < one.claims.size()) letters += base::format(" +{}", one.claims.size() - few);
    document.add(view::Paragraph{
        .spans = {span(letters, Tone::Strong),
                  span(base::format("  hold {} {} of {}/{}{}",
                                    one.devices.size() == 1 ? "device" : "devices",
                                    fold_names(one.devices), one.pool->driver, one.pool->name,
                                    one.twice ? ", which they cannot share" : " together"))},
        .indent = 2,
        .hang = 3});
  }
  std::size_t left = 0;
  for (std::size_t i = most; i < together_.size(); ++i)
    left += together_[i].devices.size();
  if (left > 0)
    document.add(view::Paragraph{
        .spans = {span(base::format("and {} that several claims hold: -o wide",
                                    base::plural(static_cast<std::int64_t>(left), "more device")),
                       Tone::Dim)},
        .indent = 2});
}

void Marks::add_signs(view::Document& document) {
  std::vector<std::string> signs;
  for (const Meaning& meaning : kMeanings) {
    if (!used_.contains(meaning.sign)) continue;
    const std::vector<std::string> keys(taints_.begin(), taints_.end());
    const std::vector<std::string> states(pools_.begin(), pools_.end());
    std::string why;
    if (meaning.sign == 'x' && !keys.empty()) why = ": " + base::join_first(keys, 3);
    if (meaning.sign == '#' && !states.empty())
      why = base::format(": the pool is {}", base::join(states, ", "));
    signs.push_back(base::format("{} {}{}", meaning.mark, meaning.words, why));
  }
  if (!admins_.empty()) {
    std::vector<std::string> claims;
    for (const auto& [other, name] : admins_)
      claims.push_back(name);
    signs.push_back(base::format("admin access takes nothing: {}", base::join_first(claims, 3)));
  }
  if (tells_asked_) signs.emplace_back("[ ] asked for");
  if (!signs.empty())
    document.add(
        view::Paragraph{.spans = {span(base::join(signs, "   "), Tone::Dim)}, .indent = 2});
}

void Marks::add_legend(view::Document& document, bool wide) {
  add_claims(document, wide);
  add_together(document, wide);
  add_signs(document);
  letters_.clear();
  told_.clear();
  beyond_.clear();
  together_.clear();
  together_at_.clear();
  used_.clear();
  taints_.clear();
  pools_.clear();
  admins_.clear();
  tells_asked_ = false;
}

}  // namespace dra::report
