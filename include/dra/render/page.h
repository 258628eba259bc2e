// include/dra/render/page.h
//
// A document as a file to keep and to pass on: a picture (SVG) or a page (HTML). Both are a single
// file without network requests and without scripts. They follow the reader's choice of light or
// dark, and are readable without seeing. Untrusted text never becomes markup.

#pragma once

#include <string>
#include <vector>

#include "dra/view/document.h"

namespace dra::render {

struct PageHead {
  std::string title;  // the answer in a line, or the command: "topology nodepool v5p"
  std::string about;  // the cluster and the time
  bool shown = true;  // false: it is a name for readers who cannot see, and nothing else
};

// Grids are squares, all else is lines of text; about 100 letters wide.
std::string render_svg(const view::Document& document, const PageHead& head);

// Places of grids show their facts when they are pointed at or have the keyboard's focus. Tables
// have all their columns.
std::string render_html(const view::Document& document, const PageHead& head);

// A part of a page of several, with its name in the list of links at the head.
struct Section {
  std::string title;
  view::Document document;
};
std::string render_html(const std::vector<Section>& sections, const PageHead& head);

}  // namespace dra::render
