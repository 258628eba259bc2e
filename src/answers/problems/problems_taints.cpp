// src/answers/problems/problems_taints.cpp: finds taint rules that evict pods, and devices that
// taints keep from being used.

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "dra/api/subject.h"
#include "dra/api/taint_rule.h"
#include "dra/base/ages.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/cluster/subjects.h"
#include "dra/engine/cluster/taint_words.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/running/eviction.h"
#include "dra/engine/selectors/device_counts.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

using diag::Code;

Problem of_rule(const api::DeviceTaintRule& rule, Code code) {
  return problem_of(subject_of("DeviceTaintRule", rule.meta), "taintrule", code);
}

std::string taint_text(const api::DeviceTaint& taint) {
  return engine::describe_taint(taint.key, taint.value, taint.effect);
}

// A broken device stays a problem where its users tolerate the taint.
bool is_accepted_by(engine::Holders holders, const engine::DeviceTaintOf& taint) {
  return engine::in_use(holders) && !engine::says_broken(*taint.taint) &&
         std::ranges::all_of(holders, [&taint](const engine::Holding& holding) {
           return holding.admin() ||
                  (engine::tolerates_all(holding.result->tolerations, std::span(&taint, 1)) &&
                   !engine::eviction_for(*holding.result, std::span(&taint, 1)));
         });
}

bool is_of_extended(engine::Holders holders) {
  return engine::in_use(holders) &&
         std::ranges::all_of(holders, [](const engine::Holding& holding) {
           return engine::is_for_extended_resources(*holding.claim);
         });
}

constexpr std::string_view kNoTolerations =
    " A claim for an extended resource has no tolerations: the scheduler makes it.";

// Devices with one taint, of one driver or of one rule.
struct Tainted {
  std::vector<SubjectName> devices;
  std::int64_t in_use = 0;
  std::int64_t extended = 0;  // of those in use, by claims for extended resources
  bool is_accepted = true;    // each is in use, by claims that tolerate the taint

  void add(const engine::InventoryDevice& device, const engine::DeviceTaintOf& taint) {
    devices.push_back(device_subject(device.published.id()));
    in_use += engine::in_use(device.holders) ? 1 : 0;
    extended += is_of_extended(device.holders) ? 1 : 0;
    is_accepted = is_accepted && is_accepted_by(device.holders, taint);
  }
  bool can_be_tolerated() const { return in_use == 0 || extended < in_use; }
  std::string in_use_text() const {
    if (in_use == 0) return "";
    if (devices.size() == 1)
      return is_accepted ? ", which is in use and tolerated" : ", which is in use";
    return base::format(", {} of them in use{}", in_use, is_accepted ? " and tolerated" : "");
  }
};

Problem tainted_by_driver(std::string_view driver, std::string_view taint, Tainted tainted,
                          diag::Detail detail) {
  const bool one = tainted.devices.size() == 1;
  Problem problem{.finding = {.code = Code::DeviceTainted}};
  if (tainted.is_accepted) problem.finding.severity = Severity::Hint;
  const std::string who = name_subjects(tainted.devices, {"Device", "devices"}, detail);
  problem.finding.message =
      one ? base::format("{}{} has taint {}, set by the driver.", who,
                         tainted.in_use > 0 ? tainted.in_use_text() + "," : std::string(), taint)
          : base::format("{} have taint {}, set by the driver{}.", who, taint,
                         tainted.in_use_text());
  problem.remedy.text = base::format(
      "Repair or reset the device: the driver removes the taint then.{}",
      tainted.can_be_tolerated() ? " Add a toleration to the claim template only if the taint does "
                                   "not say that the device is broken: a claim that exists cannot "
                                   "be changed."
                                 : kNoTolerations);
  problem.remedy.command = one ? command_for("describe", "device", tainted.devices.front())
                               : diag::CommandLine("devices").option("--driver", driver).text();
  problem.finding.subjects = std::move(tainted.devices);
  return problem;
}

// A rule whose selector is empty selects every device, which is seldom meant.
std::string every_device(const api::DeviceTaintRule& rule) {
  return rule.spec.selector && rule.spec.selector->is_empty()
             ? ", whose selector is empty and means every device of the cluster,"
             : "";
}

Problem tainted_by_rule(const api::DeviceTaintRule& rule, const Tainted& tainted) {
  Problem problem = of_rule(rule, Code::DeviceTainted);
  problem.finding.severity = every_device(rule).empty() ? Severity::Hint : Severity::Warning;
  if (!every_device(rule).empty())
    problem.remedy.text =
        "Name the devices that are meant in spec.deviceSelector, or delete the rule.";
  else if (!tainted.can_be_tolerated())
    problem.remedy.text = base::format(
        "Have the device repaired, or delete the rule that taints it.{}", kNoTolerations);
  problem.finding.message =
      base::format("Taint rule {}{} taints {} {}{}.", rule.meta.name, every_device(rule),
                   base::plural(static_cast<std::int64_t>(tainted.devices.size()), "device"),
                   taint_text(rule.spec.taint), tainted.in_use_text());
  return problem;
}

bool can_say_whom(const snapshot::Coverage& coverage) {
  return coverage.saw(api::Kind::Claim) && coverage.saw(api::Kind::Pod);
}

using Rules = std::set<const api::DeviceTaintRule*>;

// " now", ", the first in 2m", ", which should have happened 5m ago: ...", "; 2 of them should have
// been evicted, the first 5m ago: ..."
std::string when_words(const ClusterInput& cluster, const std::vector<engine::DueEviction>& due) {
  constexpr std::string_view idle = "the device taint eviction controller does not act";
  const auto overdue = std::ranges::count_if(due, [&cluster](const engine::DueEviction& one) {
    return engine::is_overdue(one.at, cluster.snapshot);
  });
  // An absent time comes first, and is never overdue.
  api::Time first = due.front().at;
  api::Time first_overdue;
  for (const engine::DueEviction& one : due) {
    first = std::min(first, one.at);
    if (engine::is_overdue(one.at, cluster.snapshot))
      first_overdue = first_overdue ? std::min(first_overdue, one.at) : one.at;
  }
  if (overdue > 0 && overdue == std::ssize(due))
    return base::format(", which should have happened {}: {}", base::ago(first, cluster.now), idle);
  if (overdue > 0)
    return base::format("; {} of them should have been evicted, the first {}: {}", overdue,
                        base::ago(first_overdue, cluster.now), idle);
  const bool later = first && *first > cluster.now;
  const std::string when = later ? base::ago(first, cluster.now) : "now";
  return due.size() == 1 ? " " + when : base::format(", the first {}", when);
}

Rules add_evictions(const ClusterInput& cluster, diag::Detail detail,
                    std::vector<Problem>& problems) {
  Rules evicting;
  if (!can_say_whom(cluster.snapshot.coverage()) ||
      !engine::gates_off_for_rules(cluster.snapshot.server()).empty())
    return evicting;
  for (const api::DeviceTaintRule& rule : cluster.snapshot.all<api::DeviceTaintRule>()) {
    if (rule.spec.taint.effect != api::kTaintNoExecute) continue;
    const auto due = engine::evictions_by(cluster.snapshot, cluster.inventory.usage(), rule);
    if (due.empty()) continue;
    std::vector<SubjectName> pods;
    pods.reserve(due.size());
    for (const engine::DueEviction& one : due)
      pods.push_back(subject_of("Pod", one.pod->meta));
    Problem problem = of_rule(rule, Code::TaintRuleEvicts);
    problem.finding.message = base::format(
        "Taint rule {} ({}){} evicts {}{}.", rule.meta.name, taint_text(rule.spec.taint),
        every_device(rule), name_subjects(pods, {"pod", "pods"}, detail), when_words(cluster, due));
    std::ranges::move(pods, std::back_inserter(problem.finding.subjects));
    problems.push_back(std::move(problem));
    evicting.insert(&rule);
  }
  return evicting;
}

// `reported`: rules that have a problem of their own, with the pods that they evict.
void add_tainted(const ClusterInput& cluster, const Rules& reported, diag::Detail detail,
                 std::vector<Problem>& problems) {
  std::map<std::pair<std::string_view, std::string>, Tainted> by_driver;  // driver, taint
  std::map<std::string_view, std::pair<const api::DeviceTaintRule*, Tainted>> by_rule;
  for (const engine::InventoryDevice& device : cluster.inventory.devices()) {
    for (const engine::DeviceTaintOf& taint : device.taints) {
      if (taint.rule == nullptr) {
        by_driver[{device.published.slice->spec.driver, taint_text(*taint.taint)}].add(device,
                                                                                       taint);
      } else {
        auto& [rule, tainted] = by_rule[taint.rule->meta.name];
        rule = taint.rule;
        tainted.add(device, taint);
      }
    }
  }
  for (auto& [key, tainted] : by_driver)
    problems.push_back(tainted_by_driver(key.first, key.second, std::move(tainted), detail));
  for (const auto& [name, rule] : by_rule) {
    if (!reported.contains(rule.first))
      problems.push_back(tainted_by_rule(*rule.first, rule.second));
  }
}

// Rules of a cluster whose gates are only assumed may have an effect after all.
void add_without_effect(const ClusterInput& cluster, const std::string& why,
                        std::vector<Problem>& problems) {
  for (const api::DeviceTaintRule& rule : cluster.snapshot.all<api::DeviceTaintRule>()) {
    Problem problem = of_rule(rule, Code::TaintRuleIdle);
    problem.finding.message = base::format("Taint rule {} ({}) has no effect: {}.", rule.meta.name,
                                           taint_text(rule.spec.taint), why);
    problem.remedy.text =
        "Switch the gate on in kube-apiserver, kube-scheduler and kube-controller-manager if the "
        "rule is to act.";
    problems.push_back(std::move(problem));
  }
}

// A rule may be meant for future devices, or contain a mistake; both look the same.
void add_idle(const ClusterInput& cluster, std::vector<Problem>& problems) {
  const auto gates_off = engine::gates_off_for_rules(cluster.snapshot.server());
  if (!gates_off.empty()) return add_without_effect(cluster, gates_off.front(), problems);
  if (!cluster.snapshot.coverage().saw(api::Kind::Slice)) return;
  const auto& devices = cluster.inventory.devices();
  for (const api::DeviceTaintRule& rule : cluster.snapshot.all<api::DeviceTaintRule>()) {
    const bool works = std::ranges::any_of(devices, [&rule](const auto& device) {
      return engine::selects(rule, device.published.id());
    });
    if (works) continue;
    Problem problem = of_rule(rule, Code::TaintRuleIdle);
    problem.finding.message =
        rule.spec.selector
            ? base::format("Taint rule {} ({}) selects none of the devices that are published.",
                           rule.meta.name, taint_text(rule.spec.taint))
            : base::format("Taint rule {} ({}) has no selector, and so selects no device.",
                           rule.meta.name, taint_text(rule.spec.taint));
    if (!rule.spec.selector) problem.remedy.text = "Give it a deviceSelector, or delete it.";
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::vector<Problem> taint_problems(const ClusterInput& cluster, diag::Detail detail) {
  std::vector<Problem> problems;
  const Rules evicting = add_evictions(cluster, detail, problems);
  add_tainted(cluster, evicting, detail, problems);
  add_idle(cluster, problems);
  return problems;
}

}  // namespace dra::answers
