// src/api/upgrade.cpp: a table of kinds and versions, and the rewriting function of each.

#include "dra/api/upgrade.h"

#include <algorithm>
#include <utility>

namespace dra::api {
namespace {

using json::Member;
using json::Value;

Value* walk(Value& from, std::initializer_list<std::string_view> path) {
  Value* value = &from;
  for (const std::string_view key : path) {
    if (value != nullptr) value = value->find(key);
  }
  return value;
}

// Servers send `deviceClassName: ""` along with alternatives. Upstream's
// hasAnyMainRequestFieldsSet.
bool is_set(const Value& value) {
  switch (value.kind()) {
    case json::Kind::Null:
      return false;
    case json::Kind::String:
      return !value.text().empty();
    case json::Kind::Number:
      return value.text() != "0";
    default:
      return true;
  }
}

// All fields but `name` and `firstAvailable` belong under `exactly`, if any of them is set.
void request_to_v1(Value& request) {
  if (request.find("exactly") != nullptr) return;  // a manifest in v1's shape already
  Value exactly = Value::object();
  exactly.set_position(request.position());
  std::vector<Member> kept;
  for (Member& member : request.members()) {
    const bool stays = member.key == "name" || member.key == "firstAvailable";
    (stays ? kept : exactly.members()).push_back(std::move(member));
  }
  const bool any = std::ranges::any_of(exactly.members(),
                                       [](const Member& member) { return is_set(member.value); });
  if (any) kept.push_back({"exactly", std::move(exactly), {}});
  request.members() = std::move(kept);
}

void claim_spec_to_v1(Value* spec) {
  Value* requests = spec == nullptr ? nullptr : walk(*spec, {"devices", "requests"});
  if (requests == nullptr) return;
  for (Value& request : requests->items())
    request_to_v1(request);
}

// Also where a manifest has a spec within the spec too many, or too few.
void claim_to_v1(Value& claim) {
  claim_spec_to_v1(claim.find("spec"));
  claim_spec_to_v1(walk(claim, {"spec", "spec"}));
}

void device_to_v1(Value& device) {
  Value* basic = device.find("basic");
  if (basic == nullptr) return;
  std::vector<Member> lifted = std::move(basic->members());
  device.remove("basic");
  std::move(lifted.begin(), lifted.end(), std::back_inserter(device.members()));
}

void slice_to_v1(Value& slice) {
  Value* spec = slice.find("spec");
  if (spec == nullptr) return;
  const Value* node = spec->find("nodeName");
  if (node != nullptr && node->text().empty()) spec->remove("nodeName");
  const Value* all_nodes = spec->find("allNodes");
  if (all_nodes != nullptr && all_nodes->text() == "false") spec->remove("allNodes");
  Value* devices = spec->find("devices");
  if (devices == nullptr) return;
  for (Value& device : devices->items())
    device_to_v1(device);
}

struct Rewrite {
  Kind kind;
  std::string_view version;
  void (*apply)(Value& object);
};

constexpr Rewrite kRewrites[] = {
    {Kind::Claim, "v1beta1", claim_to_v1},    {Kind::Slice, "v1beta1", slice_to_v1},
    {Kind::Template, "v1beta1", claim_to_v1}, {Kind::Claim, "v1alpha3", claim_to_v1},
    {Kind::Slice, "v1alpha3", slice_to_v1},   {Kind::Template, "v1alpha3", claim_to_v1},
};

const Rewrite* rewrite_for(Kind kind, std::string_view version) {
  const auto* found = std::ranges::find_if(kRewrites, [kind, version](const Rewrite& rewrite) {
    return rewrite.kind == kind && rewrite.version == version;
  });
  return found == std::end(kRewrites) ? nullptr : found;
}

}  // namespace

bool needs_upgrade(Kind kind, std::string_view version) {
  return rewrite_for(kind, version) != nullptr;
}

void to_v1(Kind kind, std::string_view version, json::Value& object) {
  if (const Rewrite* rewrite = rewrite_for(kind, version)) rewrite->apply(object);
}

}  // namespace dra::api
