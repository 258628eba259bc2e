// include/dra/engine/facts/change.h
//
// What could be changed so that a subject gets its devices: in what it asks for, in who holds what,
// in what the cluster has. A change is said by names, so that it means the same in any snapshot of
// the cluster; a claim is named as SubjectClaim::label() does, a request "req" or "req/sub".

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dra::engine {

// As many devices, instead of what is asked for now; of "all", exactly so many.
struct SetCount {
  std::string claim;
  std::string request;
  std::int64_t count = 1;

  friend bool operator==(const SetCount&, const SetCount&) = default;
};

// One of the selectors of a demand.
struct SelectorPlace {
  std::string claim;
  std::string request;
  bool of_class = false;
  std::size_t selector = 0;  // among those of the class or of the request

  friend bool operator==(const SelectorPlace&, const SelectorPlace&) = default;
};
// The selector goes; or only one of its conditions.
struct DropSelector {
  SelectorPlace place;
  // Of the condition, in code points from and up to; none: the whole selector.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> span = {};
  std::string text = {};  // of the condition, or of the whole selector
  std::string left = {};  // of what is left of the selector

  friend bool operator==(const DropSelector&, const DropSelector&) = default;
};
// A text of a selector, and what stands there instead: "'Hopper'", "'Ampere'".
using ValueInstead = std::pair<std::string, std::string>;
struct EditSelector {
  SelectorPlace place;
  std::string expression;                 // the whole new text
  std::vector<ValueInstead> values = {};  // that it asks for instead of others

  friend bool operator==(const EditSelector&, const EditSelector&) = default;
};

// One more toleration: of a request for taints of devices, or of the pod for taints of nodes.
struct Tolerate {
  std::string claim = {};    // empty: of the pod
  std::string request = {};  // empty: of every request of the claim
  std::string key;           // empty: whatever the key
  std::string effect = {};   // empty: whatever the effect

  friend bool operator==(const Tolerate&, const Tolerate&) = default;
};

struct DropConstraint {
  std::string claim;
  std::size_t constraint = 0;  // index
  std::string attribute = {};  // that it compares

  friend bool operator==(const DropConstraint&, const DropConstraint&) = default;
};

// Of a request with alternatives, only this one.
struct UseAlternative {
  std::string claim;
  std::string request;  // "req/sub"

  friend bool operator==(const UseAlternative&, const UseAlternative&) = default;
};

// The pods go, and with them what only they have reserved; and claims that nobody has reserved.
struct Release {
  std::vector<std::string> claims;  // namespace/name
  std::vector<std::string> pods;    // namespace/name

  friend bool operator==(const Release&, const Release&) = default;
};

// So many more nodes join, as that one is without what runs on it.
struct AddNode {
  std::string like;
  std::int64_t count = 1;

  friend bool operator==(const AddNode&, const AddNode&) = default;
};

// The rest of a pool's slices is published.
struct Wait {
  std::string driver;
  std::string pool;

  friend bool operator==(const Wait&, const Wait&) = default;
};

using Change = std::variant<SetCount, DropSelector, EditSelector, Tolerate, DropConstraint,
                            UseAlternative, Release, AddNode, Wait>;

}  // namespace dra::engine
