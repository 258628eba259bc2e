// src/report/phrases/words.cpp: folding of names splits each into a stem and a number; runs of
// numbers become a range, common prefixes are written once.

#include "dra/report/phrases/words.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "dra/base/text.h"

namespace dra::report {
namespace {

// "gpu-12" -> "gpu-", 12. No number for names without digits, with a leading zero or with too many
// digits.
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

// The number of names from `at` on whose numbers increase by one.
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

// The length of the common prefix of all names, up to a separator.
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

std::string age_of(const api::Time& since, base::Instant now) {
  return since ? base::human_age(now - *since) : std::string(kUnknown);
}

std::string ago(const api::Time& when, base::Instant now) {
  if (!when) return std::string(kUnknown);
  return *when > now ? "in " + base::human_age(*when - now) : age_of(when, now) + " ago";
}

std::string or_none(std::string_view text) { return std::string(text.empty() ? kNone : text); }

std::string fold_names(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t length = run_length(names, at);
    const bool fold = length >= 3;
    if (!out.empty()) out += ",";
    out += names[at];
    if (fold) out += base::format("…{}", *numbered(names[at + length - 1]).number);
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
  return base::format("{}{{{}}}", names.front().substr(0, stem), fold_names(rest));
}

std::string fold_devices_within(const std::vector<std::string_view>& names, std::size_t width) {
  std::string text = fold_devices(names);
  std::vector<std::string_view> shown = names;
  while (text.size() > width && shown.size() > 1) {
    shown.pop_back();
    text = base::format("{},+{}", fold_devices(shown), names.size() - shown.size());
  }
  return text;
}

std::string name_devices_within(const std::vector<std::string_view>& names, std::size_t width) {
  std::string text = fold_devices_within(names, width);
  if (text.empty() || text.front() < '0' || text.front() > '9') return text;
  return base::format("{} {}", names.size() == 1 ? "device" : "devices", text);
}

std::string fold_nodes(const std::vector<std::string_view>& names, std::size_t limit) {
  if (names.size() == 1) return std::string(names.front());
  const std::size_t shown = std::min(names.size(), limit);
  const std::string rest = shown < names.size() ? base::format(",+{}", names.size() - shown) : "";
  const std::size_t stem = common_stem(names);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < shown; ++i)
    parts.emplace_back(names[i].substr(stem));
  const std::string list = base::join(parts, ",") + rest;
  return stem == 0 ? list : base::format("{}{{{}}}", names.front().substr(0, stem), list);
}

std::string without_preemption(std::string_view message) {
  std::string text(base::trim(message.substr(0, message.find("preemption: "))));
  while (text.ends_with(','))
    text.pop_back();
  constexpr std::string_view after_trying_to_release = " still not schedulable";
  if (text.ends_with(after_trying_to_release))
    text.resize(text.size() - after_trying_to_release.size());
  return text;
}

std::string describe_demand(const api::DeviceDemand& demand) {
  return demand.all() ? base::format("all x {}", demand.device_class)
                      : base::format("{} x {}", demand.wanted(), demand.device_class);
}

std::string describe_requests(const api::ClaimSpec& spec) {
  std::vector<std::string> requests;
  for (const api::DeviceRequest& request : spec.devices.requests) {
    std::vector<std::string> demands;
    for (const api::NamedDemand& demand : api::demands_of(request))
      demands.push_back(describe_demand(*demand.demand));
    requests.push_back(base::join(demands, " or "));
  }
  return or_none(base::join(requests, ", "));
}

std::string one_line(std::string_view expression) {
  std::string out;
  for (const std::string_view line : base::split(expression, '\n')) {
    const std::string_view text = base::trim(line);
    if (!out.empty() && !text.empty()) out += ' ';
    out += text;
  }
  return out;
}

std::string why(const api::Condition& condition) {
  return condition.message.empty() ? std::string(condition.reason)
                                   : base::format("{}: {}", condition.reason, condition.message);
}

std::string sentence(std::string text) {
  if (!text.ends_with('?') && !text.ends_with('.')) text += '.';
  return text;
}

std::string consumers_of(const api::ResourceClaim& claim, std::size_t limit) {
  std::string out;
  std::size_t shown = 0;
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    if (shown == limit) return out + base::format(",+{}", claim.status.reserved_for.size() - limit);
    if (shown++ > 0) out += ",";
    out += consumer.is_pod() ? std::string(consumer.name)
                             : base::format("{}/{}", consumer.resource, consumer.name);
  }
  return out;
}

view::Tone tone_of(diag::Severity severity) {
  switch (severity) {
    case diag::Severity::Error:
      return view::Tone::Bad;
    case diag::Severity::Warning:
      return view::Tone::Warn;
    case diag::Severity::Hint:
      return view::Tone::Dim;
  }
  return view::Tone::Plain;
}

view::Span span(std::string text, view::Tone tone) { return {std::move(text), tone}; }
view::Cell cell(std::string_view text, view::Tone tone) { return {std::string(text), tone}; }
view::Cell cell(std::int64_t number) { return {std::to_string(number), view::Tone::Plain}; }

view::Cell cell_if_known(const std::optional<std::int64_t>& number) {
  return number ? cell(*number) : cell(kUnknown);
}

json::Value json_if_known(const std::optional<std::int64_t>& number) {
  return number ? json::Value(*number) : json::Value();
}

view::Rest rest_of(std::string_view what) {
  return {.one = base::format("and {{}} more {}: -o wide", what),
          .several = base::format("and {{}} more {}s: -o wide", what)};
}

view::Table table_of(Titles titles, Titles wide_titles) {
  view::Table table;
  for (const char* title : titles)
    table.columns.push_back({.title = title});
  for (const char* title : wide_titles)
    table.columns.push_back({.title = title, .wide = true});
  return table;
}

}  // namespace dra::report
