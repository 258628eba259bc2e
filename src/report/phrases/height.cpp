// src/report/phrases/height.cpp: see height.h.

#include "dra/report/phrases/height.h"

#include <algorithm>

#include "dra/base/printable.h"

namespace dra::report {
namespace {

std::size_t room(int indent) {
  const auto taken = static_cast<std::size_t>(std::max(indent, 0));
  return kScreenWidth - std::min(kScreenWidth - 1, taken);
}

std::size_t width_of(std::string_view text) { return base::width(base::printable(text)); }

// Of words that are set one after the other; one that is wider than a line is broken.
std::size_t lines_of(const std::vector<view::Span>& spans, std::size_t first, std::size_t rest) {
  std::string text;
  for (const view::Span& span : spans)
    text += span.text;
  std::size_t lines = 1;
  std::size_t used = 0;
  std::size_t limit = first;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t word = text.find_first_not_of(' ', at);
    if (word == std::string::npos) break;
    const std::size_t end = std::min(text.find(' ', word), text.size());
    const std::size_t spaces = word - at;
    std::size_t width = width_of(std::string_view(text).substr(word, end - word));
    if (used > 0 && used + spaces + width > limit) {
      ++lines;
      used = 0;
      limit = rest;
    } else {
      used += spaces;
    }
    for (; width > limit; width -= limit, limit = rest)
      ++lines;
    used += width;
    at = end;
  }
  return lines;
}

std::size_t height(const view::Paragraph& block) {
  return lines_of(block.spans, room(block.indent), room(block.indent + block.hang));
}

std::size_t height(const view::Table& block) {
  return block.rows.empty() ? 0 : 1 + block.rows.size();
}

std::size_t height(const view::Fields& block) {
  std::size_t names = 0;
  for (const view::Field& field : block.fields)
    names = std::max(names, width_of(field.name));
  const std::size_t width = room(block.indent + static_cast<int>(names) + 2);
  std::size_t lines = 0;
  for (const view::Field& field : block.fields)
    lines += lines_of(field.value, width, width);
  return lines;
}

std::size_t height(const view::Verbatim& block) { return block.lines.size(); }

// Planes below each other; whether they fit beside each other is for the renderer.
std::size_t height(const view::Grid& block) {
  return static_cast<std::size_t>(block.rows) * static_cast<std::size_t>(block.planes);
}

std::size_t height(const view::Row& block) {
  std::vector<view::Span> spans = {{block.title}};
  for (const view::Place& place : block.places)
    spans.push_back({" " + place.name + (place.name.empty() ? "" : " ") + place.mark.text});
  return lines_of(spans, room(block.indent), room(block.indent + 2));
}

std::size_t height(const view::Blank&) { return 0; }

}  // namespace

std::size_t height_of(const view::Document& document) {
  std::size_t lines = 0;
  bool blank = false;
  for (const view::Block& block : document.blocks) {
    const std::size_t more = std::visit([](const auto& one) { return height(one); }, block);
    if (more > 0 && blank && lines > 0) ++lines;
    blank = more > 0 ? false : blank || std::holds_alternative<view::Blank>(block);
    lines += more;
  }
  return lines;
}

}  // namespace dra::report
