// src/render/go_template/run.cpp: see run.h. Follows text/template, exec.go, node by node.

#include "src/render/go_template/run.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/json/go_number.h"
#include "src/render/go_template/functions.h"
#include "src/render/go_template/tokens.h"
#include "src/render/go_template/values.h"

namespace dra::render::go_template {
namespace {

using Type = Operand::Type;

// A template that calls itself without end, or a loop over a large number, ends here.
constexpr int kDeepestCall = 100;
constexpr std::size_t kMostSteps = 20'000'000;

enum class Flow { Next, Break, Continue };

// Escapes what acts on a terminal, but for the line breaks and tabs that lay text out.
std::string for_terminal(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string_view part : base::split(text, '\t'))
    parts.push_back(base::printable_block(part));
  return base::join(parts, "\t");
}

class TemplateRun {
 public:
  TemplateRun(const Templates& templates, std::string_view text, const TemplateOptions& options)
      : templates_(templates), text_(text), options_(options) {}

  Result<std::string> all(const json::Value& data) {
    const Operand root = operand_of(data);
    variables_ = {{"$", root}};
    DRA_TRY(walk(templates_.at(kMain), root));
    return std::move(out_);
  }

 private:
  using Walked = Result<Flow>;
  using Evaluated = Result<Operand>;
  struct Named {
    std::string name;
    Operand value;
  };

  Error fail(std::size_t at, const std::string& message) const {
    Error error = template_error(text_, at, message);
    error.hint.clear();
    return error;
  }

  // Variables that are declared meanwhile end with it.
  class Block {
   public:
    explicit Block(std::vector<Named>& variables)
        : variables_(variables), count_(variables.size()) {}
    ~Block() { variables_.resize(count_); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

   private:
    std::vector<Named>& variables_;
    std::size_t count_;
  };

  Walked walk(const List& list, const Operand& dot) {
    for (const Node& node : list) {
      if (++steps_ > kMostSteps) return fail(node.at, "the template does not come to an end");
      const Flow flow = DRA_TRY(walk(node, dot));
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  }

  Walked walk(const Node& node, const Operand& dot) {
    if (const auto* text = std::get_if<Text>(&node.what)) {
      out_ += text->text;
      return Flow::Next;
    }
    if (const auto* action = std::get_if<Action>(&node.what)) {
      const Operand value = DRA_TRY(evaluate(action->pipeline, dot));
      if (action->pipeline.variables.empty()) print(value);
      return Flow::Next;
    }
    if (const auto* branch = std::get_if<Branch>(&node.what)) {
      return branch->kind == BranchKind::Range ? loop(node.at, *branch, dot) : fork(*branch, dot);
    }
    if (const auto* other = std::get_if<Call>(&node.what)) return call(node.at, *other, dot);
    return std::holds_alternative<Break>(node.what) ? Flow::Break : Flow::Continue;
  }

  void print(const Operand& value) {
    const std::string text = value.type == Type::Nothing ? "<no value>" : sprint(value);
    out_ += options_.for_terminal && !value.literal ? for_terminal(text) : text;
  }

  Walked fork(const Branch& branch, const Operand& dot) {
    const Block block(variables_);
    const Operand value = DRA_TRY(evaluate(branch.pipeline, dot));
    if (is_true(value)) return walk(branch.body, branch.kind == BranchKind::With ? value : dot);
    return branch.otherwise ? walk(*branch.otherwise, dot) : Walked(Flow::Next);
  }

  Walked loop(std::size_t at, const Branch& branch, const Operand& dot) {
    const Block block(variables_);
    const Operand all = DRA_TRY(evaluate(branch.pipeline, dot));
    std::vector<const json::Member*> members;
    std::int64_t count = 0;
    switch (all.type) {
      case Type::List:
        count = static_cast<std::int64_t>(all.length);
        break;
      case Type::Map:
        members = sorted_members(*all.data);
        count = static_cast<std::int64_t>(members.size());
        break;
      case Type::Int:
      case Type::Int64:
      case Type::Byte:
        if (branch.pipeline.variables.size() > 1) {
          return fail(at, "a loop over a number has one variable");
        }
        count = all.integer;
        break;
      case Type::Nothing:
      case Type::Null:
        break;
      default:
        return fail(at, base::format("range cannot go over a value of type {}", type_name(all)));
    }
    if (count <= 0) return without_turns(branch, dot);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto index = static_cast<std::size_t>(i);
      Operand key = of_int(i);
      Operand item = key;
      if (all.is_integer()) item.type = all.type;
      if (all.type == Type::List) item = item_of(all, index);
      if (all.type == Type::Map) {
        key = of_string(members[index]->key);
        item = operand_of(members[index]->value);
      }
      if (DRA_TRY(turn(branch, key, item)) == Flow::Break) break;
    }
    return Flow::Next;
  }

  // As in text/template, a {{break}} behind the {{else}} of a loop ends that loop, and a
  // {{continue}} the turn of the one around it.
  Walked without_turns(const Branch& branch, const Operand& dot) {
    const Flow flow = branch.otherwise ? DRA_TRY(walk(*branch.otherwise, dot)) : Flow::Next;
    return flow == Flow::Break ? Flow::Next : flow;
  }

  // The members that a Go map has, sorted by name.
  static std::vector<const json::Member*> sorted_members(const json::Value& object) {
    std::vector<const json::Member*> members;
    for (const json::Member& member : object.members()) {
      if (object.find(member.key) == &member.value) members.push_back(&member);
    }
    std::ranges::sort(members, {}, [](const json::Member* member) { return member->key; });
    return members;
  }

  Walked turn(const Branch& branch, const Operand& key, const Operand& item) {
    if (++steps_ > kMostSteps) {
      return fail(branch.pipeline.at, "the template does not come to an end");
    }
    const Pipeline& pipeline = branch.pipeline;
    const std::size_t count = pipeline.variables.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Operand& value = i + 1 == count ? item : key;
      if (pipeline.assigns) {
        DRA_TRY(assign(pipeline.at, pipeline.variables[i], value));
      } else {
        variables_[variables_.size() - count + i].value = value;
      }
    }
    const Block block(variables_);
    return walk(branch.body, item);
  }

  Walked call(std::size_t at, const Call& call, const Operand& dot) {
    const auto found = templates_.find(call.name);
    if (found == templates_.end()) {
      return fail(at, base::format("there is no template \"{}\"", call.name));
    }
    Operand value;
    if (call.pipeline) value = DRA_TRY(evaluate(*call.pipeline, dot));
    if (depth_ == kDeepestCall) return fail(at, "templates call each other too deeply");
    ++depth_;
    std::vector<Named> outer = std::exchange(variables_, {{"$", value}});
    const Flow flow = DRA_TRY(walk(found->second, value));
    variables_ = std::move(outer);
    --depth_;
    return flow;
  }

  Result<Done> assign(std::size_t at, const std::string& name, const Operand& value) {
    const auto found = std::find_if(variables_.rbegin(), variables_.rend(),
                                    [&name](const Named& one) { return one.name == name; });
    if (found == variables_.rend()) {
      return fail(at, base::format("undefined variable \"{}\"", name));
    }
    found->value = value;
    return Done{};
  }

  Evaluated evaluate(const Pipeline& pipeline, const Operand& dot) {
    std::optional<Operand> value;
    for (const Command& command : pipeline.commands)
      value = unwrapped(DRA_TRY(evaluate(command, dot, value)));
    for (const std::string& name : pipeline.variables) {
      if (pipeline.assigns) {
        DRA_TRY(assign(pipeline.at, name, *value));
      } else {
        variables_.push_back({name, *value});
      }
    }
    return std::move(*value);
  }

  // `piped` is the value of the command before, and the last argument of this one.
  Evaluated evaluate(const Command& command, const Operand& dot,
                     const std::optional<Operand>& piped) {
    const Term& first = command.terms.front();
    const bool given = command.terms.size() > 1 || piped.has_value();
    if (const auto* function = std::get_if<Function>(&first.what);
        function && first.fields.empty()) {
      return evaluate(first.at, *function, command.terms, dot, piped);
    }
    if (const auto* chain = std::get_if<FieldChain>(&first.what)) {
      return fields(first.at, dot, chain->names, given);
    }
    if (const auto* variable = std::get_if<Variable>(&first.what)) {
      if (!variable->fields.empty()) {
        return fields(first.at, DRA_TRY(variable_value(first.at, *variable)), variable->fields,
                      given);
      }
    }
    if (!first.fields.empty())
      return fields(first.at, DRA_TRY(plain(first, dot)), first.fields, given);
    if (given) return fail(first.at, "only a function can be given arguments");
    if (std::holds_alternative<Nil>(first.what)) return fail(first.at, "nil is not a command");
    return plain(first, dot);
  }

  // A term without its fields.
  Evaluated plain(const Term& term, const Operand& dot) {
    if (const auto* flag = std::get_if<BoolLiteral>(&term.what)) return of_bool(flag->value);
    if (const auto* text = std::get_if<StringLiteral>(&term.what)) {
      Operand value = of_string(text->text);
      value.literal = true;
      return value;
    }
    if (const auto* number = std::get_if<NumberLiteral>(&term.what)) {
      if (!number->is_float && !number->integer) {
        return fail(term.at, base::format("{} overflows int", number->text));
      }
      Operand value = of_int(number->integer.value_or(0));
      if (number->is_float) value.type = Type::Float;
      value.number = number->number;
      return value;
    }
    if (const auto* chain = std::get_if<FieldChain>(&term.what)) {
      return fields(term.at, dot, chain->names, false);
    }
    if (const auto* variable = std::get_if<Variable>(&term.what)) {
      return fields(term.at, DRA_TRY(variable_value(term.at, *variable)), variable->fields, false);
    }
    if (const auto* function = std::get_if<Function>(&term.what)) {
      return evaluate(term.at, *function, {}, dot, {});
    }
    if (const auto* inside = std::get_if<Parenthesized>(&term.what)) {
      return evaluate(*inside->pipeline, dot);
    }
    return std::holds_alternative<Dot>(term.what) ? dot : Operand();
  }

  Evaluated argument(const Term& term, const Operand& dot) {
    Operand value = DRA_TRY(plain(term, dot));
    return fields(term.at, std::move(value), term.fields, false);
  }

  Evaluated variable_value(std::size_t at, const Variable& variable) const {
    const auto found =
        std::find_if(variables_.rbegin(), variables_.rend(),
                     [&variable](const Named& one) { return one.name == variable.name; });
    if (found == variables_.rend()) {
      return fail(at, base::format("undefined variable \"{}\"", variable.name));
    }
    return found->value;
  }

  Evaluated fields(std::size_t at, Operand value, const std::vector<std::string>& names,
                   bool given) const {
    for (const std::string& name : names)
      value = DRA_TRY(field(at, value, name, given && &name == &names.back()));
    return value;
  }

  // A member of what is missing is missing; one of null is an error, as in Go.
  Evaluated field(std::size_t at, const Operand& value, const std::string& name, bool given) const {
    if (value.type == Type::Nothing) {
      if (options_.allow_missing_keys) return value;
      return fail(at, base::format("there is no \"{}\"", name));
    }
    if (value.type != Type::Map) {
      const bool null = value.type == Type::Null;
      return fail(at, base::format("there is no field {} in {}", name,
                                   null ? "null" : std::string(type_name(value))));
    }
    if (given) return fail(at, base::format("{} is not a function", name));
    std::optional<Operand> member = member_of(value, name);
    if (member) return std::move(*member);
    if (!options_.allow_missing_keys) {
      return fail(at, base::format("there is no \"{}\"", name));
    }
    return Operand();
  }

  // A function with its arguments, of which the first term is its name.
  Evaluated evaluate(std::size_t at, const Function& function, const std::vector<Term>& terms,
                     const Operand& dot, const std::optional<Operand>& piped) {
    const FunctionInfo& info = *find_function(function.name);
    const std::size_t given = (terms.empty() ? 0 : terms.size() - 1) + (piped ? 1 : 0);
    if (given < info.least || (given > info.least && !info.more)) {
      return fail(
          at, base::format("{} needs {}{}, and has {}", info.name, info.more ? "at least " : "",
                           base::plural(static_cast<std::int64_t>(info.least), "argument"), given));
    }
    Operands args;
    for (std::size_t i = 1; i < terms.size(); ++i) {
      Operand value = DRA_TRY(argument(terms[i], dot));
      if (info.call == nullptr && is_true(value) == (info.name == "or")) return value;
      args.push_back(checked(std::move(value), info, args.size()));
      if (bad_text_) return fail(terms[i].at, base::format("{} needs text", info.name));
    }
    if (piped) args.push_back(checked(*piped, info, args.size()));
    if (bad_text_) return fail(at, base::format("{} needs text", info.name));
    if (info.call == nullptr) return std::move(args.back());
    Result<Operand> answer = info.call(args);
    if (answer.ok()) return answer;
    return fail(at, base::format("{}: {}", info.name, answer.error().message));
  }

  // The argument at a position; functions see null as what is missing.
  Operand checked(Operand value, const FunctionInfo& info, std::size_t position) {
    bad_text_ = info.text_first && position == 0 && value.type != Type::String;
    const bool wrapped = value.wrapped && info.name == "slice";
    value = unwrapped(std::move(value));
    value.wrapped = wrapped;
    return value;
  }

  const Templates& templates_;
  std::string_view text_;
  const TemplateOptions& options_;
  std::vector<Named> variables_;
  std::string out_;
  std::size_t steps_ = 0;
  int depth_ = 0;
  bool bad_text_ = false;
};

// The data as kubectl decodes it once more: a float that looks like an integer in JSON becomes one.
void normalize_numbers(json::Value& value) {
  if (value.is(json::Kind::Number)) value = json::Value::number(json::number_as_json(value.text()));
  for (json::Member& member : value.members())
    normalize_numbers(member.value);
  for (json::Value& item : value.items())
    normalize_numbers(item);
}

}  // namespace

Result<std::string> run_template(const Templates& templates, std::string_view text,
                                 const json::Value& data, const TemplateOptions& options) {
  json::Value decoded = data;
  normalize_numbers(decoded);
  return TemplateRun(templates, text, options).all(decoded);
}

}  // namespace dra::render::go_template
