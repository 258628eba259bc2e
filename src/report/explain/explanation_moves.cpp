// src/report/explain/explanation_moves.cpp: see explanation_moves.h.

#include "src/report/explain/explanation_moves.h"

#include <algorithm>
#include <map>

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

constexpr std::size_t kNodesNamed = 3;

// "n3", "n3 or n4", "one of 7 nodes (n2, n3, n4 and 4 more)".
std::string places_words(const std::vector<std::string>& nodes) {
  if (nodes.size() == 1) return nodes.front();
  if (nodes.size() == 2) return base::format("{} or {}", nodes[0], nodes[1]);
  return base::format("one of {} nodes ({})", nodes.size(), base::join_first(nodes, kNodesNamed));
}

std::pair<std::string, std::string> parts_of_name(const std::string& full) {
  const std::size_t slash = full.find('/');
  return {full.substr(0, slash), full.substr(slash + 1)};
}

}  // namespace

std::string moves_words(const engine::Moves& moves, std::string_view who) {
  std::string what;
  if (moves.pods.size() == 1) {
    const engine::PodMove& one = moves.pods.front();
    what = base::format("pod {} ({}) from {} to {}", one.pod, base::plural(one.devices, "device"),
                        moves.node, places_words(one.to));
  } else {
    std::vector<std::string> pods;
    for (const engine::PodMove& one : moves.pods)
      pods.push_back(base::format("{} ({}, to {})", one.pod, base::plural(one.devices, "device"),
                                  places_words(one.to)));
    const std::string last = pods.back();
    pods.pop_back();
    what = base::format("pods {} and {} from {}", base::join(pods, ", "), last, moves.node);
  }
  return base::format("Moving {} makes room: {} then fits on {}.", what, who, moves.node);
}

std::vector<std::string> moves_commands(const engine::Moves& moves) {
  std::vector<std::string> commands = {diag::kubectl("cordon").name(moves.node).text()};
  std::map<std::string, std::vector<std::string>> by_namespace;
  for (const engine::PodMove& one : moves.pods) {
    auto [ns, name] = parts_of_name(one.pod);
    by_namespace[ns].push_back(std::move(name));
  }
  for (const auto& [ns, names] : by_namespace) {
    diag::CommandLine line = diag::kubectl("delete pod");
    for (const std::string& name : names)
      line.name(name);
    commands.push_back(line.in(ns).text());
  }
  commands.push_back(diag::kubectl("uncordon").name(moves.node).text());
  return commands;
}

std::string moves_how(const engine::Moves& moves) {
  std::vector<std::string> makers;
  for (const engine::PodMove& one : moves.pods) {
    if (std::ranges::find(makers, one.made_by) == makers.end()) makers.push_back(one.made_by);
  }
  const bool one = moves.pods.size() == 1;
  std::vector<std::string> budgets;
  for (const engine::PodMove& move : moves.pods) {
    for (const std::string& budget : move.budgets) {
      if (std::ranges::find(budgets, budget) == budgets.end()) budgets.push_back(budget);
    }
  }
  const std::string against =
      budgets.empty()
          ? ""
          : base::format("A deletion ignores {} {}, which {} no eviction now. ",
                         budgets.size() == 1 ? "PodDisruptionBudget" : "PodDisruptionBudgets",
                         base::join(budgets, " and "), budgets.size() == 1 ? "allows" : "allow");
  return base::format("{}{} {} {} again. Once {} {} elsewhere:", against,
                      base::join(makers, " and "), makers.size() == 1 ? "creates" : "create",
                      one ? "it" : "them", one ? "it" : "they", one ? "runs" : "run");
}

json::Value moves_json(const engine::Moves& moves) {
  json::Value out = json::Value::object();
  out.set("node", moves.node);
  out.set("message", moves_words(moves, "it"));
  json::Value& pods = out.set("pods", json::Value::array());
  for (const engine::PodMove& one : moves.pods) {
    json::Value& pod = pods.push(json::Value::object());
    pod.set("pod", one.pod);
    pod.set("devices", one.devices);
    json::Value& to = pod.set("to", json::Value::array());
    for (const std::string& node : one.to)
      to.push(node);
    pod.set("madeBy", one.made_by);
    if (!one.budgets.empty()) pod.set("protection", strings_json(one.budgets));
  }
  json::Value& commands = out.set("commands", json::Value::array());
  for (const std::string& command : moves_commands(moves))
    commands.push(command);
  return out;
}

}  // namespace dra::report
