// src/checks/manifest/manifest_claim.cpp: decodes the claims of manifests.

#include "dra/checks/manifest/manifest.h"

#include <utility>

#include "dra/api/decode.h"
#include "dra/json/cursor.h"

namespace dra::checks {
namespace {

template <class Object>
std::optional<Object> decoded(const json::Value& tree, base::Arena& arena) {
  Object object;
  const auto read = json::read_tree(
      tree, arena, [&object](json::Cursor& cursor) { api::decode(cursor, object); });
  return read.ok() ? std::optional(std::move(object)) : std::nullopt;
}

}  // namespace

std::optional<ManifestClaim> claim_of(const CheckedObject& object, base::Arena& arena) {
  if (!object.defines || !object.whole) return std::nullopt;
  const ManifestPlace spec = ManifestPlace{&*object.whole, {}}.child("spec");
  if (object.defines->kind == api::Kind::Claim) {
    auto claim = decoded<api::ResourceClaim>(*object.whole, arena);
    if (claim) return ManifestClaim{std::move(claim->spec), spec};
  } else if (object.defines->kind == api::Kind::Template) {
    auto made = decoded<api::ResourceClaimTemplate>(*object.whole, arena);
    if (made) return ManifestClaim{std::move(made->spec.spec), spec.child("spec")};
  }
  return std::nullopt;
}

}  // namespace dra::checks
