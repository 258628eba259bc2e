// src/render/palette.h: the colours of SVG and HTML, for light and for dark.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dra/view/document.h"

namespace dra::render {

// In CSS notation: "#1f2328".
struct Colour {
  std::string_view light;
  std::string_view dark;
};
constexpr Colour kPageColour = {"#ffffff", "#0d1117"};

// The colours of text with a tone, and of the square of a place with it.
Colour letters_of(view::Tone tone);
Colour surface_of(view::Tone tone);

// The colours of a group's squares, and of the letters in them. These are the same for every tone:
// only the darkest letters (in dark, the lightest) can be read on all squares.
Colour colour_of_group(int group);
Colour letters_in_groups();

// The CSS class of a tone: "good", "bad"; empty for plain text.
std::string_view class_of(view::Tone tone);

// The classes of a place: its tone, and its group, such as "g7".
std::string classes_of(const view::Place& place);

// The classes of a mark that is not inside its square's element: "mark good".
std::string classes_of_mark(const view::Place& place);

// The groups that occur in a document.
std::set<int> groups_of(const view::Document& document);

// All CSS rules with colours, first for light, then for dark. There are no colours elsewhere.
enum class Medium { Page, Picture };
std::string colour_rules(Medium medium, const std::set<int>& groups);

}  // namespace dra::render
