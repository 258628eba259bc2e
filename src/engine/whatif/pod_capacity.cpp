// src/engine/whatif/pod_capacity.cpp: see pod_capacity.h.

#include "dra/engine/whatif/pod_capacity.h"

#include <algorithm>
#include <array>
#include <memory>

#include "dra/base/text.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/host_parts.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/snapshot/template_pods.h"
#include "src/engine/whatif/commit_allocation.h"

namespace dra::engine {
namespace {

constexpr std::array kDeciding = {api::Kind::Claim, api::Kind::Class, api::Kind::Node,
                                  api::Kind::Pod,   api::Kind::Slice, api::Kind::TaintRule};

// The cluster as the next pod finds it.
struct Now {
  Now(const snapshot::Snapshot& snapshot, const api::Pod& pod, const Nodes& nodes,
      SearchBudget& budget)
      : inventory(snapshot),
        loads(snapshot),
        subject(subject_of_pod(snapshot, pod)),
        demands(snapshot, inventory, subject) {
    if (!nodes.assumed) filters.emplace(snapshot, loads, pod);
    evaluator.emplace(
        snapshot,
        NodeContext{inventory, snapshot.coverage(), demands, budget, filters ? &*filters : nullptr},
        subject);
  }

  Inventory inventory;
  NodeLoads loads;
  Subject subject;
  Demands demands;
  std::optional<NodeFilters> filters = {};
  std::optional<NodeEvaluator> evaluator = {};
};

// Fills the nodes with pods of a template. All of them are in the draft from the start, pending.
class Filler {
 public:
  Filler(snapshot::Draft draft, std::string_view ns, std::vector<std::string> pods)
      : draft_(std::move(draft)), ns_(ns), pods_(std::move(pods)), nodes_(nodes_of(draft_.now())) {}

  PodCapacity run() {
    look();
    if (!can_be_said()) return std::move(fit_);
    // A pod on one node can open another where pods have to be spread.
    const bool again = !now_->subject.pod->spec.spread.empty();
    std::int64_t before = 0;
    do {
      before = fit_.fit;
      fill_all();
    } while (again && fit_.complete && fit_.known && fit_.fit > before);
    return std::move(fit_);
  }

 private:
  void look() {
    now_.reset();  // before the new one: both are as large as the cluster
    const api::Pod* pod = draft_.now().find<api::Pod>(ns_, pods_[next_]);
    now_ = std::make_unique<Now>(draft_.now(), *pod, nodes_, budget_);
  }

  void give_up(std::string because) {
    fit_.known = false;
    fit_.unknown_because = std::move(because);
  }

  // Also in a release whose gate for such resources is off by default: it may be on.
  bool has_served_resource(const api::Pod& pod) {
    const ResourceClasses classes(draft_.now().all<api::DeviceClass>());
    return std::ranges::any_of(
        extended_resources_of(draft_.now().server(), pod),
        [&classes](const std::string& resource) { return classes.of(resource) != nullptr; });
  }

  bool can_be_said() {
    const Subject& subject = now_->subject;
    constexpr const char* asks_dra = "its pods ask for extended resources that DRA serves";
    if (subject.extended != nullptr) {
      give_up(asks_dra);
    } else if (now_->filters && !now_->filters->not_simulated().empty()) {
      give_up(base::join(now_->filters->not_simulated(), " and ") + " is not simulated");
    } else if (subject.claims.empty()) {
      give_up(has_served_resource(*subject.pod)
                  ? asks_dra
                  : "its pods use no claims, so DRA does not hold them up");
    } else if (now_->filters && has_affinity_to_its_like(draft_.now(), *subject.pod)) {
      give_up("its pods have to be near each other, so it depends on where the first one goes");
    }
    for (const api::Kind kind : kDeciding) {
      if (!draft_.now().coverage().saw(kind))
        give_up(base::format("{} cannot be read", api::info_of(kind).resource));
    }
    return fit_.known && subject.blockers.empty();
  }

  void fill_all() {
    for (const api::Node& node : nodes_.nodes) {
      fill(node);
      if (!fit_.complete || !fit_.known) break;
    }
  }

  void note(const api::Node& node, std::int64_t count) {
    const auto known = std::ranges::find(
        fit_.nodes, node.meta.name, [](const auto& one) { return std::string_view(one.first); });
    if (known != fit_.nodes.end()) {
      known->second += count;
    } else {
      fit_.nodes.emplace_back(node.meta.name, count);
    }
  }

  void fill(const api::Node& node) {
    std::int64_t here = 0;
    while (true) {
      const NodeResult result = now_->evaluator->evaluate(node);
      if (result.aborts_pod()) {
        give_up("the scheduler gives up on the pod: " + result.reasons.front().message);
      } else if (!result.fits() && !result.is_infeasible()) {
        give_up("looking for devices took too long");
      }
      const bool starts = host_parts(draft_.now(), now_->inventory, result).empty();
      if (!fit_.known || !result.is_feasible() || !starts) break;
      commit_allocation(draft_, now_->subject, result);
      ++here;
      ++next_;
      ++fit_.fit;
      fit_.complete = next_ < pods_.size();
      if (!fit_.complete) break;
      look();
    }
    if (here > 0) note(node, here);
  }

  snapshot::Draft draft_;
  std::string ns_;
  std::vector<std::string> pods_;
  Nodes nodes_;
  SearchBudget budget_;
  std::size_t next_ = 0;  // of the pods
  std::unique_ptr<Now> now_;
  PodCapacity fit_;
};

std::int64_t devices_in(const snapshot::Snapshot& snapshot) {
  std::int64_t devices = 1;
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>())
    devices += std::ssize(slice.spec.devices);
  return devices;
}

// Templates get the specs of the claims that the pod has from them.
void change_templates(const Subject& pod, snapshot::Draft& draft) {
  for (const SubjectClaim& claim : pod.claims) {
    if (claim.claim == nullptr || claim.allocated()) continue;
    draft.change<api::ResourceClaimTemplate>(
        claim.namespace_, claim.template_name,
        [&claim](api::ResourceClaimTemplate& one) { one.spec.spec = claim.claim->spec; });
  }
}

// The tolerations of a pod, and what selects its nodes, come from the template of its workload,
// which no change is about.
bool is_of_one_pod(const Change& change) {
  const auto* tolerate = std::get_if<Tolerate>(&change);
  return std::holds_alternative<SelectNodes>(change) ||
         (tolerate != nullptr && tolerate->claim.empty());
}

}  // namespace

PodCapacity pod_capacity(const snapshot::Snapshot& snapshot, const api::Workload& workload,
                         const api::PodRole& role, const PodCapacityBudget& budget) {
  const std::int64_t affordable = budget.devices / devices_in(snapshot);
  const std::int64_t most = std::clamp<std::int64_t>(affordable, 1, budget.most);
  snapshot::Draft draft(snapshot);
  auto pods = snapshot::make_template_pods(draft, workload, role, most);
  return Filler(std::move(draft), workload.meta.namespace_, std::move(pods)).run();
}

std::optional<PodCapacity> pod_capacity_if(const snapshot::Snapshot& snapshot,
                                           const api::Workload& workload, const api::PodRole& role,
                                           const PodChanges& made,
                                           const PodCapacityBudget& budget) {
  // Nodes that are only assumed say nothing about a changed cluster.
  if (std::ranges::any_of(made.changes, is_of_one_pod) || nodes_of(snapshot).assumed)
    return std::nullopt;
  Hypothesis hypothesis(snapshot, made.pod);
  if (!hypothesis.apply(made.changes).ok()) return std::nullopt;
  const snapshot::Snapshot changed = hypothesis.snapshot();
  snapshot::Draft draft(changed);
  change_templates(resolve(changed, made.pod), draft);
  snapshot::remove_template_pods(draft);
  PodCapacity fit = pod_capacity(draft.now(), workload, role, budget);
  if (!fit.known) return std::nullopt;
  return fit;
}

}  // namespace dra::engine
