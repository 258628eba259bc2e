// src/report/phrases/words.cpp: folding of names splits each into a stem and a number; runs of
// numbers become a range, common prefixes are written once.

#include "dra/report/phrases/words.h"

#include "dra/base/text.h"

namespace dra::report {
std::string or_none(std::string_view text) { return std::string(text.empty() ? kNone : text); }

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
