// src/base/fold_names.cpp: see fold_names.h.

#include "dra/base/fold_names.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "dra/base/text.h"

namespace dra::base {
namespace {

constexpr std::size_t kFold = 3;  // names of a run that is folded
constexpr std::string_view kEllipsis = "…";
constexpr std::size_t kShortEnough = 24;  // bytes that need no braces

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

// The next name goes on counting behind a run of so many.
bool goes_on(const Numbered& first, std::size_t length, const Numbered& next) {
  return first.number && next.stem == first.stem &&
         next.number == *first.number + static_cast<std::int64_t>(length);
}

// How many names from `at` on count upwards by one.
std::size_t run_length(const std::vector<std::string_view>& names, std::size_t at) {
  const Numbered first = numbered(names[at]);
  std::size_t length = 1;
  while (at + length < names.size() && goes_on(first, length, numbered(names[at + length])))
    ++length;
  return length;
}

std::size_t common_length(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// Up to a separator, so that parts of words stay whole.
std::size_t common_stem_of(std::string_view name, std::size_t length) {
  const std::size_t separator = name.substr(0, length).find_last_of("-.");
  return separator == std::string_view::npos ? 0 : separator + 1;
}

// The length of what all names start with.
std::size_t common_stem(const std::vector<std::string_view>& names) {
  std::size_t length = names.front().size();
  for (const std::string_view name : names)
    length = common_length(names.front().substr(0, length), name);
  return common_stem_of(names.front(), length);
}

// The size of a run of names, folded if it is long enough: "gpu-0…7".
std::size_t size_of_run(const std::vector<std::string_view>& names, std::size_t at,
                        std::size_t length) {
  const std::size_t first = names[at].size();
  if (length == 1) return first;
  const std::string_view last = names[at + length - 1];
  if (length < kFold) return first + 1 + last.size();
  return first + kEllipsis.size() + (last.size() - numbered(last).stem.size());
}

// The sizes of fold_devices() of the first name, the first two names, and so on: in one pass, as
// there may be a hundred thousand.
std::vector<std::size_t> folded_sizes(const std::vector<std::string_view>& names) {
  std::vector<std::size_t> sizes;
  sizes.reserve(names.size());
  std::size_t closed = 0;        // bytes of the runs before this one, commas included
  std::size_t closed_parts = 0;  // names in them
  std::size_t run = 0;           // names in this one
  Numbered first;                // of the run
  std::size_t common = names.front().size();
  std::size_t stem = common_stem_of(names.front(), common);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Numbered name = numbered(names[i]);
    if (run == 0 || !goes_on(first, run, name)) {
      if (run > 0) {
        closed += size_of_run(names, i - run, run) + 1;
        closed_parts += run < kFold ? run : 1;
      }
      first = name;
      run = 0;
    }
    ++run;
    const std::size_t now = common_length(names.front().substr(0, common), names[i]);
    if (now < common) stem = common_stem_of(names.front(), common = now);
    const std::size_t plain = closed + size_of_run(names, i + 1 - run, run);
    const std::size_t parts = closed_parts + (run < kFold ? run : 1);
    const bool braces = parts > 1 && plain > kShortEnough && stem > 0;
    sizes.push_back(braces ? plain - stem * parts + stem + 2 : plain);
  }
  return sizes;
}

}  // namespace

std::string fold_names(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t length = run_length(names, at);
    const bool fold = length >= kFold;
    if (!out.empty()) out += ",";
    out += names[at];
    if (fold) out += format("{}{}", kEllipsis, *numbered(names[at + length - 1]).number);
    at += fold ? length : 1;
  }
  return out;
}

std::string fold_devices(const std::vector<std::string_view>& names) {
  std::string plain = fold_names(names);
  const std::size_t stem = names.empty() ? 0 : common_stem(names);
  if (plain.find(',') == std::string::npos || plain.size() <= kShortEnough || stem == 0)
    return plain;
  std::vector<std::string_view> rest;
  rest.reserve(names.size());
  for (const std::string_view name : names)
    rest.push_back(name.substr(stem));
  return format("{}{{{}}}", names.front().substr(0, stem), fold_names(rest));
}

std::string fold_devices_within(const std::vector<std::string_view>& names, std::size_t width) {
  std::string text = fold_devices(names);
  if (text.size() <= width || names.size() < 2) return text;
  // Of so many names as fit, the rest is a number.
  const std::vector<std::size_t> sizes = folded_sizes(names);
  std::size_t shown = names.size() - 1;
  const auto whole_size = [&](std::size_t count) {
    return sizes[count - 1] + 2 + std::to_string(names.size() - count).size();
  };
  while (shown > 1 && whole_size(shown) > width)
    --shown;
  const std::vector<std::string_view> first(names.begin(),
                                            names.begin() + static_cast<std::ptrdiff_t>(shown));
  return format("{},+{}", fold_devices(first), names.size() - shown);
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
