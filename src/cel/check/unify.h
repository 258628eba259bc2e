// src/cel/check/unify.h
//
// Whether a value of one type may stand where another is wanted, and what type variables must be
// for that. Upstream: cel-go checker/types.go.

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dra/cel/values/types.h"

namespace dra::cel {

class Unifier {
 public:
  explicit Unifier(TypeArena& arena) : arena_(arena) {}

  // A variable of which nothing is known yet.
  const Type* fresh();

  // What is learnt stays if all fit, and is forgotten if not.
  bool assignable(const Type* to, const Type* from);
  bool assignable(std::span<const Type* const> to, std::span<const Type* const> from);

  // With what is known of variables in their place; unknown ones as dyn if `to_dyn`.
  const Type* substitute(const Type* type, bool to_dyn);

 private:
  bool fits(const Type* a, const Type* b);
  bool all_fit(std::span<const Type* const> a, std::span<const Type* const> b);
  struct Bound {
    bool fits;
    bool was_bound;
  };
  Bound bind(const Type* to, const Type* variable);
  const Type* find(const Type* type) const;
  void set(const Type* variable, const Type* type);
  bool absent(const Type* variable, const Type* within) const;
  void undo(std::size_t mark);

  TypeArena& arena_;
  std::vector<const Type*> bound_;                           // by variable; nullptr: nothing known
  std::vector<std::pair<std::int32_t, const Type*>> trail_;  // what to restore
};

// The more general of two types that fit.
const Type* most_general(const Type* a, const Type* b);

}  // namespace dra::cel
