// include/dra/cel/syntax/source.h
//
// The text of an expression and positions in it. Offsets count code points, as all positions of CEL
// do.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dra::cel {

// Code points [begin, end).
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

struct Place {
  std::int64_t line = 1;    // from 1
  std::int64_t column = 1;  // from 1
};

class Source {
 public:
  // Text that is not UTF-8 has no reliable positions; the parser rejects it.
  explicit Source(std::string text);

  const std::string& text() const { return text_; }
  std::uint32_t size() const { return size_; }  // in code points

  // The byte offset of a code point; the end of the text for larger offsets.
  std::size_t byte_of(std::uint32_t offset) const;
  std::string_view text_of(Span span) const;
  Place place_of(std::uint32_t offset) const;
  std::string_view line_at(std::uint32_t offset) const;  // without its line break

 private:
  std::string text_;
  std::uint32_t size_ = 0;
  bool ascii_ = true;                       // each code point is a byte
  std::vector<std::uint32_t> line_starts_;  // in code points
};

// Something wrong with an expression.
struct Issue {
  std::optional<std::uint32_t> at;  // no value: the whole expression
  std::string message;
};

// All issues as the API server prints them, by position: "ERROR: <input>:1:3: MESSAGE", the line,
// and a caret below the position. Upstream: cel-go common.Errors.ToDisplayString.
std::string display(const Source& source, std::vector<Issue> issues);

}  // namespace dra::cel
