// src/render/palette.cpp: see palette.h.

#include "src/render/palette.h"

#include <algorithm>
#include <array>
#include <variant>

#include "dra/base/text.h"

namespace dra::render {
namespace {

using view::Tone;

// The colours of one tone: letters, and the square behind the mark of a place.
struct Shades {
  Tone tone;
  std::string_view name;
  Colour letters;
  Colour surface;
  bool edged = false;  // its squares have an edge of the colour of its letters
};
constexpr Colour kInk = {"#1f2328", "#e6edf3"};
constexpr Colour kLineColour = {"#8c959f", "#6e7681"};
constexpr Colour kSoftColour = {"#f0f2f4", "#21262d"};  // behind commands
constexpr Colour kPointedAt = {"#0969da", "#4493f8"};
constexpr std::array kShades = {
    Shades{Tone::Plain, "", kInk, {"#f0f2f4", "#21262d"}},
    Shades{Tone::Strong, "strong", kInk, {"#d0d7de", "#3d444d"}},
    Shades{Tone::Dim, "dim", {"#59636e", "#9198a1"}, {"#f0f2f4", "#21262d"}},
    Shades{Tone::Good, "good", {"#116329", "#3fb950"}, {"#e6f6ea", "#12261a"}},
    Shades{Tone::Warn, "warn", {"#7d4e00", "#d29922"}, {"#fff1c2", "#3d2e00"}, true},
    Shades{Tone::Bad, "bad", {"#b31d28", "#ff7b72"}, {"#ffe3e0", "#481a1d"}, true},
};

// A colour for each letter that a claim can have. Each is as far as possible from the ones before
// it and from the squares of tones, above all of free devices; the first are neither green nor red.
// A claim's hue is the same in light and in dark. The test knows the distances.
constexpr std::array kGroups = {
    Colour{"#9dc7f1", "#30577e"}, Colour{"#e29378", "#914930"}, Colour{"#9c78e2", "#2f1c54"},
    Colour{"#e892e1", "#913089"}, Colour{"#c8e278", "#46541c"}, Colour{"#f1bccd", "#6b243b"},
    Colour{"#78e2d1", "#267366"}, Colour{"#9f9fd1", "#303091"}, Colour{"#cac091", "#736626"},
    Colour{"#e278a5", "#6e4959"}, Colour{"#d35ceb", "#651b74"}, Colour{"#539eea", "#296bae"},
    Colour{"#53ea53", "#1b741b"}, Colour{"#d19fb8", "#8c2157"}, Colour{"#eb5c5c", "#8c2121"},
    Colour{"#d1b6f6", "#6029ae"}, Colour{"#7cc0ba", "#155b55"}, Colour{"#c07c82", "#ae2934"},
    Colour{"#ba92f2", "#60428a"}, Colour{"#7c8dc0", "#294aae"}, Colour{"#ba7cc0", "#7d5681"},
    Colour{"#eaab53", "#5b3e15"}, Colour{"#ea539e", "#ae296b"}, Colour{"#77b2ee", "#566b81"},
    Colour{"#ed6ed8", "#541c4b"}, Colour{"#f2b292", "#7a5f52"}, Colour{"#6e83ed", "#24306b"},
    Colour{"#c0a47c", "#744f1b"}, Colour{"#9ecf6e", "#526241"}, Colour{"#f292ba", "#914665"},
    Colour{"#9292f2", "#19196b"}, Colour{"#f7bff7", "#ae29ae"}, Colour{"#c878e2", "#782395"},
    Colour{"#80ef9c", "#17632a"}, Colour{"#7cc08d", "#244c2e"}, Colour{"#c2a3e0", "#4c3267"},
};

// A rule up to its colour, in HTML and in SVG; empty: that medium does not have it.
struct Part {
  std::string_view page;
  std::string_view picture;
  Colour colour;
};
constexpr std::array kParts = {
    Part{"body,.tip{background", ".page{fill", kPageColour},
    Part{"body,.tip{color", "text{fill", kInk},
    Part{".at,.place{border-color", ".box,.place{stroke", kLineColour},
    Part{".place:hover,.place:focus{outline-color", "", kPointedAt},
    Part{".tip{border-top-color", "", kPointedAt},
    Part{":root{--page", "", kPageColour},
    Part{":root{--line", "", kLineColour},
    Part{":root{--soft", "", kSoftColour},
};

// The CSS properties that colour a place. In SVG the mark is not inside its square's element, so it
// cannot inherit the colour of letters from it.
struct Properties {
  std::string_view letters;
  std::string_view surface;
  std::string_view edge;
  std::string_view letters_inside;
};
constexpr Properties kOfPage = {"color", "background-color", "border-color", "color"};
constexpr Properties kOfPicture = {"fill", "fill", "stroke", ""};

std::string rules(Medium medium, const std::set<int>& groups, std::string_view Colour::*theme) {
  const bool page = medium == Medium::Page;
  const Properties& names = page ? kOfPage : kOfPicture;
  std::string out;
  for (const Part& part : kParts) {
    const std::string_view start = page ? part.page : part.picture;
    if (!start.empty()) out += base::format("{}:{}}}", start, part.colour.*theme);
  }
  for (const Shades& shades : kShades) {
    const std::string name = shades.name.empty() ? "" : base::format(".{}", shades.name);
    const std::string_view letters = shades.letters.*theme;
    if (!name.empty()) out += base::format("{}{{{}:{}}}", name, names.letters, letters);
    out += base::format(".place{}{{{}:{}", name, names.surface, shades.surface.*theme);
    if (shades.edged) out += base::format(";{}:{}", names.edge, letters);
    out += '}';
    if (!page || name.empty()) continue;
    out +=
        base::format(".share{}{{background-color:{}}}.edge{}{{border-left-color:{};color:inherit}}",
                     name, shades.surface.*theme, name, letters);
  }
  for (const int group : groups) {
    out += base::format(".place.g{}{{{}:{}", group, names.surface, colour_of_group(group).*theme);
    if (!names.letters_inside.empty())
      out += base::format(";{}:{}", names.letters_inside, letters_in_groups().*theme);
    out += '}';
  }
  return out;
}

const Shades& shades_of(Tone tone) { return *std::ranges::find(kShades, tone, &Shades::tone); }

}  // namespace

std::string_view class_of(Tone tone) { return shades_of(tone).name; }

Colour letters_of(Tone tone) { return shades_of(tone).letters; }

Colour surface_of(Tone tone) { return shades_of(tone).surface; }

Colour colour_of_group(int group) {
  return kGroups[static_cast<std::size_t>(group) % kGroups.size()];
}

Colour letters_in_groups() { return kInk; }

std::string classes_of(const view::Place& place) {
  const std::string_view tone = class_of(place.mark.tone);
  std::string classes = "place";
  if (!tone.empty()) classes += base::format(" {}", tone);
  if (place.asked) classes += " asked";
  if (place.group >= 0) classes += base::format(" g{}", place.group);
  return classes;
}

std::string classes_of_mark(const view::Place& place) {
  const std::string_view tone = place.group < 0 ? class_of(place.mark.tone) : "";
  return tone.empty() ? "mark" : base::format("mark {}", tone);
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

std::string colour_rules(Medium medium, const std::set<int>& groups) {
  return rules(medium, groups, &Colour::light) + "@media (prefers-color-scheme:dark){" +
         rules(medium, groups, &Colour::dark) + "}";
}

}  // namespace dra::render
