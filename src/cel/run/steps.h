// src/cel/run/steps.h
//
// The steps of a program, one for each evaluated node. Upstream: cel-go interpreter,
// interpretable.go and attributes.go; the cost of steps: runtimecost.go.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/library/cost.h"
#include "dra/cel/library/declarations.h"
#include "dra/cel/library/effort.h"
#include "dra/cel/library/library.h"
#include "dra/cel/library/regex.h"
#include "dra/cel/run/program.h"
#include "dra/cel/syntax/ast.h"
#include "dra/cel/values/messages.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

class Step;

// A variable of a fold. The accumulator gets its initial value when it is first read.
struct Slot {
  bool set = false;
  Value value = {};
  const Step* init = nullptr;
};

struct Frame {
  std::span<const Value> variables;
  std::span<Slot> slots;
  Scratch& scratch;
  Run& run;
  Effort effort = {};
  bool uncounted = false;  // steps cost nothing
  bool not_taken = false;  // in a branch that only the observer sees

  void charge(std::uint64_t cost) {
    if (!run.stopped.empty() || uncounted) return;
    run.cost += cost;
    if (run.cost > run.cost_limit) stop(kCostLimitExceeded);
  }
  bool spend(std::uint64_t units) {
    if (!effort.spend(units)) stop(kTooMuchEffort);
    return !effort.exhausted();
  }
  // Ends the evaluation, even if operators would absorb an error.
  void stop(std::string_view why) {
    if (run.stopped.empty()) run.stopped = why;
  }
  void observe(NodeId node, const Value& value) const {
    if (run.observer) run.observer(node, value);
  }
  bool exhaustive() const { return run.observer && !run.faithful && !not_taken; }
};

class Step {
 public:
  explicit Step(NodeId node) : node_(node) {}
  virtual ~Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  NodeId node() const { return node_; }
  Value evaluate(Frame& frame) const {
    if (!frame.run.stopped.empty()) return Value::error(frame.run.stopped);
    const Value value = run(frame);
    frame.observe(node_, value);
    return value;
  }
  // The value of a constant step; nullptr for others.
  virtual const Value* constant() const { return nullptr; }

 protected:
  virtual Value run(Frame& frame) const = 0;
  void stand_for(NodeId node) { node_ = node; }

 private:
  NodeId node_;
};
using StepPtr = std::unique_ptr<Step>;

class Constant final : public Step {
 public:
  Constant(NodeId node, Value value) : Step(node), value_(value) {}
  const Value* constant() const override { return &value_; }

 protected:
  Value run(Frame&) const override { return value_; }

 private:
  Value value_;
};

// && and ||: the first term that decides, else the first error.
class Logic final : public Step {
 public:
  Logic(NodeId node, bool decisive, std::vector<StepPtr> terms)
      : Step(node), decisive_(decisive), terms_(std::move(terms)) {}

 protected:
  Value run(Frame& frame) const override;

 private:
  bool decisive_;  // true for ||
  std::vector<StepPtr> terms_;
};

class CallStep final : public Step {
 public:
  // A possible overload of the call.
  struct Candidate {
    const Overload* overload = nullptr;
    Code run = nullptr;
  };
  struct Target {
    std::string_view function = {};
    std::string_view overload = {};  // the only possible one, or empty
    CallCost cost = nullptr;
    CallEffort effort = nullptr;
    const FunctionCode* single =
        nullptr;  // one code for all overloads; nullptr: the first matching candidate
    std::vector<Candidate> candidates = {};
    bool looks_up = false;  // `x in y`
    bool strict = true;     // returns the first error among its arguments
    // Evaluates arguments one by one up to the first error; if some are left, the call costs
    // nothing. False: evaluates all arguments.
    bool one_by_one = false;
    std::shared_ptr<const Regex> regex =
        {};  // a constant pattern; the other arguments are not checked then
  };
  CallStep(NodeId node, Target target, std::vector<StepPtr> args)
      : Step(node), target_(std::move(target)), args_(std::move(args)) {}

 protected:
  Value run(Frame& frame) const override;

 private:
  bool can_take(std::span<const Value> args, Frame& frame) const;
  void charge_beforehand(std::span<const Value> args, Frame& frame) const;

  Target target_;
  std::vector<StepPtr> args_;
};

// or() and orValue(): evaluates the right side only if the left side has no value.
class OptionalOr final : public Step {
 public:
  OptionalOr(NodeId node, bool unwraps, StepPtr left, StepPtr right)
      : Step(node), unwraps_(unwraps), left_(std::move(left)), right_(std::move(right)) {}

 protected:
  Value run(Frame& frame) const override;

 private:
  bool unwraps_;  // orValue()
  StepPtr left_;
  StepPtr right_;
};

// The parts evaluated before an error cost, and so does the list or map.
class MakeList final : public Step {
 public:
  MakeList(NodeId node, std::vector<StepPtr> elements, std::vector<bool> optional)
      : Step(node), elements_(std::move(elements)), optional_(std::move(optional)) {}

 protected:
  Value run(Frame& frame) const override;

 private:
  Value make(Frame& frame) const;

  std::vector<StepPtr> elements_;
  std::vector<bool> optional_;
};

class MakeMap final : public Step {
 public:
  MakeMap(NodeId node, std::vector<StepPtr> parts, std::vector<bool> optional)
      : Step(node), parts_(std::move(parts)), optional_(std::move(optional)) {}

 protected:
  Value run(Frame& frame) const override;

 private:
  Value make(Frame& frame) const;

  std::vector<StepPtr> parts_;  // keys and values alternate
  std::vector<bool> optional_;
};

// A message literal: messages.cpp. Costs as lists and maps do.
class MakeMessage final : public Step {
 public:
  struct Field {
    std::string name;
    StepPtr value;
    bool optional;
  };
  // Without a type its fields are evaluated, and then it is an error: the checker knows more names.
  MakeMessage(NodeId node, std::string_view name, const MessageType* type,
              std::vector<Field> fields)
      : Step(node), name_(name), type_(type), fields_(std::move(fields)) {}

 protected:
  Value run(Frame& frame) const override;

 private:
  Value make(Frame& frame) const;
  Value set(std::span<const std::pair<const Field*, Value>> given, Frame& frame) const;

  std::string name_;
  const MessageType* type_;
  std::vector<Field> fields_;
};

class Fold final : public Step {
 public:
  struct Parts {
    StepPtr range, init, condition, step, result;
    std::size_t first = 0;  // the slots of its variables; `second` is unused with one variable
    std::size_t second = 0;
    std::size_t accumulator = 0;
    bool two = false;
  };
  Fold(NodeId node, Parts parts) : Step(node), parts_(std::move(parts)) {}

 protected:
  Value run(Frame& frame) const override;

 private:
  bool advance(Frame& frame, const Value& first, const Value& second) const;

  Parts parts_;
};

// One step into a value: `.x`, `[x]`, `.?x`, `[?x]`, or the last one of has().
struct Qualifier {
  NodeId node = 0;
  Value key = {};
  const Step* dynamic = nullptr;  // if set, computes the key
  bool optional = false;
  bool presence = false;
};

// A variable or any other value, and the path into it. Costs 1, and 1 per qualifier.
class Attribute final : public Step {
 public:
  enum class Base : std::uint8_t { Variable, Slot, Operand, Choice };

  Attribute(NodeId node, Base base, std::size_t index, bool beyond_locals = false)
      : Step(node), base_(base), base_node_(node), index_(index), beyond_locals_(beyond_locals) {}
  Attribute(NodeId node, StepPtr operand)
      : Step(node), base_(Base::Operand), base_node_(node), operand_(std::move(operand)) {}
  // An exhaustive evaluation evaluates both branches of a user's conditional, but not of a macro's:
  // one branch may append to the accumulator that both use.
  enum class Author : std::uint8_t { User, Macro };
  // condition ? yes : no; both branches are attributes.
  Attribute(NodeId node, Author author, StepPtr condition, std::unique_ptr<Attribute> yes,
            std::unique_ptr<Attribute> no)
      : Step(node),
        base_(Base::Choice),
        author_(author),
        base_node_(node),
        operand_(std::move(condition)),
        yes_(std::move(yes)),
        no_(std::move(no)) {}

  // The attribute then stands for the qualifier's node. A conditional chooses its branch before the
  // qualifier applies: both branches get it.
  void add(const Qualifier& qualifier);
  // The value without the cost of the attribute itself.
  Value resolve(Frame& frame) const;

 protected:
  Value run(Frame& frame) const override;

 private:
  Value base(Frame& frame) const;
  Value choose(Frame& frame) const;
  static void look_at(const Attribute& branch, Frame& frame);
  Value go_into(Value value, Frame& frame) const;

  Base base_;
  Author author_ = Author::User;
  NodeId base_node_;
  std::size_t index_ = 0;
  bool beyond_locals_ = false;  // `.x` where a macro has an x: upstream miscounts its cost
  StepPtr operand_;
  std::unique_ptr<Attribute> yes_;
  std::unique_ptr<Attribute> no_;
  std::vector<Qualifier> qualifiers_;
};

// `x in [constants]`: constants of basic types, numbers compared by value across kinds, as keys of
// a map.
class InSet final : public Step {
 public:
  InSet(NodeId node, StepPtr value, const MapValue& set)
      : Step(node), value_(std::move(value)), set_(set) {}

 protected:
  Value run(Frame& frame) const override;

 private:
  StepPtr value_;
  const MapValue& set_;
};

}  // namespace dra::cel
