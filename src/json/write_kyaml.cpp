// src/json/write_kyaml.cpp: write_kyaml(). Braces and quotes say all, so that indentation means
// nothing: lists of lists and of objects share lines with their braces, and a text of several lines
// is a quoted one that is folded behind each line break.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/json/go_number.h"
#include "dra/json/unicode.h"
#include "dra/json/write.h"
#include "src/json/characters.h"
#include "src/json/go_text.h"
#include "src/json/kyaml_keys.h"

namespace dra::json {
namespace {

constexpr std::string_view kFold = "\\\n";

// The escape of a character that is not shown as it is.
std::string kyaml_escape(std::uint32_t code) {
  switch (code) {
    case '\a':
      return "\\a";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\v':
      return "\\v";
    case 0:
      return "\\0";
    case 0x1b:
      return "\\e";
    case 0x85:
      return "\\N";
    case 0xA0:
      return "\\_";
    case 0x2028:
      return "\\L";
    case 0x2029:
      return "\\P";
    default:
      break;
  }
  if (code < ' ' || code == 0x7f) return base::format("\\x{:02x}", code);
  return code < 0x10000 ? base::format("\\u{:04x}", code) : base::format("\\U{:08x}", code);
}

class KyamlWriter {
 public:
  explicit KyamlWriter(const YamlStyle& style) : style_(style) {}

  void node(const Value& value, int depth) {
    switch (value.kind()) {
      case Kind::Null:
        out += "null";
        return;
      case Kind::Bool:
        out += value.text();
        return;
      case Kind::Number:
        out += number_as_json(value.text());
        return;
      case Kind::String:
        text(repaired_utf8(value.text()), depth + 1);
        return;
      case Kind::Object:
        object(value, depth);
        return;
      case Kind::Array:
        array(value, depth);
        return;
    }
  }

  std::string out = "---\n";

 private:
  void indent(int depth) { out.append(static_cast<std::size_t>(depth) * 2, ' '); }

  void object(const Value& value, int depth) {
    const std::vector<const Member*> members =
        style_.keys == YamlKeys::AsKubectl ? sorted_members(value) : effective_members(value);
    if (members.empty()) {
      out += "{}";
      return;
    }
    out += "{\n";
    for (const Member* member : members) {
      indent(depth + 1);
      key(repaired_utf8(member->key));
      out += ": ";
      node(member->value, depth + 1);
      out += ",\n";
    }
    indent(depth);
    out += '}';
  }

  void array(const Value& value, int depth) {
    bool only_braces = true;
    for (const Value& item : value.items())
      only_braces = only_braces && (item.is(Kind::Object) || item.is(Kind::Array));
    out += '[';
    for (const Value& item : value.items()) {
      if (only_braces) {
        if (&item != value.items().data()) out += ", ";
        node(item, depth);
        continue;
      }
      if (&item == value.items().data()) out += '\n';
      indent(depth + 1);
      node(item, depth + 1);
      out += ",\n";
    }
    if (!only_braces) indent(depth);
    out += ']';
  }

  // A key stays on one line.
  void key(const std::string& name) {
    if (is_plain_kyaml_key(name) && !hides(name)) {
      out += name;
      return;
    }
    out += '"';
    for (std::size_t at = 0; at < name.size();) {
      const std::string_view character = character_at(name, at);
      put(character, character == "\t" || character == "\n");
      at += character.size();
    }
    out += '"';
  }

  // Behind a fold the indentation is no part of the text, up to a backslash or another character.
  void text(const std::string& all, int depth) {
    const bool folded = all.find('\n') != std::string::npos;
    out += '"';
    if (folded) out += kFold;
    for (std::size_t at = 0; at < all.size();) {
      const std::string_view character = character_at(all, at);
      if (out.back() == '\n') {
        indent(depth);
        const bool gap = is_space(code_of(character)) && character != "\n" && !hides(character);
        out += gap ? '\\' : ' ';
      }
      if (character == "\n") {
        out += "\\n";
        out += kFold;
      } else {
        put(character, false);
      }
      at += character.size();
    }
    if (folded && out.back() != '\n') out += kFold;
    if (folded) indent(depth);
    out += '"';
  }

  void put(std::string_view character, bool escaped) {
    const std::uint32_t code = code_of(character);
    if (code == '"' || code == '\\') out += '\\';
    const bool shown = is_printable(code) || code == '\t';
    if (escaped || !shown || hides(character)) {
      out += kyaml_escape(code);
    } else {
      out += character;
    }
  }

  // A terminal does something else than to show the text.
  bool hides(std::string_view shown) const {
    return style_.for_terminal && shown != "\t" && !base::is_plain(shown) &&
           base::printable(shown) != shown;
  }

  YamlStyle style_;
};

}  // namespace

std::string write_kyaml(const Value& value, const YamlStyle& style) {
  KyamlWriter writer(style);
  writer.node(value, 0);
  return std::move(writer.out) + "\n";
}

}  // namespace dra::json
