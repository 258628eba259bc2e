// src/snapshot/fields.cpp: a table of the fields of each kind. A field is read from the object's
// JSON, because decoded objects do not have all of them.

#include "src/snapshot/fields.h"

#include <algorithm>
#include <array>
#include <span>

#include "dra/base/text.h"

namespace dra::snapshot {
namespace {

struct FieldInfo {
  std::string_view name;
  // The value that a server selects by if the object does not have the field.
  std::string_view absent = {};
};

constexpr FieldInfo kNameField{"metadata.name"};
constexpr FieldInfo kNamespace{"metadata.namespace"};

constexpr std::array kOther{kNameField, kNamespace};
constexpr std::array kSliceFields{
    kNameField,
    FieldInfo{"spec.driver"},
    FieldInfo{"spec.nodeName"},
    FieldInfo{"spec.pool.name"},
};
constexpr std::array kNodeFields{kNameField, FieldInfo{"spec.unschedulable", "false"}};
constexpr std::array kNamespaceFields{kNameField, FieldInfo{"status.phase", "Active"}};
constexpr std::array kPodFields{
    kNameField,
    kNamespace,
    FieldInfo{"spec.host"},  // former name of spec.nodeName
    FieldInfo{"spec.hostNetwork", "false"},
    FieldInfo{"spec.nodeName"},
    FieldInfo{"spec.restartPolicy", "Always"},
    FieldInfo{"spec.schedulerName", "default-scheduler"},
    FieldInfo{"spec.serviceAccountName", "default"},
    FieldInfo{"status.nominatedNodeName"},
    FieldInfo{"status.phase", "Pending"},
    FieldInfo{"status.podIP"},
    FieldInfo{"status.podIPs"},  // accepted, and empty for every pod
};
constexpr std::array kEventFields{
    kNameField,
    kNamespace,
    FieldInfo{"involvedObject.apiVersion"},
    FieldInfo{"involvedObject.fieldPath"},
    FieldInfo{"involvedObject.kind"},
    FieldInfo{"involvedObject.name"},
    FieldInfo{"involvedObject.namespace"},
    FieldInfo{"involvedObject.resourceVersion"},
    FieldInfo{"involvedObject.uid"},
    FieldInfo{"reason"},
    FieldInfo{"reportingComponent"},
    FieldInfo{"source"},
    FieldInfo{"type"},
};

std::span<const FieldInfo> fields_of(api::Kind kind) {
  switch (kind) {
    case api::Kind::Slice:
      return kSliceFields;
    case api::Kind::Pod:
      return kPodFields;
    case api::Kind::Node:
      return kNodeFields;
    case api::Kind::Namespace:
      return kNamespaceFields;
    case api::Kind::Event:
      return kEventFields;
    default:
      return kOther;
  }
}

// The scalar at a path of keys, separated by dots.
std::string text_at(const json::Value& object, std::string_view path) {
  const json::Value* value = &object;
  for (const std::string_view key : base::split(path, '.')) {
    value = value->find(key);
    if (value == nullptr) return {};
  }
  return value->text();
}

// The first entry of podIPs counts, as in a server, which derives the list from a single podIP.
std::string pod_ip(const json::Value& pod) {
  const json::Value* list = pod.at({"status", "podIPs"});
  if (list != nullptr && !list->items().empty()) return text_at(list->items().front(), "ip");
  return text_at(pod, "status.podIP");
}

}  // namespace

Result<Done> check_field(const api::KindInfo& kind, std::string_view api_version,
                         std::string_view field) {
  const auto fields = fields_of(kind.kind);
  if (std::ranges::find(fields, field, &FieldInfo::name) != fields.end()) return Done{};
  std::string words;
  if (kind.kind == api::Kind::Slice) {
    words = base::format("field label not supported for {}, Kind={}: {}", api_version, kind.name,
                         field);
  } else if (fields.data() == kOther.data()) {
    words = base::format("\"{}\" is not a known field selector: only \"{}\", \"{}\"", field,
                         kNameField.name, kNamespace.name);
  } else {
    words = base::format("field label not supported: {}", field);
  }
  std::vector<std::string> names;
  for (const FieldInfo& info : fields)
    names.emplace_back(info.name);
  return Error{ErrorKind::BadInput, std::move(words),
               base::format("{} can be selected by {}", kind.resource, base::join(names, ", "))};
}

std::string field_value(api::Kind kind, std::string_view field, const json::Value& object) {
  if (kind == api::Kind::Pod && field == "spec.host") field = "spec.nodeName";
  if (kind == api::Kind::Pod && field == "status.podIPs") return {};
  if (kind == api::Kind::Pod && field == "status.podIP") return pod_ip(object);
  if (kind == api::Kind::Event && field == "source") {
    const std::string component = text_at(object, "source.component");
    return component.empty() ? text_at(object, "reportingComponent") : component;
  }
  const std::string text = text_at(object, field);
  const auto fields = fields_of(kind);
  const auto info = std::ranges::find(fields, field, &FieldInfo::name);
  return text.empty() && info != fields.end() ? std::string(info->absent) : text;
}

}  // namespace dra::snapshot
