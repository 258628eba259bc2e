// include/dra/cel/library/regex.h
//
// Regular expressions as Go's regexp package has them: its dialect, its matches and its words for
// what is wrong with a pattern. Time is linear in the text and memory is bounded, whatever the
// pattern; how large a pattern may become depends on the effort that is left.

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

  // At most what looking through a text takes.
  std::uint64_t effort(std::string_view text) const;

  bool matches(std::string_view text) const;  // anywhere in the text
  // The leftmost match, "" if there is none; a part of the text.
  std::string_view find(std::string_view text) const;
  // At most `limit` matches that do not overlap; all if it is negative. What each takes is spent.
  std::vector<std::string_view> find_all(std::string_view text, std::int64_t limit,
                                         Effort& effort) const;

 private:
  struct Program;
  explicit Regex(std::unique_ptr<Program> program);

  std::unique_ptr<Program> program_;
};

}  // namespace dra::cel
