// include/dra/cel/check/validate.h
//
// What is checked once the types are right: lists and maps of one type, and literals that can
// never be what the function takes. Upstream: cel-go cel/validator.go, ext/formatting.go.

#pragma once

#include "dra/cel/check/checker.h"

namespace dra::cel {

void validate(Checked& checked);

// The types that have names in expressions: `int`, `net.IP`; nullptr if there is none of that name.
const Type* known_type(std::string_view name, TypeArena& arena);
// Of these, the ones that an expression can be evaluated with. Upstream: cel-go
// interpreter.planBuilder.planCheckedIdent.
const Type* type_value(std::string_view name, TypeArena& arena);

}  // namespace dra::cel
