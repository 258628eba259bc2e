// include/dra/engine/demands.h
//
// Which devices each demand of a subject may have by the selectors of its class and its own.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/incubating, isSelectable.

#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "dra/engine/pod_claims.h"
#include "dra/engine/selection.h"

namespace dra::engine {

// What the selectors of a demand say of one device.
struct Said {
  Outcome outcome = Outcome::Chosen;
  const Failure* failure = nullptr;  // of a device for which one fails
  bool compiles = true;              // that one; else it fails for every device
  bool of_class = false;             // the selector that ended it is the class's
  std::size_t selector = 0;          // its index, among those of the class or of the request
  std::string_view expression = {};  // its text
};

class Demands {
 public:
  // The snapshot and the inventory must outlive this object.
  Demands(const snapshot::Snapshot& snapshot, const Inventory& inventory, const Subject& subject);

  // nullptr where the class is not there or could not be read: then nothing is known.
  const Selection* of(const api::DeviceDemand& demand) const;
  // How many of the selectors are the class's; they come first.
  std::size_t of_class(const api::DeviceDemand& demand) const;
  // The conditions of all its selectors, the class's first, over all devices. Nothing where that is
  // not known, one of them does not compile, or devices are of too many kinds.
  std::optional<ClauseTable> clauses_of(const api::DeviceDemand& demand) const;
  const Fleet& fleet() const { return answers_.fleet(); }
  // Of a device of the inventory; no value where nothing is known.
  std::optional<Said> said(const api::DeviceDemand& demand, const api::Device& device) const;

 private:
  struct Demanded {
    std::size_t of_class = 0;  // so many selectors are the class's
    Selection selection;
  };

  void ask(const snapshot::Snapshot& snapshot, const api::DeviceDemand& demand);

  Answers answers_;
  std::map<const api::DeviceDemand*, Demanded> asked_;
  std::unordered_map<const api::Device*, std::size_t> index_;
};

}  // namespace dra::engine
