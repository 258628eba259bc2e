// src/json/write.cpp: see write.h.

#include "dra/json/write.h"

#include "dra/base/text.h"

namespace dra::json {
namespace {

class Writer {
 public:
  explicit Writer(Style style) : style_(style) {}

  void value(const Value& v, int depth) {
    switch (v.kind()) {
      case Kind::Null:
        out += "null";
        return;
      case Kind::Bool:
      case Kind::Number:
        out += v.text();
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
      out += style_ == Style::Compact ? ":" : ": ";
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
    if (style_ == Style::Compact) return;
    out += '\n';
    out.append(static_cast<std::size_t>(depth) * 4, ' ');
  }

  void string(std::string_view text) {
    out += '"';
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (style_ == Style::Kubectl && line_separator(text.substr(i))) {
        out += text[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
        i += 2;
      } else {
        character(c);
      }
    }
    out += '"';
  }

  // U+2028 and U+2029, E2 80 A8 and E2 80 A9: Go escapes them for the sake of JavaScript.
  static bool line_separator(std::string_view rest) {
    return rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9");
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
    if (static_cast<unsigned char>(c) < 0x20 || (html && style_ == Style::Kubectl)) {
      out += base::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }

  Style style_;
};

}  // namespace

std::string write_json(const Value& value, Style style) {
  Writer writer(style);
  writer.value(value, 0);
  return std::move(writer.out);
}

}  // namespace dra::json
