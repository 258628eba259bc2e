// src/report/topology_marks.cpp: see topology_marks.h.

#include "src/report/topology_marks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dra/base/text.h"
#include "dra/engine/device_attribute.h"
#include "dra/engine/taints.h"
#include "src/report/device_words.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

using engine::DeviceState;
using topology::CellState;
using view::Tone;

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr char kNoLetter = '*';        // there are more claims than letters
constexpr std::size_t kMaxClaims = 8;  // in a legend that is not wide

struct Meaning {
  char mark;
  std::string_view words;
};
constexpr std::array kMeanings = {Meaning{'.', "free"},
                                  Meaning{'+', "shared, with room for more"},
                                  Meaning{'-', "free, but what it shares with others is taken"},
                                  Meaning{'x', "tainted"},
                                  Meaning{'#', "cannot be used"},
                                  Meaning{'!', "chip is gone"},
                                  Meaning{'?', "host is gone, or it is not known"},
                                  Meaning{kNoLetter, "held by claims beyond the letters"}};

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

view::Place mark(char letter, Tone tone) {
  return {.mark = {std::string(1, letter), tone}, .about = {}};
}

void add_fact(view::Place& place, std::string name, std::string value) {
  if (!value.empty()) place.facts.push_back({std::move(name), {span(std::move(value))}});
}

// "x1 y0", "x1 y0 z3"
std::string words_of(const topology::ChipGrid& grid, const topology::Coord& at) {
  const std::string plane = base::format("{}{} {}{}", grid.axes[0], at.x, grid.axes[1], at.y);
  return grid.shape.dimensions > 2 ? base::format("{} {}{}", plane, grid.axes[2], at.z) : plane;
}

}  // namespace

void Marks::describe(const engine::InventoryDevice& device, view::Place& place) const {
  if (!details_) return;
  const std::string id = engine::to_string(device.published.id());
  const std::string claims = base::join(claims_of(device), ", ");
  place.about = base::format("{}: {}", id, name_of(device.state));
  if (!claims.empty()) place.about += base::format(", claim {}", claims);
  add_fact(place, "device", id);
  add_fact(place, "state", std::string(name_of(device.state)));
  add_fact(place, "claim", claims);
  add_fact(place, "pod", base::join(users_of(device), ", "));
  add_fact(place, "node", where_of(device));
  std::vector<std::string> taints;
  for (const engine::DeviceTaintOf& taint : all_taints_of(scene_, device))
    taints.push_back(
        engine::describe_taint(taint.taint->key, taint.taint->value, taint.taint->effect));
  add_fact(place, "taints", base::join(taints, ", "));
  for (const auto& [key, value] : device.published.device->attributes)
    add_fact(place, std::string(key), engine::attribute_text(value));
}

view::Place Marks::held(const engine::InventoryDevice& device) {
  const auto taker = std::ranges::find_if(
      device.holders, [](const engine::Holding& holding) { return !holding.admin(); });
  if (taker == device.holders.end()) return mark('?', Tone::Dim);
  const api::ResourceClaim& claim = *taker->claim;
  const auto [letter, is_new] = letters_.try_emplace(
      &claim, told_.size() < kLetters.size() ? kLetters[told_.size()] : kNoLetter);
  if (is_new && letter->second != kNoLetter) told_.push_back(&claim);
  if (letter->second == kNoLetter) used_.insert(kNoLetter);
  const bool reserved = !claim.status.reserved_for.empty();
  view::Place place = mark(reserved ? letter->second : lower(letter->second), Tone::Strong);
  if (letter->second != kNoLetter) place.group = static_cast<int>(kLetters.find(letter->second));
  return place;
}

view::Place Marks::marked(const engine::InventoryDevice& device) {
  admin_ = admin_ || std::ranges::any_of(device.holders, [](const engine::Holding& holding) {
             return holding.admin();
           });
  switch (device.state) {
    case DeviceState::Free:
      used_.insert('.');
      return mark('.', Tone::Good);
    case DeviceState::Shared: {
      used_.insert('+');
      view::Place place = held(device);
      place.mark.text += '+';
      return place;
    }
    case DeviceState::Allocated:
      return held(device);
    case DeviceState::Tainted:
      used_.insert('x');
      for (const engine::DeviceTaintOf& taint : device.taints)
        taints_.insert(std::string(taint.taint->key));
      return mark('x', Tone::Warn);
    case DeviceState::Unusable:
      used_.insert('#');
      return mark('#', Tone::Warn);
    case DeviceState::Unknown:
      used_.insert('?');
      return mark('?', Tone::Dim);
  }
  return {};
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
  if (is_asked(device)) point_at(place);
  return place;
}

view::Place Marks::without_room(const engine::InventoryDevice& device) {
  used_.insert('-');
  view::Place place = mark('-', Tone::Dim);
  describe(device, place);
  if (is_asked(device)) point_at(place);
  return place;
}

view::Place Marks::part(std::string_view name, std::optional<bool> left) {
  view::Place place = mark('?', Tone::Dim);
  std::string_view words = "who has it is not known";
  if (left) {
    place = *left ? mark('.', Tone::Good) : mark('#', Tone::Warn);
    words = *left ? "free" : "nothing is left of it";
  }
  used_.insert(place.mark.text.front());
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
    const char letter = cell.state == CellState::HostMissing ? '?' : '!';
    used_.insert(letter);
    place = mark(letter, Tone::Bad);
    place.about = cell.state == CellState::HostMissing ? "the host is gone" : "the chip is gone";
    add_fact(place, "chip", cell.chip);
    add_fact(place, "node", std::string(host.node));
    add_fact(place, "why", host.why);
    if (asked_.has(host)) point_at(place);
  }
  if (!details_) return place;
  const topology::Coord at = grid.shape.at(static_cast<std::int64_t>(number));
  const std::string where =
      grid.placement == topology::Placement::Assumed ? "assumed place" : words_of(grid, at);
  place.about = base::format("{}, {}", where, place.about);
  place.facts.insert(place.facts.begin(), {"place", {span(where)}});
  return place;
}

view::Place Marks::of_host(const topology::GridHost& host, std::optional<std::int64_t> free,
                           bool asked) {
  view::Place place;
  switch (host.state) {
    case topology::HostState::Lost:
    case topology::HostState::Absent:
      place = mark('?', Tone::Bad);
      break;
    case topology::HostState::Degraded:
      place = mark('!', Tone::Bad);
      break;
    case topology::HostState::Whole:
      place = mark('?', Tone::Dim);
      if (free) place.mark = {std::to_string(*free), *free == 0 ? Tone::Strong : Tone::Good};
      break;
  }
  if (details_) {
    const std::string who = host.node.empty() ? "no node" : std::string(host.node);
    const std::string use = free ? base::format("{} of {} chips", *free, host.chips)
                                 : base::format("not known of {} chips", host.chips);
    place.about = free ? base::format("{}: {} free", who, use)
                       : base::format("{}: who has its chips is not known", who);
    if (!host.why.empty()) place.about += ", " + host.why;
    add_fact(place, "node", who);
    if (host.worker) add_fact(place, "worker", std::to_string(*host.worker));
    add_fact(place, "free", use);
    add_fact(place, "why", host.why);
  }
  if (asked || asked_.has(host)) point_at(place);
  return place;
}

void Marks::add_legend(view::Document& document, bool wide) {
  const std::size_t most = wide ? told_.size() : std::min(told_.size(), kMaxClaims);
  for (std::size_t i = 0; i < most; ++i) {
    const api::ResourceClaim& claim = *told_[i];
    const bool reserved = !claim.status.reserved_for.empty();
    const char letter = letters_.at(&claim);
    const std::string users =
        reserved ? base::format("  {}", consumers_of(claim, 2)) : "  no pod has reserved it";
    document.add(view::Paragraph{
        .spans = {span(std::string(1, reserved ? letter : lower(letter)), Tone::Strong),
                  span(base::format("  {}/{}{}", claim.meta.namespace_, claim.meta.name, users))},
        .indent = 2,
        .hang = 3});
  }
  if (most < told_.size())
    document.add(view::Paragraph{
        .spans = {span(base::format("and {} more claims: -o wide", told_.size() - most),
                       Tone::Dim)},
        .indent = 2});
  std::vector<std::string> others;
  for (const Meaning& meaning : kMeanings) {
    if (!used_.contains(meaning.mark)) continue;
    const bool named = meaning.mark == 'x' && !taints_.empty();
    const std::vector<std::string> keys(taints_.begin(), taints_.end());
    others.push_back(base::format("{} {}{}", meaning.mark, meaning.words,
                                  named ? ": " + base::join_first(keys, 3) : ""));
  }
  if (admin_) others.emplace_back("admin access takes nothing");
  if (tells_asked_) others.emplace_back("[ ] asked for");
  if (!others.empty())
    document.add(
        view::Paragraph{.spans = {span(base::join(others, "   "), Tone::Dim)}, .indent = 2});
  letters_.clear();
  told_.clear();
  used_.clear();
  taints_.clear();
  admin_ = false;
  tells_asked_ = false;
}

}  // namespace dra::report
