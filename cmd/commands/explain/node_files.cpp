// cmd/commands/explain/node_files.cpp: see node_files.h.

#include "cmd/commands/explain/node_files.h"

#include <memory>
#include <utility>

#include "dra/api/cluster_objects.h"
#include "dra/api/slice.h"
#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/snapshot/builder.h"

namespace dra::cmd {
namespace {

Result<engine::JoinNodes> nodes_of_text(const Context& context, const std::string& name,
                                        std::string_view text) {
  snapshot::Builder builder;
  DRA_TRY(builder.add_text(text, name));
  std::int64_t others = 0;
  for (const api::KindInfo& kind : api::all_kinds()) {
    if (kind.kind != api::Kind::Node && kind.kind != api::Kind::Slice)
      others += static_cast<std::int64_t>(builder.count(kind.kind));
  }
  auto objects = std::make_shared<const snapshot::Snapshot>(DRA_TRY(std::move(builder).build()));
  engine::JoinNodes change{.file = name, .nodes = {}, .objects = objects};
  for (const api::Node& node : objects->all<api::Node>())
    change.nodes.emplace_back(node.meta.name);
  if (change.nodes.empty() && objects->all<api::ResourceSlice>().empty())
    return Error{ErrorKind::BadInput, base::format("{}: there is no node and no slice in it", name),
                 "it should hold objects of the kinds Node and ResourceSlice, as `kubectl get "
                 "nodes,resourceslices -o yaml` prints them"};
  if (others > 0)
    context.warn(base::format("{}: only Nodes and ResourceSlices are added, not {} of other kinds",
                              name, base::plural(others, "object")));
  return change;
}

}  // namespace

Result<std::vector<engine::Change>> read_node_files(const Context& context,
                                                    const std::vector<std::string>& files) {
  std::vector<engine::Change> changes;
  for (const std::string& file : files) {
    const bool standard = file == "-";
    const std::string text = standard ? DRA_TRY(context.console().streams.read_input())
                                      : DRA_TRY(base::read_input(file));
    changes.emplace_back(DRA_TRY(nodes_of_text(context, standard ? "standard input" : file, text)));
  }
  return changes;
}

}  // namespace dra::cmd
