// src/base/fold_names.cpp: see fold_names.h.

#include "dra/base/fold_names.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "dra/base/text.h"

namespace dra::base {
namespace {

// "gpu-12" -> "gpu-", 12; no number where digits are missing, lead with zero or are too many.
struct Numbered {
  std::string_view stem;
  std::optional<std::int64_t> number;
};

Numbered numbered(std::string_view name) {
  std::size_t at = name.size();
  while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
    --at;
  const std::string_view digits = name.substr(at);
  const bool plain = !digits.empty() && digits.size() <= 9 && (digits == "0" || digits[0] != '0');
  if (!plain) return {name, std::nullopt};
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return {name.substr(0, at), number};
}

// How many names from `at` on count upwards by one.
std::size_t run_length(const std::vector<std::string_view>& names, std::size_t at) {
  const Numbered first = numbered(names[at]);
  std::size_t length = 1;
  while (first.number && at + length < names.size()) {
    const Numbered next = numbered(names[at + length]);
    if (next.stem != first.stem || next.number != *first.number + static_cast<std::int64_t>(length))
      break;
    ++length;
  }
  return length;
}

// The length of what all names start with, up to a separator, so that parts of words stay whole.
std::size_t common_stem(const std::vector<std::string_view>& names) {
  std::size_t length = names.front().size();
  for (const std::string_view name : names) {
    const auto differs = std::ranges::mismatch(names.front().substr(0, length), name);
    length = static_cast<std::size_t>(differs.in1 - names.front().begin());
  }
  const std::size_t separator = names.front().substr(0, length).find_last_of("-.");
  return separator == std::string_view::npos ? 0 : separator + 1;
}

}  // namespace

std::string fold_names(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t length = run_length(names, at);
    const bool fold = length >= 3;
    if (!out.empty()) out += ",";
    out += names[at];
    if (fold) out += format("…{}", *numbered(names[at + length - 1]).number);
    at += fold ? length : 1;
  }
  return out;
}

std::string fold_devices(const std::vector<std::string_view>& names) {
  constexpr std::size_t short_enough = 24;
  std::string plain = fold_names(names);
  const std::size_t stem = names.empty() ? 0 : common_stem(names);
  if (plain.find(',') == std::string::npos || plain.size() <= short_enough || stem == 0)
    return plain;
  std::vector<std::string_view> rest;
  rest.reserve(names.size());
  for (const std::string_view name : names)
    rest.push_back(name.substr(stem));
  return format("{}{{{}}}", names.front().substr(0, stem), fold_names(rest));
}

std::string fold_devices_within(const std::vector<std::string_view>& names, std::size_t width) {
  std::string text = fold_devices(names);
  std::vector<std::string_view> shown = names;
  while (text.size() > width && shown.size() > 1) {
    shown.pop_back();
    text = format("{},+{}", fold_devices(shown), names.size() - shown.size());
  }
  return text;
}

std::string name_devices_within(const std::vector<std::string_view>& names, std::size_t width) {
  std::string text = fold_devices_within(names, width);
  if (text.empty() || text.front() < '0' || text.front() > '9') return text;
  return format("{} {}", names.size() == 1 ? "device" : "devices", text);
}

std::string fold_nodes(const std::vector<std::string_view>& names, std::size_t limit) {
  if (names.size() == 1) return std::string(names.front());
  const std::size_t shown = std::min(names.size(), limit);
  const std::string rest = shown < names.size() ? format(",+{}", names.size() - shown) : "";
  const std::size_t stem = common_stem(names);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < shown; ++i)
    parts.emplace_back(names[i].substr(stem));
  const std::string list = join(parts, ",") + rest;
  return stem == 0 ? list : format("{}{{{}}}", names.front().substr(0, stem), list);
}

}  // namespace dra::base
