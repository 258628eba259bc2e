// src/report/describe/describe_selectors.h
//
// Counts of the devices that selectors match, printed below each selector; and problems of
// selectors that match no device or fail.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/report/describe/describe_parts.h"

namespace dra::report {

class SelectorDescription {
 public:
  // All selectors that a device must match, the class's first. Without slices there is no
  // selection.
  SelectorDescription(const Scene& scene, std::vector<std::string_view> selectors);

  // nullptr if it is not known.
  const engine::Selection* selection() const { return selection_ ? &*selection_ : nullptr; }

  // As JSON; the first `of_class` of them are those of the class.
  json::Value json(std::size_t of_class) const;

  // Adds "8 of 16 devices, 4 with all above; 8 excluded by device.attributes..." without a name.
  void add_count(view::Fields& lines, std::size_t selector) const;
  // The same for the last selector, with the number of remaining devices that are free.
  void add_last_count(view::Fields& lines) const;
  // The selectors [begin, end) of one object. Sentences about them start with `whose`: "The class",
  // "Request gpu", and number them from `begin`.
  struct Own {
    std::string whose;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  void add_problems(Description& out, const Own& own) const;
  // For the devices that all selectors match; no value if it is not known.
  std::optional<engine::FreeDevices> free_devices() const;
  // The devices that all selectors match, as JSON; null if it is not known.
  json::Value chosen_json() const;
  // "8 of 16 in the cluster, 4 free"; empty if it is not known, or if add_problems() reports a
  // problem.
  std::string chosen_text() const;

 private:
  std::string count_text(std::size_t selector, std::string_view free) const;
  std::string ids_of(const engine::FailureGroup& group) const;
  void add_failures(Description& out, const Own& own) const;
  // A change of a selector that makes devices match; empty if there is none.
  std::string best_change(const Own& own) const;

  const Scene& scene_;
  std::vector<std::string_view> texts_;
  std::optional<engine::Selection> selection_;
};

}  // namespace dra::report
