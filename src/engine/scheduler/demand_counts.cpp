// src/engine/scheduler/demand_counts.cpp: asks the demand's selectors about each device, and folds
// those that reject devices into one reason each.

#include "src/engine/scheduler/demand_counts.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

class DemandCounter {
 public:
  DemandCounter(const Demands& demands, const api::NamedDemand& demand)
      : demands_(demands), name_(demand.name), demand_(*demand.demand) {
    counts_.known = demands.of(demand_) != nullptr;
  }

  void see(const Seen& seen) {
    ++counts_.published;
    const auto said = demands_.said(demand_, *seen.published);
    if (!said) counts_.known = false;  // only this node takes that generation for complete
    if (said && said->outcome == Outcome::Failed) return fail(seen, *said);
    if (said && said->outcome == Outcome::PassedOver) return pass_over(seen, *said);
    ++counts_.matching;
    if (is_taken(seen)) {
      ++counts_.in_use;
      return;
    }
    if (!is_complete(seen) || !tolerates_all(demand_.tolerations, seen.facts->taints)) return;
    ++counts_.usable;
  }

  DemandCounts finish() {
    for (Reason& reason : counts_.passed_over) {
      reason.message = base::format("{} is false for {}", selector_words(reason),
                                    base::plural(reason.devices, "device"));
    }
    return std::move(counts_);
  }

 private:
  static bool is_complete(const Seen& seen) { return seen.pool->state == PoolState::Complete; }

  // Admin access needs no free device.
  bool is_taken(const Seen& seen) const { return !demand_.admin_access && seen.facts->held; }

  // A demand for all devices evaluates every device, any other only free ones.
  void fail(const Seen& seen, const Said& said) {
    if (!demand_.all() && (!is_complete(seen) || is_taken(seen))) return;
    if (!counts_.failing) {
      counts_.failing = reason(said.compiles ? Code::SelectorError : Code::SelectorCompile, said);
      counts_.failing->message =
          base::format("{} {}: {}", selector_words(*counts_.failing),
                       said.compiles ? "fails" : "does not compile", on_one_line(*said.failure));
    }
    add_example(*counts_.failing, seen);
  }

  void pass_over(const Seen& seen, const Said& said) {
    const Code code = said.of_class ? Code::ClassSelectorFalse : Code::SelectorFalse;
    auto known = std::ranges::find_if(counts_.passed_over, [&](const Reason& other) {
      return other.code == code && other.selector == said.selector;
    });
    if (known == counts_.passed_over.end()) {
      counts_.passed_over.push_back(reason(code, said));
      known = counts_.passed_over.end() - 1;
    }
    add_example(*known, seen);
  }

  Reason reason(Code code, const Said& said) const {
    return {.code = code,
            .request = name_,
            .source = said.of_class ? "class" : "request",
            .selector = said.selector,
            .expression = std::string(said.expression)};
  }

  std::string selector_words(const Reason& reason) const {
    const bool of_class = reason.source == "class";
    return of_class
               ? base::format("selector {} of class {}", *reason.selector, demand_.device_class)
               : base::format("selector {} of request {}", *reason.selector, name_);
  }

  const Demands& demands_;
  const std::string& name_;
  const api::DeviceDemand& demand_;
  DemandCounts counts_;
};

}  // namespace

void add_example(Reason& reason, const Seen& seen) {
  ++reason.devices;
  if (reason.examples.size() < kMaxExamples)
    reason.examples.push_back(to_string(seen.published->id()));
}

DemandCounts count_for_demand(const std::vector<Seen>& devices, const Demands& demands,
                              const api::NamedDemand& demand) {
  DemandCounter counter(demands, demand);
  for (const Seen& seen : devices)
    counter.see(seen);
  return counter.finish();
}

}  // namespace dra::engine
