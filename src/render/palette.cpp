// src/render/palette.cpp: see palette.h.

#include "src/render/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "dra/base/text.h"

namespace dra::render {
namespace {

using view::Tone;

// Of one tone: letters, and the square behind the mark of a place.
struct Shades {
  Tone tone;
  std::string_view name;
  std::string_view text[2];  // light, dark
  std::string_view surface[2];
};
constexpr std::array kShades = {
    Shades{Tone::Plain, "", {"#1f2328", "#e6edf3"}, {"#f0f2f4", "#21262d"}},
    Shades{Tone::Strong, "strong", {"#1f2328", "#e6edf3"}, {"#d0d7de", "#3d444d"}},
    Shades{Tone::Dim, "dim", {"#59636e", "#9198a1"}, {"#f0f2f4", "#21262d"}},
    Shades{Tone::Good, "good", {"#116329", "#3fb950"}, {"#e6f6ea", "#12261a"}},
    Shades{Tone::Warn, "warn", {"#7d4e00", "#d29922"}, {"#fff1c2", "#3d2e00"}},
    Shades{Tone::Bad, "bad", {"#b31d28", "#ff7b72"}, {"#ffe3e0", "#481a1d"}},
};

// Steps of the golden angle: neighbours differ, and no two of the first dozens are alike.
constexpr int kHueStep = 137;
constexpr int kFirstHue = 210;

// A part of a colour, from its hue, saturation and lightness: 0 red, 8 green, 4 blue.
int channel(int which, double hue, double saturation, double lightness) {
  const double k = std::fmod(which + hue / 30, 12);
  const double a = saturation * std::min(lightness, 1 - lightness);
  return static_cast<int>(
      std::lround(255 * (lightness - a * std::max(-1.0, std::min({k - 3, 9 - k, 1.0})))));
}

std::string colour_of_group(int group, bool dark) {
  const double hue = (kFirstHue + group * kHueStep) % 360;
  const double saturation = dark ? 0.45 : 0.70;
  const double lightness = dark ? 0.30 : 0.82;
  return base::format("#{:02x}{:02x}{:02x}", channel(0, hue, saturation, lightness),
                      channel(8, hue, saturation, lightness),
                      channel(4, hue, saturation, lightness));
}

std::string rules(std::string_view text, std::string_view surface, const std::set<int>& groups,
                  bool dark) {
  std::string out;
  for (const Shades& shades : kShades) {
    const std::string name = shades.name.empty() ? "" : base::format(".{}", shades.name);
    if (!name.empty()) out += base::format("{}{{{}:{}}}", name, text, shades.text[dark ? 1 : 0]);
    out += base::format(".place{}{{{}:{}}}", name, surface, shades.surface[dark ? 1 : 0]);
  }
  for (const int group : groups)
    out += base::format(".place.g{}{{{}:{}}}", group, surface, colour_of_group(group, dark));
  return out;
}

}  // namespace

std::string_view class_of(Tone tone) {
  return std::ranges::find(kShades, tone, &Shades::tone)->name;
}

std::string classes_of(const view::Place& place) {
  const std::string_view tone = class_of(place.mark.tone);
  std::string classes = "place";
  if (!tone.empty()) classes += base::format(" {}", tone);
  if (place.asked) classes += " asked";
  if (place.group >= 0) classes += base::format(" g{}", place.group);
  return classes;
}

std::set<int> groups_of(const view::Document& document) {
  std::set<int> groups;
  const auto add = [&groups](const std::vector<view::Place>& places) {
    for (const view::Place& place : places)
      groups.insert(place.group);
  };
  for (const view::Block& block : document.blocks) {
    if (const auto* grid = std::get_if<view::Grid>(&block)) add(grid->places);
    if (const auto* row = std::get_if<view::Row>(&block)) add(row->places);
  }
  groups.erase(-1);
  return groups;
}

std::string colour_rules(std::string_view text, std::string_view surface,
                         const std::set<int>& groups) {
  return rules(text, surface, groups, false) + "@media (prefers-color-scheme:dark){" +
         rules(text, surface, groups, true) + "}";
}

}  // namespace dra::render
