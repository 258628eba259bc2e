// include/dra/cel/hints/near_literals.h
//
// Texts that a function refuses, as people write them, and the texts that they may mean.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/library/environment.h"

namespace dra::cel {

// For the text that `function` reads: of quantity(), semver(), duration(), timestamp(), ip(),
// cidr(), url(), and of the functions with regular expressions. The likeliest first. They are
// guesses: the caller evaluates the call with each.
std::vector<std::string> near_literals(std::string_view function, std::string_view text);

// The condition that a version begins with these numbers, of which there are one to three:
// `v.major() == 580 && v.minor() == 95`. Empty: the text is no such prefix.
std::string version_begins_with(std::string_view version, std::string_view prefix);

// Why an expression without variables has no value, in the server's words; empty if it has one.
std::string failure_of_constant(std::string_view expression, const Environment& environment);

}  // namespace dra::cel
