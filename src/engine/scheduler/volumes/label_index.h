// src/engine/scheduler/volumes/label_index.h
//
// Finds what is for a node among thousands of things that are each for few nodes, as local volumes
// and the storage capacities of their drivers are. A thing is filed under labels of which a node
// must have one. Whether it is for the node has still to be asked of those that are found.

#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/meta.h"

namespace dra::engine {

class LabelIndex {
 public:
  // Things are numbered as they are added, from 0.
  void add(const api::NodeSelector& nodes);
  void add(const api::LabelSelector& nodes);
  void add_for_all();

  // In rising order. Holds every thing that is for the node.
  std::vector<std::size_t> find(const api::Node& node) const;

 private:
  using Label = std::pair<std::string_view, std::string_view>;

  void file(const std::vector<Label>& any_of);

  std::size_t size_ = 0;
  std::vector<std::size_t> unfiled_;
  // By key, by value.
  std::unordered_map<std::string_view,
                     std::unordered_map<std::string_view, std::vector<std::size_t>>>
      filed_;
};

}  // namespace dra::engine
