// cmd/commands/list.h
//
// The one flow of all lists: choose a namespace, load, choose objects, sort, print in the format
// that was asked for, and say what was not found. What differs from noun to noun is a row of
// list_objects.cpp for objects of the API, and a ReportRows for what this program makes of them.
//
// As `kubectl get` (k8s.io/kubectl/pkg/cmd/get): what is found is printed although other names are
// not found, and each of those is an error; several kinds are tables one after another, and one
// List; an object that was asked for by name, alone, is printed bare.

#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/list_flags.h"
#include "cmd/nouns.h"
#include "dra/base/text.h"
#include "dra/json/value.h"
#include "dra/report/lists/list.h"
#include "dra/snapshot/select.h"
#include "dra/view/document.h"

namespace dra::cmd {

using ObjectRefs = std::vector<snapshot::ObjectRef>;

// How a table of objects is to be.
struct TableOptions {
  report::ListOptions list;
  bool named = false;  // the user named the objects: none may be left out
};

// What is special about the list of a kind.
struct ObjectList {
  Noun noun;
  std::string_view summary;
  std::string_view description;
  std::vector<Example> examples;
  // What a table shows of other objects; `ns` is empty for all namespaces. JSON and the like never
  // take more than the objects themselves.
  std::vector<snapshot::Need> (*needs)(const std::string& ns);
  // A row for each of the objects, in their order. Objects that are left out of the table are
  // dropped.
  view::Document (*table)(const snapshot::Snapshot& snapshot, ObjectRefs& objects,
                          const TableOptions& options);
  // If set, objects for which it is false are in no list, unless they are named.
  bool (*concerns)(const snapshot::Snapshot& snapshot, const snapshot::ObjectRef& object) = nullptr;
};

// Nouns without an API object are not among them.
const std::vector<ObjectList>& object_lists();

Result<ExitCode> list_objects(Context& context, const ListFlags& flags,
                              const std::vector<Group>& groups);

// A report whose JSON has `items`, one for each row of its table.
struct ReportRows {
  std::function<json::Value()> json;
  std::function<view::Document()> table;
  std::vector<std::string> names;  // of each row, for -o name: "driver/gpu.nvidia.com"; empty: none
  std::vector<Error> not_found;    // a name each
};
Result<ExitCode> print_report(const Context& context, const ListFlags& flags, const Output& output,
                              const ReportRows& rows);

// What a list is of, and what to say to whoever names what is not there.
struct NamedRows {
  std::string_view what;
  std::string_view hint = {};
};

// An error for each name that no row has. `has` tells whether a row has a name.
template <class Rows, class Has>
std::vector<Error> missing_among(const std::vector<std::string>& names, const Rows& rows,
                                 const NamedRows& named, Has has) {
  std::vector<Error> errors;
  for (const std::string& name : names) {
    const bool found = std::ranges::any_of(rows, [&](const auto& row) { return has(row, name); });
    if (found) continue;
    errors.push_back({ErrorKind::NotFound, base::format("{} \"{}\" not found", named.what, name),
                      std::string(named.hint)});
  }
  return errors;
}

}  // namespace dra::cmd
