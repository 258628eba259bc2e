// src/base/line_diff.cpp: equal lines at both ends are cut off; the rest is compared by the longest
// common subsequence.

#include "dra/base/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dra/base/text.h"

namespace dra::base {
namespace {

constexpr std::size_t kAround = 3;
// Cells of the table of common lines. A larger part is shown as replaced as a whole.
constexpr std::size_t kMaxCells = 16'000'000;

using Lines = std::vector<std::string_view>;

struct Step {
  char sign;  // ' ', '-' or '+'
  std::string_view line;
};

Lines lines_of(std::string_view text) {
  Lines lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// The changes from one part to the other, by their longest common subsequence.
void compare(const Lines& before, const Lines& after, std::vector<Step>& steps) {
  const std::size_t rows = before.size();
  const std::size_t columns = after.size();
  if (rows > 0 && columns > kMaxCells / rows) {
    for (const std::string_view line : before)
      steps.push_back({'-', line});
    for (const std::string_view line : after)
      steps.push_back({'+', line});
    return;
  }
  std::vector<std::uint32_t> common((rows + 1) * (columns + 1));
  const auto at = [&common, columns](std::size_t i, std::size_t j) -> std::uint32_t& {
    return common[i * (columns + 1) + j];
  };
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;)
      at(i, j) =
          before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[i] == after[j]) {
      steps.push_back({' ', before[i++]});
      ++j;
    } else if (i < rows && (j >= columns || at(i + 1, j) >= at(i, j + 1))) {
      steps.push_back({'-', before[i++]});
    } else {
      steps.push_back({'+', after[j++]});
    }
  }
}

// Equal lines at both ends need no table.
std::vector<Step> steps_between(Lines before, Lines after) {
  std::vector<Step> steps;
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head])
    steps.push_back({' ', before[head++]});
  std::size_t tail = 0;
  while (head + tail < before.size() && head + tail < after.size() &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  const auto middle = [head, tail](const Lines& lines) {
    return Lines(lines.begin() + static_cast<std::ptrdiff_t>(head),
                 lines.end() - static_cast<std::ptrdiff_t>(tail));
  };
  compare(middle(before), middle(after), steps);
  for (std::size_t i = before.size() - tail; i < before.size(); ++i)
    steps.push_back({' ', before[i]});
  return steps;
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const std::vector<Step> steps = steps_between(lines_of(before), lines_of(after));
  std::string out = format("--- {}\n+++ {}\n", name, name);
  std::size_t line_before = 1;
  std::size_t line_after = 1;
  std::size_t done = 0;
  const auto pass = [&](const Step& step) {
    line_before += step.sign != '+' ? 1 : 0;
    line_after += step.sign != '-' ? 1 : 0;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].sign == ' ') continue;
    const std::size_t start = i < done + kAround ? done : i - kAround;
    for (; done < start; ++done)
      pass(steps[done]);
    // A hunk goes on as long as the next change is near enough.
    std::size_t end = i;
    for (std::size_t j = i; j < steps.size() && j <= end + 2 * kAround; ++j)
      if (steps[j].sign != ' ') end = j;
    end = std::min(end + kAround + 1, steps.size());
    std::string hunk;
    const std::size_t first_before = line_before;
    const std::size_t first_after = line_after;
    for (; done < end; ++done) {
      hunk += format("{}{}\n", std::string(1, steps[done].sign), steps[done].line);
      pass(steps[done]);
    }
    out += format("@@ -{},{} +{},{} @@\n{}", first_before, line_before - first_before, first_after,
                  line_after - first_after, hunk);
    i = end - 1;
  }
  return out;
}

}  // namespace dra::base
