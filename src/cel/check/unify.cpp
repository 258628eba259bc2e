// src/cel/check/unify.cpp: unification with a trail, so that a failed attempt leaves no bindings.

#include "src/cel/check/unify.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::cel {
namespace {

bool is_dyn_or_error(const Type& type) { return is_dyn(type) || type.kind == TypeKind::Error; }

bool less_specific_or_equal(const Type& a, const Type& b) {
  if (is_dyn(a) || a.kind == TypeKind::Param) return true;
  if (is_dyn(b) || b.kind == TypeKind::Param || a.kind != b.kind) return false;
  switch (a.kind) {
    case TypeKind::Opaque:
    case TypeKind::List:
    case TypeKind::Map:
      return a.name == b.name && std::ranges::equal(a.params, b.params, [](auto* x, auto* y) {
               return less_specific_or_equal(*x, *y);
             });
    case TypeKind::Type:
      return true;
    default:
      return same(a, b);
  }
}

// Types that null is assignable to.
bool may_be_null(const Type& type) {
  switch (type.kind) {
    case TypeKind::Opaque:
    case TypeKind::Struct:
    case TypeKind::Any:
    case TypeKind::Duration:
    case TypeKind::Timestamp:
    case TypeKind::Null:
      return true;
    default:
      return type.nullable;
  }
}

}  // namespace

const Type* Unifier::fresh() {
  const auto number = static_cast<std::int32_t>(bound_.size());
  bound_.push_back(nullptr);
  return arena_.param(base::format("_var{}", number), number);
}

const Type* Unifier::find(const Type* type) const {
  return type->variable < 0 ? nullptr : bound_[static_cast<std::size_t>(type->variable)];
}

void Unifier::set(const Type* variable, const Type* type) {
  const Type*& slot = bound_[static_cast<std::size_t>(variable->variable)];
  trail_.emplace_back(variable->variable, slot);
  slot = type;
}

void Unifier::undo(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back())
    bound_[static_cast<std::size_t>(trail_.back().first)] = trail_.back().second;
}

bool Unifier::assignable(const Type* to, const Type* from) {
  const std::size_t mark = trail_.size();
  if (fits(to, from)) return true;
  undo(mark);
  return false;
}

bool Unifier::assignable(std::span<const Type* const> to, std::span<const Type* const> from) {
  const std::size_t mark = trail_.size();
  if (all_fit(to, from)) return true;
  undo(mark);
  return false;
}

bool Unifier::all_fit(std::span<const Type* const> a, std::span<const Type* const> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!fits(a[i], b[i])) return false;
  }
  return true;
}

bool Unifier::fits(const Type* a, const Type* b) {
  if (b->kind == TypeKind::Param) {
    const Bound bound = bind(a, b);
    if (bound.fits) return true;
    if (bound.was_bound) return false;
  }
  if (a->kind == TypeKind::Param) return bind(b, a).fits;
  if (is_dyn_or_error(*a) || is_dyn_or_error(*b)) return true;
  if (a->kind == TypeKind::Null) return may_be_null(*b);
  if (b->kind == TypeKind::Null) return may_be_null(*a);
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case TypeKind::Type:
      return true;
    case TypeKind::Opaque:
    case TypeKind::List:
    case TypeKind::Map:
      return a->name == b->name && all_fit(a->params, b->params);
    default:
      return a->name == b->name;
  }
}

Unifier::Bound Unifier::bind(const Type* to, const Type* variable) {
  if (to->kind == variable->kind && same(*to, *variable)) return {true, true};
  if (const Type* known = find(variable)) {
    if (same(*to, *known)) return {true, true};
    if (!fits(to, known)) return {false, true};
    const Type* general = most_general(to, known);
    if (absent(variable, general)) set(variable, general);
    return {true, true};
  }
  if (!absent(variable, to)) return {false, false};
  set(variable, to);
  return {true, false};
}

bool Unifier::absent(const Type* variable, const Type* within) const {
  if (same(*variable, *within)) return false;
  if (within->kind == TypeKind::Param) {
    const Type* known = find(within);
    return known == nullptr || absent(variable, known);
  }
  return std::ranges::all_of(within->params,
                             [&](const Type* param) { return absent(variable, param); });
}

const Type* Unifier::substitute(const Type* type, bool to_dyn) {
  if (const Type* known = find(type)) return substitute(known, to_dyn);
  if (to_dyn && type->kind == TypeKind::Param) return basic(TypeKind::Dyn);
  if (type->params.empty()) return type;
  std::vector<const Type*> params;
  for (const Type* param : type->params)
    params.push_back(substitute(param, to_dyn));
  if (params == type->params) return type;
  return arena_.with_params(*type, std::move(params));
}

const Type* most_general(const Type* a, const Type* b) {
  return less_specific_or_equal(*a, *b) ? a : b;
}

}  // namespace dra::cel
