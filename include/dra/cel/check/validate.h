// include/dra/cel/check/validate.h
//
// Validators that run after type checking: homogeneous lists and maps, and literals that their
// function never accepts. Upstream: cel-go cel/validator.go, ext/formatting.go.

#pragma once

#include "dra/cel/check/checker.h"

namespace dra::cel {

void validate(Checked& checked);

// The type with this name in expressions: `int`, `net.IP`; nullptr if there is none.
const Type* known_type(std::string_view name, TypeArena& arena);
// The same, but only types that an expression can be evaluated with. Upstream: cel-go
// interpreter.planBuilder.planCheckedIdent.
const Type* type_value(std::string_view name, TypeArena& arena);

}  // namespace dra::cel
