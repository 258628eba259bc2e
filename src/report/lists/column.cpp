// src/report/lists/column.cpp: cells made of JSON values, and the schemas around those of fields.

#include "src/report/lists/column.h"

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/snapshot/builder.h"

namespace dra::report {
namespace {

json::Value schema_value(std::string_view text) {
  auto parsed = json::parse_json(text);
  DRA_CHECK(parsed.ok());  // it stands in a column
  return std::move(parsed).take();
}

json::Value constant(std::string_view text) {
  json::Value schema = json::Value::object();
  schema.set("const", text);
  return schema;
}

// An object whose fields are `properties`, of which `required` are never absent.
void set_object(json::Value& schema, json::Value properties, json::Value required) {
  schema.set("type", "object");
  schema.set("properties", std::move(properties));
  schema.set("required", std::move(required));
  schema.set("additionalProperties", false);
}

}  // namespace

view::Cell cell_of(const json::Value& value) {
  if (value.is(json::Kind::Null)) return cell(kUnknown);
  if (!value.is(json::Kind::Array)) return cell(value.text());
  std::vector<std::string> items;
  for (const json::Value& item : value.items())
    items.push_back(item.text());
  return cell(or_none(base::join(items, ",")));
}

json::Value object_schema(std::string_view description, const std::vector<FieldSchema>& fields) {
  json::Value properties = json::Value::object();
  json::Value required = json::Value::array();
  for (const FieldSchema& field : fields) {
    properties.set(std::string(field.key), schema_value(field.schema));
    if (!field.optional) required.push(field.key);
  }
  json::Value schema = json::Value::object();
  if (!description.empty()) schema.set("description", description);
  set_object(schema, std::move(properties), std::move(required));
  return schema;
}

json::Value list_schema(std::string_view kind, std::string_view description, json::Value item) {
  json::Value items = json::Value::object();
  items.set("type", "array");
  items.set("items", std::move(item));
  json::Value properties = json::Value::object();
  properties.set("apiVersion", constant(snapshot::kReportVersion));
  properties.set("kind", constant(kind));
  properties.set("items", std::move(items));
  properties.set("coverage", schema_value(R"({"$ref": "#/$defs/coverage"})"));
  json::Value schema = json::Value::object();
  schema.set("title", kind);
  schema.set("description", description);
  set_object(schema, std::move(properties), json::Value::array({"apiVersion", "kind", "items"}));
  return schema;
}

}  // namespace dra::report
