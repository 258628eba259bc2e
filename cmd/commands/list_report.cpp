// cmd/commands/list_report.cpp: prints a ReportRows (list.h) as a table, names or JSON, sorted by
// --sort-by.

#include "cmd/commands/list.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/report/lists/sort_by.h"

namespace dra::cmd {
namespace {

// The order of the rows; empty without --sort-by.
Result<std::vector<std::size_t>> order_of(const ListFlags& flags, const ReportRows& rows) {
  if (flags.sort_by.empty() || rows.count < 2) return std::vector<std::size_t>();
  const json::Value report = rows.json();
  return report::sort_by(report.find("items")->items(), flags.sort_by);
}

// The rows of several clusters are sorted together, when all are there.
Result<std::vector<std::vector<report::SortKey>>> keys_of(const ListFlags& flags,
                                                          const ReportRows& rows) {
  std::vector<std::vector<report::SortKey>> keys;
  if (flags.sort_by.empty() || rows.count == 0) return keys;
  const json::Value report = rows.json();
  keys.push_back(DRA_TRY(report::sort_keys(report.find("items")->items(), flags.sort_by)));
  return keys;
}

}  // namespace

std::vector<std::string> names_of_rows(const ReportRows& rows) {
  std::vector<std::string> names;
  names.reserve(rows.count);
  for (std::size_t i = 0; i < rows.count; ++i)
    names.push_back(rows.name(i));
  return names;
}

Result<ExitCode> print_report(const Context& context, const ListFlags& flags, const Output& output,
                              const ReportRows& rows) {
  const bool later = context.keeps_answer() && output.table();
  const auto order = later ? std::vector<std::size_t>() : DRA_TRY(order_of(flags, rows));
  const bool nothing = rows.count == 0;
  const bool only_errors = nothing && !rows.not_found.empty();
  if (output.table()) {
    view::Document document = rows.table();
    if (!order.empty()) report::reorder(std::get<view::Table>(document.blocks.front()).rows, order);
    Layout layout{.wide = output.format == Format::Wide, .headers = !flags.no_headers};
    if (later) layout.sort_keys = DRA_TRY(keys_of(flags, rows));
    context.print(document, layout);
    if (nothing && !rows.says_none && !only_errors && !flags.ignore_not_found)
      context.print_not_found();
  } else if (output.format == Format::Name) {
    std::vector<std::string> names = names_of_rows(rows);
    if (!order.empty()) report::reorder(names, order);
    for (const std::string& name : names) {
      if (!name.empty()) context.print_text(base::printable(name) + "\n");
    }
  } else if (!only_errors && !(nothing && flags.ignore_not_found)) {
    json::Value report = rows.json();
    if (!order.empty()) report::reorder(report.find("items")->items(), order);
    DRA_TRY(print_structured(context, report, output, Printed::Report));
  }
  if (flags.ignore_not_found) return ExitCode::Done;
  for (const Error& error : rows.not_found)
    context.report(error);
  return rows.not_found.empty() ? ExitCode::Done : ExitCode::Failed;
}

}  // namespace dra::cmd
