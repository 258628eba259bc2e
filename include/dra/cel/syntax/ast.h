// include/dra/cel/syntax/ast.h
//
// An expression as a tree. Macros are expanded to the same shape as in cel-go, because costs and
// errors are defined on that shape; every node knows the text it was made from.
//
// Nodes live in one vector and refer to each other by index. An expansion may use a node twice, so
// the tree is really a graph without cycles.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dra/cel/syntax/source.h"

namespace dra::cel {

using NodeId = std::uint32_t;

enum class NodeKind : std::uint8_t {
  Error,    // a node that could not be built; there is an issue about it
  Literal,  //
  Ident,    // `name`, perhaps with a leading dot
  Select,   // args[0].name; with `presence` has(args[0].name)
  Call,     // name(args), operators included; with `member` args[0] is the receiver
  List,     // elements
  Map,      // keys and values in turn
  Message,  // `name`{names[i]: args[i]}
  Fold,     // a comprehension; see FoldPart
};

// The parts of a fold, in its args. For each element of the range, while the condition is true, the
// accumulator becomes the value of the step; at the end the result is evaluated.
enum FoldPart : std::uint8_t { FoldRange, FoldInit, FoldCondition, FoldStep, FoldResult };

struct Bytes {
  std::string octets;

  friend bool operator==(const Bytes&, const Bytes&) = default;
};
// monostate is null.
using Literal =
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Bytes>;

struct Node {
  NodeKind kind = NodeKind::Error;
  bool presence = false;
  bool member = false;
  bool generated = false;  // made by a macro, so not in the text itself
  Span span = {};          // its whole text; for a generated node, the macro's
  std::uint32_t at = 0;    // the position for messages: the operator, the `(` of a call, ...
  std::string name = {};
  Literal literal = {};
  std::vector<NodeId> args = {};
  std::vector<bool> optional = {};         // for elements, entries and fields: written with `?`
  std::vector<std::string> names = {};     // fields; of a fold: variable, second variable or "",
                                           // accumulator
  std::vector<std::uint32_t> colons = {};  // of a message's fields, for messages about these
};

// Operators and the functions of macros, with cel-go's names.
namespace op {
inline constexpr std::string_view kAnd = "_&&_";
inline constexpr std::string_view kOr = "_||_";
inline constexpr std::string_view kNot = "!_";
inline constexpr std::string_view kNegate = "-_";
inline constexpr std::string_view kTernary = "_?_:_";
inline constexpr std::string_view kEquals = "_==_";
inline constexpr std::string_view kNotEquals = "_!=_";
inline constexpr std::string_view kLess = "_<_";
inline constexpr std::string_view kLessEquals = "_<=_";
inline constexpr std::string_view kGreater = "_>_";
inline constexpr std::string_view kGreaterEquals = "_>=_";
inline constexpr std::string_view kIn = "@in";
inline constexpr std::string_view kAdd = "_+_";
inline constexpr std::string_view kSubtract = "_-_";
inline constexpr std::string_view kMultiply = "_*_";
inline constexpr std::string_view kDivide = "_/_";
inline constexpr std::string_view kModulo = "_%_";
inline constexpr std::string_view kIndex = "_[_]";
inline constexpr std::string_view kOptIndex = "_[?_]";
inline constexpr std::string_view kOptSelect = "_?._";
inline constexpr std::string_view kNotStrictlyFalse = "@not_strictly_false";
}  // namespace op

inline constexpr std::string_view kAccumulator = "@result";
inline constexpr std::string_view kUnusedVariable = "#unused";

struct Ast {
  std::vector<Node> nodes;
  NodeId root = 0;

  const Node& operator[](NodeId id) const { return nodes[id]; }
  Node& operator[](NodeId id) { return nodes[id]; }
};

}  // namespace dra::cel
