// src/api/release.cpp: reads the numbers between the dots of a version.

#include "dra/api/release.h"

#include <charconv>

namespace dra::api {
namespace {

// Takes the number at the beginning of the text away. No value: it begins with none.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::optional<Release> release_of(std::string_view version) {
  constexpr std::string_view major = "1.";
  if (version.starts_with('v')) version.remove_prefix(1);
  if (!version.starts_with(major)) return std::nullopt;
  version.remove_prefix(major.size());
  const auto minor = take_number(version);
  constexpr std::string_view ends = ".-+";
  const bool ended = version.empty() || ends.find(version.front()) != std::string_view::npos;
  if (!minor || !ended) return std::nullopt;
  Release release{.minor = *minor};
  if (version.starts_with('.')) {
    version.remove_prefix(1);
    release.patch = take_number(version);
  }
  return release;
}

}  // namespace dra::api
