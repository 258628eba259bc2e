// include/dra/base/text.h
//
// Small operations on text that every layer needs. Nothing here knows a terminal: base/printable
// decides what may be printed.
//
// format() is the program's only door to the fmt library, whose header costs seconds per file that
// includes it: arguments are reduced to a few kinds here and formatted in text.cpp.

#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dra::base {

// One argument of format(): a number, a character or text.
class FormatArg {
 public:
  template <std::signed_integral T>
  FormatArg(T v) : value(static_cast<std::int64_t>(v)) {}  // NOLINT: implicit on purpose
  template <std::unsigned_integral T>
  FormatArg(T v) : value(static_cast<std::uint64_t>(v)) {}         // NOLINT
  FormatArg(char v) : value(v) {}                                  // NOLINT
  FormatArg(double v) : value(v) {}                                // NOLINT
  FormatArg(const char* v) : value(std::string_view(v)) {}         // NOLINT
  FormatArg(std::string_view v) : value(v) {}                      // NOLINT
  FormatArg(const std::string& v) : value(std::string_view(v)) {}  // NOLINT

  std::variant<std::int64_t, std::uint64_t, char, double, std::string_view> value;
};

std::string format_args(std::string_view pattern, std::initializer_list<FormatArg> args);

// fmt's pattern language: format("{} of {}", 2, 3). A pattern that does not match its arguments is
// a bug.
template <class... Args>
std::string format(std::string_view pattern, const Args&... args) {
  return format_args(pattern, {FormatArg(args)...});
}

std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
// "a, b and 3 more", of which at most `limit` (>= 1) are named.
std::string join_first(std::span<const std::string> names, std::size_t limit);
std::string_view trim(std::string_view text);
std::string lower(std::string_view ascii);

// "1 node", "2 nodes": the plural is regular unless given.
std::string plural(std::int64_t count, std::string_view one, std::string_view many = {});

// Text as one segment of a URL's path, or one value of its query: all but letters, digits and -._~
// become %XX. The user's input can then not become another path.
std::string url_escape(std::string_view text);

// The target of a request with one more parameter: "/api?limit=5" and "continue" -> "…&continue=x".
// `key` is one of ours; the value is escaped.
std::string with_parameter(std::string_view target, std::string_view key, std::string_view value);

// Text as one word of a shell's command line: unchanged if it is plain, else in single quotes. For
// commands that users copy: names out of files may hold anything.
std::string shell_word(std::string_view text);

// Levenshtein distance, for "did you mean".
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, if at most a third of its letters differ. Empty: there is none.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

// The middle of a long name replaced by `…`, so that both ends stay; at most `width` code points
// (>= 3).
std::string shorten_middle(std::string_view name, std::size_t width);

}  // namespace dra::base
