// include/dra/json/yaml_edit.h
//
// Changes to YAML text that keep everything else as it is written: comments, order, quotes, empty
// lines. Objects may be written as blocks or in braces.
//
// The positions of the values that were read from the text say where to change it. Where the text
// does not hold the value at its position, as behind an alias or a merge key, there is no edit, and
// the caller has to write the whole document again.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/json/value.h"

namespace dra::json {

// Bytes [begin, end) of the text become `text`.
struct TextEdit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text = {};

  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

// The edits must not overlap. Several insertions at one place follow each other in their order.
// Equal edits count once, because behind aliases two values can have one place. Lines end as those
// of the text do.
std::string with_edits(std::string_view text, std::vector<TextEdit> edits);

class YamlText {
 public:
  // The text that was given to parse_yaml(), without byte order mark.
  explicit YamlText(std::string_view text);

  // Replaces a scalar by `with`, which is inserted as it is.
  std::optional<TextEdit> replace(const Value& scalar, std::string_view with) const;

  // Moves all members but `kept` below a new member `key`, which follows the kept ones.
  std::optional<TextEdit> nest(const Value& object, std::span<const std::string_view> kept,
                               std::string_view key) const;

  // Replaces the member `key` by the members of its object.
  std::optional<TextEdit> unnest(const Value& object, std::string_view key) const;

  std::optional<TextEdit> remove(const Value& object, std::string_view key) const;

  // The edits that turn `before` into `after`, which is a copy of it with members removed, new
  // members behind the others, and new items anywhere. New values have no position. Lines with
  // comments stay, even above and inside removed members.
  std::optional<std::vector<TextEdit>> change(const Value& before, const Value& after) const;

  // Inserts whole lines before a document and the comments directly above it.
  std::optional<TextEdit> insert_before(const Value& document, std::string text) const;

 private:
  class Changes;
  struct Part;   // the text of a member
  struct Parts;  // the text of an object

  std::optional<std::size_t> offset_of(Position position) const;
  std::string_view line(std::size_t number) const;
  std::optional<Parts> parts_of(const Value& object) const;
  std::optional<Parts> in_braces(const Value& object, std::size_t begin) const;
  std::optional<Parts> as_block(const Value& object) const;
  std::string comments_below(const Value& object, std::string_view key) const;
  std::size_t end_of_block(const Member& last, std::size_t column) const;
  std::size_t end_of_item(std::size_t first, std::size_t column) const;
  std::size_t first_comment_above(std::size_t number) const;
  std::size_t start_of(std::size_t number) const;

  std::string_view text_;
  std::vector<std::size_t> starts_;  // of the lines
};

}  // namespace dra::json
