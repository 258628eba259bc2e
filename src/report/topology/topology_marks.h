// src/report/topology/topology_marks.h
//
// The mark of each device in a drawing: a letter for the claim that holds it, or a sign for its
// state; and the legend that explains the marks.
//
//   A  held by claim A                      a  held by it, and no pod has reserved the claim
//   A+ held in part, with room for others   A& held by several claims, one of which is A
//   A% held twice: by claims that cannot share it, one of which is A
//   Ax held and tainted; other signs follow the letter in the same way
//   [A] selected, if not everything in the drawing is
//   .  free   @  free, with admin access   -  blocked   x  tainted   #  unusable
//   !  missing   ?  its host is missing or not known   u  its holder is not known
//
// A mark has at most two characters, so that the columns of a grid align. A device of several
// claims has the letter of the selected one; the legend lists all of them.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "dra/report/topology/topology.h"
#include "dra/topology/tpu_grid.h"
#include "dra/view/document.h"

namespace dra::report {

class Marks {
 public:
  // `details`: each place gets facts, which HTML shows for the place under the pointer.
  Marks(const Scene& scene, bool details, const Asked& asked)
      : scene_(scene), details_(details), asked_(asked) {}

  // The place of the grid's cell with that index.
  view::Place of(const topology::ChipGrid& grid, std::size_t cell);
  view::Place of(const engine::InventoryDevice& device);
  // A part of an accelerator without a device of its own. `left`: whether it is free; no value if
  // that is not known.
  view::Place part(std::string_view name, std::optional<bool> left);

  // Adds claims with admin access to the device to the legend. `of` does this, too; note_admins is
  // for devices without a place.
  void note_admins(const engine::InventoryDevice& device);

  // Explains the marks used since the last legend: claims with their pods first.
  void add_legend(view::Document& document, bool wide);

 private:
  // Several claims that hold the same devices, and these devices of one pool.
  struct Together {
    std::vector<const api::ResourceClaim*> claims;
    const engine::Pool* pool;
    bool twice;  // the claims cannot share the devices
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
  void describe(const engine::InventoryDevice& device, view::Place& place) const;
  void point_at(view::Place& place);
  bool is_asked(const engine::InventoryDevice& device) const;

  const Scene& scene_;
  bool details_;
  const Asked& asked_;
  std::map<const api::ResourceClaim*, char> letters_;
  std::vector<const api::ResourceClaim*> told_;    // in the order of their letters
  std::vector<const api::ResourceClaim*> beyond_;  // claims without a letter
  std::vector<Together> together_;                 // in the order of the drawing
  std::map<TogetherKey, std::size_t> together_at_;
  std::set<char> used_;  // signs
  std::set<std::string> taints_;
  std::set<std::string> pools_;  // states of the pools of unusable devices
  // Claims with admin access; selected ones have false, so that they come first.
  std::set<std::pair<bool, std::string>> admins_;
  bool tells_asked_ = false;
};

}  // namespace dra::report
