// src/json/yaml_emitter.h
//
// Writes scalars and the marks between them as the YAML library behind kubectl does
// (go.yaml.in/yaml/v2, emitterc.go): which style a text gets, how it is folded, and where lines are
// broken. write_yaml.cpp knows the structure.

#pragma once

#include <string>
#include <string_view>

namespace dra::json {

class YamlEmitter {
 public:
  // `for_terminal`: characters that act on a terminal, or hide, count as unprintable.
  explicit YamlEmitter(bool for_terminal) : for_terminal_(for_terminal) {}

  enum class Place { Node, Key };

  // Text without quotes: null, numbers, booleans.
  void literal(std::string_view text);
  // A string in the style that its content needs. Its further lines are indented below `indent`. A
  // Key stays on one line.
  void string(std::string_view text, int indent, Place place);

  // "-", "?" and ":" that the next value may follow on the same line.
  void mark(char c, bool space_before);
  // The ":" after a key on its line.
  void colon();
  // Begins a line unless it has just begun, and indents it.
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
  bool whitespace_ = true;  // the character before is a space, or there is none
  bool indention_ = true;
};

}  // namespace dra::json
