// tests/answers/problems/problems_text.h: problems of a scene as lines of text.

#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/problems/problems.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::problems {

inline constexpr base::Instant kNow{.seconds = 1'795'024'000};  // 2026-11-18T17:46:40Z

// Scenes have a class, gpu, of which few have a device: only tests of classes look at that, under
// other names.
inline std::vector<Problem> problems_of(const support::Scene& words, std::string_view ns = {}) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  auto problems = find_problems({snapshot, inventory, kNow}, ns);
  std::erase_if(problems, [](const Problem& problem) {
    return problem.finding.code == diag::Code::ClassMatchesNothing &&
           problem.finding.subjects.front().name == "gpu";
  });
  return problems;
}

// "error Code: message > command", line by line.
inline std::string text_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    text += base::format("{} {}: {} > {}\n", name_of(problem.finding.severity),
                         diag::name_of(problem.finding.code), problem.finding.message,
                         problem.remedy.command);
  }
  return text;
}

struct Case {
  const char* name;
  support::Scene scene;
  const char* want;
};

inline void check(const Case& row) {
  CAPTURE(std::string(row.name));
  CHECK(text_of(problems_of(row.scene)) == row.want);
}

}  // namespace dra::answers::problems
