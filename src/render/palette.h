// src/render/palette.h: the colours of pictures and pages, for light and for dark.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dra/view/document.h"

namespace dra::render {

// "good", "bad": of what has the tone; empty for plain text.
std::string_view class_of(view::Tone tone);

// Classes of a place: its tone, and "g7" of its group.
std::string classes_of(const view::Place& place);

// Of all places of the document, those that are there.
std::set<int> groups_of(const view::Document& document);

// Rules for tones of text, and for places by tone and group. `text` and `surface` name the
// properties that colour letters and squares: "fill", "background". First those for light, then
// those for dark, for whoever prefers it.
std::string colour_rules(std::string_view text, std::string_view surface,
                         const std::set<int>& groups);

}  // namespace dra::render
