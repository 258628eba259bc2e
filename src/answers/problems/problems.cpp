// src/answers/problems/problems.cpp: merges the families of problems, and reports kinds that could
// not be read.

#include "dra/answers/problems/problems.h"

#include <algorithm>
#include <map>
#include <optional>

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

bool concerns(const Problem& problem, std::string_view ns) {
  return std::ranges::any_of(problem.finding.subjects, [ns](const SubjectName& subject) {
    return subject.namespace_.empty() || subject.namespace_ == ns;
  });
}

// All kinds that files hold nothing of, as one problem.
std::optional<Problem> problem_of_gaps(const snapshot::Coverage& coverage) {
  const std::string gaps = snapshot::not_in_files(coverage);
  if (gaps.empty()) return std::nullopt;
  Problem problem{.finding = {.code = diag::Code::NotVisible}};
  for (const snapshot::Missing& gap : coverage.missing()) {
    if (gap.not_in_files)
      problem.finding.subjects.push_back({std::string(api::info_of(gap.kind).name), {}, {}});
  }
  problem.finding.message = base::format("{}: what depends on them is unknown.", gaps);
  problem.remedy = {
      .text =
          "Take a whole recording with `kubectl dra snapshot`. Manifests are checked by `kubectl "
          "dra validate -f FILE`.",
      .command = "overview"};
  return problem;
}

Severity severity_of(const Problem& problem) { return problem.finding.severity; }

bool is_about_pods(const Problem& problem) {
  return problem.finding.subjects.front().kind == "Pod";
}

// The other problem, at least as bad, that states the clause: as one of its own, or within its
// message, where it may begin a sentence.
Problem* stating(std::vector<Problem>& problems, const Problem& by, std::string_view clause) {
  const auto found = std::ranges::find_if(problems, [&](const Problem& other) {
    if (&other == &by || severity_of(other) > severity_of(by)) return false;
    if (!other.clauses.empty())
      return std::ranges::find(other.clauses, clause) != other.clauses.end();
    return other.finding.message.find(clause.substr(1)) != std::string::npos;
  });
  return found == problems.end() ? nullptr : &*found;
}

// Of a driver or a claim that keeps pods waiting, the problems of these pods say what is wrong
// with it: they are about it, too.
void drop_stated(std::vector<Problem>& problems) {
  std::vector<bool> stated;
  stated.reserve(problems.size());
  for (const Problem& problem : problems) {
    const bool is_cause = !problem.clauses.empty() && !is_about_pods(problem);
    stated.push_back(is_cause &&
                     std::ranges::all_of(problem.clauses, [&](const std::string& clause) {
                       return stating(problems, problem, clause) != nullptr;
                     }));
  }
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!stated[i]) continue;
    Problem& other = *stating(problems, problems[i], problems[i].clauses.front());
    std::vector<SubjectName>& subjects = other.finding.subjects;
    subjects.insert(subjects.end(), problems[i].finding.subjects.begin(),
                    problems[i].finding.subjects.end());
    // Of what was tried for the pods nothing says what to do if waiting does not help.
    if (other.explained && other.remedy.text.empty()) other.remedy.text = advice_of(problems[i]);
  }
  std::size_t next = 0;
  std::erase_if(problems, [&](const Problem&) { return stated[next++]; });
}

bool has_all(const Problem& of_nodes, const std::vector<std::string>& nodes) {
  return std::ranges::all_of(nodes, [&of_nodes](const std::string& node) {
    return std::ranges::find(of_nodes.finding.subjects, SubjectName{"Node", {}, node}) !=
           of_nodes.finding.subjects.end();
  });
}

// Pods that wait for a node that is down, or are on it, are one problem with it: the node's.
void leave_to_nodes(std::vector<Problem>& problems) {
  std::vector<bool> left;
  left.reserve(problems.size());
  for (const Problem& problem : problems) {
    const auto of_nodes = std::ranges::find_if(problems, [&problem](const Problem& other) {
      return problem.finding.code != diag::Code::DeviceGone &&
             other.finding.code == diag::Code::NodeNotReady &&
             other.finding.subjects.front().kind == "Node" && has_all(other, problem.nodes_down);
    });
    left.push_back(!problem.nodes_down.empty() && of_nodes != problems.end());
    if (!left.back()) continue;
    diag::Finding& finding = of_nodes->finding;
    finding.severity = std::min(finding.severity, problem.finding.severity);
    finding.message += base::format(" {}", problem.because_of_nodes);
    const auto& pods = problem.finding.subjects;
    finding.subjects.insert(finding.subjects.end(), pods.begin(), pods.end());
    if (problem.finding.code == diag::Code::PodNotGone) of_nodes->remedy.text = problem.remedy.text;
  }
  std::size_t next = 0;
  std::erase_if(problems, [&](const Problem&) { return left[next++]; });
}

// The problem of nodes for which a driver publishes nothing, or of a driver that publishes nothing
// at all, which devices that are gone follow from.
Problem* driver_is_down(std::vector<Problem>& problems, const Problem& gone) {
  if (gone.finding.code != diag::Code::DeviceGone || gone.nodes_down.empty()) return nullptr;
  const auto found = std::ranges::find_if(problems, [&](const Problem& other) {
    if (other.silent_driver != gone.silent_driver) return false;
    return other.finding.code == diag::Code::DriverPublishesNothing ||
           (other.finding.code == diag::Code::NoSlices && has_all(other, gone.nodes_down));
  });
  return found == problems.end() ? nullptr : &*found;
}

// Devices of claims are gone as long as the driver of the node publishes none of them.
void leave_to_drivers(std::vector<Problem>& problems, diag::Detail detail) {
  std::map<Problem*, std::vector<SubjectName>> claims;
  std::vector<bool> left;
  left.reserve(problems.size());
  for (const Problem& problem : problems) {
    Problem* of_driver = driver_is_down(problems, problem);
    left.push_back(of_driver != nullptr);
    if (of_driver == nullptr) continue;
    claims[of_driver].push_back(problem.finding.subjects.front());
    of_driver->finding.severity = std::min(of_driver->finding.severity, problem.finding.severity);
  }
  for (auto& [problem, names] : claims) {
    const bool one = names.size() == 1;
    problem->finding.message +=
        base::format(" {} {} devices that are gone with it: what runs keeps them.",
                     name_subjects(names, {"Claim", "claims"}, detail), one ? "holds" : "hold");
    std::vector<SubjectName>& subjects = problem->finding.subjects;
    subjects.insert(subjects.end(), names.begin(), names.end());
  }
  std::size_t next = 0;
  std::erase_if(problems, [&](const Problem&) { return left[next++]; });
}

}  // namespace

std::string advice_of(const Problem& problem) {
  return problem.remedy.text.empty() ? std::string(diag::info_of(problem.finding.code).remedy)
                                     : problem.remedy.text;
}

std::string counts_of(const std::vector<Problem>& problems) {
  std::vector<std::string> parts;
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Hint}) {
    const auto count = std::ranges::count(problems, severity, severity_of);
    if (count > 0) parts.push_back(base::plural(count, name_of(severity)));
  }
  return base::join(parts, ", ");
}

Problem problem_of(SubjectName subject, std::string_view noun, diag::Code code) {
  Problem problem{.finding = {.code = code}};
  problem.remedy.command = command_for("describe", noun, subject);
  problem.finding.subjects.push_back(std::move(subject));
  return problem;
}

std::string node_is_down(std::string_view node) {
  return base::format("node {} is not ready", node);
}

std::vector<Problem> coverage_problems(const ClusterInput& cluster, diag::Detail) {
  const auto& gaps = cluster.snapshot.coverage().missing();
  std::vector<Problem> problems;
  for (const snapshot::Missing& gap : gaps) {
    if (gap.not_in_files) continue;
    const api::KindInfo& kind = api::info_of(gap.kind);
    problems.push_back(
        {.finding = {.code = diag::Code::NotVisible,
                     .subjects = {{std::string(kind.name), {}, {}}},
                     .message = base::format("{} ({}): what depends on them is unknown.",
                                             snapshot::cannot_be_read(gap), gap.reason)},
         .remedy = {.text = {}, .command = "rbac"}});
  }
  if (auto problem = problem_of_gaps(cluster.snapshot.coverage()))
    problems.push_back(*std::move(problem));
  return problems;
}

std::vector<Problem> find_problems(const ClusterInput& cluster, std::string_view ns,
                                   diag::Detail detail) {
  std::vector<Problem> problems;
  // Within one severity the families keep this order: affected workloads first, then causes.
  for (const auto family : {allocation_problems, pod_problems, workload_problems, pool_problems,
                            node_problems, driver_problems, class_problems, taint_problems,
                            claim_problems, field_problems, coverage_problems}) {
    std::ranges::move(family(cluster, detail), std::back_inserter(problems));
  }
  if (!ns.empty()) {
    std::erase_if(problems, [ns](const Problem& problem) { return !concerns(problem, ns); });
  }
  leave_to_nodes(problems);
  leave_to_drivers(problems, detail);
  drop_stated(problems);
  fold_unreleased(cluster, detail, problems);
  std::ranges::stable_sort(problems, {}, severity_of);
  return problems;
}

}  // namespace dra::answers
