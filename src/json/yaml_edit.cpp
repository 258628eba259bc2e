// src/json/yaml_edit.cpp: the edits of single members: replace, nest, unnest, remove. See
// yaml_change.cpp for the difference of whole trees.

#include "dra/json/yaml_edit.h"

#include <algorithm>

#include "dra/base/text.h"
#include "src/json/yaml_lines.h"

namespace dra::json {
namespace {

constexpr std::size_t kStep = 2;  // of indentation

// Indents the lines of a block; a negative step moves them to the left. Empty lines stay empty.
std::string shifted(std::string_view block, std::ptrdiff_t step) {
  std::string out;
  std::size_t at = 0;
  while (at < block.size()) {
    const std::size_t end = std::min(block.find('\n', at), block.size() - 1) + 1;
    std::string_view line = block.substr(at, end - at);
    if (step < 0) {
      line.remove_prefix(std::min(indent_of(line), static_cast<std::size_t>(-step)));
    } else if (!base::trim(line).empty()) {
      out.append(static_cast<std::size_t>(step), ' ');
    }
    out += line;
    at = end;
  }
  return out;
}

}  // namespace

// In a block whole lines, with the comments above the key. The first key may follow a dash; then
// its line begins with blanks in place of the dash.
struct YamlText::Part {
  std::string_view key;
  std::string text;
  const Value* value;
};

struct YamlText::Parts {
  std::size_t begin;  // of the text of all parts
  std::size_t end;
  std::size_t column;  // of the keys, from 0
  bool braces;
  std::vector<Part> parts;

  bool behind_dash = false;

  TextEdit edit() const {
    std::string text;
    if (braces) {
      std::vector<std::string> all;
      for (const Part& part : parts)
        all.push_back(part.text);
      text = base::join(all, ", ");
    } else {
      for (const Part& part : parts)
        text += part.text;
      // The text before the first key is kept.
      if (behind_dash) text.erase(0, std::min(indent_of(text), text.size()));
      if (!behind_dash && begin == end) text.clear();
    }
    return {begin, end, std::move(text)};
  }
};

namespace {

// Every line ends as those of a file with carriage returns do.
std::string with_returns(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' && !out.ends_with('\r')) out += '\r';
    out += c;
  }
  return out;
}

}  // namespace

std::string with_edits(std::string_view text, std::vector<TextEdit> edits) {
  const bool returns = text.find("\r\n") != std::string_view::npos;
  const auto place = [](const TextEdit& edit) { return std::pair(edit.begin, edit.end); };
  std::ranges::stable_sort(edits, {}, place);
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
  std::string out;
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    out += text.substr(at, edit.begin - at);
    out += returns ? with_returns(edit.text) : edit.text;
    at = edit.end;
  }
  return out + std::string(text.substr(at));
}

YamlText::YamlText(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(i + 1);
  }
}

std::optional<std::size_t> YamlText::offset_of(Position position) const {
  if (position.line == 0 || position.line > starts_.size()) return std::nullopt;
  const std::size_t offset = starts_[position.line - 1] + position.column - 1;
  return offset < text_.size() ? std::optional(offset) : std::nullopt;
}

// Lines count from 0, and have their line break.
std::string_view YamlText::line(std::size_t number) const {
  const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] : text_.size();
  return text_.substr(starts_[number], end - starts_[number]);
}

std::optional<TextEdit> YamlText::replace(const Value& scalar, std::string_view with) const {
  const auto begin = offset_of(scalar.position());
  if (!begin) return std::nullopt;
  const bool quoted = is_quote(text_[*begin]);
  const std::size_t end = quoted ? behind_quoted(text_, *begin) : behind_plain(text_, *begin);
  std::string_view found = text_.substr(*begin, end - *begin);
  if (quoted && found.size() >= 2) found = found.substr(1, found.size() - 2);
  if (found != scalar.text()) return std::nullopt;
  return TextEdit{*begin, end, std::string(with)};
}

std::optional<YamlText::Parts> YamlText::in_braces(const Value& object, std::size_t begin) const {
  Parts parts{.begin = begin + 1, .end = begin + 1, .column = 0, .braces = true, .parts = {}};
  for (const Member& member : object.members()) {
    const auto at = offset_of(member.position);
    if (!at || *at < parts.end) return std::nullopt;
    if (!base::trim(text_.substr(parts.end, *at - parts.end)).empty() && text_[parts.end] != ',')
      return std::nullopt;
    if (parts.parts.empty()) parts.begin = *at;
    parts.end = behind_member(text_, *at);
    const std::string_view text = base::trim(text_.substr(*at, parts.end - *at));
    if (text.find('\n') != std::string_view::npos) return std::nullopt;
    parts.parts.push_back({member.key, std::string(text), &member.value});
  }
  return parts;
}

// Lines indented further than the key belong to the last member. A list may be indented like its
// key.
std::size_t YamlText::end_of_block(const Member& last, std::size_t column) const {
  std::size_t end = last.position.line;  // the line behind that of the key, from 0
  for (std::size_t number = end; number < starts_.size(); ++number) {
    const std::string_view content = line(number);
    if (says_nothing(content)) continue;
    const std::size_t indent = indent_of(content);
    const bool item = indent == column && last.value.is(Kind::Array) &&
                      base::trim(content.substr(indent)).starts_with("-");
    if (indent <= column && !item) break;
    if (content.starts_with("---") || content.starts_with("...")) break;
    end = number + 1;
  }
  return end;
}

std::optional<YamlText::Parts> YamlText::as_block(const Value& object) const {
  const Member& first = object.members().front();
  if (!offset_of(first.position)) return std::nullopt;
  Parts parts{
      .begin = 0, .end = 0, .column = first.position.column - 1, .braces = false, .parts = {}};
  const std::string_view before = line(first.position.line - 1).substr(0, parts.column);
  parts.behind_dash = !base::trim(before).empty();
  parts.begin = starts_[first.position.line - 1] + (parts.behind_dash ? parts.column : 0);
  for (std::size_t i = 0; i < object.members().size(); ++i) {
    const Member& member = object.members()[i];
    const auto at = offset_of(member.position);
    const bool right = at && member.position.column - 1 == parts.column &&
                       (i == 0 || member.position.line > object.members()[i - 1].position.line);
    if (!right) return std::nullopt;
    const std::size_t start = i == 0 ? first.position.line - 1 : parts.end;
    const bool last = i + 1 == object.members().size();
    std::size_t end = end_of_block(member, parts.column);
    if (!last && end > object.members()[i + 1].position.line - 1) return std::nullopt;
    std::string text;
    for (std::size_t number = start; number < end; ++number)
      text += line(number);
    if (i == 0) text.replace(0, parts.column, std::string(parts.column, ' '));
    parts.parts.push_back({member.key, std::move(text), &member.value});
    parts.end = end;  // a line number, until the last one is known
  }
  parts.end = parts.end < starts_.size() ? starts_[parts.end] : text_.size();
  std::string& tail = parts.parts.back().text;
  if (!tail.ends_with('\n')) tail += '\n';
  return parts;
}

std::optional<YamlText::Parts> YamlText::parts_of(const Value& object) const {
  if (!object.is(Kind::Object) || object.members().empty()) return std::nullopt;
  const auto begin = offset_of(object.position());
  if (!begin) return std::nullopt;
  auto parts = text_[*begin] == '{' ? in_braces(object, *begin) : as_block(object);
  if (!parts) return std::nullopt;
  // Behind an alias or a merge key the text is not the value.
  for (const Part& part : parts->parts) {
    std::string_view text = part.text;
    while (says_nothing(text.substr(0, text.find('\n'))) &&
           text.find('\n') != std::string_view::npos)
      text.remove_prefix(text.find('\n') + 1);
    text = base::trim(text);
    if (!text.empty() && is_quote(text[0])) text.remove_prefix(1);
    if (!text.starts_with(part.key)) return std::nullopt;
  }
  return parts;
}

// Between a key and the first key below it.
std::string YamlText::comments_below(const Value& object, std::string_view key) const {
  std::string text;
  for (const Member& member : object.members()) {
    if (member.key != key) continue;
    const std::size_t first = member.value.members().front().position.line - 1;
    for (std::size_t number = member.position.line; number < first; ++number)
      text += line(number);
  }
  return text;
}

std::optional<TextEdit> YamlText::nest(const Value& object, std::span<const std::string_view> kept,
                                       std::string_view key) const {
  auto parts = parts_of(object);
  if (!parts) return std::nullopt;
  std::vector<Part> stay;
  std::vector<std::string> moved;
  for (Part& part : parts->parts) {
    const bool stays = std::ranges::find(kept, part.key) != kept.end();
    if (stays) {
      stay.push_back(std::move(part));
    } else {
      moved.push_back(parts->braces ? std::move(part.text) : shifted(part.text, kStep));
    }
  }
  Part nested{key, {}, nullptr};
  if (parts->braces) {
    nested.text = base::format("{}: {{{}}}", key, base::join(moved, ", "));
  } else {
    nested.text =
        base::format("{}{}:\n{}", std::string(parts->column, ' '), key, base::join(moved, ""));
  }
  stay.push_back(std::move(nested));
  parts->parts = std::move(stay);
  return parts->edit();
}

std::optional<TextEdit> YamlText::unnest(const Value& object, std::string_view key) const {
  auto parts = parts_of(object);
  if (!parts) return std::nullopt;
  std::vector<Part> all;
  for (Part& part : parts->parts) {
    if (part.key != key) {
      all.push_back(std::move(part));
      continue;
    }
    if (part.value->is(Kind::Object) && part.value->members().empty()) continue;
    auto inner = parts_of(*part.value);
    if (!inner || (parts->braces && !inner->braces)) return std::nullopt;
    if (!inner->braces) inner->parts.front().text.insert(0, comments_below(object, key));
    for (Part& below : inner->parts) {
      if (inner->braces && !parts->braces)
        below.text = base::format("{}{}\n", std::string(parts->column, ' '), below.text);
      const auto step =
          static_cast<std::ptrdiff_t>(parts->column) - static_cast<std::ptrdiff_t>(inner->column);
      if (!inner->braces) below.text = shifted(below.text, step);
      all.push_back(std::move(below));
    }
  }
  parts->parts = std::move(all);
  return parts->edit();
}

std::optional<TextEdit> YamlText::remove(const Value& object, std::string_view key) const {
  auto parts = parts_of(object);
  if (!parts || parts->parts.size() < 2) return std::nullopt;
  std::erase_if(parts->parts, [key](const Part& part) { return part.key == key; });
  return parts->edit();
}

}  // namespace dra::json
