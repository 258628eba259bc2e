// src/render/lines.cpp: cleaning, wrapping word by word, and SGR sequences.

#include "src/render/lines.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "dra/base/printable.h"
#include "src/render/code_points.h"

namespace dra::render {
namespace {

std::string_view colour_of(view::Tone tone) {
  switch (tone) {
    case view::Tone::Plain:
      return "";
    case view::Tone::Strong:
      return "\x1b[1m";
    case view::Tone::Dim:
      return "\x1b[2m";
    case view::Tone::Good:
      return "\x1b[32m";
    case view::Tone::Warn:
      return "\x1b[33m";
    case view::Tone::Bad:
      return "\x1b[31m";
  }
  return "";
}

constexpr std::string_view kNoColour = "\x1b[0m";

void append(Line& line, std::string_view text, view::Tone tone) {
  if (text.empty()) return;
  if (!line.empty() && line.back().tone == tone) {
    line.back().text += text;
  } else {
    line.push_back({std::string(text), tone});
  }
}

// A word with the spaces before it. Its tone may change in its middle.
struct Word {
  std::string spaces;
  view::Tone space_tone = view::Tone::Plain;
  Line pieces;
  std::size_t width = 0;
};

std::vector<Word> words_of(const Line& text) {
  std::vector<Word> words;
  for (const view::Span& span : text) {
    std::string_view rest = span.text;
    while (!rest.empty()) {
      const std::size_t spaces = std::min(rest.find_first_not_of(' '), rest.size());
      if (spaces > 0 || words.empty()) {
        words.push_back({std::string(rest.substr(0, spaces)), span.tone, {}});
      }
      rest.remove_prefix(spaces);
      const std::string_view piece = rest.substr(0, rest.find(' '));
      append(words.back().pieces, piece, span.tone);
      words.back().width += base::width(piece);
      rest.remove_prefix(piece.size());
    }
  }
  if (!words.empty() && words.back().pieces.empty()) words.pop_back();  // spaces at the end
  return words;
}

class Wrapper {
 public:
  Wrapper(std::size_t first, std::size_t rest) : room_(first), rest_(rest) {}

  void add(const Word& word) {
    if (started_ && used_ + word.spaces.size() + word.width > room_) {
      end_line();
    } else {
      append(line_, word.spaces, word.space_tone);
      used_ += word.spaces.size();
    }
    started_ = true;
    if (used_ + word.width <= room_) {
      for (const view::Span& piece : word.pieces)
        append(line_, piece.text, piece.tone);
      used_ += word.width;
    } else {
      add_broken(word);
    }
  }

  std::vector<Line> take() && {
    lines_.push_back(std::move(line_));
    return std::move(lines_);
  }

 private:
  void end_line() {
    lines_.push_back(std::move(line_));
    line_.clear();
    used_ = 0;
    room_ = rest_;
  }

  void add_broken(const Word& word) {
    for (const view::Span& piece : word.pieces) {
      for (std::string_view rest = piece.text; !rest.empty();) {
        const std::string_view character = first_code_point(rest);
        const std::size_t cells = base::width(character);
        if (used_ > 0 && used_ + cells > room_) end_line();
        append(line_, character, piece.tone);
        used_ += cells;
        rest.remove_prefix(character.size());
      }
    }
  }

  std::vector<Line> lines_;
  Line line_;
  std::size_t used_ = 0;
  std::size_t room_;
  std::size_t rest_;
  bool started_ = false;
};

void remove_spaces_at_end(Line& line) {
  while (!line.empty()) {
    std::string& text = line.back().text;
    text.erase(text.find_last_not_of(' ') + 1);
    if (!text.empty()) return;
    line.pop_back();
  }
}

}  // namespace

Line clean(std::span<const view::Span> untrusted) {
  Line line;
  for (const view::Span& span : untrusted)
    append(line, base::printable(span.text), span.tone);
  return line;
}

std::size_t line_width(const Line& line) {
  std::size_t width = 0;
  for (const view::Span& span : line)
    width += base::width(span.text);
  return width;
}

std::vector<Line> wrap(const Line& text, std::size_t first, std::size_t rest) {
  Wrapper wrapper(first, rest);
  for (const Word& word : words_of(text))
    wrapper.add(word);
  return std::move(wrapper).take();
}

void make_ascii(Line& line) {
  constexpr std::array<std::pair<std::string_view, char>, 4> marks = {
      {{view::kYes, 'v'}, {view::kNo, 'x'}, {"…", '~'}, {"→", '>'}}};
  for (view::Span& span : line) {
    for (const auto& [mark, ascii] : marks) {
      for (std::size_t at = span.text.find(mark); at != std::string::npos;
           at = span.text.find(mark, at))
        span.text.replace(at, mark.size(), 1, ascii);
    }
  }
}

void write_line(std::string& out, std::size_t indent, Line line, bool colour) {
  remove_spaces_at_end(line);
  if (!line.empty()) out.append(indent, ' ');
  for (const view::Span& span : line) {
    const std::string_view start = colour ? colour_of(span.tone) : std::string_view();
    out += start;
    out += span.text;
    if (!start.empty()) out += kNoColour;
  }
  out += '\n';
}

}  // namespace dra::render
