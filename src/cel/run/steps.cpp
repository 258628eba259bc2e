// src/cel/run/steps.cpp: evaluates steps and charges their costs. attribute.cpp has the paths into
// values.

#include "src/cel/run/steps.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"

namespace dra::cel {
namespace {

// True if a value is of a type, as far as run time shows: the first element speaks for all elements
// of a list or map. Upstream: Type.IsAssignableRuntimeType.
bool is_of(const Value& value, const Type& type) {
  if (is_dyn(type) || type.kind == TypeKind::Param) return true;
  if (type_name(value) != type.name) return false;
  if (value.is(ValueKind::List)) {
    const ListValue& list = value.as_list();
    return list.size() == 0 || is_of(list.at(0), *type.params[0]);
  }
  if (value.is(ValueKind::Map)) {
    const MapValue& map = value.as_map();
    if (map.size() == 0) return true;
    const auto [key, content] = map.entry(0);
    return is_of(key, *type.params[0]) && is_of(content, *type.params[1]);
  }
  return true;
}

bool fits(const Overload& overload, std::span<const Value> args) {
  return std::ranges::equal(args, overload.args, [](const Value& value, const Type* type) {
    return is_of(value, *type);
  });
}

// Upstream keeps map keys and sets of constants in Go maps, which panic for slices.
bool is_hashable(const Value& key) {
  const std::string_view type = type_name(key);
  return type != "bytes" && type != "kubernetes.Semver" && type != "kubernetes.NamedFormat";
}
bool misses_hash(const Value& key, const Value& in) {
  const bool asks = in.is(ValueKind::Map) && in.as_map().hashes_keys() && in.as_map().size() > 0;
  return asks && !is_hashable(key);
}
// Go's message, and the one for a look-up in an empty map.
constexpr std::string_view kUnhashable = "runtime error: hash of unhashable type ";
constexpr std::string_view kUnhashableInNothing = "hash of unhashable type: ";

Value stop_unhashable(Frame& frame, const Value& key, std::string_view words = kUnhashable) {
  frame.stop(frame.scratch.keep(base::format("internal error: {}{}", words, go_type(key))));
  return Value::error(frame.run.stopped);
}

// Functions whose cost depends on the number of their elements only.
bool costs_by_size(std::string_view function) {
  return function == "distinct" || function.starts_with("sets.");
}

// Upstream calls a method of some receivers, whose errors differ.
Value refuse(const CallStep::Target& target, const Value& receiver, Frame& frame) {
  const Kinds receivers = kinds_of(ValueKind::String, ValueKind::Duration, ValueKind::Timestamp);
  if ((receivers & kinds_of(receiver.kind())) != 0) return no_such_overload();
  return frame.scratch.failure(base::format("no such overload: {}", target.function));
}

Value refuse_all(const CallStep::Target& target, std::span<const Value> args, Frame& frame) {
  std::vector<std::string> types;
  for (const Value& arg : args)
    types.emplace_back(type_name(arg));
  return frame.scratch.failure(
      base::format("no such overload: {}({})", target.function, base::join(types, ", ")));
}

Value call(const CallStep::Target& target, std::span<const Value> args, Frame& frame) {
  const FunctionCode* single = target.single;
  if (target.regex != nullptr) {
    const Code code = single != nullptr ? single->run : target.candidates.front().run;
    return code({args, frame.scratch, frame.effort, target.regex.get()});
  }
  if (single != nullptr) {
    const bool taken = args.empty() || (single->first & kinds_of(args[0].kind())) != 0;
    return taken ? single->run({args, frame.scratch, frame.effort})
                 : refuse(target, args[0], frame);
  }
  for (const CallStep::Candidate& candidate : target.candidates) {
    if (fits(*candidate.overload, args)) {
      return candidate.run({args, frame.scratch, frame.effort});
    }
  }
  return refuse_all(target, args, frame);
}

}  // namespace

Value Logic::run(Frame& frame) const {
  std::optional<Value> error;
  bool decided = false;
  for (const StepPtr& term : terms_) {
    const Value value = term->evaluate(frame);
    if (value.is(ValueKind::Bool)) {
      if (value.as_bool() != decisive_) continue;
      if (!frame.exhaustive()) return value;
      decided = true;
    } else if (!error) {
      error = value.is_error() ? value : no_such_overload();
    }
  }
  if (decided) return Value::boolean(decisive_);
  return error.value_or(Value::boolean(!decisive_));
}

bool CallStep::can_take(std::span<const Value> args, Frame& frame) const {
  const std::uint64_t effort = target_.effort(args);
  if (effort >= frame.effort.left()) charge_beforehand(args, frame);
  return frame.spend(effort);
}

// A call with too much effort may also exceed the cost limit; if that is known beforehand, the
// error is upstream's final one.
void CallStep::charge_beforehand(std::span<const Value> args, Frame& frame) const {
  if (!costs_by_size(target_.function)) return;
  const Value unknown = Value::error(kTooMuchEffort);
  FinishedCall call{.args = args, .result = unknown};
  const std::uint64_t cost = target_.cost(call);
  if (call.problem.empty()) frame.charge(cost);
}

Value CallStep::run(Frame& frame) const {
  const std::span<Value> args = frame.scratch.values(args_.size());
  const Value* error = nullptr;
  for (std::size_t i = 0; i < args.size(); ++i) {
    args[i] = args_[i]->evaluate(frame);
    if (!args[i].is_error() || !target_.strict || error != nullptr) continue;
    error = &args[i];
    if (target_.one_by_one && i + 1 < args.size()) return *error;
  }
  if (error == nullptr && target_.looks_up && misses_hash(args[0], args[1])) {
    return stop_unhashable(frame, args[0]);
  }
  if (error == nullptr && !can_take(args, frame)) return Value::error(frame.run.stopped);
  const Value result = error != nullptr ? *error : call(target_, args, frame);
  if (!frame.spend(0)) return Value::error(kTooMuchEffort);
  FinishedCall finished{.args = args, .result = result};
  const std::uint64_t cost = target_.cost(finished);
  if (finished.problem.empty()) {
    frame.charge(cost);
  } else {
    frame.stop(frame.scratch.keep(finished.problem));
  }
  return result;
}

Value OptionalOr::run(Frame& frame) const {
  const Value left = left_->evaluate(frame);
  if (left.is_error()) return left;
  if (!left.is(ValueKind::Optional)) return no_such_overload();
  if (left.content() == nullptr) return right_->evaluate(frame);
  return unwraps_ ? *left.content() : left;
}

Value MakeList::run(Frame& frame) const {
  const Value made = make(frame);
  frame.charge(kListCost);
  return made;
}

Value MakeList::make(Frame& frame) const {
  std::span<Value> elements = frame.scratch.values(elements_.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Value value = elements_[i]->evaluate(frame);
    if (value.is_error()) return value;
    if (!optional_[i]) {
      elements[count++] = value;
    } else if (!value.is(ValueKind::Optional)) {
      return frame.scratch.failure(base::format(
          "cannot initialize optional list element from non-optional value {}", go_value(value)));
    } else if (value.content() != nullptr) {
      elements[count++] = *value.content();
    }
  }
  return frame.scratch.list(std::span<const Value>(elements.first(count)));
}

Value MakeMap::run(Frame& frame) const {
  const Value made = make(frame);
  frame.charge(kMapCost);
  return made;
}

Value MakeMap::make(Frame& frame) const {
  std::vector<std::pair<Value, Value>> entries;
  for (std::size_t i = 0; i < parts_.size(); i += 2) {
    const Value key = parts_[i]->evaluate(frame);
    if (key.is_error()) return key;
    const Value value = parts_[i + 1]->evaluate(frame);
    if (value.is_error()) return value;
    const bool optional = optional_[i / 2];
    if (optional && !value.is(ValueKind::Optional)) {
      return frame.scratch.failure(
          base::format("cannot initialize optional entry '{}' from non-optional value {}",
                       go_value(key), go_value(value)));
    }
    const bool absent = optional && value.content() == nullptr;
    if (!is_hashable(key)) {
      const bool nothing = absent && entries.empty();
      return stop_unhashable(frame, key, nothing ? kUnhashableInNothing : kUnhashable);
    }
    if (absent) {
      std::erase_if(entries, [&key](const auto& entry) { return same_key(entry.first, key); });
    } else {
      entries.emplace_back(key, optional ? *value.content() : value);
    }
  }
  return make_map(frame.scratch, entries);
}

Value Fold::run(Frame& frame) const {
  frame.slots[parts_.accumulator] = {.set = false, .value = {}, .init = parts_.init.get()};
  const Value range = parts_.range->evaluate(frame);
  if (range.is_error()) return range;
  if (range.is(ValueKind::List)) {
    const ListValue& list = range.as_list();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value element = list.at(i);
      const Value index = Value::integer(static_cast<std::int64_t>(i));
      if (!advance(frame, parts_.two ? index : element, element)) break;
    }
  } else if (range.is(ValueKind::Map)) {
    const MapValue& map = range.as_map();
    for (std::size_t i = 0; i < map.size(); ++i) {
      const auto [key, value] = map.entry(i);
      if (!advance(frame, key, value)) break;
    }
  } else {
    return frame.scratch.failure(
        parts_.two ? base::format("unsupported comprehension range type: {}", go_type(range))
                   : base::format("got '{}', expected iterable type", go_type(range)));
  }
  return parts_.result->evaluate(frame);
}

// False if the fold ends here.
bool Fold::advance(Frame& frame, const Value& first, const Value& second) const {
  frame.slots[parts_.first] = {.set = true, .value = first};
  if (parts_.two) frame.slots[parts_.second] = {.set = true, .value = second};
  const Value goes_on = parts_.condition->evaluate(frame);
  if (!frame.run.stopped.empty()) return false;
  if (goes_on.is_false() && !frame.exhaustive()) return false;
  Slot& accumulator = frame.slots[parts_.accumulator];
  const Value next = parts_.step->evaluate(frame);
  accumulator.value = next;
  accumulator.set = true;
  return frame.run.stopped.empty();
}

Value InSet::run(Frame& frame) const {
  const Value value = value_->evaluate(frame);
  if (value.is_error()) return value;
  if (!is_hashable(value)) return stop_unhashable(frame, value);
  const bool basic = !value.is(ValueKind::Opaque);
  return Value::boolean(basic && set_.find(value).has_value());
}

}  // namespace dra::cel
