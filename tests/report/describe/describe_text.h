// tests/report/describe/describe_text.h
//
// What a description says of an object of a small scene, without layout; the clock stands at
// 2026-11-20T10:00:00Z.

#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "dra/report/describe/describe.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report {

// Calls `describe(scene, object)` with the object of that name; a name that is not there fails.
template <class T, class Describe>
std::string text_about(const support::Scene& words, std::string_view name, Describe describe) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  engine::Answers answers = engine::answers_for(inventory, snapshot.server());
  const Scene scene{.snapshot = snapshot,
                    .inventory = inventory,
                    .now = base::parse_rfc3339("2026-11-20T10:00:00Z").value(),
                    .answers = &answers};
  for (const T& object : snapshot.all<T>()) {
    if (object.meta.name == name) return support::text_of(describe(scene, object).document);
  }
  FAIL("the scene has no " << std::string(name));
  return {};
}

inline std::string text_about_pool(const support::Scene& words, std::string_view name) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  const Scene scene{snapshot, inventory, base::parse_rfc3339("2026-11-20T10:00:00Z").value()};
  for (const engine::Pool& pool : inventory.pools()) {
    if (pool.name == name) return support::text_of(describe_pool(scene, pool).document);
  }
  FAIL("the scene has no pool " << std::string(name));
  return {};
}

inline std::string text_about_device(const support::Scene& words, std::string_view name) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  const Scene scene{snapshot, inventory, base::parse_rfc3339("2026-11-20T10:00:00Z").value()};
  for (const engine::InventoryDevice& device : inventory.devices()) {
    if (device.published.device->name == name)
      return support::text_of(describe_device(scene, device).document);
  }
  FAIL("the scene has no device " << std::string(name));
  return {};
}

// One row of a table of such tests.
struct SaysCase {
  std::string name;  // a sentence
  support::Scene scene;
  std::string object;
  std::string says;
  std::string not_says = {};  // empty: nothing
};

template <class Say>
void check_all(const std::vector<SaysCase>& rows, Say say) {
  for (const SaysCase& row : rows) {
    CAPTURE(row.name);
    const std::string text = say(row.scene, row.object);
    CAPTURE(text);
    CHECK(text.find(row.says) != std::string::npos);
    if (!row.not_says.empty()) CHECK(text.find(row.not_says) == std::string::npos);
  }
}

}  // namespace dra::report
