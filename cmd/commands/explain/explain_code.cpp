// cmd/commands/explain/explain_code.cpp: looks the code up, and suggests similar codes.

#include "cmd/commands/explain/explain_code.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/report/explain/code_page.h"

namespace dra::cmd {
namespace {

constexpr std::size_t kSuggested = 3;

const diag::CodeInfo* find_code(std::string_view name) {
  const auto codes = diag::all_codes();
  const auto found = std::ranges::find_if(codes, [wanted = base::lower(name)](const auto& code) {
    return base::lower(code.name) == wanted;
  });
  return found == codes.end() ? nullptr : &*found;
}

// Codes that contain the name, then the most similar ones.
std::string nearest_codes(std::string_view name) {
  std::vector<std::string_view> names = code_names();
  const std::string typed = base::lower(name);
  const auto distance = [&typed](std::string_view code) {
    const std::string lower = base::lower(code);
    return lower.find(typed) != std::string::npos ? 0 : base::edit_distance(lower, typed);
  };
  std::ranges::stable_sort(names, {}, distance);
  std::vector<std::string> first(names.begin(), names.begin() + kSuggested);
  return base::join(first, ", ");
}

// One code, or several.
template <class Codes>
Result<ExitCode> print_codes(const Context& context, const Codes& codes,
                             const ReportOutput& output) {
  DRA_TRY(output.print(context, {.json = [&] { return report::to_json(codes); },
                                 .document = [&] { return report::to_view(codes); },
                                 .page = {}}));
  return ExitCode::Done;
}

}  // namespace

std::vector<std::string_view> code_names() {
  std::vector<std::string_view> names;
  for (const diag::CodeInfo& code : diag::all_codes())
    names.push_back(code.name);
  return names;
}

Result<ExitCode> explain_code(Context& context, const std::string& name,
                              const ReportOutput& output) {
  if (output.page())
    return Error{.kind = ErrorKind::BadInput,
                 .message = base::format("--code cannot be used with --output={}", output.name()),
                 .hint = "it prints text, or JSON"};
  if (name == kAllCodes) return print_codes(context, diag::all_codes(), output);
  const diag::CodeInfo* code = find_code(name);
  if (code == nullptr) {
    return Error{.kind = ErrorKind::BadInput,
                 .message = base::format("there is no reason code \"{}\"", name),
                 .hint = base::format("did you mean {}? `kubectl dra explain --code` lists all",
                                      nearest_codes(name))};
  }
  return print_codes(context, *code, output);
}

}  // namespace dra::cmd
