// include/dra/cel/values/opaque.h
//
// Casts from a value to the library type that it holds.

#pragma once

#include "dra/cel/values/value.h"

namespace dra::cel {

// For arguments whose type the overload has checked. Library types have their name in kType.
template <class T>
const T& opaque(const Value& value) {
  return static_cast<const T&>(value.as_opaque());
}

// nullptr if the value holds another type.
template <class T>
const T* opaque_if(const Value& value) {
  const bool is = value.is(ValueKind::Opaque) && value.as_opaque().type_name() == T::kType;
  return is ? &opaque<T>(value) : nullptr;
}

}  // namespace dra::cel
