// src/cel/syntax/source.cpp: indexes line starts and code points, and formats issues.

#include "dra/cel/syntax/source.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::cel {
namespace {

constexpr std::size_t kMaxIssues = 100;
constexpr std::size_t kMaxLine = 16384;  // longer lines are left out of messages

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// Dots up to the column and a caret, full-width below characters that are not ASCII, which are
// assumed to be wide.
std::string pointer_line(std::string_view line, std::int64_t column) {
  constexpr std::string_view wide_dot = "\uff0e";
  constexpr std::string_view wide_caret = "\uff3e";
  std::string out;
  std::int64_t at = 1;
  for (const char c : line) {
    if (!starts_code_point(c)) continue;
    const bool wide = static_cast<unsigned char>(c) >= 0x80U;
    if (at++ == column) return out + std::string(wide ? wide_caret : "^");
    out += wide ? wide_dot : ".";
  }
  return out + "^";
}

std::string display_one(const Source& source, const Issue& issue) {
  if (!issue.at) return base::format("ERROR: <input>:-1:0: {}", issue.message);
  if (source.size() == 0) return base::format("ERROR: <input>:1:0: {}", issue.message);
  const Place place = source.place_of(*issue.at);
  std::string out =
      base::format("ERROR: <input>:{}:{}: {}", place.line, place.column, issue.message);
  std::string line(source.line_at(*issue.at));
  if (line.size() > kMaxLine) return out;
  std::ranges::replace(line, '\t', ' ');
  return out + "\n | " + line + "\n | " + pointer_line(line, place.column);
}

}  // namespace

Source::Source(std::string text) : text_(std::move(text)), line_starts_{0} {
  for (const char c : text_) {
    if (!starts_code_point(c)) continue;
    ++size_;
    ascii_ = ascii_ && static_cast<unsigned char>(c) < 0x80U;
    if (c == '\n') line_starts_.push_back(size_);
  }
}

std::size_t Source::byte_of(std::uint32_t offset) const {
  if (ascii_) return std::min<std::size_t>(offset, text_.size());
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (starts_code_point(text_[i]) && seen++ == offset) return i;
  }
  return text_.size();
}

std::string_view Source::text_of(Span span) const {
  const std::size_t begin = byte_of(span.begin);
  return std::string_view(text_).substr(begin, byte_of(span.end) - begin);
}

Place Source::place_of(std::uint32_t offset) const {
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  const auto line = next - line_starts_.begin();
  return {line, static_cast<std::int64_t>(offset - *(next - 1)) + 1};
}

std::string_view Source::line_at(std::uint32_t offset) const {
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  const std::uint32_t end = next == line_starts_.end() ? size_ : *next - 1;
  return text_of({*(next - 1), end});
}

std::string display(const Source& source, std::vector<Issue> issues) {
  std::ranges::stable_sort(issues, {}, [](const Issue& issue) {
    return issue.at ? static_cast<std::int64_t>(*issue.at) : -1;
  });
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < issues.size() && i < kMaxIssues; ++i)
    lines.push_back(display_one(source, issues[i]));
  if (issues.size() > kMaxIssues) {
    lines.push_back(base::format("{} more errors were truncated", issues.size() - kMaxIssues));
  }
  return base::join(lines, "\n");
}

}  // namespace dra::cel
