// cmd/flags.h
//
// From the words of a command line to the targets of a table of flags, with kubectl's conventions:
// flags stand anywhere, before or after the command and its arguments; `-n ml`, `-nml`, `-n=ml`,
// `--namespace ml` and `--namespace=ml` are the same; `--` ends the flags; a switch may be given a
// value
// (`--no-headers=false`); of a flag given twice the last counts, unless it takes several.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

// The words that are neither flags nor values of flags, in their order: the command and its
// arguments.
using Arguments = std::vector<std::string>;

// Sets the targets of the flags that are given and leaves the others alone. Fails with BadInput.
Result<Arguments> parse_flags(std::span<const Flag> flags, const std::vector<std::string>& words);

// The same for a line of which not all is known or typed yet: what makes no sense is passed over.
Arguments read_flags(std::span<const Flag> flags, const std::vector<std::string>& words);

// Flags whose value cannot be left out.
bool takes_value(const Flag& flag);

// The flag that the next word is the value of: for `--output`, `-o` and `-Ao`, but not for
// `-ojson`. nullptr if there is none.
const Flag* waiting_for_value(std::span<const Flag> flags, std::string_view word);

const Flag* find_flag(std::span<const Flag> flags, std::string_view name);

// The flags that every command has.
std::vector<Flag> global_flags(GlobalFlags& globals);

}  // namespace dra::cmd
