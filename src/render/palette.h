// src/render/palette.h: the colours of pictures and pages, for light and for dark.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dra/view/document.h"

namespace dra::render {

// As CSS writes it: "#1f2328".
struct Colour {
  std::string_view light;
  std::string_view dark;
};
constexpr Colour kPageColour = {"#ffffff", "#0d1117"};

// Of text of a tone, and of the square of a place with it.
Colour letters_of(view::Tone tone);
Colour surface_of(view::Tone tone);

// Of the squares of a group, and of the letters in them: whatever tone a mark has, as no letters
// but the darkest (in dark, the lightest) can be read on all of these.
Colour colour_of_group(int group);
Colour letters_in_groups();

// "good", "bad": of what has the tone; empty for plain text.
std::string_view class_of(view::Tone tone);

// Classes of a place: its tone, and "g7" of its group.
std::string classes_of(const view::Place& place);

// Of the mark, where it stands beside the square in the document: "mark good".
std::string classes_of_mark(const view::Place& place);

// Of all places of the document, those that are there.
std::set<int> groups_of(const view::Document& document);

// Rules for all that has a colour. First those for light, then those for dark, for whoever prefers
// it: nothing has a colour elsewhere.
enum class Medium { Page, Picture };
std::string colour_rules(Medium medium, const std::set<int>& groups);

}  // namespace dra::render
