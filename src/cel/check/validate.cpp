// src/cel/check/validate.cpp: the validators, each a visit of all nodes, in upstream's order.

#include "dra/cel/check/validate.h"

#include <algorithm>
#include <optional>

#include "dra/base/text.h"
#include "dra/cel/library/format_clauses.h"
#include "dra/cel/library/regex.h"
#include "dra/cel/values/messages.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

// True if the types are equal up to the names of type variables.
bool equivalent(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.params.size() != b.params.size()) return false;
  if (a.kind != TypeKind::Param && a.name != b.name) return false;
  return std::ranges::equal(a.params, b.params,
                            [](const Type* x, const Type* y) { return equivalent(*x, *y); });
}

// The kind of a type's values; no value if it is not known.
std::optional<ValueKind> kind_of(TypeKind type) {
  constexpr std::pair<TypeKind, ValueKind> kinds[] = {
      {TypeKind::Null, ValueKind::Null},
      {TypeKind::Bool, ValueKind::Bool},
      {TypeKind::Int, ValueKind::Int},
      {TypeKind::Uint, ValueKind::Uint},
      {TypeKind::Double, ValueKind::Double},
      {TypeKind::String, ValueKind::String},
      {TypeKind::Bytes, ValueKind::Bytes},
      {TypeKind::Duration, ValueKind::Duration},
      {TypeKind::Timestamp, ValueKind::Timestamp},
      {TypeKind::List, ValueKind::List},
      {TypeKind::Map, ValueKind::Map},
      {TypeKind::Type, ValueKind::Type},
  };
  for (const auto& [from, to] : kinds) {
    if (from == type) return to;
  }
  return std::nullopt;
}

class Validator {
 public:
  explicit Validator(Checked& checked) : checked_(checked) {}

  // Upstream's order decides between two issues at one position.
  void run() {
    check_literals("duration", [](const Literal& literal) {
      const auto* text = std::get_if<std::string>(&literal);
      return text != nullptr && parse_nanos(*text).has_value();
    });
    check_literals("timestamp", [](const Literal& literal) {
      if (const auto* seconds = std::get_if<std::int64_t>(&literal)) {
        return in_range({.seconds = *seconds});
      }
      const auto* text = std::get_if<std::string>(&literal);
      if (text == nullptr) return false;
      const std::optional<Moment> moment = parse_moment(*text);
      return moment && in_range(*moment);
    });
    // Upstream checks the text in matches(text, pattern), when it is called as a function.
    Effort patterns;
    check_literals("matches", [&patterns](const Literal& literal) {
      const auto* text = std::get_if<std::string>(&literal);
      return text == nullptr || Regex::compile(*text, patterns).ok();
    });
    for_each(root(), false, [this](const Node& node, bool in_format) {
      if (!in_format && node.kind == NodeKind::List) check_list(node);
    });
    for_each(root(), false, [this](const Node& node, bool in_format) {
      if (!in_format && node.kind == NodeKind::Map) check_map(node);
    });
    for_each(root(), false, [this](const Node& node, bool) {
      const bool formats = node.kind == NodeKind::Call && node.name == "format" && node.member;
      if (formats && node.args.size() == 2) check_format(node);
    });
  }

 private:
  NodeId root() const { return checked_.ast.root; }

  // `in_format`: within the arguments of format(), which accepts values of any type.
  template <class Visit>
  void for_each(NodeId id, bool in_format, Visit visit) {
    const Node& node = checked_.ast[id];
    visit(node, in_format);
    const bool formats = in_format || (node.kind == NodeKind::Call && node.name == "format");
    for (const NodeId arg : node.args)
      for_each(arg, formats, visit);
  }

  // Visits the first argument, not counting the receiver, of every call of a function.
  template <class Test>
  void check_literals(std::string_view function, Test valid) {
    for_each(root(), false, [&](const Node& node, bool) {
      const std::size_t first = node.member ? 1 : 0;
      if (node.kind != NodeKind::Call || node.name != function || node.args.size() <= first) return;
      const Node& arg = checked_.ast[node.args[first]];
      if (arg.kind != NodeKind::Literal || valid(arg.literal)) return;
      report(arg.at, base::format("invalid {} argument", function));
    });
  }

  void report(std::uint32_t at, std::string message) {
    checked_.issues.push_back({at, std::move(message)});
  }

  const Type* type_of(NodeId id, bool optional) const {
    const Type* type = checked_.types[id];
    return optional && is_optional(*type) ? type->params[0] : type;
  }

  bool agree(NodeId id, const Type* first, const Type* type) {
    if (equivalent(*first, *type)) return true;
    report(checked_.ast[id].at,
           base::format("expected type '{}' but found '{}'", describe(*first), describe(*type)));
    return false;
  }

  void check_list(const Node& list) {
    for (std::size_t i = 1; i < list.args.size(); ++i) {
      const Type* first = type_of(list.args[0], list.optional[0]);
      if (!agree(list.args[i], first, type_of(list.args[i], list.optional[i]))) return;
    }
  }

  void check_map(const Node& map) {
    for (std::size_t i = 2; i < map.args.size(); i += 2) {
      agree(map.args[i], type_of(map.args[0], false), type_of(map.args[i], false));
      agree(map.args[i + 1], type_of(map.args[1], map.optional[0]),
            type_of(map.args[i + 1], map.optional[i / 2]));
    }
  }

  bool suits(char verb, NodeId id) const {
    const TypeKind type = checked_.types[id]->kind;
    const std::optional<ValueKind> kind = kind_of(type);
    return type == TypeKind::Dyn || (kind && takes(verb, *kind));
  }

  // The first node that a clause does not accept; %s descends into literals of lists and maps.
  std::optional<NodeId> unsuited(char verb, NodeId id) const {
    if (!suits(verb, id)) return id;
    const Node& node = checked_.ast[id];
    const bool looks_in = node.kind == NodeKind::List || node.kind == NodeKind::Map;
    if (verb != 's' || !looks_in) return std::nullopt;
    for (const NodeId part : node.args) {
      if (const std::optional<NodeId> bad = unsuited(verb, part)) return bad;
    }
    return std::nullopt;
  }

  // Checks "…".format([…]) if both are literals.
  void check_format(const Node& call) {
    const Node& format = checked_.ast[call.args[0]];
    const Node& list = checked_.ast[call.args[1]];
    const auto* text = std::get_if<std::string>(&format.literal);
    if (format.kind != NodeKind::Literal || text == nullptr || list.kind != NodeKind::List) return;
    std::size_t next = 0;
    for (const FormatPart& part : parse_format(*text)) {
      if (!part.is_clause()) continue;
      if (part.cut_off) return report(call.at, "unexpected end of string");
      if (next == list.args.size()) {
        return report(call.at, base::format("index {} out of range", next));
      }
      if (!part.problem.empty()) {
        return report(call.at, "could not parse formatting clause: " + part.problem);
      }
      if (const std::optional<NodeId> bad = unsuited(part.verb, list.args[next])) {
        return report(checked_.ast[*bad].at,
                      "error during formatting: " + refuse(part.verb, checked_.types[*bad]->name));
      }
      ++next;
    }
    if (list.args.size() > next) {
      report(call.at,
             base::format("too many arguments supplied to string.format (expected {}, got {})",
                          next, list.args.size()));
    }
  }

  Checked& checked_;
};

}  // namespace

void validate(Checked& checked) { Validator(checked).run(); }

namespace {

struct NamedType {
  std::string_view name;
  std::string_view type;
  // Upstream resolves these names with the types of fields only: an expression with them passes the
  // checks, and then fails to evaluate.
  bool only_checked = false;
};
constexpr NamedType kNamedTypes[] = {
    {"bool", "bool"},
    {"bytes", "bytes"},
    {"double", "double"},
    {"duration", "duration", true},
    {"int", "int"},
    {"list", "list(dyn)"},
    {"map", "map(dyn, dyn)"},
    {"net.CIDR", "net.CIDR"},
    {"net.IP", "net.IP"},
    {"null_type", "null"},
    {"optional_type", "optional_type(dyn)"},
    {"string", "string"},
    {"timestamp", "timestamp", true},
    {"uint", "uint"},
};

const NamedType* find_named(std::string_view name) {
  const auto* found = std::ranges::find(kNamedTypes, name, &NamedType::name);
  return found == std::end(kNamedTypes) ? nullptr : found;
}

}  // namespace

const Type* known_type(std::string_view name, TypeArena& arena) {
  if (const MessageType* message = find_message(name)) return parse_type(message->type, arena);
  if (const NamedType* named = find_named(name)) return parse_type(named->type, arena);
  return name == "type" ? arena.opaque("type", {}) : nullptr;
}

const Type* type_value(std::string_view name, TypeArena& arena) {
  const NamedType* named = find_named(name);
  if (named != nullptr && named->only_checked) return nullptr;
  const MessageType* message = find_message(name);
  return message != nullptr && message->only_checked ? nullptr : known_type(name, arena);
}

}  // namespace dra::cel
