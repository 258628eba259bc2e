// src/report/explain/code_examples.cpp: a file has the command, the failing manifest, what to
// change, and the fixed manifest. CMake makes code_examples_text.h of all files.

#include "dra/report/explain/code_examples.h"

#include <algorithm>

#include "code_examples_text.h"
#include "dra/base/result.h"

namespace dra::report {
namespace {

constexpr std::string_view kCommand = "# kubectl dra ";
constexpr std::string_view kFixed = "\n# Fixed: ";

// Takes the rest of the line.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  DRA_CHECK(end != std::string_view::npos);  // it is compiled in
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

std::optional<CodeExample> example_of(const diag::CodeInfo& code) {
  const auto file = std::ranges::find(kCodeExamples, code.name, &CodeExampleText::code);
  if (file == std::ranges::end(kCodeExamples)) return std::nullopt;
  std::string_view text = file->text;
  DRA_CHECK(text.starts_with(kCommand));
  text.remove_prefix(kCommand.size());
  CodeExample example;
  example.command = take_line(text);
  const std::size_t fixed = text.find(kFixed);
  DRA_CHECK(fixed != std::string_view::npos);
  example.failing = text.substr(0, fixed + 1);
  text.remove_prefix(fixed + kFixed.size());
  example.change = take_line(text);
  example.fixed = text;
  return example;
}

}  // namespace dra::report
