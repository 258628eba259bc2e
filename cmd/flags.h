// cmd/flags.h
//
// Parses a command line into the targets of a table of flags, with kubectl's conventions: flags may
// precede or follow the command and its arguments; `-n ml`, `-nml`, `-n=ml`, `--namespace ml` and
// `--namespace=ml` are the same; `--` ends the flags; a switch may have a value
// (`--no-headers=false`); the last of two values counts, unless the flag takes several.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

// The words that are neither flags nor values of flags, in order: the command and its arguments.
using Arguments = std::vector<std::string>;

// Sets the targets of the given flags only. Fails with BadInput.
Result<Arguments> parse_flags(std::span<const Flag> flags, const std::vector<std::string>& words);

// The same for an incomplete line: words that cannot be parsed are skipped.
Arguments read_flags(std::span<const Flag> flags, const std::vector<std::string>& words);

// True for flags that need a value.
bool takes_value(const Flag& flag);

// The flag whose value is the next word: for `--output`, `-o` and `-Ao`, but not for `-ojson`.
// nullptr if there is none.
const Flag* waiting_for_value(std::span<const Flag> flags, std::string_view word);

const Flag* find_flag(std::span<const Flag> flags, std::string_view name);

// The flags that every command has.
std::vector<Flag> global_flags(GlobalFlags& globals);

}  // namespace dra::cmd
