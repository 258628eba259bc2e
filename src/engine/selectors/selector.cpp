// src/engine/selectors/selector.cpp: compiles as upstream's CompileCELExpression does, step by
// step: length, syntax, types, output type, constant folding, cost. Each step has a failure in the
// server's words.

#include "dra/engine/selectors/selector.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <tuple>

#include "dra/base/text.h"
#include "dra/cel/check/checker.h"
#include "dra/cel/check/estimate.h"
#include "dra/cel/syntax/parser.h"
#include "dra/cel/values/message_values.h"
#include "dra/engine/facts/features.h"

namespace dra::engine {
namespace {

using cel::TypeKind;
using cel::Value;
using cel::ValueKind;

constexpr std::array<std::string_view, 9> kStages{
    "length", "syntax", "check", "output-type", "program", "cost", "attribute", "eval", "result"};

// Upper bounds of a device's parts for the cost estimate: the limits of validation and of DNS
// names.
constexpr std::array<cel::SizeRow, 13> kSizes{{
    {"device", 0},
    {"device.driver", 63},
    {"device.allowMultipleAllocations", 1},
    {"device.attributes", 32},
    {"device.attributes.@keys", 63},
    {"device.attributes.@values", 32},
    {"device.attributes.@values.@keys", 32},
    {"device.attributes.@values.*", 64},
    {"device.capacity", 32},
    {"device.capacity.@keys", 63},
    {"device.capacity.@values", 32},
    {"device.capacity.@values.@keys", 32},
    {"device.capacity.@values.@values", 0},  // quantities have no size of their own
}};

cel::Environment make_environment(const Language& language) {
  cel::Environment made{.release = language.release, .includes = language.includes};
  cel::TypeArena& arena = *made.arena;
  const cel::Type* device = arena.structure("kubernetes.DRADevice");
  const cel::Type* attributes = cel::parse_type(
      language.lists ? "map(string, map(string, dyn))" : "map(string, map(string, any))", arena);
  const cel::Type* capacity =
      cel::parse_type("map(string, map(string, kubernetes.Quantity))", arena);
  made.variables = {{"device", device}};
  made.structures = {{device,
                      {{"driver", cel::basic(TypeKind::String)},
                       {"attributes", attributes},
                       {"capacity", capacity}}}};
  if (language.shares) {
    made.structures.front().fields.push_back(
        {"allowMultipleAllocations", cel::basic(TypeKind::Bool)});
  }
  return made;
}

// The error of a value that is no bool, in the words of its type's ConvertToNative upstream
// (common/types and k8s.io/apiserver/pkg/cel).
std::string no_bool(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Int:
      return "unsupported type conversion from 'int' to bool";
    case ValueKind::Uint:
      return "unsupported type conversion from 'uint' to bool";
    case ValueKind::String:
      return "unsupported native conversion from string to 'bool'";
    case ValueKind::Double:
      return "type conversion error from Double to 'bool'";
    case ValueKind::Bytes:
      return "type conversion error from Bytes to 'bool'";
    case ValueKind::List:
      return "type conversion error from list to 'bool'";
    case ValueKind::Map:
      return "type conversion error from map to 'bool'";
    case ValueKind::Duration:
      return "type conversion error from 'Duration' to 'bool'";
    case ValueKind::Timestamp:
      return "type conversion error from 'Timestamp' to 'bool'";
    case ValueKind::Null:
      return "type conversion error from 'null_type' to 'bool'";
    case ValueKind::Type:
      return "type conversion not supported for 'type'";
    case ValueKind::Optional:
      return "optional.none() dereference";
    default:
      break;
  }
  constexpr std::string_view words = "type conversion error from '{}' to 'bool'";
  if (const cel::MessageValue* message = cel::message_if(value))
    return base::format(words, message->go_message());
  const std::string_view type = value.as_opaque().go_type();  // "cel.Quantity"
  return base::format(words, type.substr(type.rfind('.') + 1));
}

Answer answer_of(const Value& result, const cel::Run& run) {
  Answer answer{.cost = run.cost};
  const Value* value = &result;
  // An optional counts as its content.
  while (value->is(ValueKind::Optional) && value->content() != nullptr)
    value = value->content();
  if (value->is(ValueKind::Bool)) {
    answer.matches = value->as_bool();
  } else if (value->is_error()) {
    answer.failure = {.stage = run.stopped == cel::kCostLimitExceeded ? Stage::Cost : Stage::Eval,
                      .message = std::string(value->text())};
  } else {
    answer.failure = {.stage = Stage::Result,
                      .message = base::format("CEL result of type {} could not be converted to "
                                              "bool: {}",
                                              cel::type_name(result), no_bool(*value))};
  }
  return answer;
}

bool is_attribute_value(const cel::Type& type) {
  return type.kind == TypeKind::Bool || type.kind == TypeKind::Int ||
         type.kind == TypeKind::String || cel::is_dyn(type) || type.name == "kubernetes.Semver";
}

// The expected output type; empty if the actual one is right.
std::string_view wrong_output(const cel::Type& output, const Language& language, Purpose purpose) {
  if (purpose == Purpose::Choice) {
    const TypeKind unknown = language.lists ? TypeKind::Dyn : TypeKind::Any;
    const bool right = output.kind == TypeKind::Bool || output.kind == unknown;
    return right ? "" : "bool or the unknown type";
  }
  if (is_attribute_value(output)) return "";
  const bool list = output.kind == TypeKind::List && is_attribute_value(*output.params.front());
  if (list && language.lists) return "";
  return language.lists
             ? "a primitive scalar (string, integer, boolean, semver) or a list of these scalars"
             : "a primitive scalar (string, integer, boolean, semver)";
}

Failure compile_failure(Stage stage, const cel::Source& source, std::vector<cel::Issue> issues) {
  std::string message = "compilation failed: " + cel::display(source, issues);
  return {.stage = stage, .message = std::move(message), .issues = std::move(issues)};
}

}  // namespace

std::string_view name_of(Stage stage) { return kStages.at(static_cast<std::size_t>(stage)); }

Language language_of(const snapshot::Server& server, Expressions expressions) {
  const int release = minor_release(server);
  const Features features = features_of(server);
  const bool lists = features.on(Gate::DRAListTypeAttributes);
  const bool reads_lists = release >= 37 || (release == 36 && lists);
  if (expressions == Expressions::Stored) {
    return {.release = release,
            .shares = release >= 34,
            .lists = reads_lists,
            .includes = release >= 36,
            .reads_lists = reads_lists};
  }
  return {.release = release - 1,
          .shares = features.on(Gate::DRAConsumableCapacity),
          .lists = lists,
          .includes = lists,
          .reads_lists = reads_lists};
}

const cel::Environment& environment_of(const Language& language) {
  using Key = std::tuple<int, bool, bool, bool>;
  static std::map<Key, cel::Environment> made;
  const Key key{language.release, language.shares, language.lists, language.includes};
  const auto known = made.find(key);
  return known != made.end() ? known->second
                             : made.emplace(key, make_environment(language)).first->second;
}

Selector::Selector(std::string_view expression, const Language& language, Purpose purpose)
    : source_(std::string(expression)), reads_lists_(language.reads_lists) {
  compile(language, purpose);
  // The API server does not compile the text then.
  if (expression.size() > kMaxExpressionBytes) {
    failure_ = {.stage = Stage::Length,
                .message = base::format("may not be more than {} bytes", kMaxExpressionBytes)};
  }
}

void Selector::compile(const Language& language, Purpose purpose) {
  const cel::Environment& environment = environment_of(language);
  cel::Parsed parsed = cel::parse(source_, environment.macros());
  if (!parsed.ok()) {
    failure_ = compile_failure(Stage::Syntax, source_, std::move(parsed.issues));
    return;
  }
  cel::Checked checked = cel::check(std::move(parsed.ast), environment);
  if (!checked.ok()) {
    failure_ = compile_failure(Stage::Check, source_, std::move(checked.issues));
    return;
  }
  const std::string_view wanted = wrong_output(checked.output(), language, purpose);
  if (!wanted.empty()) {
    failure_ = {.stage = Stage::OutputType,
                .message = base::format("must evaluate to {}, not {}", wanted,
                                        cel::describe_output(checked.output()))};
    return;
  }
  estimated_cost_ = cel::estimate_cost(checked, kSizes).max;
  Result<cel::Program> program = cel::Program::make(std::move(checked), environment);
  if (!program.ok()) {
    failure_ = {.stage = Stage::Program,
                .message = "program instantiation failed: " + program.error().message};
    return;
  }
  program_ = std::move(program).take();
  if (estimated_cost_ > kMaxSelectorCost)
    failure_ = {.stage = Stage::Cost, .message = "too complex, exceeds cost limit"};
}

std::string Selector::output_type() const {
  return program_ ? cel::describe_output(program_->checked().output()) : std::string();
}

Answer Selector::evaluate(const DeviceValue& device, cel::Run& run) const {
  DRA_CHECK(program_.has_value());
  if (std::string problem = problem_with(device); !problem.empty())
    return {.failure = Failure{.stage = Stage::Attribute, .message = std::move(problem)}};
  return answer_of(value(device, run), run);
}

std::string Selector::problem_with(const DeviceValue& device) const {
  if (!device.problem().empty() || reads_lists_) return device.problem();
  const std::string_view list = first_list(device.attributes());
  return list.empty() ? "" : base::format("attribute {}: unsupported attribute value", list);
}

Value Selector::value(const DeviceValue& device, cel::Run& run) const {
  run.cost_limit = kMaxSelectorCost;
  const Value variable = device.value();
  return program_->evaluate({&variable, 1}, run);
}

std::string on_one_line(const Failure& failure) {
  if (failure.issues.empty()) return std::string(base::trim(failure.message));
  // Each issue is one line, followed by two that show its place.
  std::vector<std::string> lines;
  for (const std::string_view line : base::split(failure.message, '\n')) {
    if (!line.starts_with(" | ")) lines.emplace_back(line);
  }
  return base::join(lines, "; ");
}

}  // namespace dra::engine
