// include/dra/report/phrases/advice_edits.h
//
// What a piece of advice does to objects of the cluster: each edit as a command to paste, as a
// patch for a machine, and as the fields that it changes for a reader.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/change_facts.h"
#include "dra/engine/whatif/advice.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"
#include "dra/view/document.h"

namespace dra::report {

// A field of an object before and after an edit; no value: it is not there.
struct FieldChange {
  std::string
      path;  // the parent, "spec.devices.requests[0].exactly"; before and after are its parts
  std::optional<json::Value> before;
  std::optional<json::Value> after;
  std::string note = {};  // what the two do not show: "otherwise as gpu"
};

enum class EditAction : std::uint8_t {
  Patch,     // the object is patched
  Replace,   // it is deleted, and created with the patch, because its spec cannot be edited
  Recreate,  // it is deleted, and created as it was
  Delete,    // it is deleted
};
std::string_view name_of(EditAction action);  // "patch", as in reports

struct AdviceEdit {
  EditAction action = EditAction::Patch;
  std::string kind;  // "ResourceClaimTemplate"
  std::string namespace_;
  std::vector<std::string> names;         // several of Delete only
  std::string_view patch_type = {};       // "json" or "merge", as of kubectl patch
  std::optional<json::Value> patch = {};  // of Patch and Replace
  std::vector<FieldChange> changes = {};  // of what can be shown as lines of YAML
  std::string command;
};

// In the order in which to make them. Empty: no edit does all of it, as for a node to add, a pod
// that a DaemonSet creates again, or an object that is still a file. A claim's spec cannot be
// changed, so it is replaced by a claim with the change; so are templates.
std::vector<AdviceEdit> edits_for(const engine::Advice& advice,
                                  std::span<const answers::ChangeFacts> facts,
                                  const engine::Subject& subject, const snapshot::Server& server);

json::Value edit_json(const AdviceEdit& edit);

// The changed fields as lines of YAML behind "-" and "+"; empty: there are none.
std::vector<std::vector<view::Span>> diff_lines(const AdviceEdit& edit);

}  // namespace dra::report
