// src/json/write.cpp: see write.h.

#include "dra/json/write.h"

#include <algorithm>
#include <cstdint>

#include "dra/base/text.h"
#include "dra/json/go_number.h"
#include "dra/json/parse.h"
#include "src/json/characters.h"

namespace dra::json {
namespace {

class JsonWriter {
 public:
  explicit JsonWriter(Style style)
      : one_line_(style == Style::Compact || style == Style::KubectlLine),
        as_go_(style == Style::Kubectl || style == Style::KubectlLine) {}

  void value(const Value& v, int depth) {
    switch (v.kind()) {
      case Kind::Null:
        out += "null";
        return;
      case Kind::Bool:
        out += v.text();
        return;
      case Kind::Number:
        out += as_go_ ? number_as_json(v.text()) : v.text();
        return;
      case Kind::String:
        string(v.text());
        return;
      case Kind::Object:
        object(v, depth);
        return;
      case Kind::Array:
        array(v, depth);
        return;
    }
  }

  std::string out;

 private:
  void object(const Value& v, int depth) {
    out += '{';
    for (const Member& member : v.members()) {
      if (&member != v.members().data()) out += ',';
      new_line(depth + 1);
      string(member.key);
      out += one_line_ ? ":" : ": ";
      value(member.value, depth + 1);
    }
    if (!v.members().empty()) new_line(depth);
    out += '}';
  }

  void array(const Value& v, int depth) {
    out += '[';
    for (const Value& item : v.items()) {
      if (&item != v.items().data()) out += ',';
      new_line(depth + 1);
      value(item, depth + 1);
    }
    if (!v.items().empty()) new_line(depth);
    out += ']';
  }

  void new_line(int depth) {
    if (one_line_) return;
    out += '\n';
    out.append(static_cast<std::size_t>(depth) * 4, ' ');
  }

  void string(std::string_view text) {
    out += '"';
    if (as_go_) {
      go_characters(text);
    } else {
      characters(text);
    }
    out += '"';
  }

  // What needs no escape is nearly all of a large report, and is copied as a whole.
  void characters(std::string_view text) {
    const auto as_it_stands = [](char c) {
      return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
    };
    while (!text.empty()) {
      const auto plain = static_cast<std::size_t>(
          std::find_if_not(text.begin(), text.end(), as_it_stands) - text.begin());
      out += text.substr(0, plain);
      if (plain == text.size()) return;
      character(text[plain]);
      text.remove_prefix(plain + 1);
    }
  }

  // Go escapes U+2028 and U+2029 for the sake of JavaScript, and bytes that are not UTF-8.
  void go_characters(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view next = character_at(text, at);
      const bool valid =
          next.size() == 1 ? static_cast<unsigned char>(next.front()) < 0x80 : is_utf8(next);
      if (!valid) {
        out += "\\ufffd";
      } else if (next.size() == 1) {
        character(next.front());
      } else if (const std::uint32_t code = code_of(next); code == 0x2028 || code == 0x2029) {
        out += base::format("\\u{:04x}", code);
      } else {
        out += next;
      }
      at += valid ? next.size() : 1;
    }
  }

  void character(char c) {
    switch (c) {
      case '"':
        out += "\\\"";
        return;
      case '\\':
        out += "\\\\";
        return;
      case '\n':
        out += "\\n";
        return;
      case '\r':
        out += "\\r";
        return;
      case '\t':
        out += "\\t";
        return;
      case '\b':
        out += "\\b";
        return;
      case '\f':
        out += "\\f";
        return;
      default:
        break;
    }
    const bool html = c == '<' || c == '>' || c == '&';
    if (static_cast<unsigned char>(c) < 0x20 || (html && as_go_)) {
      out += base::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }

  bool one_line_;
  bool as_go_;
};

}  // namespace

std::string write_json(const Value& value, Style style) {
  JsonWriter writer(style);
  writer.value(value, 0);
  return std::move(writer.out);
}

}  // namespace dra::json
