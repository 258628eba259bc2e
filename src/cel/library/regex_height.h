// src/cel/library/regex_height.h
//
// The height of a pattern's syntax tree, for which Go refuses patterns: RE2 has another limit.
//
// Upstream: regexp/syntax, parser.checkHeight (maxHeight). Go's factoring of alternatives with a
// common prefix is not reproduced: it only matters for patterns of about a thousand levels.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace dra::cel {

inline constexpr int kMaxPatternHeight = 1000;

// Computes the height from a pattern's parts, which callers report in order.
class PatternHeight {
 public:
  PatternHeight() { sequences_.emplace_back(); }

  void letter();    // a literal character; adjacent ones are one part
  void other();     // a class, or an assertion such as ^: a part by itself
  void repeated();  // `*` and similar after the last part
  void alternative();
  void open(bool captures);
  void close();

  // The height of the closed groups.
  int of_closed() const { return highest_; }
  // The height of all parts so far; a group counts once it is closed.
  int highest() const;

 private:
  // The parts between two bars of one group.
  struct Sequence {
    bool captures = false;
    int parts = 0;
    int tallest = 0;
    int before = 0;   // height of the alternatives before it; 0: none
    int letters = 0;  // literals in the part that may still grow
    int last = 0;     // height of the last part
  };

  void add(int height);
  static int height_of(const Sequence& sequence);

  std::vector<Sequence> sequences_;
  int highest_ = 1;
};

// How many bytes of the pattern make its tree too high; no value if all of it is allowed. Also for
// patterns with errors, as far as these can be read.
std::optional<std::size_t> too_high_after(std::string_view pattern);

}  // namespace dra::cel
