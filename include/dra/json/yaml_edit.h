// include/dra/json/yaml_edit.h
//
// Changes to YAML text that leave alone what they do not change: comments, order, quotes, empty
// lines. Objects may be written as blocks or in braces.
//
// What was read from the text says where to change it, by its positions. Where the text does not
// hold there what was read, as behind an alias or a merge key, there is no edit: whoever wants the
// change has to write the whole anew.

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

// The edits must not overlap. What several insert at one place stands there in their order; of
// edits that are the same one counts, as two values may stand at one place, behind aliases.
std::string with_edits(std::string_view text, std::vector<TextEdit> edits);

class YamlText {
 public:
  // The text without byte order mark, as it was given to parse_yaml().
  explicit YamlText(std::string_view text);

  // Another scalar in the place of this one: `with` as it is to stand there.
  std::optional<TextEdit> replace(const Value& scalar, std::string_view with) const;

  // All members but `kept` go below a new member `key`, which stands behind the kept ones.
  std::optional<TextEdit> nest(const Value& object, std::span<const std::string_view> kept,
                               std::string_view key) const;

  // The members of the object `key` take its place.
  std::optional<TextEdit> unnest(const Value& object, std::string_view key) const;

  std::optional<TextEdit> remove(const Value& object, std::string_view key) const;

  // What makes of `before` `after`: its copy, in which members are gone or new ones stand behind
  // the others, and new items anywhere. What is new has no position. Lines of comments stay, also
  // above and in what is gone.
  std::optional<std::vector<TextEdit>> change(const Value& before, const Value& after) const;

  // Whole lines before a document, below what stands above its comments.
  std::optional<TextEdit> insert_before(const Value& document, std::string text) const;

 private:
  class Changes;
  struct Part;   // a member, as it stands
  struct Parts;  // an object, as it stands

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
