// src/report/describe/describe_selectors.h
//
// What selectors match now, below each of them in a description; and among what is odd that they
// match nothing, or fail.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/engine/selectors/tally.h"
#include "dra/report/describe/describe_parts.h"

namespace dra::report {

class SelectorDescription {
 public:
  // All selectors that a device must match, the class's first. Says nothing where slices could not
  // be read.
  SelectorDescription(const Scene& scene, std::vector<std::string_view> selectors);

  // Nothing where that is not known.
  const engine::Selection* selection() const { return selection_ ? &*selection_ : nullptr; }

  // "8 of 16 devices, 4 with all above; 8 excluded by device.attributes...", as a line without a
  // name.
  void add_count(view::Fields& lines, std::size_t selector) const;
  // The same of the last one, with how many of the devices that are left are free.
  void add_last_count(view::Fields& lines) const;
  // What is wrong with those selectors that `begin` to `end` are of one object, from which they are
  // counted in sentences; `whose` begins these: "The class", "Request gpu".
  struct Own {
    std::string whose;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  void add_odd(Description& out, const Own& own) const;
  // "8 of 16 in the cluster, 4 free"; empty where it is not known, or is wrong.
  std::string chosen_text() const;

 private:
  std::string count_text(std::size_t selector, std::string_view free) const;
  // Of the devices that all selectors choose; no value where it is not known.
  std::optional<engine::FreeDevices> free_devices() const;
  std::string ids_of(const engine::FailureGroup& group) const;
  void add_failures(Description& out, const Own& own) const;
  // What would let devices through; empty if nothing was found.
  std::string best_change(const Own& own) const;

  const Scene& scene_;
  std::vector<std::string_view> texts_;
  std::optional<engine::Selection> selection_;
};

}  // namespace dra::report
