// src/render/tab_writer.cpp: see tab_writer.h.

#include "src/render/tab_writer.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dra/base/text.h"

namespace dra::render {
namespace {

constexpr std::size_t kLeastWidth = 6;
constexpr std::size_t kPadding = 3;

using Cells = std::vector<std::string_view>;

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

class Aligner {
 public:
  explicit Aligner(std::vector<std::size_t>& widest) : widest_(widest) {}

  // Lines up to one without a tab, or a form feed, are aligned among each other.
  std::string aligned(const std::vector<Cells>& lines, const std::vector<bool>& last_of_block) {
    for (std::size_t first = 0; first < lines.size();) {
      std::size_t end = first;
      while (!last_of_block[end] && end + 1 < lines.size())
        ++end;
      lines_ = {lines.begin() + static_cast<std::ptrdiff_t>(first),
                lines.begin() + static_cast<std::ptrdiff_t>(end + 1)};
      block(0, lines_.size());
      first = end + 1;
    }
    return std::move(out_);
  }

 private:
  bool has_column(std::size_t line) const { return widths_.size() + 1 < lines_[line].size(); }

  // Lines that share all of widths_. Finds runs of lines with one column more.
  void block(std::size_t first, std::size_t end) {
    const std::size_t column = widths_.size();
    for (std::size_t line = first; line < end; ++line) {
      if (!has_column(line)) continue;
      write(first, line);
      first = line;
      std::size_t width = kLeastWidth;
      for (; line < end && has_column(line); ++line)
        width = std::max(width, characters(lines_[line][column]) + kPadding);
      widths_.push_back(remembered(column, width));
      block(first, line);
      widths_.pop_back();
      first = line;
    }
    write(first, end);
  }

  // A column does not become narrower further down.
  std::size_t remembered(std::size_t column, std::size_t width) {
    while (widest_.size() <= column)
      widest_.push_back(widest_.size() < column ? widths_[widest_.size()] : width);
    widest_[column] = std::max(widest_[column], width);
    return widest_[column];
  }

  void write(std::size_t first, std::size_t end) {
    for (std::size_t line = first; line < end; ++line) {
      for (std::size_t i = 0; i < lines_[line].size(); ++i) {
        const std::string_view cell = lines_[line][i];
        out_ += cell;
        if (i < widths_.size()) out_.append(widths_[i] - characters(cell), ' ');
      }
      out_ += '\n';
    }
  }

  std::vector<Cells> lines_;  // of the block that is being aligned
  std::vector<std::size_t> widths_;
  std::vector<std::size_t>& widest_;
  std::string out_;
};

}  // namespace

std::string align_tabs(std::string_view text, std::vector<std::size_t>* widest) {
  std::vector<Cells> lines;
  std::vector<bool> last_of_block;
  Cells line;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '\t' && c != '\v' && c != '\n' && c != '\f') continue;
    line.push_back(text.substr(start, i - start));
    start = i + 1;
    if (c != '\n' && c != '\f') continue;
    last_of_block.push_back(c == '\f' || line.size() == 1);
    lines.push_back(std::move(line));
    line.clear();
  }
  std::vector<std::size_t> own;
  return Aligner(widest == nullptr ? own : *widest).aligned(lines, last_of_block);
}

}  // namespace dra::render
