// src/cel/run/program.cpp: builds steps from a checked tree, and folds constants. Upstream: cel-go
// interpreter/planner.go and decorators.go (decOptimize).

#include "dra/cel/run/program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dra/base/text.h"
#include "dra/cel/check/validate.h"
#include "dra/cel/values/go_text.h"
#include "src/cel/run/steps.h"

namespace dra::cel {

struct Program::Plan {
  Scratch constants;          // values of constant steps
  std::vector<StepPtr> keys;  // computed keys, which branches of a conditional share
  StepPtr root;
  std::size_t slots = 0;
};

namespace {

// Functions whose calls with a constant are folded.
bool is_conversion(std::string_view function) {
  constexpr std::array<std::string_view, 10> names{
      "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"};
  return std::ranges::find(names, function) != names.end();
}

// Functions whose second argument is a regular expression.
bool takes_pattern(std::string_view function) {
  return function == "matches" || function == "find" || function == "findAll";
}

struct Local {
  std::string name;
  std::size_t slot;
};

class Planner {
 public:
  Planner(const Checked& checked, const Environment& environment, Scratch& constants,
          std::vector<StepPtr>& keys)
      : checked_(checked),
        ast_(checked.ast),
        environment_(environment),
        constants_(constants),
        keys_(keys) {}

  StepPtr plan(NodeId id) {
    const Node& node = ast_[id];
    switch (node.kind) {
      case NodeKind::Literal:
        return constant(id, literal(node.literal));
      case NodeKind::Ident:
        return ident(id);
      case NodeKind::Select:
        return select(id);
      case NodeKind::Call:
        return call(id);
      case NodeKind::List:
        return list(id);
      case NodeKind::Map:
        return map(id);
      case NodeKind::Fold:
        return fold(id);
      case NodeKind::Message:
        return message(id);
      case NodeKind::Error:
        break;
    }
    return fail(id, "unsupported expr");
  }

  const std::string& problem() const { return problem_; }
  std::size_t slots() const { return slots_; }

 private:
  static StepPtr constant(NodeId id, const Value& value) {
    return std::make_unique<Constant>(id, value);
  }

  // Keeps the first error; the plan is not used then.
  StepPtr fail(NodeId id, std::string message) {
    if (problem_.empty()) problem_ = std::move(message);
    return constant(id, Value());
  }

  Value literal(const Literal& value) {
    struct Make {
      Scratch& scratch;
      Value operator()(std::monostate) const { return {}; }
      Value operator()(bool v) const { return Value::boolean(v); }
      Value operator()(std::int64_t v) const { return Value::integer(v); }
      Value operator()(std::uint64_t v) const { return Value::uint(v); }
      Value operator()(double v) const { return Value::real(v); }
      Value operator()(const std::string& v) const { return scratch.string(v); }
      Value operator()(const Bytes& v) const { return scratch.bytes(v.octets); }
    };
    return std::visit(Make{constants_}, value);
  }

  // The value of a step without inputs; no value if it ends the whole evaluation.
  std::optional<Value> evaluate_now(const Step& step) {
    Run run;
    Frame frame{{}, run.scratch.array<Slot>(slots_), constants_, run};
    const Value value = step.evaluate(frame);
    return run.stopped.empty() ? std::optional(value) : std::nullopt;
  }

  // --- names and paths

  StepPtr ident(NodeId id) {
    const Reference& reference = checked_.references[id];
    const std::string& name = ast_[id].name;
    if (reference.constant) return constant(id, Value::integer(*reference.constant));
    // Upstream looks for a type of that name, even if a variable holds the type.
    if (reference.type_value != nullptr || checked_.types[id]->kind == TypeKind::Type) {
      const Type* named = type_value(name, *checked_.arena);
      return named != nullptr ? constant(id, Value::type(named))
                              : fail(id, "reference to undefined type: " + name);
    }
    const auto local = std::find_if(locals_.rbegin(), locals_.rend(),
                                    [&name](const Local& one) { return one.name == name; });
    if (local != locals_.rend()) {
      return std::make_unique<Attribute>(id, Attribute::Base::Slot, local->slot);
    }
    const std::string_view bare = std::string_view(name).substr(name.starts_with(".") ? 1 : 0);
    const auto variable = std::ranges::find(environment_.variables, bare, &Variable::name);
    DRA_CHECK(variable != environment_.variables.end());
    return std::make_unique<Attribute>(
        id, Attribute::Base::Variable,
        static_cast<std::size_t>(variable - environment_.variables.begin()),
        reference.beyond_locals);
  }

  // Any node as an attribute, which can be indexed.
  std::unique_ptr<Attribute> attribute(NodeId id) {
    StepPtr step = plan(id);
    if (auto* attribute = dynamic_cast<Attribute*>(step.get())) {
      static_cast<void>(step.release());
      return std::unique_ptr<Attribute>(attribute);
    }
    return std::make_unique<Attribute>(id, std::move(step));
  }

  StepPtr select(NodeId id) {
    const Node& node = ast_[id];
    auto target = attribute(node.args[0]);
    const Value key = constants_.string(node.name);
    const bool presence = node.presence;
    target->add({.node = id, .key = key, .presence = presence});
    return target;
  }

  StepPtr index(NodeId id, bool optional) {
    auto target = attribute(ast_[id].args[0]);
    StepPtr step = plan(ast_[id].args[1]);
    if (const Value* key = step->constant()) {
      const bool valid = key->is(ValueKind::Bool) || key->is(ValueKind::Int) ||
                         key->is(ValueKind::Uint) || key->is(ValueKind::Double) ||
                         key->is(ValueKind::String);
      if (!valid) return fail(id, "invalid qualifier type: " + std::string(go_type(*key)));
      target->add({.node = id, .key = *key, .optional = optional});
    } else {
      target->add({.node = id, .dynamic = step.get(), .optional = optional});
      keys_.push_back(std::move(step));
    }
    return target;
  }

  // --- calls

  StepPtr call(NodeId id) {
    const std::string& name = ast_[id].name;
    if (name == op::kAnd || name == op::kOr) {
      return std::make_unique<Logic>(id, name == op::kOr, plan_all(ast_[id].args));
    }
    if (name == op::kTernary) {
      StepPtr condition = plan(ast_[id].args[0]);
      auto yes = attribute(ast_[id].args[1]);
      auto no = attribute(ast_[id].args[2]);
      const auto author = ast_[id].generated ? Attribute::Author::Macro : Attribute::Author::User;
      return std::make_unique<Attribute>(id, author, std::move(condition), std::move(yes),
                                         std::move(no));
    }
    if (name == op::kIndex) return index(id, false);
    if (name == op::kOptIndex || name == op::kOptSelect) return index(id, true);
    return ordinary_call(id);
  }

  std::vector<StepPtr> plan_all(const std::vector<NodeId>& nodes) {
    std::vector<StepPtr> steps;
    steps.reserve(nodes.size());
    for (const NodeId node : nodes)
      steps.push_back(plan(node));
    return steps;
  }

  CallStep::Target target_of(NodeId id) const {
    const Node& node = ast_[id];
    const auto& overloads = checked_.references[id].overloads;
    CallStep::Target target{.function = node.name};
    target.looks_up = node.name == op::kIn;
    target.strict = node.name != op::kNotStrictlyFalse;
    if (overloads.size() == 1) target.overload = overload_at(overloads.front()).row->id;
    target.cost = cost_of(target.function, target.overload);
    target.effort = effort_of(target.function);
    target.single = code_of_function(node.name);
    if (target.single == nullptr && !target.overload.empty()) {
      if (const Code code = code_of_overload(target.overload)) {
        target.candidates.push_back({&overload_at(overloads.front()), code});
      }
    } else if (target.single == nullptr) {
      for (const Overload& overload : overloads_of(node.name)) {
        const Code code =
            served(*overload.row, environment_) ? code_of_overload(overload.row->id) : nullptr;
        if (code != nullptr) target.candidates.push_back({&overload, code});
      }
    }
    // Calls that upstream dispatches by value, and format(), accept any number of arguments.
    const bool dispatched = target.single == nullptr && target.overload.empty();
    target.one_by_one = node.args.size() > 2 || dispatched || target.overload == "string_format";
    return target;
  }

  StepPtr ordinary_call(NodeId id) {
    CallStep::Target target = target_of(id);
    std::vector<StepPtr> args = plan_all(ast_[id].args);
    if (target.overload == "in_list" && args[1]->constant() != nullptr) {
      if (StepPtr member = membership(id, args)) return member;
    }
    const bool is_or = target.overload == "optional_or_optional";
    if (is_or || target.overload == "optional_orValue_value") {
      return std::make_unique<OptionalOr>(id, !is_or, std::move(args[0]), std::move(args[1]));
    }
    const bool has_pattern = args.size() > 1 && args[1]->constant() != nullptr &&
                             args[1]->constant()->is(ValueKind::String);
    if (has_pattern && takes_pattern(target.function)) {
      Result<Regex> regex = Regex::compile(args[1]->constant()->text(), effort_);
      if (!regex.ok()) return fail(id, regex.error().message);
      target.regex = std::make_shared<const Regex>(std::move(regex).take());
      target.one_by_one = true;
    }
    const bool now =
        args.size() == 1 && args[0]->constant() != nullptr && is_conversion(target.function);
    auto step = std::make_unique<CallStep>(id, std::move(target), std::move(args));
    if (!now) return step;
    const Value value = evaluate_now(*step).value_or(no_such_overload());
    return value.is_error() ? fail(id, std::string(value.text())) : constant(id, value);
  }

  // The same number as another kind, which a set must find as well. Maps find integers of the other
  // kind themselves.
  static std::optional<Value> twin_of(const Value& number) {
    constexpr double limit = 9223372036854775808.0;
    if (number.is(ValueKind::Int)) return Value::real(static_cast<double>(number.as_int()));
    if (number.is(ValueKind::Uint)) return Value::real(static_cast<double>(number.as_uint()));
    const double value = number.is(ValueKind::Double) ? number.as_double() : 0.5;
    if (std::trunc(value) != value) return std::nullopt;
    if (value > -limit && value < limit) return Value::integer(static_cast<std::int64_t>(value));
    const bool fits = value > 0 && value < 2 * limit;
    return fits ? std::optional(Value::uint(static_cast<std::uint64_t>(value))) : std::nullopt;
  }

  // nullptr if the constants are not of the kind that makes a set.
  StepPtr membership(NodeId id, std::vector<StepPtr>& args) {
    const Value& constants = *args[1]->constant();
    // Upstream panics here.
    if (constants.is_error()) return fail(id, std::string(constants.text()));
    if (!constants.is(ValueKind::List)) return nullptr;  // the list could not be planned
    const ListValue& list = constants.as_list();
    if (list.size() == 0) return constant(id, Value::boolean(false));
    std::vector<std::pair<Value, Value>> set;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value value = list.at(i);
      const bool basic = value.kind() >= ValueKind::Bool && value.kind() <= ValueKind::String;
      if (!basic) return nullptr;
      set.emplace_back(value, Value());
      if (const auto twin = twin_of(value)) set.emplace_back(*twin, Value());
    }
    return std::make_unique<InSet>(id, std::move(args[0]), make_map(constants_, set).as_map());
  }

  // --- literals with parts

  static bool all_constant(const std::vector<StepPtr>& steps) {
    return std::ranges::all_of(steps,
                               [](const StepPtr& step) { return step->constant() != nullptr; });
  }

  StepPtr folded(std::unique_ptr<Step> step, bool known) {
    if (!known) return step;
    // Errors are constants, too.
    const std::optional<Value> value = evaluate_now(*step);
    return value ? constant(step->node(), *value) : std::move(step);
  }

  StepPtr list(NodeId id) {
    std::vector<StepPtr> elements = plan_all(ast_[id].args);
    const bool known = all_constant(elements);
    return folded(std::make_unique<MakeList>(id, std::move(elements), ast_[id].optional), known);
  }

  StepPtr map(NodeId id) {
    std::vector<StepPtr> parts = plan_all(ast_[id].args);
    const bool known = all_constant(parts);
    return folded(std::make_unique<MakeMap>(id, std::move(parts), ast_[id].optional), known);
  }

  StepPtr message(NodeId id) {
    const Node& node = ast_[id];
    std::vector<StepPtr> values = plan_all(node.args);
    std::vector<MakeMessage::Field> fields;
    for (std::size_t i = 0; i < values.size(); ++i)
      fields.push_back({node.names[i], std::move(values[i]), node.optional[i]});
    return std::make_unique<MakeMessage>(id, node.name, find_message(node.name), std::move(fields));
  }

  StepPtr fold(NodeId id) {
    const Node& node = ast_[id];
    Fold::Parts parts;
    parts.init = plan(node.args[FoldInit]);
    parts.range = plan(node.args[FoldRange]);
    parts.accumulator = slots_++;
    parts.first = slots_++;
    parts.two = !node.names[1].empty();
    if (parts.two) parts.second = slots_++;
    const std::size_t outside = locals_.size();
    locals_.push_back({node.names[2], parts.accumulator});
    locals_.push_back({node.names[0], parts.first});
    if (parts.two) locals_.push_back({node.names[1], parts.second});
    parts.condition = plan(node.args[FoldCondition]);
    parts.step = plan(node.args[FoldStep]);
    locals_.resize(outside + 1);
    parts.result = plan(node.args[FoldResult]);
    locals_.resize(outside);
    return std::make_unique<Fold>(id, std::move(parts));
  }

  const Checked& checked_;
  const Ast& ast_;
  const Environment& environment_;
  Scratch& constants_;
  std::vector<StepPtr>& keys_;
  Effort effort_;  // for compiling patterns
  std::vector<Local> locals_;
  std::size_t slots_ = 0;
  std::string problem_;
};

}  // namespace

Program::Program(std::unique_ptr<Checked> checked, std::unique_ptr<Plan> plan)
    : checked_(std::move(checked)), plan_(std::move(plan)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

Result<Program> Program::make(Checked checked, const Environment& environment) {
  DRA_CHECK(checked.ok());
  auto kept = std::make_unique<Checked>(std::move(checked));
  auto plan = std::make_unique<Plan>();
  Planner planner(*kept, environment, plan->constants, plan->keys);
  plan->root = planner.plan(kept->ast.root);
  plan->slots = planner.slots();
  if (!planner.problem().empty()) return Error{ErrorKind::BadInput, planner.problem(), {}};
  return Program(std::move(kept), std::move(plan));
}

Value Program::evaluate(std::span<const Value> variables, Run& run) const {
  run.scratch.reset();
  run.cost = 0;
  run.stopped = {};
  Frame frame{variables, run.scratch.array<Slot>(plan_->slots), run.scratch, run};
  const Value value = plan_->root->evaluate(frame);
  return run.stopped.empty() ? value : Value::error(run.stopped);
}

}  // namespace dra::cel
