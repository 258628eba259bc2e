// src/render/openmetrics.cpp: see openmetrics.h.

#include "dra/render/openmetrics.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>

#include "dra/base/text.h"

namespace dra::render {
namespace {

using json::Value;

// A label's value as the format quotes it. Every other byte stands for itself, and a terminal is
// not where metrics go; but what acts on one is replaced all the same.
std::string label_value(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? '?' : c;
    }
  }
  return out;
}

// A figure of a report; nothing if it is absent or null: it is not known.
void add_sample(MetricFamily& family, std::vector<std::pair<std::string, std::string>> labels,
                const Value* figure) {
  if (figure == nullptr || !figure->is(json::Kind::Number)) return;
  family.samples.push_back({std::move(labels), figure->text()});
}

std::string figure_text(const Value& item, std::string_view key) {
  const Value* found = item.find(key);
  return found == nullptr ? std::string() : found->text();
}

// What a row of a Top report is about.
struct MetricSubject {
  std::string_view by;  // as the report says it
  std::string_view one;
  std::string_view label;
};

constexpr std::array kMetricSubjects = {
    MetricSubject{"drivers", "driver", "driver"},
    MetricSubject{"classes", "deviceclass", "deviceclass"},
    MetricSubject{"nodes", "node", "node"},
    MetricSubject{"nodepools", "nodepool", "nodepool"},
};

std::vector<MetricFamily> device_metrics(const MetricSubject& subject,
                                         const std::vector<Value>& items) {
  const std::string prefix = base::format("kube_dra_{}_", subject.one);
  MetricFamily devices{prefix + "devices",
                       "Devices that are published, or are missing, by their state."};
  MetricFamily published{prefix + "devices_published", "Devices that are published."};
  MetricFamily request{prefix + "largest_request_devices",
                       "Devices that one request could get on one node."};
  for (const Value& item : items) {
    std::vector<std::pair<std::string, std::string>> labels = {
        {std::string(subject.label), figure_text(item, "name")}};
    if (item.find("driver") != nullptr) labels.emplace_back("driver", figure_text(item, "driver"));
    add_sample(published, labels, item.find("devices"));
    add_sample(request, labels, item.at({"largestRequest", "devices"}));
    for (const char* state : {"allocated", "free", "blocked", "tainted", "unusable", "missing"}) {
      auto with_state = labels;
      with_state.emplace_back("state", state);
      add_sample(devices, std::move(with_state), item.find(state));
    }
  }
  return {std::move(devices), std::move(published), std::move(request)};
}

std::vector<MetricFamily> namespace_metrics(const std::vector<Value>& items) {
  MetricFamily claims{"kube_dra_namespace_claims", "Claims of the namespace."};
  MetricFamily pending{"kube_dra_namespace_claims_pending", "Claims that are not allocated."};
  MetricFamily pods{"kube_dra_namespace_pods", "Pods for which claims are reserved."};
  MetricFamily held{"kube_dra_namespace_devices_allocated",
                    "Devices that claims of the namespace hold, by driver."};
  MetricFamily gone{"kube_dra_namespace_devices_missing",
                    "Devices that claims of the namespace hold and no driver publishes."};
  for (const Value& item : items) {
    const std::pair<std::string, std::string> label{"namespace", figure_text(item, "name")};
    add_sample(claims, {label}, item.find("claims"));
    add_sample(pending, {label}, item.find("pending"));
    add_sample(pods, {label}, item.find("pods"));
    add_sample(gone, {label}, item.find("gone"));
    const Value* drivers = item.find("drivers");
    if (drivers == nullptr) continue;
    for (const json::Member& driver : drivers->members())
      add_sample(held, {label, {"driver", driver.key}}, &driver.value);
  }
  return {std::move(claims), std::move(pending), std::move(pods), std::move(held), std::move(gone)};
}

// By whom devices are held, or are idle: a namespace, or a workload of one.
std::vector<std::pair<std::string, std::string>> holder_labels(const Value& item) {
  std::vector<std::pair<std::string, std::string>> labels = {
      {"namespace", figure_text(item, "namespace")}};
  if (item.find("kind") == nullptr) return labels;
  labels.emplace_back("workload_kind", figure_text(item, "kind"));
  labels.emplace_back("workload", figure_text(item, "name"));
  return labels;
}

void add_by_driver(MetricFamily& family, const Value& item) {
  for (const json::Member& driver : item.find("drivers")->members()) {
    auto labels = holder_labels(item);
    labels.emplace_back("driver", driver.key);
    add_sample(family, std::move(labels), &driver.value);
  }
}

std::vector<MetricFamily> workload_metrics(const std::vector<Value>& items) {
  MetricFamily held{"kube_dra_workload_devices_allocated",
                    "Devices that claims hold for the workload, by driver."};
  for (const Value& item : items)
    add_by_driver(held, item);
  return {std::move(held)};
}

}  // namespace

std::vector<MetricFamily> idle_metrics(const Value& report) {
  const std::string of = figure_text(report, "by") == "workloads" ? "workload" : "namespace";
  MetricFamily devices{base::format("kube_dra_{}_devices_idle", of),
                       "Devices that claims hold and nothing works with, by driver."};
  MetricFamily time{base::format("kube_dra_{}_devices_idle_seconds", of),
                    "Devices that are idle, times the seconds for which they have been."};
  constexpr double hour = 3600;
  for (const Value& item : report.find("items")->items()) {
    add_by_driver(devices, item);
    const double hours = std::strtod(figure_text(item, "deviceHours").c_str(), nullptr);
    time.samples.push_back({holder_labels(item), base::format("{:.0f}", hours * hour)});
  }
  return {std::move(devices), std::move(time)};
}

std::vector<MetricFamily> top_metrics(const Value& report) {
  const std::vector<Value>& items = report.find("items")->items();
  const std::string by = figure_text(report, "by");
  for (const MetricSubject& subject : kMetricSubjects) {
    if (subject.by == by) return device_metrics(subject, items);
  }
  return by == "workloads" ? workload_metrics(items) : namespace_metrics(items);
}

std::vector<MetricFamily> doctor_metrics(const Value& report) {
  MetricFamily problems{"kube_dra_problems", "Problems that doctor finds, by code and severity."};
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  for (const Value& problem : report.find("problems")->items())
    ++counts[{figure_text(problem, "code"), figure_text(problem, "severity")}];
  for (const auto& [what, count] : counts) {
    problems.samples.push_back(
        {{{"code", what.first}, {"severity", what.second}}, std::to_string(count)});
  }
  MetricFamily looked_at{"kube_dra_objects_examined", "Objects that doctor looked at, by kind."};
  for (const Value& kind : report.find("lookedAt")->items())
    add_sample(looked_at, {{"kind", figure_text(kind, "kind")}}, kind.find("count"));
  return {std::move(problems), std::move(looked_at)};
}

std::string to_openmetrics(const std::vector<MetricFamily>& families) {
  std::string out;
  for (const MetricFamily& family : families) {
    if (family.samples.empty()) continue;
    out += base::format("# TYPE {} gauge\n# HELP {} {}\n", family.name, family.name, family.help);
    for (const MetricSample& sample : family.samples) {
      std::vector<std::string> labels;
      for (const auto& [name, value] : sample.labels)
        labels.push_back(base::format("{}=\"{}\"", name, label_value(value)));
      out += family.name;
      if (!labels.empty()) out += "{" + base::join(labels, ",") + "}";
      out += " " + sample.value + "\n";
    }
  }
  return out + "# EOF\n";
}

}  // namespace dra::render
