// cmd/commands/topology.cpp: `kubectl dra topology`: finds the devices that the arguments name, and
// prints the drawing of their slices, boards and machines.

#include <algorithm>
#include <array>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/commands/watch/watched_report.h"
#include "cmd/find_by_name.h"
#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "cmd/needs.h"
#include "cmd/repeat_flags.h"
#include "cmd/report_output.h"
#include "cmd/report_source.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/report/topology/topology.h"

namespace dra::cmd {
namespace {

using report::TopologyChoice;
using snapshot::Need;

constexpr std::string_view kNodePoolNoun = "nodepool";
constexpr std::string_view kAttributes =
    "name attributes as `devices -o wide` shows them, or numa, pcie, node, pool, driver";
constexpr std::string_view kWhatIsDrawn = "name a node, nodepool, pool, slice, claim or pod";
// The nouns whose devices are drawn. Node pools are an argument, too, but not a noun.
constexpr std::array kDrawn = {Noun::Claims, Noun::Nodes, Noun::Pods, Noun::Pools, Noun::Slices};

class Topology final : public Command {
 public:
  Info info() const override {
    return {
        .name = "topology",
        .usage = "[KIND NAME ...]",
        .summary = "Draw the device topology: usage, missing devices, free space.",
        .description =
            "Slices of TPUs are drawn as grids of chips, those with three sides as planes; hosts "
            "are outlined, and of more than 64 chips a place is a host. A letter is the claim that "
            "holds a chip, a small letter a claim that no pod has reserved. Then what is wrong "
            "with hosts, and which parts of the slice are free as a whole.\n\n"
            "The driver publishes no places. The shape is that of the labels, chips of a host are "
            "in the order of their numbers, and hosts in that of the workers if the pods that use "
            "the slice are numbered; else hosts are in the order of their names, and the first "
            "line says that it is assumed.\n\n"
            "Accelerators in partitions (MIG) are drawn by what these take of counters that stand "
            "for places, with what can still be placed and where. Devices whose drivers publish "
            "the NUMA node or the PCIe root are grouped by it, of all drivers together, with the "
            "free "
            "devices that a constraint over that attribute would find; more than three nodes are "
            "folded, and `topology node NAME` draws one. Nodes of one NVLink clique stand "
            "together. The rest stands in rows, by pool.\n\n"
            "KIND is node, nodepool, pool, slice, claim or pod; -n is for the last two. A slice of "
            "chips is drawn as a "
            "whole, and so is a machine; what was asked for stands in brackets. Without KIND "
            "everything is drawn, with -n what claims of that namespace hold. The last part is "
            "the devices that claims hold and that are no longer published.",
        .examples = {{"topology", "everything"},
                     {"topology nodepool v5p-2x2x4-pool", "a slice"},
                     {"topology pod trainer-0 -n ml -o json", "where a pod is, for a program"},
                     {"topology --group-by productName,numaNode", "rows by any attribute"},
                     {"topology nodepool v5p-2x2x4-pool -w", "the slice as claims come and go"},
                     {"topology -o html >chips.html", "a page to look at, or for a ticket"}},
        .min_args = 0,
        .max_args = kAnyArgs,
        .arguments = ArgumentKind::Topology};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = {
        all_namespaces_flag(all_namespaces_),
        {"ascii", '\0', "", "Draw with ASCII characters only.", &ascii_},
        {"group-by", '\0', "ATTRIBUTE,...",
         "Draw rows by the values of attributes, or of numa, pcie, node, pool, driver; joined by "
         "commas.",
         &group_by_}};
    flags.push_back({"picture-only", '\0', "",
                     "With -o svg or html: the drawings alone, without words, as for a README.",
                     &picture_only_});
    add_flags(flags, output_.flags());
    add_flags(flags, watch_.flags());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    DRA_TRY(output_.read());
    const Asked asked = DRA_TRY(read_words(context.args()));
    DRA_TRY(check_all_namespaces(asked));
    const std::string ns = DRA_TRY(snapshot::default_namespace(context.source()));
    const std::string only = asked.names.empty() ? namespace_asked(context, all_namespaces_) : "";
    DRA_TRY(check_report_watch(context, watch_, output_.name()));
    if (picture_only_ && !output_.page())
      return Error{ErrorKind::BadInput, "topology: --picture-only needs a picture or a page",
                   "add -o svg or -o html"};
    context.use_server_gates();
    return show_state(context, watch_, output_.name(), needs_of(ns, only),
                      [&](Context& to, const snapshot::Snapshot& state) {
                        return show(to, state, asked, {ns, only});
                      });
  }

 private:
  struct Asked {
    std::optional<Noun> noun = {};  // none: node pools, which are no kind of object
    std::vector<std::string> names = {};
  };
  struct Namespaces {
    const std::string& own;   // of what is named
    const std::string& only;  // whose claims are drawn; empty: all
  };

  Result<ExitCode> show(Context& context, const snapshot::Snapshot& snapshot, const Asked& asked,
                        const Namespaces& namespaces) const {
    const auto& [ns, only] = namespaces;
    DRA_TRY(check_namespace("topology", only, {&snapshot}));
    const engine::Inventory inventory(snapshot);
    const report::Scene scene{.snapshot = snapshot,
                              .inventory = inventory,
                              .now = context.now(snapshot),
                              .flags = repeat_flags(context.globals())};
    std::optional<TopologyChoice> choice;
    if (!asked.names.empty()) {
      choice = DRA_TRY(choose(scene, asked, ns));
      warn_of_old_slices(context, scene, asked);
    } else if (!only.empty()) {
      choice = DRA_TRY(choose_namespace(scene, only));
    }
    const report::Topology topology = group_by_.empty()
                                          ? report::topology_of(scene, choice)
                                          : report::grouped(scene, choice, DRA_TRY(levels_asked()));
    DRA_TRY(check_levels(topology));
    if (topology.empty() && !output_.structured() && !output_.page()) {
      context.print_not_found(only);
      return ExitCode::Done;
    }
    DRA_TRY(output_.print(
        context,
        {.json = [&] { return report::to_json(topology, scene); },
         .document =
             [&] {
               return report::to_view(topology, scene,
                                      {.wide = output_.wide(), .details = output_.page()});
             },
         .page = {"topology", scene.now, picture_only_ ? PageParts::Pictures : PageParts::All},
         .ascii = ascii_}));
    return ExitCode::Done;
  }

  Result<std::vector<topology::Level>> levels_asked() const {
    std::vector<topology::Level> levels = topology::levels_named(group_by_);
    if (levels.empty())
      return Error{ErrorKind::BadInput, "topology: --group-by names no attribute",
                   std::string(kAttributes)};
    return levels;
  }

  // An attribute of --group-by that no device has is an error.
  Result<Done> check_levels(const report::Topology& topology) const {
    if (group_by_.empty() || topology.boxes.empty()) return Done{};
    const topology::Box& box = topology.boxes.front();
    for (std::size_t i = 0; i < box.levels.size(); ++i) {
      const bool there = std::ranges::any_of(
          box.rows, [i](const topology::GroupRow& row) { return row.values[i].has_value(); });
      if (!there)
        return Error{ErrorKind::NotFound,
                     base::format("topology: no device has the attribute {}",
                                  base::shell_word(box.levels[i].title)),
                     std::string(kAttributes)};
    }
    return Done{};
  }

  // A user who may read claims and pods of one namespace only sees the holders in that namespace.
  static std::vector<Need> needs_of(const std::string& ns, const std::string& only) {
    std::vector<Need> needs{{.kind = api::Kind::Slice, .essential = true},
                            {.kind = api::Kind::Claim},
                            {.kind = api::Kind::Node},
                            {.kind = api::Kind::Pod},
                            {.kind = api::Kind::TaintRule},
                            {.kind = api::Kind::ComputeDomain}};
    if (!only.empty()) needs.push_back({.kind = api::Kind::Namespace, .names = {only}});
    return also_within(std::move(needs), ns);
  }

  static Result<Asked> read_words(const std::vector<std::string>& words) {
    Asked asked;
    if (words.empty()) return asked;
    if (words.front() == kNodePoolNoun || words.front() == "nodepools") {
      asked.names.assign(words.begin() + 1, words.end());
    } else if (words.front().starts_with("nodepool/")) {
      for (const std::string& word : words)
        asked.names.push_back(word.substr(word.find('/') + 1));
    } else {
      auto read = read_subjects(words, "topology");
      if (!read.ok()) {
        Error error = std::move(read).take_error();
        error.hint = kWhatIsDrawn;
        return error;
      }
      Subjects subjects = std::move(read).take();
      asked = {subjects.noun, std::move(subjects.names)};
    }
    const bool drawn = !asked.noun || std::ranges::find(kDrawn, *asked.noun) != kDrawn.end();
    if (!drawn)
      return Error{ErrorKind::BadInput,
                   base::format("topology: {} have no place", info_of(*asked.noun).plural),
                   std::string(kWhatIsDrawn)};
    if (asked.names.empty())
      return Error{ErrorKind::BadInput, "topology: a name is missing",
                   "name one, or omit the kind to see everything"};
    return asked;
  }

  // As in kubectl, -n and -A are accepted for kinds without namespaces.
  Result<Done> check_all_namespaces(const Asked& asked) const {
    const bool in_one = asked.noun == Noun::Claims || asked.noun == Noun::Pods;
    if (!all_namespaces_ || !in_one) return Done{};
    return across_all_namespaces();
  }

  // Chooses the devices that the claims of the namespace hold.
  static Result<TopologyChoice> choose_namespace(const report::Scene& scene,
                                                 const std::string& ns) {
    DRA_TRY(check_read(scene, Noun::Claims,
                       base::format("what claims of {} hold", base::shell_word(ns)), ns));
    TopologyChoice choice;
    for (const api::ResourceClaim& claim : scene.snapshot.all<api::ResourceClaim>()) {
      if (claim.meta.namespace_ == ns) add_claim(scene, claim, choice);
    }
    return choice;
  }

  // Warns where a named slice is not of the pool's newest generation, which is the one that is
  // drawn.
  static void warn_of_old_slices(const Context& context, const report::Scene& scene,
                                 const Asked& asked) {
    if (asked.noun != Noun::Slices) return;
    for (const std::string& name : asked.names) {
      const auto* slice = scene.snapshot.find<api::ResourceSlice>(name);
      if (slice == nullptr) continue;
      const api::PoolRef& named = slice->spec.pool;
      const engine::Pool* pool = scene.inventory.find_pool(slice->spec.driver, named.name);
      if (pool == nullptr || pool->generation <= named.generation) continue;
      context.warn(
          base::format("slice {} is of generation {} of pool {}, which is no longer used: drawn is "
                       "generation {}",
                       name, named.generation, named.name, pool->generation));
    }
  }

  static Result<TopologyChoice> choose(const report::Scene& scene, const Asked& asked,
                                       const std::string& ns) {
    TopologyChoice choice;
    for (const std::string& name : asked.names)
      DRA_TRY(add(scene, asked.noun, name, ns, choice));
    return choice;
  }

  // An object may exist although it is not in the snapshot, if its kind could not be read.
  static Result<Done> check_read(const report::Scene& scene, std::optional<Noun> noun,
                                 const std::string& what, const std::string& ns) {
    std::vector<api::Kind> kinds = {api::Kind::Node};
    if (noun == Noun::Claims) kinds = {api::Kind::Claim};
    if (noun == Noun::Pods) kinds = {api::Kind::Pod, api::Kind::Claim};
    if (noun == Noun::Slices || noun == Noun::Pools) kinds = {api::Kind::Slice};
    for (const api::Kind kind : kinds) {
      const bool in_namespace = api::info_of(kind).namespaced;
      if (scene.snapshot.coverage().saw(kind, in_namespace ? ns : "")) continue;
      return Error{ErrorKind::Denied,
                   base::format("topology: {} cannot be read{}: where {} is, is not known",
                                api::info_of(kind).resource,
                                in_namespace ? " in namespace " + ns : "", what),
                   "kubectl dra rbac prints the rights that are needed"};
    }
    return Done{};
  }

  static Error not_found(std::string_view what, const std::string& name, std::string hint = {}) {
    return {ErrorKind::NotFound, base::format("{} \"{}\" not found", what, name), std::move(hint)};
  }

  // The name of the node, which a slice may name without a Node. Empty: no such node is known.
  static std::string_view node_named(const report::Scene& scene, const std::string& name) {
    if (const auto* node = scene.snapshot.find<api::Node>(name)) return node->meta.name;
    for (const engine::Pool& pool : scene.inventory.pools()) {
      for (const api::ResourceSlice* slice : pool.slices) {
        if (slice->spec.node_name == name) return slice->spec.node_name;
      }
    }
    return {};
  }

  static Result<Done> add(const report::Scene& scene, std::optional<Noun> noun,
                          const std::string& name, const std::string& ns, TopologyChoice& choice) {
    if (const auto node = noun == Noun::Nodes ? node_named(scene, name) : std::string_view();
        !node.empty()) {
      choice.nodes.insert(node);
      return Done{};
    }
    DRA_TRY(check_read(scene, noun, base::shell_word(name), ns));
    if (!noun) return add_node_pool(scene, name, choice);
    switch (*noun) {
      case Noun::Nodes:
        return not_found("node", name, hint_about(scene.snapshot, api::Kind::Node, {}, name));
      case Noun::Slices: {
        const auto* slice = scene.snapshot.find<api::ResourceSlice>(name);
        if (slice == nullptr)
          return not_found("resourceslice", name,
                           hint_about(scene.snapshot, api::Kind::Slice, {}, name));
        if (const engine::Pool* pool =
                scene.inventory.find_pool(slice->spec.driver, slice->spec.pool.name))
          add(*pool, choice);
        return Done{};
      }
      case Noun::Pools:
        return add_pool(scene, name, choice);
      case Noun::Claims: {
        const auto* claim = scene.snapshot.find<api::ResourceClaim>(ns, name);
        if (claim == nullptr)
          return not_found("resourceclaim", name,
                           hint_about(scene.snapshot, api::Kind::Claim, ns, name));
        return add_claims(scene, {claim}, {"claim", name, ns}, choice);
      }
      default:
        return add_pod(scene, name, ns, choice);
    }
  }

  // Chooses the nodes of a node pool. If it is one TPU slice the grid has its name; otherwise each
  // node is a grid.
  static Result<Done> add_node_pool(const report::Scene& scene, const std::string& name,
                                    TopologyChoice& choice) {
    bool found = false;
    std::vector<std::string> known;
    for (const api::Node& node : scene.snapshot.all<api::Node>()) {
      known.emplace_back(engine::node_pool_of(node));
      if (known.back() != name) continue;
      choice.nodes.insert(node.meta.name);
      found = true;
    }
    if (!found) {
      std::erase(known, "");
      const std::string near = did_you_mean(name, known);
      return not_found("node pool", name,
                       near.empty() ? "nodes are labelled with their pools" : near);
    }
    return Done{};
  }

  static Result<Done> add_pool(const report::Scene& scene, const std::string& name,
                               TopologyChoice& choice) {
    std::vector<const engine::Pool*> pools;
    pools.reserve(scene.inventory.pools().size());
    for (const engine::Pool& pool : scene.inventory.pools())
      pools.push_back(&pool);
    const engine::Pool* pool = DRA_TRY(find_by_name(pools, name));
    if (pool == nullptr) {
      std::vector<std::string> known;
      known.reserve(pools.size());
      for (const engine::Pool* one : pools)
        known.push_back(name.find('/') == std::string::npos ? names_of(*one).brief
                                                            : names_of(*one).whole);
      return not_found("pool", name, did_you_mean(name, known));
    }
    add(*pool, choice);
    return Done{};
  }

  // Adds the pool, and with it the other devices of its nodes.
  static void add(const engine::Pool& pool, TopologyChoice& choice) {
    choice.pools.insert(&pool);
    for (const api::ResourceSlice* slice : pool.slices) {
      if (!slice->spec.node_name.empty()) choice.nodes.insert(slice->spec.node_name);
    }
  }

  static Result<Done> add_pod(const report::Scene& scene, const std::string& name,
                              const std::string& ns, TopologyChoice& choice) {
    const auto* pod = scene.snapshot.find<api::Pod>(ns, name);
    if (pod == nullptr)
      return not_found("pod", name, hint_about(scene.snapshot, api::Kind::Pod, ns, name));
    std::vector<const api::ResourceClaim*> claims;
    for (const api::ResourceClaim& claim : scene.snapshot.all<api::ResourceClaim>()) {
      const bool has =
          std::ranges::any_of(claim.status.reserved_for, [&](const api::Consumer& consumer) {
            return consumer.is_pod() && consumer.name == pod->meta.name &&
                   consumer.uid == pod->meta.uid;
          });
      if (has && claim.meta.namespace_ == ns) claims.push_back(&claim);
    }
    return add_claims(scene, claims, {"pod", name, ns}, choice);
  }

  // A pool that is no longer published has most likely the name of its node.
  static void add_pool_of(const report::Scene& scene, const api::AllocationResultItem& result,
                          TopologyChoice& choice) {
    if (const engine::Pool* pool = scene.inventory.find_pool(result.driver, result.pool)) {
      add(*pool, choice);
    } else if (const auto* node = scene.snapshot.find<api::Node>(result.pool)) {
      choice.nodes.insert(node->meta.name);
    }
  }

  static void add_claim(const report::Scene& scene, const api::ResourceClaim& claim,
                        TopologyChoice& choice) {
    if (!claim.status.allocation) return;
    for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
      choice.claims.insert(&claim);
      add_pool_of(scene, result, choice);
    }
  }

  // A pod or namespace whose claims are drawn.
  struct Holder {
    std::string_view kind;
    const std::string& name;
    const std::string& ns;
  };
  static Result<Done> add_claims(const report::Scene& scene,
                                 const std::vector<const api::ResourceClaim*>& claims,
                                 const Holder& holder, TopologyChoice& choice) {
    for (const api::ResourceClaim* claim : claims)
      add_claim(scene, *claim, choice);
    const bool any = std::ranges::any_of(
        claims, [&choice](const auto* claim) { return choice.claims.contains(claim); });
    if (!any)
      return Error{ErrorKind::NotFound,
                   base::format("{} {} has no devices", holder.kind, base::shell_word(holder.name)),
                   diag::kubectl_dra("explain")
                           .words(holder.kind)
                           .name(holder.name)
                           .in(holder.ns)
                           .flags(scene.flags)
                           .text() +
                       " says why"};
    return Done{};
  }

  bool all_namespaces_ = false;
  bool ascii_ = false;
  bool picture_only_ = false;
  std::string group_by_;
  ReportOutput output_{{"html", "svg"},
                       "Write another format than text: html is a page, svg a picture, wide text "
                       "with nothing folded; jsonpath, go-template and custom-columns take an "
                       "expression after `=`."};
  ReportWatchFlags watch_;
};

}  // namespace

std::unique_ptr<Command> make_topology() { return std::make_unique<Topology>(); }

}  // namespace dra::cmd
