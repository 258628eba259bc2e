// src/cel/library/regex_height.cpp: a scanner for patterns that reports their parts to
// PatternHeight.

#include "src/cel/library/regex_height.h"

#include <algorithm>

#include "dra/base/ascii.h"

namespace dra::cel {
namespace {

// The length of "{2}", "{2,}" or "{2,3}" at the beginning; 0 for literal braces.
std::size_t count_length(std::string_view rest) {
  std::size_t at = 1;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < rest.size() && base::is_digit(rest[at]))
      ++at;
    return at > begin;
  };
  if (!rest.starts_with('{') || !digits()) return 0;
  if (at < rest.size() && rest[at] == ',') {
    ++at;
    digits();
  }
  return at < rest.size() && rest[at] == '}' ? at + 1 : 0;
}

// The length of a class with its brackets; the whole rest if it does not end.
std::size_t class_length(std::string_view rest) {
  std::size_t at = rest.starts_with("[^") ? 2 : 1;
  if (rest.substr(at).starts_with(']')) ++at;
  for (; at < rest.size() && rest[at] != ']'; ++at) {
    if (rest[at] == '\\') ++at;
    if (rest.substr(at).starts_with("[:")) {
      const std::size_t end = rest.find(":]", at + 2);
      if (end != std::string_view::npos) at = end + 1;
    }
  }
  return std::min(at + 1, rest.size());
}

// The length of "(?i)", which opens no group; 0 for a group.
std::size_t flags_length(std::string_view rest) {
  if (!rest.starts_with("(?")) return 0;
  const std::size_t end = rest.find_first_not_of("imsU-", 2);
  return end != std::string_view::npos && rest[end] == ')' ? end + 1 : 0;
}

bool captures(std::string_view rest) {
  return !rest.starts_with("(?") || rest.starts_with("(?P<") || rest.starts_with("(?<");
}

// The length of a group's opening, up to its first part.
std::size_t opening_length(std::string_view rest) {
  if (!rest.starts_with("(?")) return 1;
  const std::size_t end = rest.find_first_of(captures(rest) ? ">" : ":", 2);
  return end == std::string_view::npos ? rest.size() : end + 1;
}

class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  // The number of bytes after which the tree is too high.
  std::optional<std::size_t> too_high_after() {
    const std::size_t size = rest_.size();
    while (!rest_.empty()) {
      rest_.remove_prefix(std::min(step(), rest_.size()));
      if (height_.of_closed() > kMaxPatternHeight) return size - rest_.size();
    }
    if (height_.highest() <= kMaxPatternHeight) return {};
    return size;
  }

 private:
  // Reads one part; returns its length.
  std::size_t step() {
    if (rest_[0] == '\\') return escape();
    if (const std::size_t length = flags_length(rest_)) return length;
    if (const std::size_t length = count_length(rest_)) {
      height_.repeated();
      return length + lazy(length);
    }
    switch (rest_[0]) {
      case '(':
        height_.open(captures(rest_));
        return opening_length(rest_);
      case ')':
        height_.close();
        return 1;
      case '|':
        height_.alternative();
        return 1;
      case '*':
      case '+':
      case '?':
        height_.repeated();
        return 1 + lazy(1);
      case '[':
        height_.other();
        return class_length(rest_);
      case '.':
      case '^':
      case '$':
        height_.other();
        return 1;
      default:
        height_.letter();
        return 1;
    }
  }

  std::size_t lazy(std::size_t at) const { return rest_.substr(at).starts_with('?') ? 1 : 0; }

  std::size_t escape() {
    if (rest_.starts_with("\\Q")) {
      const std::size_t end = rest_.find("\\E", 2);
      const std::size_t length = std::min(end, rest_.size()) - 2;
      for (std::size_t i = 0; i < length; ++i)
        height_.letter();
      return length + 4;
    }
    constexpr std::string_view by_itself = "ABbdDpPsSwWz";
    const bool part = rest_.size() > 1 && by_itself.find(rest_[1]) != std::string_view::npos;
    part ? height_.other() : height_.letter();
    const bool braces = rest_.size() > 2 && rest_[2] == '{' &&
                        (rest_[1] == 'p' || rest_[1] == 'P' || rest_[1] == 'x');
    const std::size_t end = braces ? rest_.find('}', 3) : std::string_view::npos;
    if (end != std::string_view::npos) return end + 1;
    return part && (rest_[1] == 'p' || rest_[1] == 'P') ? 3 : 2;
  }

  std::string_view rest_;
  PatternHeight height_;
};

}  // namespace

void PatternHeight::add(int height) {
  Sequence& now = sequences_.back();
  ++now.parts;
  now.tallest = std::max(now.tallest, height);
  now.last = height;
  now.letters = 0;
  highest_ = std::max(highest_, height);
}

void PatternHeight::letter() {
  Sequence& now = sequences_.back();
  if (now.letters == 0) add(1);
  ++now.letters;
}

void PatternHeight::other() { add(1); }

// Of adjacent literals, only the last is repeated.
void PatternHeight::repeated() {
  Sequence& now = sequences_.back();
  if (now.parts == 0) return;
  if (now.letters <= 1) --now.parts;
  add(now.last + 1);
}

int PatternHeight::height_of(const Sequence& sequence) {
  const int parts = sequence.parts > 1 ? 1 + sequence.tallest : std::max(sequence.tallest, 1);
  return sequence.before > 0 ? std::max(sequence.before, 1 + parts) : parts;
}

void PatternHeight::alternative() {
  Sequence& now = sequences_.back();
  const int parts = height_of({.parts = now.parts, .tallest = now.tallest});
  highest_ = std::max(highest_, 1 + parts);
  now = {.captures = now.captures, .before = std::max(now.before, 1 + parts)};
}

void PatternHeight::open(bool captures) { sequences_.push_back({.captures = captures}); }

void PatternHeight::close() {
  if (sequences_.size() < 2) return;
  const Sequence inner = sequences_.back();
  sequences_.pop_back();
  const int height = height_of(inner);
  highest_ = std::max(highest_, height);
  // A non-capturing group leaves no node: its parts join the sequence around it.
  const bool melts = !inner.captures && inner.before == 0 && inner.parts > 1;
  if (!melts) return add(height + (inner.captures ? 1 : 0));
  add(inner.tallest);
  Sequence& now = sequences_.back();
  now.parts += inner.parts - 1;
  now.last = height;
}

int PatternHeight::highest() const {
  return sequences_.size() > 1 ? highest_ : std::max(highest_, height_of(sequences_.front()));
}

std::optional<std::size_t> too_high_after(std::string_view pattern) {
  return Reader(pattern).too_high_after();
}

}  // namespace dra::cel
