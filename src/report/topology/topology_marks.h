// src/report/topology/topology_marks.h
//
// One letter for each device: who has it, or what is the matter with it; and what the letters mean.
//
//   A  held by the claim of that letter     a  held by it, and no pod has reserved it
//   A+ held in part, with room for others   A& held by several claims, of which that is one
//   A% held twice: by claims that cannot share it, of which that is one
//   Ax held, and tainted: so with all signs that are no letters
//   [A] asked for, unlike others that are drawn
//   .  free   @  free, with admin access   -  free, without room   x  tainted   #  unusable
//   !  missing   ?  its host is missing, or which it is is not known   u  who has it is not known
//
// No mark has more than two letters, so that places in grids stand below each other. Of several
// claims the one that was asked for has its letter there; the legend has them all.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "dra/engine/cluster/room.h"
#include "dra/report/topology/topology.h"
#include "dra/topology/tpu_grid.h"
#include "dra/view/document.h"

namespace dra::report {

class Marks {
 public:
  // With details a place says what is there, for pages on which one can point at it.
  Marks(const Scene& scene, bool details, const Asked& asked)
      : scene_(scene), details_(details), asked_(asked), room_(scene.inventory) {}

  // The place number `cell` of a grid.
  view::Place of(const topology::ChipGrid& grid, std::size_t cell);
  view::Place of(const engine::InventoryDevice& device);
  // One of the parts of an accelerator that are drawn one by one, which nobody is seen to have; no
  // value: it is not known whether somebody has.
  view::Place part(std::string_view name, std::optional<bool> left);

  // Claims with admin access to the device are named in the legend. `of` does so itself; this is
  // for devices that get no place.
  void note_admins(const engine::InventoryDevice& device);

  // Of a free device: too little is left of what it shares with others.
  bool is_without_room(const engine::InventoryDevice& device);

  // What was used since the last time: claims with their pods first.
  void add_legend(view::Document& document, bool wide);

 private:
  // Claims that hold a device together, and all devices of a pool that these hold.
  struct Together {
    std::vector<const api::ResourceClaim*> claims;
    const engine::Pool* pool;
    bool twice;  // they cannot share what they hold
    std::vector<std::string_view> devices;
  };
  using TogetherKey = std::tuple<const engine::Pool*, bool, std::vector<const api::ResourceClaim*>>;

  view::Place marked(const engine::InventoryDevice& device);
  view::Place held_by(const api::ResourceClaim& claim);
  std::vector<const api::ResourceClaim*> takers_of(const engine::InventoryDevice& device) const;
  void note_together(const engine::InventoryDevice& device,
                     std::vector<const api::ResourceClaim*> claims);
  char letter_of(const api::ResourceClaim& claim);
  char mark_of(const api::ResourceClaim& claim);
  std::string letter_or_name(const api::ResourceClaim& claim);
  void add_claim(const api::ResourceClaim& claim, view::Document& document);
  void add_claims(view::Document& document, bool wide);
  void add_together(view::Document& document, bool wide);
  void add_signs(view::Document& document);
  bool is_held_twice(const engine::InventoryDevice& device) const;
  void describe(const engine::InventoryDevice& device, view::Place& place) const;
  void point_at(view::Place& place);
  bool is_asked(const engine::InventoryDevice& device) const;

  const Scene& scene_;
  bool details_;
  const Asked& asked_;
  engine::Room room_;
  std::map<const api::ResourceClaim*, char> letters_;
  std::vector<const api::ResourceClaim*> told_;    // in the order of their letters
  std::vector<const api::ResourceClaim*> beyond_;  // for whom no letter was left
  std::vector<Together> together_;                 // as they were met
  std::map<TogetherKey, std::size_t> together_at_;
  std::set<char> used_;  // of the marks that are no claims
  std::set<std::string> taints_;
  std::set<std::string> pools_;  // how those are of devices that cannot be used
  // Claims with admin access; first those that were asked for, with false.
  std::set<std::pair<bool, std::string>> admins_;
  bool tells_asked_ = false;
};

}  // namespace dra::report
