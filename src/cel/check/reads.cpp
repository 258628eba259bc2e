// src/cel/check/reads.cpp: one walk through the tree that knows for every value which places of the
// variable it may be. A place becomes a read when it is used in any way but indexing with a literal
// key.

#include "dra/cel/check/reads.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "dra/cel/syntax/fold_shape.h"

namespace dra::cel {
namespace {

// The values of the variable that a node may evaluate to.
struct Meaning {
  std::vector<std::vector<std::string>> places = {};  // places in the variable, by their keys
  const std::string* text = nullptr;                  // the node is this literal
};

// Nested choices that are bound to names and reused would multiply. More places than these are read
// whole at once.
constexpr std::size_t kMostPlaces = 32;

// Indexing an optional indexes its content.
const Type& content_type(const Type& type) { return is_optional(type) ? *type.params[0] : type; }

bool has_keys(const Type& type) {
  const TypeKind kind = content_type(type).kind;
  return kind == TypeKind::Map || kind == TypeKind::Struct;
}

// A map that may have a fallback; the evaluator drops the fallback of an empty one.
bool may_fall_back(const Type& type) {
  const Type& map = content_type(type);
  return map.kind == TypeKind::Map && has_keys(*map.params[1]);
}

// Methods of an optional whose result is its content, or depends on whether it has one.
bool unwraps(const Node& call) {
  constexpr std::array<std::string_view, 4> names{"hasValue", "or", "orValue", "value"};
  return call.member && std::ranges::find(names, call.name) != names.end();
}

class Reader {
 public:
  Reader(const Checked& checked, std::string_view variable)
      : checked_(checked), ast_(checked.ast), variable_(variable) {}

  std::vector<Read> run() {
    read(ast_.root);
    std::ranges::sort(reads_, [](const Read& a, const Read& b) {
      return std::tie(a.keys, a.presence) < std::tie(b.keys, b.presence);
    });
    std::vector<Read> out;
    for (Read& one : reads_) {
      if (out.empty() || !covers(out.back(), one)) out.push_back(std::move(one));
    }
    return out;
  }

 private:
  struct Local {
    std::string_view name;
    Meaning meaning;
  };

  // In sorted order, a covered read directly follows the one that covers it.
  static bool covers(const Read& whole, const Read& part) {
    if (whole.presence) return whole == part;
    return whole.keys.size() <= part.keys.size() &&
           std::equal(whole.keys.begin(), whole.keys.end(), part.keys.begin());
  }

  void read(Meaning meaning) {
    for (auto& place : meaning.places)
      reads_.push_back({std::move(place), false});
  }
  void read(NodeId id) { read(meaning_of(id)); }
  void read_presence(const Meaning& meaning) {
    for (const auto& place : meaning.places) {
      if (!place.empty()) reads_.push_back({place, true});
    }
  }

  Meaning either(Meaning a, Meaning b) {
    std::ranges::move(b.places, std::back_inserter(a.places));
    std::ranges::sort(a.places);
    a.places.erase(std::unique(a.places.begin(), a.places.end()), a.places.end());
    a.text = nullptr;
    if (a.places.size() <= kMostPlaces) return a;
    read(std::move(a));
    return {};
  }

  Meaning meaning_of(NodeId id) {
    const Node& node = ast_[id];
    switch (node.kind) {
      case NodeKind::Literal: {
        return {.text = std::get_if<std::string>(&node.literal)};
      }
      case NodeKind::Ident:
        return ident(id);
      case NodeKind::Select:
        return select(id);
      case NodeKind::Call:
        return call(id);
      case NodeKind::Fold:
        return fold(id);
      default:
        return read_all(node);
    }
  }

  Meaning read_all(const Node& node) {
    for (const NodeId arg : node.args)
      read(arg);
    return {};
  }

  Meaning ident(NodeId id) const {
    if (checked_.references[id].type_value != nullptr) return {};
    std::string_view name = ast_[id].name;
    const auto local = std::find_if(locals_.rbegin(), locals_.rend(),
                                    [name](const Local& one) { return one.name == name; });
    if (local != locals_.rend()) return local->meaning;
    if (name.starts_with(".")) name.remove_prefix(1);
    return name == variable_ ? Meaning{.places = {{}}} : Meaning{};
  }

  // Indexes `operand`, which must have_keys().
  static Meaning into(Meaning operand, const std::string& key) {
    for (auto& place : operand.places)
      place.push_back(key);
    operand.text = nullptr;
    return operand;
  }

  Meaning select(NodeId id) {
    const Node& node = ast_[id];
    Meaning operand = meaning_of(node.args[0]);
    if (!has_keys(*checked_.types[node.args[0]])) {
      read(std::move(operand));
      return {};
    }
    Meaning field = into(std::move(operand), node.name);
    if (!node.presence) return field;
    read_presence(field);
    return {};
  }

  Meaning index(const Node& node) {
    Meaning operand = meaning_of(node.args[0]);
    Meaning key = meaning_of(node.args[1]);
    if (key.text != nullptr && has_keys(*checked_.types[node.args[0]])) {
      return into(std::move(operand), *key.text);
    }
    read(std::move(operand));
    read(std::move(key));
    return {};
  }

  Meaning in(const Node& node) {
    Meaning key = meaning_of(node.args[0]);
    Meaning range = meaning_of(node.args[1]);
    if (key.text != nullptr && has_keys(*checked_.types[node.args[1]])) {
      read_presence(into(std::move(range), *key.text));
      return {};
    }
    read(std::move(key));
    read(std::move(range));
    return {};
  }

  // The result is the content of the optional, or the other value if there is one.
  Meaning unwrap(const Node& node) {
    Meaning content = meaning_of(node.args[0]);
    read_presence(content);
    if (node.name == "hasValue") return {};
    if (node.args.size() < 2) return content;
    return either(std::move(content), meaning_of(node.args[1]));
  }

  Meaning call(NodeId id) {
    const Node& node = ast_[id];
    if (node.name == op::kIndex || node.name == op::kOptIndex || node.name == op::kOptSelect) {
      return index(node);
    }
    if (node.name == op::kIn) return in(node);
    if (node.name == op::kTernary) {
      read(node.args[0]);
      Meaning yes = meaning_of(node.args[1]);
      return either(std::move(yes), meaning_of(node.args[2]));
    }
    if (unwraps(node) && is_optional(*checked_.types[node.args[0]])) return unwrap(node);
    if (node.name == "optional.of") return either(meaning_of(node.args[0]), {});
    return read_all(node);
  }

  // A fold reads its range whole. A binding only names its initial value.
  Meaning fold(NodeId id) {
    const Node& node = ast_[id];
    const bool binds = is_binding(node);
    Meaning init = meaning_of(node.args[FoldInit]);
    read(node.args[FoldRange]);
    const bool whole = !binds || may_fall_back(*checked_.types[node.args[FoldInit]]);
    if (whole) read(std::exchange(init, {}));
    const std::size_t outside = locals_.size();
    locals_.push_back({node.names[2], std::move(init)});
    locals_.push_back({node.names[0], {}});
    if (!node.names[1].empty()) locals_.push_back({node.names[1], {}});
    if (!binds) {
      read(node.args[FoldCondition]);
      read(node.args[FoldStep]);
    }
    locals_.resize(outside + 1);
    Meaning result = meaning_of(node.args[FoldResult]);
    locals_.resize(outside);
    return result;
  }

  const Checked& checked_;
  const Ast& ast_;
  std::string_view variable_;
  std::vector<Local> locals_;
  std::vector<Read> reads_;
};

}  // namespace

std::vector<Read> reads_of(const Checked& checked, std::string_view variable) {
  return Reader(checked, variable).run();
}

}  // namespace dra::cel
