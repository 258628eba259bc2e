// src/report/topology_marks.cpp: see topology_marks.h.

#include "src/report/topology_marks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dra/base/text.h"
#include "dra/engine/taints.h"
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
                                  Meaning{'x', "tainted"},
                                  Meaning{'#', "in a pool that cannot be used"},
                                  Meaning{'!', "chip is gone"},
                                  Meaning{'?', "host is gone, or it is not known"},
                                  Meaning{kNoLetter, "held by claims beyond the letters"}};

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

view::Span mark(char letter, Tone tone) { return {std::string(1, letter), tone}; }

}  // namespace

view::Span Marks::held(const engine::InventoryDevice& device) {
  const auto taker = std::ranges::find_if(
      device.holders, [](const engine::Holding& holding) { return !holding.admin(); });
  if (taker == device.holders.end()) return mark('?', Tone::Dim);
  const api::ResourceClaim& claim = *taker->claim;
  const auto [letter, is_new] = letters_.try_emplace(
      &claim, told_.size() < kLetters.size() ? kLetters[told_.size()] : kNoLetter);
  if (is_new && letter->second != kNoLetter) told_.push_back(&claim);
  if (letter->second == kNoLetter) used_.insert(kNoLetter);
  const bool reserved = !claim.status.reserved_for.empty();
  return mark(reserved ? letter->second : lower(letter->second), Tone::Strong);
}

view::Span Marks::of(const engine::InventoryDevice& device) {
  admin_ = admin_ || std::ranges::any_of(device.holders, [](const engine::Holding& holding) {
             return holding.admin();
           });
  switch (device.state) {
    case DeviceState::Free:
      used_.insert('.');
      return mark('.', Tone::Good);
    case DeviceState::Shared:
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

view::Span Marks::of(const topology::GridCell& cell) {
  if (cell.device) return of(scene_.inventory.devices()[*cell.device]);
  const char letter = cell.state == CellState::HostMissing ? '?' : '!';
  used_.insert(letter);
  return mark(letter, Tone::Bad);
}

view::Span Marks::of_host(const topology::TpuGrid& grid, std::size_t host, std::int64_t free) {
  switch (grid.hosts[host].state) {
    case topology::HostState::Lost:
    case topology::HostState::Absent:
      return mark('?', Tone::Bad);
    case topology::HostState::Degraded:
      return mark('!', Tone::Bad);
    case topology::HostState::Whole:
      break;
  }
  return {std::to_string(free), free == 0 ? Tone::Strong : Tone::Good};
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
  if (!others.empty())
    document.add(
        view::Paragraph{.spans = {span(base::join(others, "   "), Tone::Dim)}, .indent = 2});
  letters_.clear();
  told_.clear();
  used_.clear();
  taints_.clear();
  admin_ = false;
}

}  // namespace dra::report
