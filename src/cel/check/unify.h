// src/cel/check/unify.h
//
// Unification: whether a value of one type may be used as another, and what type variables must be
// then. Upstream: cel-go checker/types.go.

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

  // A new type variable without a binding.
  const Type* fresh();

  // Keeps the new bindings if all types match, and drops them if not.
  bool assignable(const Type* to, const Type* from);
  bool assignable(std::span<const Type* const> to, std::span<const Type* const> from);

  // The type with its variables replaced by their bindings; unbound ones become dyn if `to_dyn`.
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
  std::vector<const Type*> bound_;                           // by variable; nullptr: not bound
  std::vector<std::pair<std::int32_t, const Type*>> trail_;  // bindings to restore
};

// The more general of two compatible types.
const Type* most_general(const Type* a, const Type* b);

}  // namespace dra::cel
