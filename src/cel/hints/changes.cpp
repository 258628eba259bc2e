// src/cel/hints/changes.cpp: visits comparisons and paths of an expression, and proposes changes
// for each kind of mistake.

#include "dra/cel/hints/changes.h"
#include "dra/cel/hints/near_literals.h"
#include "dra/cel/hints/value_fields.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "dra/base/text.h"
#include "dra/cel/library/kubernetes.h"
#include "dra/cel/syntax/one_line.h"
#include "dra/cel/values/go_text.h"

namespace dra::cel {
namespace {

constexpr std::string_view kQuantity = "kubernetes.Quantity";
constexpr std::string_view kSemver = "kubernetes.Semver";

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !letter(text[0])) return false;
  return std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

const std::string* text_literal(const Node& node) {
  return node.kind == NodeKind::Literal ? std::get_if<std::string>(&node.literal) : nullptr;
}

bool is_difference(const Node& node) {
  return node.kind == NodeKind::Call && node.name == op::kSubtract && node.args.size() == 2;
}

bool is_ordering(std::string_view function) {
  return function == op::kLess || function == op::kLessEquals || function == op::kGreater ||
         function == op::kGreaterEquals;
}
bool is_equality(std::string_view function) {
  return function == op::kEquals || function == op::kNotEquals;
}

// True for swapped letters, or one name within the other: `modle`, `mem`.
bool is_like(std::string_view a, std::string_view b) {
  constexpr std::size_t enough = 3;
  std::string left = base::lower(a);
  std::string right = base::lower(b);
  const bool within =
      left.find(right) != std::string::npos || right.find(left) != std::string::npos;
  if (within) return std::min(left.size(), right.size()) >= enough;
  std::ranges::sort(left);
  std::ranges::sort(right);
  return left == right;
}

// A path: a variable and literal keys from it down.
struct Way {
  NodeId variable = 0;
  std::vector<std::string> keys = {};
};

class Changer {
 public:
  Changer(const Checked& checked, const Source& source, const Trace* trace,
          std::span<const KnownName> known)
      : checked_(checked),
        ast_(checked.ast),
        source_(source),
        line_(source),
        trace_(trace),
        known_(known) {}

  std::vector<Change> run() {
    visit(ast_.root);
    return std::move(changes_);
  }

 private:
  void visit(NodeId id) {
    const Node& node = ast_[id];
    if (!node.generated || node.presence) look_at(id);
    for (const NodeId arg : node.args)
      visit(arg);
  }

  void look_at(NodeId id) {
    const Node& node = ast_[id];
    if (node.kind == NodeKind::Call && (is_ordering(node.name) || is_equality(node.name))) {
      compare(id);
    }
    if (node.kind == NodeKind::Call) begin_version(id);
    if (node.kind == NodeKind::Select) drop_kind(id);
    if (is_difference(node)) join(id);
    if (const auto way = way_to(id)) name(id, *way);
  }

  void add(ChangeKind kind, NodeId id, std::string text) {
    Change change{kind, ast_[id].span, std::move(text)};
    const bool known = std::ranges::count(changes_, change) > 0;
    if (!known && source_.text_of(change.span) != change.text) {
      changes_.push_back(std::move(change));
    }
  }

  std::string text_of(NodeId id) const { return line_.text(ast_[id].span); }

  // --- comparisons

  // The type that the checker knows, or else the one in the trace; empty if neither.
  std::string_view type_of(NodeId id) const {
    const Type* type = checked_.types[id];
    const bool certain = type != nullptr && !is_dyn(*type) && type->kind != TypeKind::Error;
    if (certain) return type->name;
    if (trace_ == nullptr) return {};
    const auto seen = trace_->root.values.find(id);
    return seen == trace_->root.values.end() ? std::string_view() : seen->second.type_name;
  }

  // The operand converted to the type; no value if that is impossible.
  std::optional<std::string> as_type(NodeId id, std::string_view type) const {
    const Node& node = ast_[id];
    const std::string text = text_of(id);
    if (type_of(id) == type) return text;
    if (type == kQuantity && node.kind == NodeKind::Literal && type_of(id) == "int") {
      return base::format("quantity(\"{}\")", text);
    }
    if (type == kSemver && (type_of(id) == "int" || type_of(id) == "double")) {
      const auto near = near_literals("semver", text);
      if (near.empty() || node.kind != NodeKind::Literal) return std::nullopt;
      return base::format("semver(\"{}\")", near.front());
    }
    if (type_of(id) != "string") return std::nullopt;
    if (type == kQuantity) return base::format("quantity({})", text);
    const std::string* literal = text_literal(node);
    Scratch scratch;
    const bool lenient = literal != nullptr && parse_semver(*literal, scratch).is_error();
    return base::format(lenient ? "semver({}, true)" : "semver({})", text);
  }

  void compare(NodeId id) {
    const Node& node = ast_[id];
    const std::string_view left_type = type_of(node.args[0]);
    const std::string_view right_type = type_of(node.args[1]);
    const auto has = [&](std::string_view type) { return left_type == type || right_type == type; };
    const std::string_view type = has(kQuantity) ? kQuantity : has(kSemver) ? kSemver : "";
    if (type.empty()) return;
    if (is_equality(node.name)) {
      for (const NodeId side : node.args) {
        const auto made = as_type(side, type);
        if (made && type_of(side) != type) add(ChangeKind::Constructor, side, *made);
      }
      return;
    }
    const auto left = as_type(node.args[0], type);
    const auto right = as_type(node.args[1], type);
    if (!left || !right) return;
    const std::string_view function = node.name;  // "_>=_"
    std::string text = base::format("{}.compareTo({}) {} 0", *left, *right,
                                    function.substr(1, function.size() - 2));
    if (source_.text_of(node.span).starts_with("(")) text = "(" + text + ")";
    add(ChangeKind::CompareTo, id, std::move(text));
  }

  // version.startsWith("580"), and "580" in version
  void begin_version(NodeId id) {
    const Node& node = ast_[id];
    const bool within = node.name == op::kIn;
    if (node.args.size() != 2 || (!within && !(node.member && node.name == "startsWith"))) return;
    const NodeId version = node.args[within ? 1 : 0];
    const std::string* prefix = text_literal(ast_[node.args[within ? 0 : 1]]);
    if (prefix == nullptr || type_of(version) != kSemver) return;
    const std::string begins = version_begins_with(text_of(version), *prefix);
    if (begins.empty()) return;
    const bool several = begins.find("&&") != std::string::npos;
    add(ChangeKind::CompareTo, id, several ? base::format("({})", begins) : begins);
  }

  // --- fields as in YAML

  void drop_kind(NodeId id) {
    const Node& node = ast_[id];
    const auto way = way_to(node.args[0]);
    if (!is_value_field(node.name) || !way || way->keys.size() < 2) return;
    const Type* type = checked_.types[node.args[0]];
    if (type != nullptr && type->kind == TypeKind::Map) return;
    const std::string text = text_of(node.args[0]);
    add(ChangeKind::KindOfValue, id, node.presence ? "has(" + text + ")" : text);
  }

  // --- names

  std::optional<Way> way_to(NodeId id) const {
    const Node& node = ast_[id];
    if (node.kind == NodeKind::Ident) return Way{.variable = id};
    const std::string* key = nullptr;
    if (node.kind == NodeKind::Select) key = &node.name;
    const bool index =
        node.kind == NodeKind::Call &&
        (node.name == op::kIndex || node.name == op::kOptIndex || node.name == op::kOptSelect);
    if (index) key = text_literal(ast_[node.args[1]]);
    if (key == nullptr) return std::nullopt;
    auto way = way_to(node.args[0]);
    if (way) way->keys.push_back(*key);
    return way;
  }

  // `device.attributes["domain"].id`, in the notation of the node.
  std::string written(NodeId id, const Way& way, const KnownName& name) const {
    const Node& node = ast_[id];
    const bool optional = node.name == op::kOptIndex || node.name == op::kOptSelect;
    std::string out = base::format("{}.{}[{}]", text_of(way.variable), name[0], go_quoted(name[1]));
    if (is_identifier(name[2])) {
      out += (optional ? ".?" : ".") + name[2];
    } else {
      out += base::format(optional ? "[?{}]" : "[{}]", go_quoted(name[2]));
    }
    return node.presence ? "has(" + out + ")" : out;
  }

  void name(NodeId id, const Way& way) {
    const bool about = std::ranges::any_of(known_, [&way](const KnownName& one) {
      return !way.keys.empty() && one[0] == way.keys[0];
    });
    if (!about) return;
    if (way.keys.size() == 2) complete(id, way);
    if (way.keys.size() == 3) correct(id, way);
  }

  // `x["domain"].some-name` takes one name from another. A name with a dash does not exist, so the
  // names that are like it count, in any domain.
  void join(NodeId id) {
    const Node& node = ast_[id];
    const Node& right = ast_[node.args[1]];
    const auto way = way_to(node.args[0]);
    if (!way || way->keys.size() != 3 || right.kind != NodeKind::Ident) return;
    const std::string both = way->keys[2] + "_" + right.name;
    for (const bool same_domain : {true, false}) {
      for (const KnownName& one : known_) {
        if (one[0] != way->keys[0] || (one[1] == way->keys[1]) != same_domain) continue;
        if (base::lower(one[2]) == base::lower(way->keys[2] + right.name) || is_like(one[2], both))
          add(ChangeKind::NearName, id, written(id, *way, one));
      }
    }
  }

  bool is_domain(const std::string& text) const {
    return std::ranges::any_of(known_, [&text](const KnownName& one) { return one[1] == text; });
  }

  // Completes two keys to three.
  void complete(NodeId id, const Way& way) {
    const std::string& key = way.keys[1];
    const std::size_t slash = key.find('/');
    if (slash != std::string::npos) {
      const KnownName name{way.keys[0], key.substr(0, slash), key.substr(slash + 1)};
      return add(ChangeKind::SplitName, id, written(id, way, name));
    }
    if (is_domain(key)) return;
    const std::size_t before = changes_.size();
    for (const KnownName& one : known_) {
      if (one[0] == way.keys[0] && one[2] == key) {
        add(ChangeKind::AddDomain, id, written(id, way, one));
      }
    }
    if (changes_.size() > before) return;
    for (const KnownName& one : known_)
      if (one[2] == key) add(ChangeKind::OtherSection, id, written(id, way, one));
    if (changes_.size() > before) return;
    for (const KnownName& one : known_) {
      if (one[0] == way.keys[0] && base::lower(one[2]) == base::lower(key))
        add(ChangeKind::NearName, id, written(id, way, one));
    }
  }

  void correct(NodeId id, const Way& way) {
    if (std::ranges::count(known_, way.keys) > 0) return;
    bool exists = false;
    for (const KnownName& one : known_) {
      if (one[2] != way.keys[2]) continue;
      exists = true;
      if (one[0] == way.keys[0]) {
        add(ChangeKind::OtherDomain, id, written(id, way, one));
      } else if (one[1] == way.keys[1]) {
        add(ChangeKind::OtherSection, id, written(id, way, one));
      }
    }
    if (const auto near = near_name(way)) {
      add(ChangeKind::NearName, id, written(id, way, *near));
    } else if (!exists && is_told_by_value(id, way)) {
      for (const KnownName& one : known_) {
        if (one[0] == way.keys[0] && one[1] == way.keys[1])
          add(ChangeKind::OtherName, id, written(id, way, one));
      }
    }
  }

  // Whether what it is compared with tells one name from another: a text, or for capacities an
  // amount. Numbers and truth values are the same by chance.
  bool is_told_by_value(NodeId id, const Way& way) const {
    return std::ranges::any_of(ast_.nodes, [&](const Node& node) {
      if (node.kind != NodeKind::Call || node.args.size() != 2) return false;
      if (node.args[0] != id && node.args[1] != id) return false;
      const std::string* text = text_literal(ast_[node.args[node.args[0] == id ? 1 : 0]]);
      if (node.name == op::kEquals) return text != nullptr && !text->empty();
      const bool amount = node.name == "compareTo" || node.name == "isGreaterThan";
      return amount && node.args[0] == id && way.keys[0] == "capacity";
    });
  }

  // Another id in the domain; without such a domain, the nearest domain with the id.
  std::optional<KnownName> near_name(const Way& way) const {
    const std::size_t wrong = is_domain(way.keys[1]) ? 2 : 1;
    const std::size_t right = 3 - wrong;
    std::set<std::string_view> candidates;
    for (const KnownName& one : known_) {
      if (one[0] == way.keys[0] && one[right] == way.keys[right]) candidates.insert(one[wrong]);
    }
    KnownName out = way.keys;
    for (const std::string_view one : candidates) {
      if (base::lower(one) != base::lower(way.keys[wrong])) continue;
      out[wrong] = one;
      return out;
    }
    const std::vector<std::string_view> all(candidates.begin(), candidates.end());
    const std::string_view nearest = base::nearest(way.keys[wrong], all);
    if (!nearest.empty()) {
      out[wrong] = nearest;
      return out;
    }
    const auto like = std::ranges::find_if(
        all, [&](std::string_view one) { return is_like(one, way.keys[wrong]); });
    if (like == all.end()) return std::nullopt;
    out[wrong] = *like;
    return out;
  }

  const Checked& checked_;
  const Ast& ast_;
  const Source& source_;
  OneLine line_;
  const Trace* trace_;
  std::span<const KnownName> known_;
  std::vector<Change> changes_;
};

}  // namespace

bool is_value_field(std::string_view name) {
  constexpr std::array<std::string_view, 14> names{
      "bool",   "boolValue",   "bools",   "int",   "intValue", "ints",         "quantity",
      "string", "stringValue", "strings", "value", "version",  "versionValue", "versions"};
  return std::ranges::find(names, name) != names.end();
}

std::vector<Change> changes_of(const Checked& checked, const Source& source, const Trace* trace,
                               std::span<const KnownName> known) {
  return Changer(checked, source, trace, known).run();
}

}  // namespace dra::cel
