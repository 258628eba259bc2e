// src/cel/library/regex_height.h
//
// How high the tree of a pattern is, by which Go refuses patterns: RE2 has another limit.
//
// Upstream: regexp/syntax, parser.checkHeight (maxHeight). What Go makes of alternatives with a
// common beginning is not followed: that matters only to patterns of about a thousand levels.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace dra::cel {

inline constexpr int kMaxPatternHeight = 1000;

// Told of a pattern's parts in their order.
class PatternHeight {
 public:
  PatternHeight() { sequences_.emplace_back(); }

  void letter();    // a character that stands for itself; neighbours are one part
  void other();     // a class, a place as ^: a part by itself
  void repeated();  // `*` and its like behind the last part
  void alternative();
  void open(bool captures);
  void close();

  // Of the groups that are closed by now.
  int of_closed() const { return highest_; }
  // Of all so far; a group counts when it is closed.
  int highest() const;

 private:
  // Those between two bars of one group.
  struct Sequence {
    bool captures = false;
    int parts = 0;
    int tallest = 0;
    int before = 0;   // of the alternatives before it; 0: there are none
    int letters = 0;  // of the part that may still grow
    int last = 0;     // height of the last part
  };

  void add(int height);
  static int height_of(const Sequence& sequence);

  std::vector<Sequence> sequences_;
  int highest_ = 1;
};

// How many of the pattern's bytes make a tree that is higher than may be, of a pattern that is not
// grammar as far as that can be said; nothing where all of it may be.
std::optional<std::size_t> too_high_after(std::string_view pattern);

}  // namespace dra::cel
