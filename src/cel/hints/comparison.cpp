// src/cel/hints/comparison.cpp: matches `path OP constant`, `path.compareTo(constant) OP 0`,
// `path.isLessThan(constant)` and a boolean path alone.

#include "dra/cel/hints/comparison.h"

#include <algorithm>
#include <array>
#include <vector>

#include "dra/base/text.h"

namespace dra::cel {
namespace {

using Is = Comparison::Is;

struct NamedRelation {
  std::string_view name;
  Is is;
};
constexpr std::array kComparisons{
    NamedRelation{op::kEquals, Is::Equal}, NamedRelation{op::kNotEquals, Is::NotEqual},
    NamedRelation{op::kLess, Is::Less},    NamedRelation{op::kLessEquals, Is::AtMost},
    NamedRelation{op::kGreater, Is::More}, NamedRelation{op::kGreaterEquals, Is::AtLeast}};
constexpr std::array kComparingMethods{NamedRelation{"isLessThan", Is::Less},
                                       NamedRelation{"isGreaterThan", Is::More}};

template <std::size_t N>
std::optional<Is> find(const std::array<NamedRelation, N>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &NamedRelation::name);
  return found == all.end() ? std::nullopt : std::optional(found->is);
}

// What holds where the comparison is false.
Is opposite(Is is) {
  constexpr std::array pairs{Is::NotEqual, Is::Equal, Is::AtLeast, Is::More, Is::AtMost, Is::Less};
  return pairs[static_cast<std::size_t>(is)];
}

// What holds with the sides exchanged.
Is mirrored(Is is) {
  constexpr std::array pairs{Is::Equal, Is::NotEqual, Is::More, Is::AtLeast, Is::Less, Is::AtMost};
  return pairs[static_cast<std::size_t>(is)];
}

class Matcher {
 public:
  explicit Matcher(const Ast& ast) : ast_(ast) {}

  std::optional<Comparison> match(NodeId id) const {
    const Node& node = ast_[id];
    if (node.kind == NodeKind::Call && node.name == op::kNot) {
      auto found = match(node.args[0]);
      if (found) found->is = opposite(found->is);
      return found;
    }
    if (auto alone = property(id)) {
      if (alone->of == Comparison::Of::Capacity) return std::nullopt;
      alone->value = "true";
      return alone;
    }
    if (node.kind != NodeKind::Call || node.args.size() != 2) return std::nullopt;
    if (const auto is = find(kComparisons, node.name)) {
      if (auto found = compared(node.args[0], node.args[1], *is)) return found;
      return compared(node.args[1], node.args[0], mirrored(*is));
    }
    const auto is = find(kComparingMethods, node.name);
    return is && node.member ? with_value(node.args[0], node.args[1], *is) : std::nullopt;
  }

 private:
  // `left OP right`, where the left side is a property or compares one.
  std::optional<Comparison> compared(NodeId left, NodeId right, Is is) const {
    const Node& node = ast_[left];
    const bool compares = node.kind == NodeKind::Call && node.member && node.name == "compareTo";
    if (!compares) return with_value(left, right, is);
    const auto* zero = std::get_if<std::int64_t>(&ast_[right].literal);
    const bool with_zero = ast_[right].kind == NodeKind::Literal && zero != nullptr && *zero == 0;
    return with_zero ? with_value(node.args[0], node.args[1], is) : std::nullopt;
  }

  std::optional<Comparison> with_value(NodeId path, NodeId value, Is is) const {
    auto found = property(path);
    const auto text = constant(value);
    if (!found || !text) return std::nullopt;
    found->is = is;
    found->value = *text;
    return found;
  }

  // device.driver, device.attributes[DOMAIN].ID, device.capacity[DOMAIN].ID
  std::optional<Comparison> property(NodeId id) const {
    std::vector<std::string> keys;
    for (;;) {
      const Node& node = ast_[id];
      if (node.kind == NodeKind::Ident) break;
      const std::string* key = key_of(node);
      if (key == nullptr) return std::nullopt;
      keys.insert(keys.begin(), *key);
      id = node.args[0];
    }
    if (ast_[id].name != "device") return std::nullopt;
    if (keys.size() == 1 && keys[0] == "driver") return Comparison{};
    if (keys.size() != 3) return std::nullopt;
    if (keys[0] != "attributes" && keys[0] != "capacity") return std::nullopt;
    return Comparison{
        .of = keys[0] == "capacity" ? Comparison::Of::Capacity : Comparison::Of::Attribute,
        .domain = keys[1],
        .name = keys[2]};
  }

  const std::string* key_of(const Node& node) const {
    if (node.kind == NodeKind::Select && !node.presence) return &node.name;
    const bool index = node.kind == NodeKind::Call && node.name == op::kIndex;
    return index ? std::get_if<std::string>(&ast_[node.args[1]].literal) : nullptr;
  }

  std::optional<std::string> constant(NodeId id) const {
    const Node& node = ast_[id];
    const bool made = node.kind == NodeKind::Call && !node.member && node.args.size() == 1 &&
                      (node.name == "quantity" || node.name == "semver");
    if (made) {
      const auto* text = std::get_if<std::string>(&ast_[node.args[0]].literal);
      return text == nullptr ? std::nullopt : std::optional(*text);
    }
    if (node.kind != NodeKind::Literal) return std::nullopt;
    if (const auto* text = std::get_if<std::string>(&node.literal))
      return base::format("'{}'", *text);
    if (const auto* number = std::get_if<std::int64_t>(&node.literal))
      return std::to_string(*number);
    if (const auto* truth = std::get_if<bool>(&node.literal)) return *truth ? "true" : "false";
    return std::nullopt;
  }

  const Ast& ast_;
};

}  // namespace

std::optional<Comparison> comparison_of(const Ast& ast, const Clause& clause) {
  auto found = Matcher(ast).match(clause.node);
  if (found && clause.negated) found->is = opposite(found->is);
  return found;
}

}  // namespace dra::cel
