// cmd/commands/schema.cpp: `kubectl dra schema`: prints the JSON Schema of a kind of report.

#include "dra/report/schema/schema.h"

#include <algorithm>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/help.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

using report::ReportKind;

view::Document table_of_kinds(const std::string& program) {
  view::Table table{.columns = {{.title = "KIND"}, {.title = "COMMAND"}}, .rows = {}};
  for (const ReportKind& kind : report::report_kinds()) {
    table.rows.push_back({view::Cell{.text = std::string(kind.name)},
                          view::Cell{.text = base::format("{} {}", program, kind.command)}});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

// Suggests the kind that contains the name, or the most similar one.
Error no_such_kind(const std::string& name) {
  const auto distance = [typed = base::lower(name)](const ReportKind& kind) {
    const std::string lower = base::lower(kind.name);
    return lower.find(typed) != std::string::npos ? 0 : base::edit_distance(lower, typed);
  };
  const auto near = std::ranges::min_element(report::report_kinds(), {}, distance);
  return {ErrorKind::BadInput, base::format("there is no kind of report \"{}\"", name),
          base::format("did you mean {}? `kubectl dra schema` lists all", near->name)};
}

class Schema final : public Command {
 public:
  Info info() const override {
    return {
        .name = "schema",
        .usage = "[KIND]",
        .summary = "Print the JSON Schema of a kind of report.",
        .description =
            "What commands print with -o json or -o yaml, and the API has no object for, has a "
            "kind and a schema: each field with what it means, when it is absent, and the "
            "values that it can have. The schema is one of draft 2020-12 and refers to nothing "
            "outside of it. Without KIND the kinds are listed, each with a command that prints "
            "it; letter case does not matter. Parts of such a report are printed with -o jsonpath, "
            "go-template or custom-columns.",
        .examples = {{"schema", "the kinds"},
                     {"schema Explanation", "what `explain pod -o json` prints"}},
        .task = Task::Share,
        .max_args = 1,
        .arguments = ArgumentKind::Reports};
  }

  Result<ExitCode> run(Context& context) override {
    if (context.args().empty()) {
      context.print(table_of_kinds(program_name(context.console().program)));
      return ExitCode::Done;
    }
    const std::string& name = context.args().front();
    const auto kinds = report::report_kinds();
    const auto found = std::ranges::find(
        kinds, base::lower(name), [](const ReportKind& kind) { return base::lower(kind.name); });
    if (found == kinds.end()) return no_such_kind(name);
    context.print_json(report::schema_of(*found));
    return ExitCode::Done;
  }
};

}  // namespace

std::unique_ptr<Command> make_schema() { return std::make_unique<Schema>(); }

}  // namespace dra::cmd
