// src/render/markup.cpp: see markup.h.

#include "src/render/markup.h"

#include "dra/base/printable.h"

namespace dra::render {

std::string markup(std::string_view untrusted) {
  std::string out;
  for (const char c : base::printable(untrusted)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace dra::render
