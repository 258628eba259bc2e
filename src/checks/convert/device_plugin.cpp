// src/checks/convert/device_plugin.cpp: finds the pods and pod templates of a text, converts each
// (plugin_pod.h), and writes the templates of their claims before the objects.

#include "dra/checks/convert/device_plugin.h"

#include <algorithm>
#include <map>
#include <optional>

#include "dra/api/kinds.h"
#include "dra/api/pod_templates.h"
#include "dra/base/text.h"
#include "dra/json/write.h"
#include "dra/json/yaml.h"
#include "dra/json/yaml_edit.h"
#include "src/checks/convert/plugin_pod.h"
#include "src/checks/convert/yaml_output.h"

namespace dra::checks {
namespace {

using api::PodPlace;
using base::format;
using json::TextEdit;
using json::Value;
using json::YamlText;

constexpr std::size_t kNameSize = 253;  // of a DNS subdomain
constexpr std::string_view kMirror = "kubernetes.io/config.mirror";

// The names of ResourceClaimTemplates in use, by namespace.
class TemplateNames {
 public:
  void add(const Value& object) {
    if (const Value* items = object.find("items")) {
      for (const Value& item : items->items())
        add(item);
    }
    if (object.string_at("kind") == "ResourceClaimTemplate")
      names_.emplace(key_of(object), std::string());
  }

  // A name for a claim, and whether it needs a new template: equal claims share one.
  std::pair<std::string, bool> name_for(const std::string& ns, const std::string& wanted,
                                        const Value& claim) {
    const std::string spec = json::write_json(claim, json::Style::Compact);
    for (int number = 1;; ++number) {
      const std::string end = number == 1 ? std::string() : format("-{}", number);
      std::string name = wanted.substr(0, kNameSize - end.size()) + end;
      const auto [found, is_new] = names_.emplace(std::pair(ns, name), spec);
      if (is_new || found->second == spec) return {std::move(name), is_new};
    }
  }

 private:
  static std::pair<std::string, std::string> key_of(const Value& object) {
    return {object.string_at({"metadata", "namespace"}), object.string_at({"metadata", "name"})};
  }

  // The spec of the claim of templates that we add; empty for others.
  std::map<std::pair<std::string, std::string>, std::string> names_;
};

// Turns any text into a DNS subdomain.
std::string as_name(std::string_view text) {
  std::vector<std::string> labels;
  for (const std::string_view part : base::split(text, '.')) {
    std::string label = as_label(part);
    if (!label.empty()) labels.push_back(std::move(label));
  }
  return base::join(labels, ".");
}

// The first part of the names of an object's templates.
std::string base_name(const Value& object) {
  std::string name = as_name(object.string_at({"metadata", "name"}));
  if (name.empty()) name = as_name(object.string_at({"metadata", "generateName"}));
  return name.empty() ? as_name(object.string_at("kind")) : name;
}

std::string joined(std::string name, const std::string& role, const std::string& noun) {
  const std::string end = role.empty() ? "-" + noun : format("-{}-{}", role, noun);
  name = name.substr(0, kNameSize - std::min(end.size(), kNameSize / 2));
  while (name.ends_with('.') || name.ends_with('-'))
    name.pop_back();
  return name + end;
}

Value make_template(const std::string& ns, const std::string& name, Value claim) {
  Value metadata = Value::object({{"name", name, {}}});
  if (!ns.empty()) metadata.set("namespace", ns);
  return Value::object(
      {{"apiVersion", api::api_version_of(api::info_of(api::Kind::Template), "v1"), {}},
       {"kind", "ResourceClaimTemplate", {}},
       {"metadata", std::move(metadata), {}},
       {"spec", Value::object({{"spec", std::move(claim), {}}}), {}}});
}

class Converter {
 public:
  Converter(TemplateNames& names, FromDevicePlugin& out) : names_(names), out_(out) {}

  // Converts the object and returns the templates to insert before it. In a List they become items.
  std::vector<Value> convert(Value& object) {
    Value* items = object.find("items");
    const std::string kind = object.string_at("kind");
    if (!kind.ends_with("List") || items == nullptr || !items->is(json::Kind::Array))
      return convert_pods(object);
    std::vector<Value> needed;
    std::vector<Value> all;
    for (Value& item : items->items()) {
      std::vector<Value>& to = kind == "List" ? all : needed;
      for (Value& one : convert(item))
        to.push_back(std::move(one));
      all.push_back(std::move(item));
    }
    items->items() = std::move(all);
    return needed;
  }

 private:
  std::vector<Value> convert_pods(Value& object) {
    std::vector<Value> needed;
    const Value* annotations = object.at({"metadata", "annotations"});
    if (annotations != nullptr && annotations->find(kMirror) != nullptr) return needed;
    struct Planned {
      PodPlace place;
      PluginPod pod;
    };
    std::vector<Planned> planned;
    std::set<std::string> claims;
    for (PodPlace& place : api::pod_places(object)) {
      PluginPod pod(*place.spec, out_);
      if (!pod.asks()) continue;
      claims.insert(json::write_json(pod.claim(), json::Style::Compact));
      planned.push_back({std::move(place), std::move(pod)});
    }
    const std::string ns = object.string_at({"metadata", "namespace"});
    for (auto& [place, pod] : planned) {
      Value claim = pod.claim();
      const std::string role = claims.size() > 1 ? as_label(place.role) : std::string();
      const auto [name, is_new] =
          names_.name_for(ns, joined(base_name(object), role, pod.noun()), claim);
      if (is_new) needed.push_back(make_template(ns, name, std::move(claim)));
      remark_ray(object, place, pod);
      pod.use_template(name);
      ++out_.pods;
    }
    return needed;
  }

  // KubeRay: addWellKnownAcceleratorResources in ray-operator/controllers/ray/common/pod.go.
  void remark_ray(const Value& object, const PodPlace& place, const PluginPod& pod) {
    if (api::group_of(object.string_at("apiVersion")) != "ray.io") return;
    if (place.holder->find("resources") != nullptr) return;
    for (const std::string_view parameter : pod.ray_parameters()) {
      if (place.holder->at({"rayStartParams", parameter}) != nullptr) continue;
      out_.remarks.push_back(
          {place.spec->position(),
           format("KubeRay reads {} from limits, of which these pods have none now: say it in "
                  "rayStartParams",
                  parameter)});
    }
  }

  TemplateNames& names_;
  FromDevicePlugin& out_;
};

// The text of a document that is inserted before another, in the notation of that.
std::string document_text(const Value& value, std::string_view text, const Value& before) {
  const std::vector<std::string_view> lines = base::split(text, '\n');
  const json::Position at = before.position();
  const bool json = at.line <= lines.size() && lines[at.line - 1].substr(at.column - 1, 1) == "{";
  const std::string written = json ? json::write_json(value, json::Style::Pretty) + "\n"
                                   : json::write_yaml(value, {json::YamlKeys::AsTheyStand});
  return written + "---\n";
}

// A document before and after the conversion, and the templates to insert before it.
struct PluginDocument {
  Value before;
  Value after;
  std::vector<Value> templates;
};

std::optional<std::vector<TextEdit>> edits_of(const std::vector<PluginDocument>& documents,
                                              std::string_view text) {
  const YamlText source(text);
  std::vector<TextEdit> edits;
  for (const PluginDocument& document : documents) {
    std::string templates;
    for (const Value& one : document.templates)
      templates += document_text(one, text, document.before);
    auto changed = source.change(document.before, document.after);
    if (!changed) return std::nullopt;
    if (!templates.empty()) {
      auto before = source.insert_before(document.before, std::move(templates));
      if (!before) return std::nullopt;
      edits.push_back(*std::move(before));
    }
    std::ranges::move(*changed, std::back_inserter(edits));
  }
  return edits;
}

void sort_remarks(std::vector<PluginRemark>& remarks) {
  std::ranges::stable_sort(remarks, {}, [](const PluginRemark& remark) {
    return std::pair(remark.position.line, remark.position.column);
  });
}

}  // namespace

Result<FromDevicePlugin> from_device_plugin(std::string_view text) {
  // Text is appended after the last line, which needs a line break.
  std::string whole(json::without_byte_order_mark(text));
  if (!whole.ends_with('\n')) whole += '\n';
  std::vector<Value> documents = DRA_TRY(read_objects(whole));
  FromDevicePlugin out{.text = std::string(text)};
  TemplateNames names;
  for (const Value& document : documents)
    names.add(document);
  Converter converter(names, out);
  std::vector<PluginDocument> all;
  all.reserve(documents.size());
  std::vector<Value> wanted;
  for (const Value& document : documents) {
    PluginDocument one{document, document, {}};
    one.templates = converter.convert(one.after);
    wanted.insert(wanted.end(), one.templates.begin(), one.templates.end());
    wanted.push_back(one.after);
    all.push_back(std::move(one));
  }
  sort_remarks(out.remarks);
  if (out.pods == 0) return out;
  auto [changed, comments_lost] = yaml_output(whole, edits_of(all, whole), wanted);
  out.text = std::move(changed);
  out.comments_lost = comments_lost;
  return out;
}

}  // namespace dra::checks
