// src/checks/fields/required_fields.cpp: see required_fields.h.

#include "dra/checks/fields/required_fields.h"

#include <algorithm>
#include <string>

#include "dra/base/text.h"

namespace dra::checks {
namespace {

using api::SchemaField;
using api::SchemaType;
using api::SchemaValue;
using api::ValueKind;
using json::Value;

// Of a key that is there twice kubectl sends the last value alone. for_each_below (objects_below.h)
// visits both, so this walk looks up each field instead.
class RequiredWalk {
 public:
  explicit RequiredWalk(std::vector<ManifestFinding>& findings) : findings_(findings) {}

  void object(const Value& object, const SchemaType& type, const std::string& path) {
    if (!object.is(json::Kind::Object)) return;
    for (const SchemaField& field : api::fields_of(type)) {
      const std::string below =
          path.empty() ? std::string(field.name) : base::format("{}.{}", path, field.name);
      if (const Value* value = object.find(field.name))
        value_of(*value, field.value, below);
      else if (field.required)
        missing(object, field, below);
    }
  }

 private:
  void value_of(const Value& value, const SchemaValue& expected, const std::string& path) {
    const SchemaType* type = api::type_of(expected);
    if (type == nullptr) return;
    if (expected.kind == ValueKind::Object) {
      object(value, *type, path);
    } else if (expected.kind == ValueKind::List && value.is(json::Kind::Array)) {
      for (std::size_t i = 0; i < value.items().size(); ++i)
        object(value.items()[i], *type, base::format("{}[{}]", path, i));
    } else if (expected.kind == ValueKind::Map && value.is(json::Kind::Object)) {
      for (const json::Member& entry : value.members())
        object(entry.value, *type, base::format("{}[{}]", path, entry.key));
    }
  }

  void missing(const Value& object, const SchemaField& field, const std::string& path) {
    const bool known = std::ranges::any_of(findings_, [&path](const ManifestFinding& finding) {
      return finding.severity == Severity::Error && finding.path == path;
    });
    if (known) return;
    findings_.push_back({
        .severity = Severity::Error,
        .code = "Required",
        .phase = Phase::Client,
        .path = path,
        .position = object.position(),
        .message = base::format("{} is missing: kubectl does not send an item of a List without it",
                                field.name),
        .fix = base::format("add {}", field.name),
    });
  }

  std::vector<ManifestFinding>& findings_;
};

}  // namespace

void check_required(const Value& object, const SchemaType& type,
                    std::vector<ManifestFinding>& findings) {
  RequiredWalk(findings).object(object, type, {});
}

}  // namespace dra::checks
