// src/cel/library/library_strings.cpp: functions of strings, which count code points, and regular
// expressions. Upstream: cel-go common/stdlib, ext/strings.go (version 2),
// k8s.io/apiserver/pkg/cel/library/regex.go.

#include <algorithm>
#include <array>
#include <optional>

#include "dra/base/text.h"
#include "dra/cel/library/library.h"
#include "dra/cel/library/regex.h"
#include "dra/cel/syntax/utf8.h"
#include "dra/cel/values/go_text.h"

namespace dra::cel {
namespace {

Value out_of_range(Scratch& scratch, std::int64_t index) {
  return scratch.failure(base::format("index out of range: {}", index));
}

// A number as an offset; no value if it is negative.
std::optional<std::size_t> as_place(const Value& number) {
  if (number.as_int() < 0) return std::nullopt;
  return static_cast<std::size_t>(number.as_int());
}

// --- contains and similar, which check the kinds of their arguments themselves

template <class Test>
Value test_texts(const Invocation& call, Test test) {
  const Value& a = call.args[0];
  const Value& b = call.args[1];
  if (!a.is(ValueKind::String) || !b.is(ValueKind::String)) return no_such_overload();
  return Value::boolean(test(a.text(), b.text()));
}
Value contains_text(const Invocation& call) {
  return test_texts(call, [](auto a, auto b) { return a.find(b) != std::string_view::npos; });
}
Value starts_with(const Invocation& call) {
  return test_texts(call, [](auto a, auto b) { return a.starts_with(b); });
}
Value ends_with(const Invocation& call) {
  return test_texts(call, [](auto a, auto b) { return a.ends_with(b); });
}

Value size(const Invocation& call) {
  const Value& of = call.args[0];
  std::size_t size = 0;
  if (of.is(ValueKind::String)) size = count_runes(of.text());
  if (of.is(ValueKind::Bytes)) size = of.text().size();
  if (of.is(ValueKind::List)) size = of.as_list().size();
  if (of.is(ValueKind::Map)) size = of.as_map().size();
  return Value::integer(static_cast<std::int64_t>(size));
}

// --- offsets

Value char_at(const Invocation& call) {
  const std::string_view text = call.args[0].text();
  const auto index = as_place(call.args[1]);
  if (!index || *index > count_runes(text)) {
    return out_of_range(call.scratch, call.args[1].as_int());
  }
  const std::size_t at = rune_offset(text, *index);
  return Value::string(at == text.size() ? text.substr(at)
                                         : text.substr(at, rune_length(text, at)));
}

Value index_from(const Invocation& call, const Value& from) {
  const std::string_view text = call.args[0].text();
  const std::string_view part = call.args[1].text();
  const auto first = as_place(from);
  if (!first) return out_of_range(call.scratch, from.as_int());
  const std::size_t count = count_runes(text);
  if (part.empty()) return Value::integer(static_cast<std::int64_t>(std::min(*first, count)));
  if (*first >= count) return Value::integer(-1);
  const std::size_t found = text.find(part, rune_offset(text, *first));
  if (found == std::string_view::npos) return Value::integer(-1);
  return Value::integer(static_cast<std::int64_t>(count_runes(text.substr(0, found))));
}
Value index_of_text(const Invocation& call) { return index_from(call, Value::integer(0)); }
Value index_of_from(const Invocation& call) { return index_from(call, call.args[2]); }

Value last_index_of_text(const Invocation& call) {
  const std::string_view text = call.args[0].text();
  const std::string_view part = call.args[1].text();
  const std::size_t found = text.rfind(part);
  if (found == std::string_view::npos) return Value::integer(-1);
  return Value::integer(static_cast<std::int64_t>(count_runes(text.substr(0, found))));
}
Value last_index_of_from(const Invocation& call) {
  const std::string_view text = call.args[0].text();
  const std::string_view part = call.args[1].text();
  const auto last = as_place(call.args[2]);
  if (!last) return out_of_range(call.scratch, call.args[2].as_int());
  const std::size_t count = count_runes(text);
  if (part.empty()) return Value::integer(static_cast<std::int64_t>(std::min(*last, count)));
  if (*last >= count) return Value::integer(-1);
  const std::size_t found = text.rfind(part, rune_offset(text, *last));
  if (found == std::string_view::npos) return Value::integer(-1);
  return Value::integer(static_cast<std::int64_t>(count_runes(text.substr(0, found))));
}

Value substring_from(const Invocation& call) {
  const std::string_view text = call.args[0].text();
  const auto start = as_place(call.args[1]);
  if (!start || *start > count_runes(text)) {
    return out_of_range(call.scratch, call.args[1].as_int());
  }
  return Value::string(text.substr(rune_offset(text, *start)));
}
Value substring(const Invocation& call) {
  const std::string_view text = call.args[0].text();
  const std::int64_t first = call.args[1].as_int();
  const std::int64_t last = call.args[2].as_int();
  if (first > last) {
    return call.scratch.failure(
        base::format("invalid substring range. start: {}, end: {}", first, last));
  }
  const std::size_t count = count_runes(text);
  const auto start = as_place(call.args[1]);
  const auto end = as_place(call.args[2]);
  if (!start || *start > count) return out_of_range(call.scratch, first);
  if (!end || *end > count) return out_of_range(call.scratch, last);
  const std::size_t from = rune_offset(text, *start);
  return Value::string(text.substr(from, rune_offset(text, *end) - from));
}

// --- other texts

Value with_ascii(const Invocation& call, char first, char last) {
  std::string text(call.args[0].text());
  for (char& c : text) {
    if (c >= first && c <= last) c = static_cast<char>(c ^ 0x20);
  }
  return call.scratch.string(text);
}
Value lower_ascii(const Invocation& call) { return with_ascii(call, 'A', 'Z'); }
Value upper_ascii(const Invocation& call) { return with_ascii(call, 'a', 'z'); }

// Upstream: unicode.IsSpace.
bool is_space(char32_t rune) {
  constexpr std::array<char32_t, 9> spaces{' ',    0x85,   0xA0,   0x1680, 0x2028,
                                           0x2029, 0x202F, 0x205F, 0x3000};
  return (rune >= '\t' && rune <= '\r') || (rune >= 0x2000 && rune <= 0x200A) ||
         std::ranges::find(spaces, rune) != spaces.end();
}

Value trim(const Invocation& call) {
  const std::string_view text = call.args[0].text();
  std::optional<std::size_t> first;
  std::size_t last = 0;
  for (std::size_t at = 0; at < text.size(); at += rune_length(text, at)) {
    if (is_space(rune_at(text, at))) continue;
    if (!first) first = at;
    last = at + rune_length(text, at);
  }
  return Value::string(first ? text.substr(*first, last - *first) : std::string_view());
}

// Upstream: strings.Replace. The empty old text occurs around every code point.
Value replaced(const Invocation& call, std::int64_t limit) {
  const std::string_view text = call.args[0].text();
  const std::string_view old = call.args[1].text();
  const std::string_view with = call.args[2].text();
  std::string out;
  std::size_t from = 0;
  for (std::int64_t count = 0; limit < 0 || count < limit; ++count) {
    std::size_t found = text.find(old, from);
    if (old.empty()) {
      if (count > 0 && from == text.size()) break;
      found = count == 0 ? 0 : from + rune_length(text, from);
    }
    if (found == std::string_view::npos) break;
    out += text.substr(from, found - from);
    out += with;
    from = found + old.size();
  }
  out += text.substr(from);
  return call.scratch.string(out);
}
Value replace_text(const Invocation& call) { return replaced(call, -1); }
Value replace_some(const Invocation& call) { return replaced(call, call.args[3].as_int()); }

// Upstream: strings.SplitN. The empty separator splits into code points.
Value parts(const Invocation& call, std::int64_t limit) {
  std::string_view rest = call.args[0].text();
  const std::string_view separator = call.args[1].text();
  std::vector<Value> out;
  if (limit == 0 || (separator.empty() && rest.empty())) return call.scratch.list(out);
  while (limit < 0 || out.size() + 1 < static_cast<std::uint64_t>(limit)) {
    const std::size_t end = separator.empty() ? rune_length(rest, 0) : rest.find(separator);
    const bool last = separator.empty() ? end == rest.size() : end == std::string_view::npos;
    if (last) break;
    out.push_back(Value::string(rest.substr(0, end)));
    rest.remove_prefix(end + separator.size());
  }
  out.push_back(Value::string(rest));
  return call.scratch.list(out);
}
Value split(const Invocation& call) { return parts(call, -1); }
Value split_some(const Invocation& call) { return parts(call, call.args[2].as_int()); }

Value joined_with(const Invocation& call, std::string_view separator) {
  const ListValue& list = call.args[0].as_list();
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i);
    if (!element.is(ValueKind::String)) {
      return call.scratch.failure("join: invalid input: " + go_value(element));
    }
    if (i > 0) out += separator;
    out += element.text();
  }
  return call.scratch.string(out);
}
Value join_texts(const Invocation& call) { return joined_with(call, {}); }
Value join_with(const Invocation& call) { return joined_with(call, call.args[1].text()); }

Value quote(const Invocation& call) {
  constexpr std::string_view plain = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view letters = "abfnrtv\\\"";
  std::string out = "\"";
  for (const char c : call.args[0].text()) {
    const std::size_t escaped = plain.find(c);
    if (escaped != std::string_view::npos) out += '\\';
    out += escaped == std::string_view::npos ? c : letters[escaped];
  }
  return call.scratch.string(out + "\"");
}

// --- regular expressions

// The text of a value that is a string in Go, which is all that upstream checks with a constant
// pattern. A type is its name, and an optional its content.
std::optional<std::string_view> text_of(const Value& value) {
  if (value.is(ValueKind::String)) return value.text();
  if (value.is(ValueKind::Type)) return value.as_type().name;
  const bool holds = value.is(ValueKind::Optional) && value.content() != nullptr;
  return holds ? text_of(*value.content()) : std::nullopt;
}

// The number of a value that is an integer in Go, likewise.
std::optional<std::int64_t> number_of(const Value& value) {
  if (value.is(ValueKind::Int)) return value.as_int();
  const bool holds = value.is(ValueKind::Optional) && value.content() != nullptr;
  return holds ? number_of(*value.content()) : std::nullopt;
}

// Calls `use` with the pattern, compiled with the program or now; `where` begins the message about
// an invalid one.
template <class Use>
Value with_regex(const Invocation& call, std::string_view where, Use use) {
  const auto text = text_of(call.args[0]);
  const auto pattern = text_of(call.args[1]);
  if (!text || !pattern) return no_such_overload();
  const auto run = [&](const Regex& regex) {
    return call.effort.spend(regex.effort(*text)) ? use(regex, *text)
                                                  : Value::error(kTooMuchEffort);
  };
  if (call.regex != nullptr) return run(*call.regex);
  const Result<Regex> compiled = Regex::compile(*pattern, call.effort);
  if (!compiled.ok()) {
    return call.scratch.failure(std::string(where) + compiled.error().message);
  }
  return run(compiled.value());
}

constexpr std::string_view kIllegal = "Illegal regex: ";

// Only here a computed pattern must be a string.
Value matches(const Invocation& call) {
  if (call.regex == nullptr && !call.args[1].is(ValueKind::String)) return no_such_overload();
  return with_regex(call, {}, [](const Regex& regex, std::string_view text) {
    return Value::boolean(regex.matches(text));
  });
}

Value find_match(const Invocation& call) {
  return with_regex(call, kIllegal, [](const Regex& regex, std::string_view text) {
    return Value::string(regex.find(text));
  });
}

Value find_all(const Invocation& call) {
  const std::optional<std::int64_t> limit = call.args.size() == 3 ? number_of(call.args[2]) : -1;
  if (!limit) return no_such_overload();
  return with_regex(call, kIllegal, [&](const Regex& regex, std::string_view text) {
    std::vector<Value> all;
    for (const std::string_view match : regex.find_all(text, *limit, call.effort))
      all.push_back(Value::string(match));
    return call.scratch.list(all);
  });
}

constexpr OverloadCode kStringOverloads[] = {
    {"list_join", join_texts},
    {"list_join_string", join_with},
    {"string_char_at_int", char_at},
    {"string_find_all_string", find_all},
    {"string_find_all_string_int", find_all},
    {"string_find_string", find_match},
    {"string_index_of_string", index_of_text},
    {"string_index_of_string_int", index_of_from},
    {"string_last_index_of_string", last_index_of_text},
    {"string_last_index_of_string_int", last_index_of_from},
    {"string_lower_ascii", lower_ascii},
    {"string_replace_string_string", replace_text},
    {"string_replace_string_string_int", replace_some},
    {"string_split_string", split},
    {"string_split_string_int", split_some},
    {"string_substring_int", substring_from},
    {"string_substring_int_int", substring},
    {"string_trim", trim},
    {"string_upper_ascii", upper_ascii},
    {"strings_quote", quote},
};

constexpr FunctionCode kStringFunctions[] = {
    {"contains", contains_text},
    {"endsWith", ends_with},
    {"matches", matches, kinds_of(ValueKind::String)},
    {"size", size, kinds_of(ValueKind::String, ValueKind::Bytes, ValueKind::List, ValueKind::Map)},
    {"startsWith", starts_with},
};

}  // namespace

std::span<const OverloadCode> string_codes() { return kStringOverloads; }
std::span<const FunctionCode> string_functions() { return kStringFunctions; }

}  // namespace dra::cel
