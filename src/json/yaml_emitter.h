// src/json/yaml_emitter.h
//
// Writes scalars and the marks between them as the YAML library behind kubectl does
// (go.yaml.in/yaml/v2, emitterc.go): which style a text gets, how it is folded, and where lines are
// broken. What structure there is, write_yaml.cpp knows.

#pragma once

#include <string>
#include <string_view>

namespace dra::json {

class YamlEmitter {
 public:
  // With `for_terminal`, characters that act on a terminal, or hide, are taken for unprintable.
  explicit YamlEmitter(bool for_terminal) : for_terminal_(for_terminal) {}

  enum class Place { Node, Key };

  // Text that means itself: null, numbers, booleans.
  void literal(std::string_view text);
  // A string in the style that its content asks for; continued lines are indented below `indent`.
  // As a Key it stays on its line.
  void string(std::string_view text, int indent, Place place);

  // "-", "?" and ":" where what follows may begin on the same line.
  void mark(char c, bool space_before);
  // The ":" after a key on its line.
  void colon();
  // Begins a line unless the place is already at its beginning, and indents it.
  void indent(int width);

  // True while only marks and spaces stand on this line.
  bool at_line_start() const { return indention_; }

  std::string out;

 private:
  enum class Style { Plain, SingleQuoted, DoubleQuoted, Literal };
  struct Scalar {
    std::string_view text;
    int indent = 0;
    bool may_fold = true;
  };

  Style style_of(std::string_view text, Place place) const;
  void write_plain(const Scalar& scalar);
  void write_single_quoted(const Scalar& scalar);
  void write_lines(const Scalar& scalar, bool single_quoted);
  void write_double_quoted(const Scalar& scalar);
  void write_literal(const Scalar& scalar);
  void write_escape(std::string_view character);
  bool must_escape(std::string_view character) const;
  bool folds_at(const Scalar& scalar, std::size_t at, bool after_space) const;

  void put(std::string_view character);
  void line_break(std::string_view character);
  void indicator(std::string_view text, bool space_before);

  bool for_terminal_;
  int column_ = 0;          // characters on this line
  bool whitespace_ = true;  // a space, or nothing, stands before this place
  bool indention_ = true;
};

}  // namespace dra::json
