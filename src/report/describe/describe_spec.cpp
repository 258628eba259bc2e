// src/report/describe/describe_spec.cpp: each request as a list of lines, with the selectors of its
// class and its own.

#include "src/report/describe/describe_spec.h"

#include <algorithm>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_selectors.h"

namespace dra::report {
namespace {

using view::Tone;

class Requests {
 public:
  Requests(Description& out, const api::Allocation* allocation)
      : out_(out), allocation_(allocation) {}

  void add(const api::DeviceRequest& request) {
    if (request.exactly) {
      demand(request.name, request.exactly->demand, 2, {});
      return;
    }
    out_.add(view::Paragraph{
        .spans = {span(std::string(request.name), Tone::Strong),
                  span(base::format("  the first that fits of {}:", request.alternatives.size()))},
        .indent = 2});
    for (const api::Alternative& alternative : request.alternatives) {
      const std::string name = base::format("{}/{}", request.name, alternative.name);
      demand(name, alternative.demand, 4, mark(name));
    }
  }

  json::Value json() && { return std::move(json_); }

 private:
  bool is_taken(std::string_view name) const {
    const auto& results = allocation_->devices.results;
    return std::ranges::find(results, name, &api::AllocationResultItem::request) != results.end();
  }

  view::Span mark(std::string_view name) const {
    if (allocation_ == nullptr) return {};
    return is_taken(name) ? span("  <- taken", Tone::Good) : span("  not taken", Tone::Dim);
  }

  // `name` is that of allocation results, "req" or "req/sub"; of an alternative only "sub" is
  // printed.
  void demand(std::string_view name, const api::DeviceDemand& demand, int indent, view::Span mark) {
    std::string what = "  " + describe_demand(demand);
    if (demand.admin_access) what += ", admin access: others keep the devices";
    out_.add(
        view::Paragraph{.spans = {span(std::string(name.substr(name.rfind('/') + 1)), Tone::Strong),
                                  span(std::move(what)), std::move(mark)},
                        .indent = indent});
    view::Fields lines = section_fields(indent + 4);
    const auto* device_class = out_.scene().snapshot.find<api::DeviceClass>(demand.device_class);
    const std::vector<api::DeviceSelector> none;
    const auto& of_class = device_class == nullptr ? none : device_class->spec.selectors;
    const std::size_t own = of_class.size();
    const auto expressions = engine::expressions_of(of_class, demand.selectors);
    const SelectorDescription selectors(out_.scene(), expressions);
    add_json(name, demand, selectors, own);
    class_lines(name, demand, selectors, expressions.size(), lines);
    for (std::size_t i = own; i < expressions.size(); ++i) {
      add_line(lines, "selector", std::string(expressions[i]));
      add_count(selectors, i, expressions.size(), lines);
    }
    if (allocation_ == nullptr)
      selectors.add_problems(out_, {base::format("Request {}", name), own, expressions.size()});
    if (demand.capacity) add_line(lines, "capacity", quantities_text(demand.capacity->requests));
    for (const api::DerivedAttribute& derived : demand.derived)
      add_line(lines, "derives", base::format("{} = {}", derived.name, derived.expression));
    for (const api::Toleration& toleration : demand.tolerations)
      add_line(lines, "tolerates", toleration_text(toleration));
    out_.add(std::move(lines));
  }

  void add_json(std::string_view name, const api::DeviceDemand& demand,
                const SelectorDescription& selectors, std::size_t of_class) {
    json::Value& one = json_.push(json::Value::object());
    one.set("request", name);
    one.set("deviceClassName", demand.device_class);
    one.set("allocationMode", demand.all() ? api::kModeAll : api::kModeExactCount);
    if (!demand.all()) one.set("count", demand.wanted());
    if (demand.admin_access) one.set("adminAccess", true);
    if (allocation_ != nullptr) one.set("allocated", is_taken(name));
    set_if_any(one, "selectors", selectors.json(of_class));
    if (allocation_ == nullptr) set_if_any(one, "selected", selectors.chosen_json());
    if (demand.capacity) set_if_any(one, "capacity", quantities_json(demand.capacity->requests));
    set_if_any(one, "derivedAttributes", derived_json(demand.derived));
    set_if_any(one, "tolerations", tolerations_json(demand.tolerations));
  }

  static json::Value derived_json(const std::vector<api::DerivedAttribute>& derived) {
    json::Value list = json::Value::array();
    for (const api::DerivedAttribute& attribute : derived) {
      json::Value& one = list.push(json::Value::object());
      one.set("name", attribute.name);
      one.set("expression", attribute.expression);
    }
    return list;
  }

  // The number of free devices is printed for the last selector only.
  static void add_count(const SelectorDescription& selectors, std::size_t selector, std::size_t all,
                        view::Fields& lines) {
    selector + 1 == all ? selectors.add_last_count(lines) : selectors.add_count(lines, selector);
  }

  // The selectors of a class are printed for its first request only.
  void class_lines(std::string_view request, const api::DeviceDemand& demand,
                   const SelectorDescription& selectors, std::size_t all, view::Fields& lines) {
    const std::string_view name = demand.device_class;
    const snapshot::Snapshot& snapshot = out_.scene().snapshot;
    const auto* device_class = snapshot.find<api::DeviceClass>(name);
    if (device_class == nullptr) {
      if (!snapshot.coverage().saw(api::Kind::Class)) return;
      add_line(lines, "class", "does not exist", allocation_ == nullptr ? Tone::Bad : Tone::Dim);
      if (allocation_ != nullptr) return;
      out_.problem(base::format("Request {}: device class {} does not exist", request, name),
                   std::string(diag::info_of(diag::Code::ClassMissing).remedy));
      return;
    }
    if (std::ranges::find(shown_, name) != shown_.end()) return;
    shown_.push_back(name);
    const auto& own = device_class->spec.selectors;
    for (std::size_t i = 0; i < own.size(); ++i) {
      add_line(lines, "class", std::string(own[i].expression()), Tone::Dim);
      add_count(selectors, i, all, lines);
    }
    if (allocation_ == nullptr)
      selectors.add_problems(out_, {base::format("Class {}", name), 0, own.size()});
  }

  Description& out_;
  const api::Allocation* allocation_;
  std::vector<std::string_view> shown_;
  json::Value json_ = json::Value::array();
};

std::string names_text(const std::vector<std::string_view>& names) {
  return names.empty() ? "all requests"
                       : base::join(std::vector<std::string>(names.begin(), names.end()), ", ");
}

constexpr std::string_view kFromClass = "FromClass";
constexpr std::string_view kFromClaim = "FromClaim";

std::string source_text(std::string_view source) {
  if (source == kFromClass) return "from class";
  return source == kFromClaim ? "from claim" : std::string(source);
}

// Configuration as text and as JSON.
struct Configs {
  view::Fields lines = section_fields();
  json::Value json = json::Value::array();

  void add(std::string_view source, const std::vector<std::string_view>& requests,
           const api::DeviceConfig& config) {
    if (!config.opaque) return;
    add_line(lines, source_text(source),
             base::format("for {}, to {}: {}", names_text(requests), config.opaque->driver,
                          parameters_text(config.opaque->parameters)));
    json::Value& one = json.push(json::Value::object());
    set_if_any(one, "source", source);
    set_if_any(one, "requests", texts_json(requests));
    one.set("opaque", opaque_json(*config.opaque));
  }
};

// The names of the requests that ask for a class.
std::vector<std::string_view> requests_of(const api::ClaimSpec& spec, std::string_view name) {
  std::vector<std::string_view> requests;
  for (const api::DeviceRequest& request : spec.devices.requests) {
    const auto demands = api::demands_of(request);
    const bool asks = std::ranges::any_of(demands, [name](const api::NamedDemand& demand) {
      return demand.demand->device_class == name;
    });
    if (asks) requests.push_back(request.name);
  }
  return requests;
}

void add_expressions(const std::vector<api::DeviceSelector>& selectors, std::string& text) {
  for (const api::DeviceSelector& selector : selectors)
    text += base::format("{}\n", selector.expression());
}

}  // namespace

void add_requests(Description& out, const api::ClaimSpec& spec, const api::Allocation* allocation) {
  out.section("Requests");
  Requests requests(out, allocation);
  for (const api::DeviceRequest& request : spec.devices.requests)
    requests.add(request);
  out.set("requests", std::move(requests).json());
  if (spec.devices.requests.empty()) out.note("none: allocated with no device, usable everywhere");
}

void add_constraints(Description& out, const std::vector<api::Constraint>& constraints) {
  view::Fields lines = section_fields();
  json::Value list = json::Value::array();
  for (const api::Constraint& constraint : constraints) {
    // If both fields are set the scheduler uses matchAttribute only.
    const bool match = !constraint.match_attribute.empty();
    add_line(lines, names_text(constraint.requests),
             match
                 ? base::format("all devices have the same {}", constraint.match_attribute)
                 : base::format("no two devices have the same {}", constraint.distinct_attribute));
    json::Value& one = list.push(json::Value::object());
    set_if_any(one, "requests", texts_json(constraint.requests));
    one.set(match ? "matchAttribute" : "distinctAttribute",
            match ? constraint.match_attribute : constraint.distinct_attribute);
  }
  out.set("constraints", std::move(list));
  out.section("Constraints");
  out.add(std::move(lines));
}

void add_config(Description& out, const api::ClaimSpec& spec, const api::Allocation* allocation) {
  Configs configs;
  if (allocation != nullptr) {
    for (const api::AllocationConfig& config : allocation->devices.config)
      configs.add(config.source, config.requests, config.config);
  } else {
    for (const std::string_view name : classes_of(spec)) {
      const auto* device_class = out.scene().snapshot.find<api::DeviceClass>(name);
      if (device_class == nullptr) continue;
      for (const api::ClassConfig& config : device_class->spec.config)
        configs.add(kFromClass, requests_of(spec, name), config.config);
    }
    for (const api::ClaimConfig& config : spec.devices.config)
      configs.add(kFromClaim, config.requests, config.config);
  }
  out.section("Configuration");
  out.add(std::move(configs.lines));
  out.set("config", std::move(configs.json));
}

std::string quantities_text(const api::Map<api::Quantity>& quantities) {
  std::vector<std::string> parts;
  for (const auto& entry : quantities)
    parts.push_back(base::format("{} {}", entry.key, entry.value.text));
  return base::join(parts, ", ");
}

std::vector<std::string_view> classes_of(const api::ClaimSpec& spec) {
  std::vector<std::string_view> classes;
  for (const api::DeviceRequest& request : spec.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      const std::string_view name = demand.demand->device_class;
      if (std::ranges::find(classes, name) == classes.end()) classes.push_back(name);
    }
  }
  return classes;
}

std::string mentioned_in(const snapshot::Snapshot& snapshot, const api::ClaimSpec& spec) {
  std::string text;
  for (const std::string_view name : classes_of(spec)) {
    const auto* device_class = snapshot.find<api::DeviceClass>(name);
    if (device_class != nullptr) add_expressions(device_class->spec.selectors, text);
  }
  for (const api::DeviceRequest& request : spec.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(request))
      add_expressions(demand.demand->selectors, text);
  }
  for (const api::Constraint& constraint : spec.devices.constraints)
    text += base::format("{}\n{}\n", constraint.match_attribute, constraint.distinct_attribute);
  return text;
}

}  // namespace dra::report
