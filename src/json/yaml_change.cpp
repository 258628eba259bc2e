// src/json/yaml_change.cpp: YamlText::change(), the difference of two trees as edits of a text.
//
// `convert` and `validate` change a manifest as a tree and print it as text. Printing the new tree
// would lose the user's comments, quotes and line breaks. So both trees are walked side by side,
// and each difference becomes the smallest edit of the text that the first tree was read from.
//
// The trees are matched by position, not by content: `after` is a copy of `before`, so a value that
// stayed has the position where it was read, a new value has none (is_new), and a position that is
// missing in `after` belongs to a removed value. Members may only be added behind the others; items
// may be added anywhere. There is no matching of equal values and no search.
//
// A value is written in one of two ways, and each has its functions:
//  - in braces or brackets (members_in_braces, items_in_brackets): the commas between elements are
//    the difficulty. edit() removes an element together with the comma that follows it, or with the
//    one before it at the end, and puts new ones behind the last that stays. New text looks like
//    the old one: on lines of its own if the first element is, and as JSON if the first key is in
//    double quotes.
//  - as a block (members_of_block, items_of_block): whole lines. A member ends where a line is
//    indented no further than its key; a list may be indented like its key. Comments inside a
//    removed member stay, because they may also describe its replacement. New items go above the
//    comments of the next item, and the indentation of the lists seen so far is kept for new ones.
//
// Each function returns false where the text cannot be changed with certainty, and then there is no
// edit at all and the caller prints the whole tree. This happens where the text at a position is
// not the value: behind an alias or a merge key, whose values have the positions of the anchor;
// where an element begins before the previous one has ended; where a member to remove shares its
// line with the dash of an item. The caller parses the edited text and compares it with the tree
// that it wanted, so a mistake here cannot change a meaning unnoticed.

#include <algorithm>
#include <utility>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/json/write.h"
#include "dra/json/yaml_edit.h"
#include "src/json/yaml_lines.h"
#include "src/json/yaml_scalar.h"

namespace dra::json {
namespace {

bool is_new(Position position) { return position.line == 0; }

bool stands_at(Position a, Position b) { return a.line == b.line && a.column == b.column; }

bool same(const Value& a, const Value& b) {
  const auto same_member = [](const Member& one, const Member& other) {
    return one.key == other.key && same(one.value, other.value);
  };
  return a.kind() == b.kind() && a.text() == b.text() &&
         std::ranges::equal(a.members(), b.members(), same_member) &&
         std::ranges::equal(a.items(), b.items(), same);
}

// The value has text of several lines, where a line that begins with # is no comment.
bool has_lines(const Value& value) {
  const auto in_member = [](const Member& member) { return has_lines(member.value); };
  return value.text().find('\n') != std::string::npos ||
         std::ranges::any_of(value.members(), in_member) ||
         std::ranges::any_of(value.items(), has_lines);
}

// Indents each line but the first and the empty ones.
std::string indented(std::string_view text, std::size_t by) {
  std::string out;
  for (const char c : text) {
    if (c != '\n' && out.ends_with('\n')) out.append(by, ' ');
    out += c;
  }
  return out;
}

bool is_plain(const std::string& text) {
  const auto harmless = [](char c) {
    return base::is_letter_or_digit(c) || c == '-' || c == '.' || c == '/' || c == '_';
  };
  return !text.empty() && std::ranges::all_of(text, harmless) && is_text_when_plain(text);
}

std::string flow_text(const Value& value);

std::string key_and_value(const Member& member) {
  return base::format("{}: {}", flow_text(member.key), flow_text(member.value));
}

// The value on one line, quoted only where a person would quote it.
std::string flow_text(const Value& value) {
  std::vector<std::string> parts;
  for (const Member& member : value.members())
    parts.push_back(key_and_value(member));
  for (const Value& item : value.items())
    parts.push_back(flow_text(item));
  if (value.is(Kind::Object)) return base::format("{{{}}}", base::join(parts, ", "));
  if (value.is(Kind::Array)) return base::format("[{}]", base::join(parts, ", "));
  const bool bare = value.is(Kind::String) && is_plain(value.text());
  return bare ? value.text() : write_json(value, Style::Compact);
}

}  // namespace

// Walks both trees side by side. Each function returns false where there is no edit.
class YamlText::Changes {
 public:
  explicit Changes(const YamlText& text) : text_(text) {}

  bool change(const Value& before, const Value& after) {
    if (same(before, after)) return true;
    const auto at = text_.offset_of(before.position());
    if (!at || before.kind() != after.kind()) return false;
    const bool braces = text_.text_[*at] == '{' || text_.text_[*at] == '[';
    if (before.is(Kind::Object))
      return braces ? members_in_braces(before, after, *at) : members_of_block(before, after);
    if (before.is(Kind::Array))
      return braces ? items_in_brackets(before, after, *at) : items_of_block(before, after, *at);
    return false;
  }

  std::vector<TextEdit> take() && { return std::move(edits_); }

 private:
  // The text of a member in braces or of an item in brackets, without the blanks behind it.
  struct Element {
    std::size_t begin = 0;
    std::size_t end = 0;
    const Value* after = nullptr;  // its new value; nullptr: it is removed
    std::vector<std::string> new_before = {};
  };

  // All elements of one value, and the texts of new ones behind them.
  struct Elements {
    std::vector<Element> all;
    std::vector<std::string> added;
  };

  std::optional<Element> element_at(Position position, std::size_t behind) const {
    const auto begin = text_.offset_of(position);
    if (!begin || *begin < behind) return std::nullopt;
    std::size_t end = behind_member(text_.text_, *begin);
    while (end > *begin &&
           std::string_view(" \t\r\n").find(text_.text_[end - 1]) != std::string_view::npos)
      --end;
    return Element{*begin, end};
  }

  void insert(std::size_t at, std::string text) { edits_.push_back({at, at, std::move(text)}); }

  // Between two elements: a line break if there is one before the first element.
  std::string separator(const Elements& elements, std::size_t open) const {
    const bool lines =
        !elements.all.empty() &&
        text_.text_.substr(open, elements.all[0].begin - open).find('\n') != std::string_view::npos;
    if (!lines) return ", ";
    const std::size_t line_start = text_.text_.rfind('\n', elements.all[0].begin) + 1;
    return ",\n" + std::string(elements.all[0].begin - line_start, ' ');
  }

  // A new value: in JSON on several lines, in YAML on one.
  std::string text_of(const Value& value, std::string_view separator) const {
    if (!json_) return flow_text(value);
    if (separator == ", ") return write_json(value, Style::Compact);
    return indented(write_json(value, Style::Pretty), separator.size() - 2);
  }

  std::string text_of(const Member& member, std::string_view separator) const {
    if (!json_) return key_and_value(member);
    return base::format("{}: {}", write_json(member.key, Style::Compact),
                        text_of(member.value, separator));
  }

  void edit(const Elements& elements, std::size_t open) {
    const std::vector<Element>& all = elements.all;
    const std::string between = separator(elements, open);
    const auto stays = [](const Element& element) { return element.after != nullptr; };
    const auto last = std::find_if(all.rbegin(), all.rend(), stays);
    const auto kept = static_cast<std::size_t>(all.rend() - last);  // up to the last one that stays
    for (std::size_t i = 0; i < kept; ++i) {
      if (!stays(all[i])) edits_.push_back({all[i].begin, all[i + 1].begin, {}});
      for (const std::string& text : all[i].new_before)
        insert(all[i].begin, text + between);
    }
    std::string behind = base::join(elements.added, between);
    if (all.empty()) return insert(open + 1, std::move(behind));
    if (kept == 0) {
      edits_.push_back({all.front().begin, all.back().end, std::move(behind)});
    } else if (!behind.empty() || kept < all.size()) {
      if (!behind.empty()) behind.insert(0, between);
      edits_.push_back({all[kept - 1].end, all.back().end, std::move(behind)});
    }
  }

  bool members_in_braces(const Value& before, const Value& after, std::size_t open) {
    Elements elements;
    elements.all.reserve(before.members().size());
    auto next = after.members().begin();
    std::size_t behind = open + 1;
    for (const Member& member : before.members()) {
      auto element = element_at(member.position, behind);
      if (!element) return false;
      behind = element->end;
      json_ = text_.text_[element->begin] == '"';
      if (next != after.members().end() && stands_at(next->position, member.position)) {
        element->after = &next->value;
        if (!change(member.value, next->value)) return false;
        ++next;
      }
      elements.all.push_back(*std::move(element));
    }
    if (!elements.all.empty()) json_ = text_.text_[elements.all.front().begin] == '"';
    const std::string between = separator(elements, open);
    for (; next != after.members().end(); ++next) {
      if (!is_new(next->position)) return false;
      elements.added.push_back(text_of(*next, between));
    }
    edit(elements, open);
    return true;
  }

  bool items_in_brackets(const Value& before, const Value& after, std::size_t open) {
    Elements elements;
    elements.all.reserve(before.items().size());
    std::size_t behind = open + 1;
    for (const Value& item : before.items()) {
      auto element = element_at(item.position(), behind);
      if (!element) return false;
      behind = element->end;
      elements.all.push_back(*std::move(element));
    }
    const std::string between = separator(elements, open);
    std::size_t old = 0;
    std::vector<std::string> fresh;
    for (const Value& item : after.items()) {
      if (is_new(item.position())) {
        fresh.push_back(text_of(item, between));
        continue;
      }
      if (old == elements.all.size()) return false;
      elements.all[old].after = &item;
      elements.all[old].new_before = std::exchange(fresh, {});
      if (!change(before.items()[old], item)) return false;
      ++old;
    }
    if (old != elements.all.size()) return false;
    elements.added = std::move(fresh);
    edit(elements, open);
    return true;
  }

  // The member's key is at the column of its block.
  bool is_in_block(const Member& member, std::size_t column) const {
    const auto at = text_.offset_of(member.position);
    if (!at || member.position.column - 1 != column) return false;
    std::string_view text = text_.text_.substr(*at);
    if (is_quote(text[0])) text.remove_prefix(1);
    return text.starts_with(member.key);
  }

  bool members_of_block(const Value& before, const Value& after) {
    if (before.members().empty() || after.members().empty()) return false;
    const std::size_t column = before.members().front().position.column - 1;
    auto next = after.members().begin();
    std::size_t end = 0;  // the line behind the member
    for (const Member& member : before.members()) {
      const std::size_t line = member.position.line - 1;
      if (!is_in_block(member, column) || line < end) return false;
      end = text_.end_of_block(member, column);
      note_style(member);
      if (next != after.members().end() && stands_at(next->position, member.position)) {
        if (!change(member.value, next->value)) return false;
        ++next;
      } else if (base::trim(text_.line(line).substr(0, column)).empty()) {
        edits_.push_back({text_.start_of(line), text_.start_of(end), comments_in(member, end)});
      } else {
        return false;
      }
    }
    std::string added;
    for (; next != after.members().end(); ++next) {
      if (!is_new(next->position)) return false;
      added += in_lines(*next, column);
    }
    if (!added.empty()) insert(text_.start_of(end), std::move(added));
    return true;
  }

  // The comments inside a removed member, as whole lines.
  std::string comments_in(const Member& member, std::size_t end) const {
    std::string comments;
    for (std::size_t line = member.position.line; !has_lines(member.value) && line < end; ++line) {
      const std::string_view content = text_.line(line);
      if (base::trim(content).starts_with('#'))
        comments += std::string(member.position.column - 1, ' ') +
                    std::string(content.substr(indent_of(content)));
    }
    return comments;
  }

  // Notes how far lists are indented below their keys: some authors indent them, some do not.
  void note_style(const Member& member) {
    const Position at = member.value.position();
    const auto dash = text_.offset_of(at);
    const bool block = member.value.is(Kind::Array) && dash && text_.text_[*dash] == '-';
    if (block && at.line > member.position.line && at.column >= member.position.column)
      items_in_ = at.column - member.position.column;
  }

  std::string in_lines(const Member& member, std::size_t column) const {
    const Value object = Value::object({{member.key, member.value, {}}});
    std::string text = write_yaml(object, {.keys = YamlKeys::AsTheyStand});
    if (member.value.is(Kind::Array)) text = indented(text, items_in_);
    return std::string(column, ' ') + indented(text, column);
  }

  bool items_of_block(const Value& before, const Value& after, std::size_t dash) {
    const std::size_t column = before.position().column - 1;
    if (text_.text_[dash] != '-' || before.items().empty()) return false;
    std::size_t old = 0;
    std::string fresh;
    std::size_t end = 0;
    for (const Value& item : after.items()) {
      if (is_new(item.position())) {
        const std::string text = write_yaml(Value::array({item}), {.keys = YamlKeys::AsTheyStand});
        fresh += std::string(column, ' ') + indented(text, column);
        continue;
      }
      if (old == before.items().size()) return false;
      const std::size_t line = item.position().line - 1;
      const std::string_view start = text_.line(line).substr(0, column + 1);
      if (base::trim(start) != "-" || line < end) return false;
      if (!fresh.empty())
        insert(text_.start_of(text_.first_comment_above(line)), std::exchange(fresh, {}));
      if (!change(before.items()[old], item)) return false;
      end = text_.end_of_item(line, column);
      ++old;
    }
    if (old != before.items().size()) return false;
    if (!fresh.empty()) insert(text_.start_of(end), std::move(fresh));
    return true;
  }

  const YamlText& text_;
  std::vector<TextEdit> edits_;
  std::size_t items_in_ = 0;  // indentation of the lists seen so far, below their keys
  bool json_ = false;
};

std::size_t YamlText::start_of(std::size_t number) const {
  return number < starts_.size() ? starts_[number] : text_.size();
}

std::size_t YamlText::end_of_item(std::size_t first, std::size_t column) const {
  std::size_t end = first + 1;
  for (std::size_t number = end; number < starts_.size(); ++number) {
    const std::string_view content = line(number);
    if (says_nothing(content)) continue;
    if (indent_of(content) <= column) break;
    end = number + 1;
  }
  return end;
}

std::size_t YamlText::first_comment_above(std::size_t number) const {
  while (number > 0 && base::trim(line(number - 1)).starts_with('#'))
    --number;
  return number;
}

std::optional<std::vector<TextEdit>> YamlText::change(const Value& before,
                                                      const Value& after) const {
  Changes changes(*this);
  if (!changes.change(before, after)) return std::nullopt;
  return std::move(changes).take();
}

std::optional<TextEdit> YamlText::insert_before(const Value& document, std::string text) const {
  if (!offset_of(document.position())) return std::nullopt;
  const std::size_t number = document.position().line - 1;
  const std::string_view before = line(number).substr(0, document.position().column - 1);
  if (!base::trim(before).empty()) return std::nullopt;
  const std::size_t at = start_of(first_comment_above(number));
  return TextEdit{at, at, std::move(text)};
}

}  // namespace dra::json
