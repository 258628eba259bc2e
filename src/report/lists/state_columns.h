// src/report/lists/state_columns.h
//
// The columns that count devices by their states: the same in all lists. DEVICES, IN-USE and FREE
// are always shown, the other states where some row has such devices.

#pragma once

#include <optional>
#include <utility>

#include "dra/engine/selectors/device_counts.h"
#include "src/report/lists/column.h"

namespace dra::report {

// What a row knows of its devices.
struct StateNumbers {
  engine::DeviceCounts counts = {};
  bool known = true;  // false: slices could not be read
  std::optional<std::int64_t> allocated = {};
  std::optional<std::int64_t> free = {};
  bool failed = false;  // which devices are meant cannot be told: a selector does not compile
};

// Schemas of the fields; a number that may be null has a second one.
struct StateField {
  std::string_view title;
  std::string_view key;
  std::string_view schema;
  std::string_view schema_if_known;
};

inline constexpr StateField kAllocatedField = {
    "IN-USE", "allocated",
    R"({"$ref": "#/$defs/count", "description": "Held by a claim, wholly or in part."})",
    R"({"$ref": "#/$defs/countIfKnown", "description": "Held by a claim, wholly or in part."})"};
inline constexpr StateField kSharedField = {
    "SHARED", "shared",
    R"({"$ref": "#/$defs/count", "description": "Of the allocated: held in part, and claims can get more of it."})",
    R"({"$ref": "#/$defs/countIfKnown", "description": "Of the allocated: held in part, and claims can get more of it."})"};
inline constexpr StateField kBlockedField = {
    "BLOCKED", "blocked",
    R"({"$ref": "#/$defs/count", "description": "Not held, and the counters that it shares with others are taken by them."})",
    R"({"$ref": "#/$defs/countIfKnown", "description": "Not held, and the counters that it shares with others are taken by them."})"};
inline constexpr StateField kTaintedField = {
    "TAINTED", "tainted",
    R"({"$ref": "#/$defs/count", "description": "Not held, with a taint that keeps claims away which do not tolerate it."})",
    R"({"$ref": "#/$defs/countIfKnown", "description": "Not held, with a taint that keeps claims away which do not tolerate it."})"};
inline constexpr StateField kUnusableField = {
    "UNUSABLE", "unusable",
    R"({"$ref": "#/$defs/count", "description": "Not held, in an incomplete or invalid pool."})",
    R"({"$ref": "#/$defs/countIfKnown", "description": "Not held, in an incomplete or invalid pool."})"};
inline constexpr StateField kMissingField = {
    "MISSING", "missing",
    R"({"$ref": "#/$defs/count", "description": "Not published, though a claim holds it or the shape of its machine or slice has a place for it. Not among the devices."})",
    R"({"$ref": "#/$defs/countIfKnown", "description": "Not published, though a claim holds it or the shape of its machine or slice has a place for it. Not among the devices."})"};
inline constexpr std::string_view kFreeSchema =
    R"({"$ref": "#/$defs/countIfKnown", "description": "That one claim could get now. Null: who holds them could not be read."})";

// `of` has the StateNumbers of a row. `all_known`: slices are always read, so that only the free
// ones may be unknown.
template <class Row, class F>
class StateColumns {
 public:
  StateColumns(F of, bool all_known) : of_(std::move(of)), all_known_(all_known) {}

  Columns<Row> make() const {
    Columns<Row> columns;
    columns.push_back({.title = "DEVICES",
                       .key = "devices",
                       .schema = all_known_ ? kCount : kCountIfKnown,
                       .value = number(&engine::DeviceCounts::devices),
                       .cell = cell_of_number(&engine::DeviceCounts::devices)});
    columns.push_back(
        {.title = kAllocatedField.title,
         .key = kAllocatedField.key,
         .schema = all_known_ ? kAllocatedField.schema : kAllocatedField.schema_if_known,
         .value = [of = of_](const Row& row) { return json_if_known(of(row).allocated); },
         .cell =
             [of = of_](const Row& row) {
               const StateNumbers numbers = of(row);
               if (numbers.failed) return cell(kError, view::Tone::Bad);
               return numbers.allocated ? cell(numbers.counts.in_use()) : cell(kUnknown);
             }});
    columns.push_back(counted(kSharedField, &engine::DeviceCounts::shared));
    columns.push_back({.title = "FREE",
                       .key = "free",
                       .schema = kFreeSchema,
                       .value = [of = of_](const Row& row) { return json_if_known(of(row).free); },
                       .cell =
                           [of = of_](const Row& row) {
                             const StateNumbers numbers = of(row);
                             return numbers.failed ? cell(kError, view::Tone::Bad)
                                                   : cell_if_known(numbers.free);
                           }});
    columns.push_back(counted(kBlockedField, &engine::DeviceCounts::blocked));
    columns.push_back(counted(kTaintedField, &engine::DeviceCounts::tainted));
    columns.push_back(counted(kUnusableField, &engine::DeviceCounts::unusable));
    columns.push_back(counted(kMissingField, &engine::DeviceCounts::missing));
    return columns;
  }

 private:
  using Number = std::int64_t engine::DeviceCounts::*;

  std::function<json::Value(const Row&)> number(Number which) const {
    return [of = of_, which](const Row& row) {
      const StateNumbers numbers = of(row);
      return numbers.known && !numbers.failed ? json::Value(numbers.counts.*which) : json::Value();
    };
  }

  std::function<view::Cell(const Row&)> cell_of_number(Number which) const {
    return [of = of_, which](const Row& row) {
      const StateNumbers numbers = of(row);
      if (numbers.failed) return cell(kError, view::Tone::Bad);
      return numbers.known ? cell(numbers.counts.*which) : cell(kUnknown);
    };
  }

  Column<Row> counted(const StateField& field, Number which) const {
    return {.title = field.title,
            .if_any = true,
            .key = field.key,
            .schema = all_known_ ? field.schema : field.schema_if_known,
            .value = number(which),
            .cell = cell_of_number(which)};
  }

  F of_;
  bool all_known_;
};

template <class Row, class F>
Columns<Row> state_columns(F of, bool all_known = false) {
  return StateColumns<Row, F>(std::move(of), all_known).make();
}

template <class Row>
void append(Columns<Row>& columns, Columns<Row> more) {
  for (Column<Row>& column : more)
    columns.push_back(std::move(column));
}

}  // namespace dra::report
