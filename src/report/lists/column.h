// src/report/lists/column.h
//
// A list is a vector of columns, and each column says once what it has of a row. The table, the
// JSON and the JSON Schema of the list are made of that vector: a new column is one more element.
//
//   {.title = "DEVICES", .key = "devices", .schema = kCount, .value = &PoolRow::devices},
//
// The order of the vector is the order of the table and of the JSON. Lists of API objects have no
// keys and schemas: their JSON is the objects themselves.

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/json/value.h"
#include "dra/report/lists/list.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"
#include "dra/view/document.h"

namespace dra::report {

template <class Row>
struct Column {
  std::string_view title = {};   // empty: a field of the JSON alone
  bool wide = false;             // shown with -o wide only
  bool if_any = false;           // shown with -o wide only while every row has 0
  bool hidden = false;           // left out of this table
  std::string_view key = {};     // empty: a column of the table alone
  std::string_view schema = {};  // of the field, as JSON
  bool optional = false;         // null: the field is absent
  std::function<json::Value(const Row&)> value;
  std::function<view::Cell(const Row&)> cell;  // default: cell_of the value
};

template <class Row>
using Columns = std::vector<Column<Row>>;

// Schemas of fields; the references are to report/schema/Shared.json.
inline constexpr std::string_view kText = R"({"type": "string"})";
inline constexpr std::string_view kCount = R"({"$ref": "#/$defs/count"})";
inline constexpr std::string_view kCountIfKnown = R"({"$ref": "#/$defs/countIfKnown"})";

// A column with the namespaces of API objects, for lists of all namespaces.
template <class Row>
Column<Row> namespace_column(const ListOptions& options,
                             std::function<json::Value(const Row&)> namespace_of) {
  return {
      .title = "NAMESPACE", .hidden = !options.all_namespaces, .value = std::move(namespace_of)};
}

// A number of the row; null where it is not known.
template <class Row>
std::function<json::Value(const Row&)> if_known(std::optional<std::int64_t> Row::*number) {
  return [number](const Row& row) { return json_if_known(row.*number); };
}

// "<unknown>" for null; the items of an array joined by commas, "<none>" if there are none.
view::Cell cell_of(const json::Value& value);

// Some row has another value than 0.
template <class Row, class Rows>
bool has_any(const Column<Row>& column, const Rows& rows) {
  const auto is_something = [&column](const Row& row) {
    const json::Value value = column.value(row);
    return !value.is(json::Kind::Null) && value.text() != "0";
  };
  return std::ranges::any_of(rows, is_something);
}

// `with_wide`: the columns that only -o wide shows are there, too. Of thousands of rows they would
// be most of the text.
template <class Row, class Rows>
view::Document list_view(const Columns<Row>& columns, const Rows& rows, bool with_wide = true) {
  view::Table table;
  std::vector<const Column<Row>*> shown;
  for (const Column<Row>& column : columns) {
    if (column.title.empty() || column.hidden) continue;
    const bool wide = column.wide || (column.if_any && !has_any(column, rows));
    if (wide && !with_wide) continue;
    shown.push_back(&column);
    table.columns.push_back({.title = std::string(column.title), .wide = wide});
  }
  for (const Row& row : rows) {
    std::vector<view::Cell>& cells = table.rows.emplace_back();
    cells.reserve(shown.size());
    for (const Column<Row>* column : shown)
      cells.push_back(column->cell ? column->cell(row) : cell_of(column->value(row)));
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

template <class Row>
json::Value row_json(const Columns<Row>& columns, const Row& row) {
  json::Value object = json::Value::object();
  for (const Column<Row>& column : columns) {
    if (column.key.empty()) continue;
    json::Value value = column.value(row);
    if (column.optional && value.is(json::Kind::Null)) continue;
    object.set(std::string(column.key), std::move(value));
  }
  return object;
}

template <class Row, class Rows>
json::Value list_json(std::string_view kind, const Columns<Row>& columns, const Rows& rows) {
  json::Value items = json::Value::array();
  for (const Row& row : rows)
    items.push(row_json(columns, row));
  json::Value report = report_object(kind);
  report.set("items", std::move(items));
  return report;
}

struct FieldSchema {
  std::string_view key;
  std::string_view schema;
  bool optional;
};

// The schema of an object with these fields and no others. `description` may be empty.
json::Value object_schema(std::string_view description, const std::vector<FieldSchema>& fields);

template <class Row>
json::Value row_schema(std::string_view description, const Columns<Row>& columns) {
  std::vector<FieldSchema> fields;
  for (const Column<Row>& column : columns) {
    if (!column.key.empty()) fields.push_back({column.key, column.schema, column.optional});
  }
  return object_schema(description, fields);
}

// The schema of a report with `items`.
json::Value list_schema(std::string_view kind, std::string_view description, json::Value item);

}  // namespace dra::report
