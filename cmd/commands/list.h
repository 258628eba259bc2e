// cmd/commands/list.h
//
// The common flow of all lists: choose a namespace, load, choose objects, sort, print in the format
// of --output, and report names that were not found. A list of API objects is a row of
// list_objects.cpp, a list of devices, pools or drivers a ReportRows.
//
// As in `kubectl get` (k8s.io/kubectl/pkg/cmd/get), objects that are found are printed although
// other names are not found, and each of those is an error; several kinds become one table after
// another, or one List; a single object that was named is printed without a List.

#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "cmd/nouns.h"
#include "dra/base/text.h"
#include "dra/json/value.h"
#include "dra/report/lists/list.h"
#include "dra/snapshot/select.h"
#include "dra/view/document.h"

namespace dra::cmd {

using ObjectRefs = std::vector<snapshot::ObjectRef>;

// Options of a table of API objects.
struct TableOptions {
  report::ListOptions list;
  bool named = false;  // the user named the objects, so the table has all of them
};

// The list of one kind of API objects.
struct ObjectList {
  Noun noun;
  std::string_view summary;
  std::string_view description;
  std::vector<Example> examples;
  // Other kinds that the table reads; `ns` is empty for all namespaces. Other formats print the
  // objects alone and read nothing else.
  std::vector<snapshot::Need> (*needs)(const std::string& ns);
  // A row for each object, in order. Removes objects from `objects` that get no row.
  view::Document (*table)(const snapshot::Snapshot& snapshot, ObjectRefs& objects,
                          const TableOptions& options);
  // If set, unnamed objects for which it is false are left out in every format.
  bool (*concerns)(const snapshot::Snapshot& snapshot, const snapshot::ObjectRef& object) = nullptr;
};

// One for each noun with an API kind.
const std::vector<ObjectList>& object_lists();

// How files named the objects of a list, if they did.
struct NamedByFiles {
  bool one_file = false;           // so a single object is printed without a List
  std::vector<Error> errors = {};  // about what could not be read
};

Result<ExitCode> list_objects(Context& context, const ListFlags& flags,
                              const std::vector<ListTarget>& targets,
                              std::optional<NamedByFiles> files = {});

// A list that is not of API objects. Its JSON has `items`, one for each row of its table.
struct ReportRows {
  std::function<json::Value()> json;
  std::function<view::Document()> table;
  std::size_t count = 0;
  // Of a row, for -o name: "driver/gpu.nvidia.com". Most output needs none, and rows are many.
  std::function<std::string(std::size_t)> name = {};
  std::vector<Error> not_found = {};  // one for each name without a row
  bool says_none = false;             // the document says itself that there are no rows
};
std::vector<std::string> names_of_rows(const ReportRows& rows);
Result<ExitCode> print_report(const Context& context, const ListFlags& flags, const Output& output,
                              const ReportRows& rows);

// For the error about an unknown name: the noun, a hint, and the names that there are.
struct NamedRows {
  std::string_view what;
  std::string_view hint = {};  // where no name is similar
  std::vector<std::string> known = {};
};

// An error for each name that no row has. `has(row, name)` compares.
template <class Rows, class Has>
std::vector<Error> missing_among(const std::vector<std::string>& names, const Rows& rows,
                                 const NamedRows& named, Has has) {
  std::vector<Error> errors;
  for (const std::string& name : names) {
    const bool found = std::ranges::any_of(rows, [&](const auto& row) { return has(row, name); });
    if (found) continue;
    const std::string near = did_you_mean(name, named.known);
    errors.push_back({ErrorKind::NotFound, base::format("{} \"{}\" not found", named.what, name),
                      near.empty() ? std::string(named.hint) : near});
  }
  return errors;
}

}  // namespace dra::cmd
