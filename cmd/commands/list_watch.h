// cmd/commands/list_watch.h
//
// Lists with --watch, as `kubectl get --watch` prints them (k8s.io/kubectl/pkg/cmd/get): the list,
// each object by itself, and then the object of each event. Unlike in kubectl the watch goes on
// where the connection ends, and a row is also printed again where it says something else because
// of another object: a class whose devices are taken, say.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/commands/list.h"
#include "cmd/list_flags.h"
#include "cmd/output.h"
#include "dra/snapshot/select.h"

namespace dra::cmd {

// The list of one kind of API objects.
struct WatchedObjects {
  snapshot::Need need;
  std::vector<snapshot::Need> needs;  // of all that is printed
  // A row for each object, in order; removes objects that get no row.
  std::function<view::Table(const snapshot::Snapshot&, ObjectRefs&)> table;
  // Those that are printed, of objects of the kind.
  std::function<Result<ObjectRefs>(const snapshot::Snapshot&, ObjectRefs)> chosen;
  // In the order of --sort-by, of a table.
  std::function<Result<ObjectRefs>(ObjectRefs)> sorted;
  // An error for each name without an object.
  std::function<std::vector<Error>(const snapshot::Snapshot&, const ObjectRefs&)> missing;
};
Result<ExitCode> watch_objects(const Context& context, const ListFlags& flags, const Output& output,
                               const WatchedObjects& list);

// The rows of a list that is not of API objects, as they are in a state.
using OnReportRows = std::function<Result<ExitCode>(const ReportRows&)>;
using MakeReportRows =
    std::function<Result<ExitCode>(const snapshot::Snapshot&, const OnReportRows&)>;
// Prints the rows once, or with --watch whenever some change.
Result<ExitCode> list_report(const Context& context, const ListFlags& flags, const Output& output,
                             std::span<const snapshot::Need> needs, const MakeReportRows& make);

}  // namespace dra::cmd
