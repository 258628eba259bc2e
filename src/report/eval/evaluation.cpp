// src/report/eval/evaluation.cpp: compiles the expression for the API server and for the scheduler,
// evaluates it once for each group of equal devices, and writes the JSON. The text is in
// evaluation_view.cpp.

#include "dra/report/eval/evaluation.h"

#include <algorithm>
#include <tuple>

#include "dra/base/text.h"
#include "dra/engine/selectors/part_values.h"
#include "dra/engine/selectors/selection.h"
#include "dra/report/phrases/clause_json.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/suggestion_words.h"

namespace dra::report {
namespace {

using engine::Expressions;
using engine::Selector;

// The result of compiling an expression in one of the two environments.
struct Verdict {
  bool ok = true;
  std::string_view stage = {};  // of the failure
  std::string_view error = {};
  bool has_program = false;
  std::string output_type = {};
  std::uint64_t estimated_cost = 0;

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

Verdict verdict_of(const Selector& selector, Expressions expressions) {
  const bool has_program = selector.program() != nullptr;
  Verdict verdict{.has_program = has_program,
                  .output_type = selector.output_type(),
                  .estimated_cost = selector.estimated_cost()};
  // The scheduler checks neither length nor estimated cost: it evaluates every program.
  verdict.ok = !selector.failure() || (has_program && expressions == Expressions::Stored);
  if (verdict.ok) return verdict;
  verdict.stage = engine::name_of(selector.failure()->stage);
  verdict.error = selector.failure()->message;
  return verdict;
}

json::Value verdict_json(const Verdict& verdict) {
  json::Value value = json::Value::object();
  value.set("ok", verdict.ok);
  if (!verdict.ok) {
    value.set("stage", verdict.stage);
    value.set("error", verdict.error);
  }
  if (!verdict.has_program) return value;
  value.set("outputType", verdict.output_type);
  value.set("estimatedCost", verdict.estimated_cost);
  return value;
}

// Devices of one group agree in everything that the expression reads.
std::vector<json::Value> values_by_group(const Evaluation& evaluation) {
  std::vector<json::Value> all;
  for (const engine::AnswerGroup& group : evaluation.answers->groups()) {
    json::Value& values = all.emplace_back(json::Value::object());
    const auto trace = engine::trace_of(evaluation.stored, (*evaluation.fleet)[group.first]);
    if (!trace) continue;
    for (engine::PartValue& part : engine::part_values(evaluation.stored, *trace))
      values.set(std::move(part.text), std::move(part.value));
  }
  return all;
}

json::Value device_json(const EvaluationDevice& device, const engine::Answer& answer) {
  const engine::DeviceId id = device.published.id();
  json::Value value = json::Value::object();
  value.set("driver", id.driver);
  value.set("pool", id.pool);
  value.set("device", id.device);
  value.set("poolStatus", engine::name_of(device.pool_state));
  value.set("result", answer.failure ? "error" : answer.matches ? "true" : "false");
  if (answer.failure) {
    value.set("stage", engine::name_of(answer.failure->stage));
    value.set("error", answer.failure->message);
  }
  // A device with an invalid attribute is not evaluated.
  const bool evaluated = !answer.failure || answer.failure->stage != engine::Stage::Attribute;
  if (evaluated) value.set("cost", answer.cost);
  return value;
}

Evaluation compile(std::string_view expression, const snapshot::Server& server) {
  return {.compiled = Selector(expression, engine::language_of(server, Expressions::New)),
          .stored = Selector(expression, engine::language_of(server, Expressions::Stored))};
}

void add_pool(const engine::Pool& pool, const DeviceFilter& filter,
              std::vector<EvaluationDevice>& out) {
  for (const engine::PoolDevice& device : pool.devices) {
    if (matches(filter, device.id())) out.push_back({device, pool.state});
  }
}

}  // namespace

Result<std::vector<EvaluationDevice>> devices_to_evaluate(const engine::Inventory& inventory,
                                                          const DeviceFilter& filter) {
  std::vector<EvaluationDevice> devices;
  if (filter.node_object == nullptr) {
    for (const engine::Pool& pool : inventory.pools())
      add_pool(pool, filter, devices);
    if (filter.node.empty()) return devices;
    // Without the Node object only node names can be compared.
    std::erase_if(devices, [&filter](const EvaluationDevice& device) {
      return engine::only_node_of(device.published) != filter.node;
    });
    if (!devices.empty()) return devices;
    return Error{ErrorKind::NotFound, base::format("node \"{}\" not found", filter.node), {}};
  }
  const auto pools =
      DRA_TRY(inventory.slices().seen_from(*filter.node_object).context("node " + filter.node));
  for (const engine::Pool& pool : pools)
    add_pool(pool, filter, devices);
  // Undoes the scheduler's order, in which pools with binding conditions are last.
  std::ranges::stable_sort(devices, {}, [](const EvaluationDevice& device) {
    const api::SliceSpec& spec = device.published.slice->spec;
    return std::make_tuple(spec.driver, spec.pool.name);
  });
  return devices;
}

Evaluation evaluate(std::string_view expression, const snapshot::Server& server) {
  Evaluation evaluation = compile(expression, server);
  evaluation.only_compiled = true;
  evaluation.suggestions = engine::suggestions_for(engine::Fleet(), {&expression, 1}, server);
  return evaluation;
}

Evaluation evaluate(std::string_view expression, const snapshot::Server& server,
                    std::vector<EvaluationDevice> devices) {
  Evaluation evaluation = compile(expression, server);
  evaluation.any_device = !devices.empty();
  engine::Fleet fleet = engine::fleet_of(devices, &EvaluationDevice::published);
  evaluation.suggestions = engine::suggestions_for(fleet, {&expression, 1}, server);
  if (evaluation.stored.program() == nullptr) return evaluation;
  evaluation.devices = std::move(devices);
  evaluation.fleet.emplace(std::move(fleet));
  evaluation.answers.emplace(evaluation.stored, *evaluation.fleet);
  const engine::Asked asked{&evaluation.stored, &*evaluation.answers};
  evaluation.clauses = engine::clause_table(*evaluation.fleet, {&asked, 1});
  return evaluation;
}

json::Value to_json(const Evaluation& evaluation) {
  const Verdict fresh = verdict_of(evaluation.compiled, Expressions::New);
  const Verdict stored = verdict_of(evaluation.stored, Expressions::Stored);
  json::Value compile = verdict_json(fresh);
  if (stored != fresh) compile.set("stored", verdict_json(stored));
  json::Value report = report_object("Evaluation");
  report.set("expression", evaluation.compiled.expression());
  report.set("compile", std::move(compile));
  if (evaluation.clauses) {
    json::Value clauses = json::Value::array();
    for (const engine::ClauseCount& clause : evaluation.clauses->clauses)
      clauses.push(clause_json(clause));
    report.set("clauses", std::move(clauses));
  }
  json::Value suggestions = json::Value::array();
  for (const engine::Suggestion& suggestion : evaluation.suggestions)
    suggestions.push(suggestion_json(suggestion, evaluation.any_device));
  report.set("suggestions", std::move(suggestions));
  if (evaluation.only_compiled) return report;
  std::vector<json::Value> values;
  if (evaluation.answers) values = values_by_group(evaluation);
  json::Value devices = json::Value::array();
  for (std::size_t i = 0; i < evaluation.devices.size(); ++i) {
    json::Value device = device_json(evaluation.devices[i], evaluation.answers->of(i));
    device.set("values", values[evaluation.answers->group_of(i)]);
    devices.push(std::move(device));
  }
  report.set("devices", std::move(devices));
  return report;
}

std::vector<std::string> matching(const Evaluation& evaluation) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < evaluation.devices.size(); ++i) {
    if (evaluation.answers->of(i).matches)
      ids.push_back(engine::to_string(evaluation.devices[i].published.id()));
  }
  return ids;
}

}  // namespace dra::report
