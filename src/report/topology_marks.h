// src/report/topology_marks.h
//
// One letter for each device: who has it, or what is the matter with it; and what the letters mean.
//
//   A  held by the claim of that letter     a  held by it, and no pod has reserved it
//   .  free   x  tainted   #  unusable      !  missing   ?  its host is missing, or it is not known

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "dra/report/describe.h"
#include "dra/topology/tpu_grid.h"
#include "dra/view/document.h"

namespace dra::report {

class Marks {
 public:
  explicit Marks(const Scene& scene) : scene_(scene) {}

  view::Span of(const topology::GridCell& cell);
  view::Span of(const engine::InventoryDevice& device);
  // How many chips of a host are free, for grids in which a host is one place.
  static view::Span of_host(const topology::TpuGrid& grid, std::size_t host, std::int64_t free);

  // What was used since the last time: claims with their pods first.
  void add_legend(view::Document& document, bool wide);

 private:
  view::Span held(const engine::InventoryDevice& device);

  const Scene& scene_;
  std::map<const api::ResourceClaim*, char> letters_;
  std::vector<const api::ResourceClaim*> told_;  // in the order of their letters
  std::set<char> used_;                          // of the marks that are no claims
  std::set<std::string> taints_;
  bool admin_ = false;
};

}  // namespace dra::report
