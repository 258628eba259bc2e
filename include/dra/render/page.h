// include/dra/render/page.h
//
// A document as something to keep and to pass on: a picture (SVG), or a page (HTML). Both are one
// file that asks nothing of any network and holds no script, follow whether somebody wants light or
// dark, and say everything also to who cannot see it. Text of others is markup nowhere.

#pragma once

#include <string>

#include "dra/view/document.h"

namespace dra::render {

struct PageHead {
  std::string title;  // what was asked: "topology nodepool v5p"
  std::string about;  // of which cluster, when
};

// Grids as squares, all else as lines of text; about 100 letters wide.
std::string render_svg(const view::Document& document, const PageHead& head);

// Grids whose places can be pointed at and reached with the keyboard, and then tell their facts;
// tables as tables, with all their columns.
std::string render_html(const view::Document& document, const PageHead& head);

}  // namespace dra::render
