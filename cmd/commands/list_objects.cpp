// cmd/commands/list_objects.cpp: the lists of API objects, a row for each kind (see list.h), the
// commands for them, and `kubectl dra get`.

#include <algorithm>

#include "cmd/commands.h"
#include "cmd/commands/list.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/engine/cluster/pods.h"
#include "dra/report/lists/list_claims.h"
#include "dra/report/lists/list_classes.h"
#include "dra/report/lists/list_nodes.h"
#include "dra/report/lists/list_pods.h"
#include "dra/report/lists/list_pools.h"
#include "dra/report/lists/list_taint_rules.h"
#include "dra/report/lists/list_templates.h"
#include "dra/topology/missing_devices.h"

namespace dra::cmd {
namespace {

using api::Kind;
using snapshot::Need;
using snapshot::ObjectRef;
using snapshot::Snapshot;
using snapshot::typed;

view::Document claims_table(const Snapshot& snapshot, ObjectRefs& objects,
                            const TableOptions& options) {
  std::vector<report::ClaimRow> rows;
  for (const api::ResourceClaim* claim : typed<api::ResourceClaim>(snapshot, objects))
    rows.push_back(report::claim_row(snapshot, *claim));
  return report::claims_view(rows, options.list);
}

view::Document classes_table(const Snapshot& snapshot, ObjectRefs& objects,
                             const TableOptions& options) {
  const engine::Inventory inventory(snapshot);
  const auto classes = typed<api::DeviceClass>(snapshot, objects);
  const auto missing = topology::missing_devices(snapshot, inventory);
  return report::classes_view(engine::count_classes(snapshot, inventory, classes, missing),
                              options.list);
}

// Nodes without devices and without pods that use claims are left out unless they are named.
view::Document nodes_table(const Snapshot& snapshot, ObjectRefs& objects,
                           const TableOptions& options) {
  const engine::Inventory inventory(snapshot);
  const auto nodes = typed<api::Node>(snapshot, objects);
  auto rows =
      report::node_rows(snapshot, inventory, nodes, topology::missing_devices(snapshot, inventory));
  if (!options.named) {
    std::size_t row = 0;
    std::erase_if(objects, [&](const ObjectRef&) { return !rows[row++].matters(); });
    std::erase_if(rows, [](const report::NodeRow& node) { return !node.matters(); });
  }
  return report::nodes_view(rows);
}

view::Document pods_table(const Snapshot& snapshot, ObjectRefs& objects,
                          const TableOptions& options) {
  std::vector<report::PodRow> rows;
  for (const api::Pod* pod : typed<api::Pod>(snapshot, objects))
    rows.push_back(report::pod_row(snapshot, *pod));
  return report::pods_view(rows, options.list);
}

view::Document slices_table(const Snapshot& snapshot, ObjectRefs& objects,
                            const TableOptions& options) {
  const engine::Inventory inventory(snapshot);
  const auto missing = topology::missing_devices(snapshot, inventory);
  std::vector<report::SliceRow> rows;
  for (const api::ResourceSlice* slice : typed<api::ResourceSlice>(snapshot, objects)) {
    report::SliceRow row = report::slice_row(inventory, *slice, missing);
    // The status of a slice depends on the other slices of its pool.
    if (!snapshot.coverage().saw(Kind::Slice)) {
      row.status = "<unknown>";
      row.free.reset();
    }
    rows.push_back(std::move(row));
  }
  return report::slices_view(rows, options.list);
}

view::Document taint_rules_table(const Snapshot& snapshot, ObjectRefs& objects,
                                 const TableOptions& options) {
  const engine::Inventory inventory(snapshot);
  const auto rules = typed<api::DeviceTaintRule>(snapshot, objects);
  return report::taint_rules_view(report::taint_rule_rows(snapshot, inventory, rules),
                                  options.list);
}

view::Document templates_table(const Snapshot& snapshot, ObjectRefs& objects,
                               const TableOptions& options) {
  const auto templates = typed<api::ResourceClaimTemplate>(snapshot, objects);
  return report::templates_view(report::template_rows(snapshot, templates), options.list);
}

bool pod_concerns(const Snapshot& snapshot, const ObjectRef& object) {
  return engine::uses_claims(*snapshot.find<api::Pod>(object.meta->namespace_, object.meta->name));
}

// The kinds that decide the state of a device. Nodes tell which devices are missing.
std::vector<Need> class_needs() {
  return {{.kind = Kind::Slice},
          {.kind = Kind::Claim},
          {.kind = Kind::TaintRule},
          {.kind = Kind::Node, .aside = true}};
}

std::vector<Need> node_needs() {
  std::vector<Need> needs = class_needs();
  needs.push_back({.kind = Kind::Pod});
  return needs;
}

std::vector<ObjectList> namespaced_lists() {
  return {
      {.noun = Noun::Claims,
       .summary = "List claims: requests, allocated devices, consumers.",
       .description =
           "STATE is kubectl's: pending, allocated, reserved, deleted. Devices that a claim holds "
           "are folded, gpu-0…3; with -o wide also classes, selectors, pools and drivers.",
       .examples = {{"claims -A", "the claims of all namespaces"},
                    {"claims -l app=vllm -o wide", "those with a label, with their selectors"},
                    {"claims -A -w", "each change of one, too, until it is interrupted"}},
       .needs = [](const std::string&) -> std::vector<Need> { return {{.kind = Kind::Class}}; },
       .table = claims_table},
      {.noun = Noun::Pods,
       .summary = "List pods that use claims, and the state of their claims.",
       .description = "CLAIMS counts allocated claims of all: 1/2 means that one still waits. Pods "
                      "without claims are omitted unless they are named.",
       .examples = {{"pods -A", "every pod that uses devices"},
                    {"pods -A --field-selector status.phase=Pending", "those that do not run yet"}},
       .needs = [](const std::string& ns) -> std::vector<Need> {
         return {{.kind = Kind::Claim, .namespace_ = ns}};
       },
       .table = pods_table,
       .concerns = pod_concerns},
      {.noun = Noun::Templates,
       .summary = "List claim templates: requests, and the claims created from them.",
       .description =
           "CLAIMS are those that were made from the template and are still there; PODS refer to "
           "it.",
       .examples = {{"templates -A", "the templates of all namespaces"}},
       .needs = [](const std::string& ns) -> std::vector<Need> {
         return {{.kind = Kind::Claim, .namespace_ = ns}, {.kind = Kind::Pod, .namespace_ = ns}};
       },
       .table = templates_table},
  };
}

std::vector<ObjectList> cluster_lists() {
  return {
      {.noun = Noun::Classes,
       .summary = "List device classes: the devices they select, and how many are free.",
       .description =
           "DEVICES are those that the class's selectors match now. 8 (4 fail) says that 8 match, "
           "and that a selector fails for 4 others: when the scheduler comes to one of them, it "
           "gives up on the whole pod. <error> is shown for a class with a selector that does "
           "not compile; `eval` and `describe class` say why.",
       .examples = {{"classes", "every class"}},
       .needs = [](const std::string&) { return class_needs(); },
       .table = classes_table},
      {.noun = Noun::Nodes,
       .summary = "List nodes that have devices, or pods that use claims.",
       .description = "Counted are devices that only this node can use. PODS are those on the node "
                      "that use claims. Other nodes are omitted from the table unless they are "
                      "named; JSON and the like have all of them, as kubectl's.",
       .examples = {{"nodes", "every node with what is free on it"},
                    {"nodes -l cloud.google.com/gke-tpu-topology=2x2x4", "those with a label"}},
       .needs = [](const std::string&) { return node_needs(); },
       .table = nodes_table},
      {.noun = Noun::Slices,
       .summary = "List slices: devices that drivers publish, nodes, validity.",
       .description =
           "STATUS: Current; Stale (of an older generation, ignored); Incomplete or Invalid (the "
           "slice's pool is, so the scheduler passes over its devices).",
       .examples = {{"slices", "every slice with its free devices"},
                    {"slices --field-selector spec.nodeName=gpu-1", "those of one node"}},
       .needs = [](const std::string&) { return class_needs(); },
       .table = slices_table},
      {.noun = Noun::TaintRules,
       .summary = "List device taint rules: the devices they taint, and the pods they evict.",
       .description =
           "DEVICES are those that the rule selects now. PODS are those that it evicts: they run "
           "with one of them and do not tolerate the taint. Without the effect NoExecute, or while "
           "a feature gate that rules need is off, it evicts none; \"describe taintrule\" says "
           "why.",
       .examples = {{"taintrules", "every rule"}},
       .needs = [](const std::string&) -> std::vector<Need> {
         return {{.kind = Kind::Slice},
                 {.kind = Kind::Claim},
                 {.kind = Kind::TaintRule},
                 {.kind = Kind::Pod}};
       },
       .table = taint_rules_table},
  };
}

class List final : public Command {
 public:
  explicit List(const ObjectList& list) : list_(list) {}

  Info info() const override {
    const NounInfo& noun = info_of(list_.noun);
    return {.name = noun.plural,
            .aliases = aliases_of(list_.noun),
            .usage = "[NAME ...]",
            .summary = list_.summary,
            .description = list_.description,
            .examples = list_.examples,
            .max_args = kAnyArgs,
            .arguments = ArgumentKind::Names,
            .noun = list_.noun,
            .contexts = Combination::Rows};
  }

  std::vector<Flag> flags() override { return flags_.for_objects(); }

  Result<ExitCode> run(Context& context) override {
    const std::string version = version_in(info_of(list_.noun), context.word());
    return list_objects(context, flags_, {{list_.noun, version, context.args()}});
  }

 private:
  const ObjectList& list_;
  ListFlags flags_;
};

std::unique_ptr<Command> make_list(Noun noun) {
  const auto& lists = object_lists();
  return std::make_unique<List>(*std::ranges::find(lists, noun, &ObjectList::noun));
}

}  // namespace

const std::vector<ObjectList>& object_lists() {
  static const std::vector<ObjectList> lists = [] {
    std::vector<ObjectList> all = namespaced_lists();
    for (ObjectList& list : cluster_lists())
      all.push_back(std::move(list));
    return all;
  }();
  return lists;
}

std::unique_ptr<Command> make_claims() { return make_list(Noun::Claims); }
std::unique_ptr<Command> make_classes() { return make_list(Noun::Classes); }
std::unique_ptr<Command> make_nodes() { return make_list(Noun::Nodes); }
std::unique_ptr<Command> make_pods() { return make_list(Noun::Pods); }
std::unique_ptr<Command> make_slices() { return make_list(Noun::Slices); }
std::unique_ptr<Command> make_taintrules() { return make_list(Noun::TaintRules); }
std::unique_ptr<Command> make_templates() { return make_list(Noun::Templates); }

}  // namespace dra::cmd
