// src/json/path_run.cpp: see path_run.h.

#include "src/json/path_run.h"

#include <iterator>
#include <utility>
#include <variant>

#include "dra/base/text.h"
#include "dra/json/go_number.h"
#include "src/json/go_compare.h"
#include "src/json/go_text.h"

namespace dra::json::path {
namespace {

constexpr int kMaxLoops = 100;  // inside each other
// What follows a loop without {end} is evaluated in it and again behind it, so that each such loop
// doubles the work at least. kubectl goes on for as long as that takes.
constexpr std::int64_t kMaxOpenSteps = 1'000'000;

void append(Matches& all, Matches more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Where kubectl looks into a value, it skips null but not Nothing.
bool is_null(const PathMatch& match) {
  return match.value != nullptr && match.value->is(Kind::Null);
}

bool is_list(const PathMatch& match) {
  return match.value != nullptr && match.value->is(Kind::Array);
}

std::string described(const PathMatch& match) {
  return std::string(match.value == nullptr ? "null" : name_of(match.value->kind()));
}

bool is_operator(std::string_view op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

// The items of a list that [start:end:step] selects, or a message that it selects none.
struct Bounds {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
  std::string error;
};

// Go's addition wraps around.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

Bounds bounds_in(const Slice& slice, std::int64_t length) {
  const auto& [from, to, by] = slice.bounds;
  Bounds bounds{
      from.known ? from.value : 0, to.known ? to.value : length, by.known ? by.value : 1, {}};
  if (bounds.start < 0) bounds.start = sum(bounds.start, length);
  if (bounds.end < 0 || (bounds.end == 0 && to.derived)) bounds.end = sum(bounds.end, length);
  if (bounds.start == bounds.end) return bounds;
  const auto outside = [length](std::int64_t index) {
    return base::format("array index out of bounds: index {}, length {}", index, length);
  };
  if (bounds.start >= length || bounds.start < 0) {
    bounds.error = outside(bounds.start);
  } else if (bounds.end > length || bounds.end < 0) {
    bounds.error = outside(sum(bounds.end, -1));
  } else if (bounds.start > bounds.end) {
    bounds.error =
        base::format("starting index {} is greater than ending index {}", bounds.start, bounds.end);
  } else if (bounds.step <= 0) {
    bounds.error = "step must be > 0";
  }
  return bounds;
}

}  // namespace

Result<Groups> Run::all(const Value& document) {
  const PathMatch root{PathMatch::Type::Json, &document};
  Groups groups = find(is_null(root) ? PathMatch{PathMatch::Type::Nothing, nullptr} : root, 0);
  if (failed()) return std::move(*error_);
  return groups;
}

Groups Run::find(const PathMatch& current, std::size_t first) {
  Groups groups;
  for (std::size_t i = first; i < root_.size(); ++i) {
    if (open_ && ++open_steps_ > kMaxOpenSteps) {
      fail("too many loops are never ended: each {range} needs an {end}");
      return groups;
    }
    Matches matches = walk({current}, root_[i]);
    if (failed()) return groups;
    if (ends_ > 0 && ends_ <= running_) {
      --ends_;
      last_end_ = i;
      break;
    }
    if (begins_ == 0) {
      groups.push_back(std::move(matches));
      continue;
    }
    --begins_;
    if (++running_ > kMaxLoops) {
      fail(base::format("more than {} loops inside each other", kMaxLoops));
      return groups;
    }
    // A loop without values is still walked through once, to find its end.
    if (matches.empty()) find({PathMatch::Type::Nothing, nullptr}, i + 1);
    for (const PathMatch& match : matches) {
      if (failed()) return groups;
      Groups more =
          find(is_null(match) ? PathMatch{PathMatch::Type::Nothing, nullptr} : match, i + 1);
      std::move(more.begin(), more.end(), std::back_inserter(groups));
    }
    if (failed()) return groups;
    --running_;
    if (last_end_ && *last_end_ > i) {
      i = *last_end_;
    } else {
      open_ = true;
    }
  }
  return groups;
}

Matches Run::walk(const Matches& input, const Node& node) {
  const auto& what = node.what;
  if (const auto* text = std::get_if<Text>(&what)) {
    return for_each(1, Value(text->text), PathMatch::Type::Template);
  }
  if (const auto* number = std::get_if<Integer>(&what)) {
    return for_each(input.size(), Value(number->value), PathMatch::Type::Json);
  }
  if (const auto* number = std::get_if<Float>(&what)) {
    return for_each(input.size(), Value::number(float_as_json(number->value)),
                    PathMatch::Type::Float);
  }
  if (const auto* flag = std::get_if<Bool>(&what)) {
    return for_each(input.size(), Value(flag->value), PathMatch::Type::Json);
  }
  if (const auto* word = std::get_if<Identifier>(&what)) return keyword(input, *word);
  if (const auto* name = std::get_if<Field>(&what)) return field(input, *name);
  if (const auto* bounds = std::get_if<Slice>(&what)) return slice(input, *bounds);
  if (const auto* condition = std::get_if<Filter>(&what)) return filter(input, *condition);
  if (const auto* all = std::get_if<Union>(&what)) return union_of(input, *all);
  if (const auto* action = std::get_if<Action>(&what)) return walk_list(input, action->nodes);
  return std::holds_alternative<Wildcard>(what) ? wildcard(input) : recursive(input);
}

Matches Run::walk_list(Matches input, const List& nodes) {
  for (const Node& node : nodes) {
    input = walk(input, node);
    if (failed()) break;
  }
  return input;
}

Matches Run::keyword(const Matches& input, const Identifier& word) {
  if (word.name == "range") {
    ++begins_;
    return input;
  }
  if (word.name != "end") {
    fail("unrecognized identifier " + word.name);
    return input;
  }
  if (running_ == 0) {
    fail("not in range, nothing to end");
  } else {
    ++ends_;
  }
  return {};
}

Matches Run::field(const Matches& input, const Field& field) {
  Matches found;
  if (input.empty()) return found;
  for (const PathMatch& match : input) {
    if (match.value == nullptr) continue;
    const Value* member = match.value->find(field.name);
    if (member != nullptr) found.push_back({PathMatch::Type::Json, member});
  }
  if (found.empty() && !allow_missing_) fail(field.name + " is not found");
  return found;
}

Matches Run::slice(const Matches& input, const Slice& slice) {
  Matches found;
  for (const PathMatch& match : input) {
    if (is_null(match)) continue;
    if (!is_list(match)) {
      fail(described(match) + " is not array or slice");
      return input;
    }
    const std::vector<Value>& items = match.value->items();
    const auto length = static_cast<std::int64_t>(items.size());
    const Bounds bounds = bounds_in(slice, length);
    if (!bounds.error.empty()) {
      fail(bounds.error);
      return input;
    }
    if (bounds.start == bounds.end) return found;
    for (std::int64_t i = bounds.start; i < bounds.end;) {
      found.push_back({PathMatch::Type::Json, &items[static_cast<std::size_t>(i)]});
      if (bounds.step >= bounds.end - i) break;
      i += bounds.step;
    }
  }
  return found;
}

Matches Run::children(const PathMatch& match) {
  Matches found;
  if (match.value == nullptr) return found;
  for (const Member* member : effective_members(*match.value))
    found.push_back({PathMatch::Type::Json, &member->value});
  for (const Value& item : match.value->items())
    found.push_back({PathMatch::Type::Json, &item});
  if (match.value->is(Kind::String)) {
    for (const char c : match.value->text()) {
      append(found, for_each(1, Value(static_cast<unsigned>(static_cast<unsigned char>(c))),
                             PathMatch::Type::Byte));
    }
  }
  return found;
}

Matches Run::wildcard(const Matches& input) {
  Matches found;
  for (const PathMatch& match : input)
    append(found, children(match));
  return found;
}

// The value, if there is anything in it, and then all below it in the same way.
Matches Run::recursive(const Matches& input) {
  Matches found;
  for (const PathMatch& match : input) {
    const Matches below = children(match);
    if (below.empty()) continue;
    found.push_back(match);
    append(found, recursive(below));
  }
  return found;
}

Matches Run::filter(const Matches& input, const Filter& filter) {
  Matches found;
  for (const PathMatch& match : input) {
    if (!is_list(match)) {
      fail(described(match) + " is not array or slice and cannot be filtered");
      return input;
    }
    for (const Value& item : match.value->items()) {
      const PathMatch candidate{PathMatch::Type::Json, &item};
      const std::optional<bool> pass = passes(candidate, filter);
      if (!pass) return input;
      if (*pass) found.push_back(candidate);
    }
  }
  return found;
}

std::optional<bool> Run::passes(const PathMatch& item, const Filter& filter) {
  if (filter.op.empty()) {
    const bool exists = !walk_list({item}, filter.left).empty();
    error_.reset();
    return exists;
  }
  const std::optional<PathMatch> left = side(item, filter.left);
  if (failed()) return std::nullopt;
  if (!left) return false;
  const std::optional<PathMatch> right = side(item, filter.right);
  if (failed()) return std::nullopt;
  if (!right) return false;
  if (!is_operator(filter.op)) {
    fail("unrecognized filter operator " + filter.op);
    return std::nullopt;
  }
  Result<bool> pass = go_compare(*left, filter.op, *right);
  if (pass.ok()) return pass.value();
  error_ = std::move(pass).take_error();
  return std::nullopt;
}

std::optional<PathMatch> Run::side(const PathMatch& item, const List& nodes) {
  const Matches matches = walk_list({item}, nodes);
  if (failed() || matches.empty()) return std::nullopt;
  if (matches.size() == 1) return matches.front();
  fail("can only compare one element at a time");
  return std::nullopt;
}

Matches Run::union_of(const Matches& input, const Union& all) {
  Matches found;
  for (const List& nodes : all.lists) {
    Matches more = walk_list(input, nodes);
    if (failed()) return input;
    append(found, std::move(more));
  }
  return found;
}

Matches Run::for_each(std::size_t count, Value value, PathMatch::Type type) {
  if (count == 0) return {};
  made_.push_back(std::move(value));
  return Matches(count, {type, &made_.back()});
}

void Run::fail(std::string message) {
  error_ = Error{ErrorKind::BadInput, std::move(message), {}, {}};
}

}  // namespace dra::json::path
