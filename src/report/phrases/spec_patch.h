// src/report/phrases/spec_patch.h
//
// Changes of one claim's spec as a JSON patch, and as the fields that it changes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/claim.h"
#include "dra/engine/facts/change.h"
#include "dra/report/phrases/advice_edits.h"

namespace dra::report {

json::Value toleration_json(const engine::Tolerate& change);

// Removals come last, from the end, so that no place shifts.
class SpecPatch {
 public:
  // The spec stands at `prefix` in its object: "/spec", of a template "/spec/spec".
  SpecPatch(const api::ClaimSpec& spec, std::string prefix)
      : spec_(spec), prefix_(std::move(prefix)) {}

  // False: the change is none of the spec.
  bool add(const engine::SetCount& change);
  bool add(const engine::DropSelector& change);
  bool add(const engine::EditSelector& change);
  bool add(const engine::Tolerate& change);
  bool add(const engine::DropConstraint& change);
  bool add(const engine::RelaxConstraint& change);
  bool add(const engine::SplitRequests& change);
  bool add(const engine::UseAlternative& change);
  template <class Other>
  bool add(const Other&) {
    return false;
  }

  json::Value take_patch();
  std::vector<FieldChange> take_changes() { return std::move(changes_); }

 private:
  // Where a demand stands in the spec: "/devices/requests/0/exactly".
  struct DemandPlace {
    const api::DeviceDemand* demand;
    std::string path;
  };
  std::optional<DemandPlace> place_of(std::string_view name) const;

  void add_part(const engine::SplitRequests& change, std::int64_t part, std::size_t& requests);
  template <class All>
  void name_in(std::string_view field, const All& all, std::string_view name,
               const std::string& new_name, std::optional<std::size_t> but = {});
  void tolerate(const DemandPlace& place, const engine::Tolerate& change);
  void edit_expression(const DemandPlace& place, std::size_t selector, std::string_view expression);
  void set(std::string_view path, json::Value value);
  void remove(std::string_view path, std::size_t index);
  void show(std::string_view path, std::optional<json::Value> before,
            std::optional<json::Value> after, std::string note = {});

  const api::ClaimSpec& spec_;
  std::string prefix_;
  json::Value patch_ = json::Value::array();
  std::vector<std::pair<std::size_t, std::string>> removed_;
  std::vector<FieldChange> changes_;
};

}  // namespace dra::report
