// src/base/text.cpp: the only file that includes fmt.

#include "dra/base/text.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dra::base {

std::string format_args(std::string_view pattern, std::initializer_list<FormatArg> args) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const FormatArg& arg : args) {
    std::visit([&store](const auto& v) { store.push_back(v); }, arg.value);
  }
  return fmt::vformat(fmt::string_view(pattern.data(), pattern.size()), store);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != parts.data()) out += separator;
    out += part;
  }
  return out;
}

std::string join_first(std::span<const std::string> names, std::size_t limit) {
  if (names.size() <= limit) return join(names, ", ");
  return format("{} and {} more", join(names.first(limit), ", "), names.size() - limit);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string lower(std::string_view ascii) {
  std::string out(ascii);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string plural(std::int64_t count, std::string_view one, std::string_view many) {
  if (count == 1) return format("1 {}", one);
  return many.empty() ? format("{} {}s", count, one) : format("{} {}", count, many);
}

std::string url_escape(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  constexpr std::string_view unreserved =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  std::string escaped;
  for (const char c : text) {
    if (unreserved.find(c) != std::string_view::npos) {
      escaped += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    escaped += '%';
    escaped += hex[byte >> 4U];
    escaped += hex[byte & 0xfU];
  }
  return escaped;
}

std::string with_parameter(std::string_view target, std::string_view key, std::string_view value) {
  const char separator = target.find('?') == std::string::npos ? '?' : '&';
  return format("{}{}{}={}", target, separator, key, url_escape(value));
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+:,./-";
  const bool is_plain = text.find_first_not_of(plain) == std::string_view::npos;
  if (is_plain && !text.empty()) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') word += "'\\'";
    word += c;
  }
  return word + "'";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

namespace {
bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The byte at which the code point number `index` starts.
std::size_t offset_of(std::string_view text, std::size_t index) {
  std::size_t at = 0;
  while (at < text.size() && index > 0) {
    ++at;
    while (at < text.size() && continues_code_point(text[at]))
      ++at;
    --index;
  }
  return at;
}
}  // namespace

std::string shorten_middle(std::string_view name, std::size_t width) {
  const auto length = static_cast<std::size_t>(
      std::count_if(name.begin(), name.end(), [](char c) { return !continues_code_point(c); }));
  if (length <= width || width < 3) return std::string(name);
  const std::size_t head = (width - 1) / 2;
  const std::size_t tail = width - 1 - head;
  return std::string(name.substr(0, offset_of(name, head))) + "…" +
         std::string(name.substr(offset_of(name, length - tail)));
}

}  // namespace dra::base
