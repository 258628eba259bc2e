// include/dra/cel/library/regex.h
//
// Regular expressions with the syntax, matches and error messages of Go's regexp package. Time is
// linear in the text and memory is bounded for every pattern; the remaining effort limits the size
// of a pattern.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/cel/library/effort.h"

namespace dra::cel {

class Regex {
 public:
  // Fails with Go's message: "error parsing regexp: missing closing ]: `[`".
  static Result<Regex> compile(std::string_view pattern, Effort& effort);

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // An upper bound of the effort to search a text.
  std::uint64_t effort(std::string_view text) const;

  bool matches(std::string_view text) const;  // anywhere in the text
  // The leftmost match, a part of the text; "" if there is none.
  std::string_view find(std::string_view text) const;
  // At most `limit` non-overlapping matches; all if `limit` is negative. Spends the effort of each
  // search.
  std::vector<std::string_view> find_all(std::string_view text, std::int64_t limit,
                                         Effort& effort) const;

 private:
  struct Program;
  explicit Regex(std::unique_ptr<Program> program);

  std::unique_ptr<Program> program_;
};

}  // namespace dra::cel
