// src/cel/syntax/parser.cpp: recursive descent. Each rule of the grammar counts its own depth,
// because upstream's limit counts these.

#include "dra/cel/syntax/parser.h"

#include <algorithm>
#include <array>
#include <optional>

#include "dra/base/text.h"
#include "dra/cel/syntax/utf8.h"
#include "src/cel/syntax/macros.h"
#include "src/cel/syntax/token_stream.h"
#include "src/cel/syntax/tree.h"

namespace dra::cel {
namespace {

enum Rule { ExprRule, OrRule, AndRule, RelationRule, SumRule, MemberRule, RuleCount };

// A node, and the depth of upstream's visitor at it.
struct Part {
  NodeId node = 0;
  std::uint32_t depth = 0;
};

// The name of a field, which may be in backquotes.
std::string_view field_name(const Token& token) {
  const bool escaped = token.kind == TokenKind::EscapedIdentifier;
  return escaped ? token.text.substr(1, token.text.size() - 2) : token.text;
}

struct Operator {
  std::string_view text;
  std::string_view function;
};

constexpr std::array<Operator, 6> kRelations{{{"<", op::kLess},
                                              {"<=", op::kLessEquals},
                                              {">=", op::kGreaterEquals},
                                              {">", op::kGreater},
                                              {"==", op::kEquals},
                                              {"!=", op::kNotEquals}}};
constexpr std::array<Operator, 3> kProducts{
    {{"*", op::kMultiply}, {"/", op::kDivide}, {"%", op::kModulo}}};
constexpr std::array<Operator, 2> kSums{{{"+", op::kAdd}, {"-", op::kSubtract}}};

class Parser {
 public:
  Parser(const Source& source, const Macros& macros, Parsed& out)
      : macros_(macros), out_(out), tree_(out.ast), tokens_(source, out.issues) {}

  void run() {
    const Part root = expression();
    if (!stopped() && token().kind != TokenKind::End) tokens_.unexpected("an operator");
    if (!stopped() && root.depth > kMaxRecursion)
      tokens_.stop({{}, "max recursion depth exceeded"});
    out_.ast.root = root.node;
  }

 private:
  // Counts the nesting of a rule in itself during its lifetime.
  class Nesting {
   public:
    Nesting(Parser& parser, Rule rule) : depth_(parser.nesting_[rule]) {
      if (++depth_ > kMaxRecursion) {
        parser.tokens_.stop(
            {{}, base::format("expression recursion limit exceeded: {}", kMaxRecursion)});
      }
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    std::uint32_t& depth_;
  };

  const Token& token(std::size_t ahead = 0) const { return tokens_.token(ahead); }
  bool stopped() const { return tokens_.stopped(); }

  NodeId error_node(std::uint32_t at, std::string_view message) {
    out_.issues.push_back({at, std::string(message)});
    return tree_.add({.span = {at, at}, .at = at}, NodeKind::Error);
  }

  Origin origin(std::uint32_t begin, std::uint32_t at) const {
    return {{begin, tokens_.end()}, at, false};
  }
  std::uint32_t begin_of(const Part& part) const { return tree_[part.node].span.begin; }

  // A node's span includes its parentheses, so that spans cut the text into complete parts.
  void widen(const Part& part, Span span) {
    Node& node = tree_.change(part.node);
    if (!node.generated || node.span.begin > span.begin) node.span = span;
  }

  // --- rules

  Part expression() {
    const Nesting nesting(*this, ExprRule);
    if (stopped()) return {};
    const Part condition = logical(OrRule);
    if (stopped() || !token().is("?")) return condition;
    const std::uint32_t at = tokens_.take().span.begin;
    const Part yes = logical(OrRule);
    tokens_.expect(":");
    if (stopped()) return condition;
    const Part no = expression();
    if (stopped()) return condition;
    const NodeId node = tree_.call(origin(begin_of(condition), at), op::kTernary,
                                   {condition.node, yes.node, no.node});
    return {node, std::max({condition.depth, yes.depth, no.depth}) + 1};
  }

  // Terms joined by || or &&, as a balanced tree.
  Part logical(Rule rule) {
    const Nesting nesting(*this, rule);
    if (stopped()) return {};
    const bool is_or = rule == OrRule;
    const auto term = [this, is_or] { return is_or ? logical(AndRule) : relation(false); };
    Chain chain{is_or ? op::kOr : op::kAnd};
    Part part = term();
    chain.terms.push_back(part.node);
    std::uint32_t depth = part.depth;
    while (!stopped() && token().is(is_or ? "||" : "&&")) {
      chain.places.push_back(tokens_.take().span.begin);
      part = term();
      chain.terms.push_back(part.node);
      depth = std::max(depth, part.depth);
    }
    if (stopped() || chain.places.empty()) return {chain.terms.front(), depth};
    return {tree_.balanced(chain, 0, chain.places.size() - 1), depth};
  }

  // The function of the next token, if that is one of these operators.
  template <std::size_t kCount>
  std::string_view next_operator(const std::array<Operator, kCount>& operators) const {
    for (const Operator& one : operators) {
      if (token().is(one.text)) return one.function;
    }
    return {};
  }

  Part binary(const Part& left, std::string_view function, std::uint32_t at, const Part& right) {
    const NodeId node = tree_.call(origin(begin_of(left), at), function, {left.node, right.node});
    return {node, std::max(left.depth, right.depth) + 1};
  }

  // The right side of a relation is a nested rule, but cannot be a relation itself.
  Part relation(bool right_side) {
    const Nesting nesting(*this, RelationRule);
    if (stopped()) return {};
    Part left = calculation(false);
    while (!stopped() && !right_side) {
      const std::string_view function =
          token().kind == TokenKind::In ? op::kIn : next_operator(kRelations);
      if (function.empty()) break;
      const std::uint32_t at = tokens_.take().span.begin;
      const Part right = relation(true);
      if (stopped()) break;
      left = binary(left, function, at, right);
    }
    return left;
  }

  // Sums of products; the right side of a sum is a product, that of a product a unary expression.
  Part calculation(bool product_only) {
    const Nesting nesting(*this, SumRule);
    if (stopped()) return {};
    Part left = unary();
    while (!stopped()) {
      std::string_view function = next_operator(kProducts);
      const bool product = !function.empty();
      if (!product && !product_only) function = next_operator(kSums);
      if (function.empty()) break;
      const std::uint32_t at = tokens_.take().span.begin;
      const Part right = product ? operand() : calculation(true);
      if (stopped()) break;
      left = binary(left, function, at, right);
    }
    return left;
  }

  Part operand() {
    const Nesting nesting(*this, SumRule);
    return stopped() ? Part{} : unary();
  }

  Part unary() {
    const Token& first = token();
    const bool number_follows =
        token(1).kind == TokenKind::Int || token(1).kind == TokenKind::Double;
    const bool negative = first.is("-");
    if (!first.is("!") && (!negative || number_follows)) return member();
    const std::string_view symbol = first.text;
    const std::uint32_t at = first.span.begin;
    std::size_t count = 0;
    for (; token().is(symbol); ++count)
      tokens_.take();
    const Part inner = member();
    if (stopped()) return inner;
    if (count % 2 == 0) {
      widen(inner, {at, tokens_.end()});
      return inner;
    }
    const std::string_view function = negative ? op::kNegate : op::kNot;
    return {tree_.call(origin(at, at), function, {inner.node}), inner.depth};
  }

  Part member() {
    const Nesting nesting(*this, MemberRule);
    if (stopped()) return {};
    Part part = primary();
    while (!stopped()) {
      if (token().is(".")) {
        part = after_dot(part);
      } else if (token().is("[")) {
        part = index(part);
      } else {
        break;
      }
    }
    return part;
  }

  Part after_dot(const Part& target) {
    const std::uint32_t dot = tokens_.take().span.begin;
    const bool optional = tokens_.take_if("?");
    const Token& name = token();
    const bool escaped = name.kind == TokenKind::EscapedIdentifier;
    if (name.kind != TokenKind::Identifier && !escaped) {
      tokens_.unexpected("the name of a field");
      return target;
    }
    tokens_.take();
    if (!optional && !escaped && token().is("(")) return member_call(target, name);
    const std::string_view id = field_name(name);
    const Origin place = origin(begin_of(target), dot);
    if (!optional) {
      return {tree_.add(place, NodeKind::Select, id, {target.node}), target.depth + 1};
    }
    const NodeId field = tree_.literal({name.span, name.span.begin, false}, std::string(id));
    return {tree_.call(place, op::kOptSelect, {target.node, field}), target.depth + 1};
  }

  Part index(const Part& target) {
    const std::uint32_t at = tokens_.take().span.begin;
    const bool optional = tokens_.take_if("?");
    const Part key = expression();
    tokens_.expect("]");
    if (stopped()) return target;
    const NodeId node = tree_.call(origin(begin_of(target), at),
                                   optional ? op::kOptIndex : op::kIndex, {target.node, key.node});
    return {node, std::max(target.depth, key.depth) + 1};
  }

  // `(a, b)`; the call is positioned at its parenthesis.
  struct Arguments {
    std::vector<NodeId> nodes = {};
    std::uint32_t depth = 0;
    std::uint32_t at = 0;
  };

  Arguments arguments() {
    Arguments out;
    out.at = tokens_.take().span.begin;
    if (tokens_.take_if(")")) return out;
    do {
      const Part part = expression();
      out.nodes.push_back(part.node);
      out.depth = std::max(out.depth, part.depth);
    } while (!stopped() && tokens_.take_if(","));
    tokens_.expect(")");
    return out;
  }

  // Upstream does not visit the arguments of an invalid call: only their grammar counts.
  void skip_arguments() {
    const std::size_t issues = out_.issues.size();
    static_cast<void>(arguments());
    if (!stopped()) out_.issues.resize(issues);
  }

  Part member_call(const Part& target, const Token& name) {
    Arguments args = arguments();
    if (stopped()) return target;
    const Origin place = origin(begin_of(target), args.at);
    const std::uint32_t depth = std::max(target.depth, args.depth) + 1;
    if (const auto made = macro({name.text, target.node, args.nodes, place})) return {*made, depth};
    args.nodes.insert(args.nodes.begin(), target.node);
    return {tree_.member_call(place, name.text, std::move(args.nodes)), depth};
  }

  std::optional<NodeId> macro(const MacroCall& call) {
    const auto expansion = expand(tree_, macros_, call);
    if (!expansion) return std::nullopt;
    if (!expansion->issue) return expansion->node;
    return error_node(*expansion->issue->at, expansion->issue->message);
  }

  Part primary() {
    const Token& first = token();
    switch (first.kind) {
      case TokenKind::Identifier:
        return name(false);
      case TokenKind::Symbol:
        return bracket();
      case TokenKind::End:
      case TokenKind::Invalid:
      case TokenKind::In:
      case TokenKind::EscapedIdentifier:
        tokens_.unexpected("a value");
        return {};
      default:
        return {literal(false), 0};
    }
  }

  Part bracket() {
    const Token& first = token();
    if (first.is("(")) {
      tokens_.take();
      const Part inner = expression();
      tokens_.expect(")");
      if (!stopped()) widen(inner, {first.span.begin, tokens_.end()});
      return inner;
    }
    if (first.is("[")) return list();
    if (first.is("{")) return map();
    if (first.is("-")) return {literal(true), 0};
    if (first.is(".") && token(1).kind == TokenKind::Identifier) return name(true);
    if (first.is(".")) tokens_.take();
    tokens_.unexpected("a value");
    return {};
  }

  // The number of tokens of `a.b.c` if a `{` follows; else 0.
  std::size_t message_tokens() const {
    std::size_t words = 1;
    while (token(words).is(".") && token(words + 1).kind == TokenKind::Identifier)
      words += 2;
    return token(words).is("{") ? words : 0;
  }

  Part name(bool leading_dot) {
    const std::uint32_t begin = token().span.begin;
    std::string full = leading_dot ? "." : "";
    if (leading_dot) tokens_.take();
    if (const std::size_t words = message_tokens()) {
      for (std::size_t i = 0; i < words; ++i)
        full += tokens_.take().text;
      return message(begin, full);
    }
    const Token& word = tokens_.take();
    const bool call = token().is("(");
    if (is_reserved(word.text)) {
      if (call) skip_arguments();
      return {error_node(begin, base::format("reserved identifier: {}", word.text)), 0};
    }
    full += word.text;
    if (!call) {
      const Origin place = origin(begin, word.span.begin);
      return {tree_.add(place, NodeKind::Ident, full), 0};
    }
    Arguments args = arguments();
    if (stopped()) return {};
    const Origin place = origin(begin, args.at);
    if (const auto made = macro({full, std::nullopt, args.nodes, place})) {
      return {*made, args.depth};
    }
    return {tree_.call(place, full, std::move(args.nodes)), args.depth};
  }

  // The entries in one pair of brackets.
  struct Entries {
    std::vector<NodeId> nodes = {};
    std::vector<bool> optional = {};
    std::vector<std::string> names = {};
    std::vector<std::uint32_t> colons = {};
    std::uint32_t depth = 0;

    void add(const Part& part) {
      nodes.push_back(part.node);
      depth = std::max(depth, part.depth);
    }
  };

  // Entries are separated by commas; one more comma may follow the last one, or be alone.
  template <class ReadEntry>
  Entries entries(std::string_view close, std::string_view wanted, ReadEntry read_entry) {
    Entries out;
    while (!stopped() && !token().is(close) && !token().is(",")) {
      out.optional.push_back(tokens_.take_if("?"));
      read_entry(out);
      if (stopped() || !token().is(",") || token(1).is(close)) break;
      tokens_.take();
      if (token().is(",")) tokens_.unexpected(wanted);
    }
    tokens_.take_if(",");
    tokens_.expect(close);
    return out;
  }

  Part build(const Origin& place, NodeKind kind, std::string_view name, Entries from) {
    const NodeId id = tree_.add(place, kind, name, std::move(from.nodes));
    tree_.change(id).optional = std::move(from.optional);
    tree_.change(id).names = std::move(from.names);
    tree_.change(id).colons = std::move(from.colons);
    return {id, from.depth};
  }

  Part list() {
    const std::uint32_t begin = tokens_.take().span.begin;
    Entries elements = entries("]", "a value", [this](Entries& out) { out.add(expression()); });
    if (stopped()) return {};
    return build(origin(begin, begin), NodeKind::List, {}, std::move(elements));
  }

  Part map() {
    const std::uint32_t begin = tokens_.take().span.begin;
    Entries pairs = entries("}", "a key", [this](Entries& out) {
      out.add(expression());
      tokens_.expect(":");
      if (!stopped()) out.add(expression());
    });
    if (stopped()) return {};
    return build(origin(begin, begin), NodeKind::Map, {}, std::move(pairs));
  }

  Part message(std::uint32_t begin, const std::string& type) {
    const std::uint32_t at = tokens_.take().span.begin;
    Entries fields = entries("}", "the name of a field", [this](Entries& out) {
      const Token& field = token();
      const bool escaped = field.kind == TokenKind::EscapedIdentifier;
      if (field.kind != TokenKind::Identifier && !escaped) {
        return tokens_.unexpected("the name of a field");
      }
      out.names.emplace_back(field_name(tokens_.take()));
      out.colons.push_back(token().span.begin);
      tokens_.expect(":");
      if (!stopped()) out.add(expression());
    });
    if (stopped()) return {};
    return build(origin(begin, at), NodeKind::Message, type, std::move(fields));
  }

  NodeId literal(bool negative) {
    const std::uint32_t begin = token().span.begin;
    if (negative) tokens_.take();
    const Token& word = token();
    if (negative && word.kind != TokenKind::Int && word.kind != TokenKind::Double) {
      tokens_.unexpected("a value");
      return 0;
    }
    tokens_.take();
    LiteralOrError read = read_literal(word, negative);
    if (!read.error.empty()) return error_node(begin, read.error);
    return tree_.literal(origin(begin, begin), std::move(read.literal));
  }

  const Macros& macros_;
  Parsed& out_;
  Tree tree_;
  TokenStream tokens_;
  std::array<std::uint32_t, RuleCount> nesting_{};
};

}  // namespace

Parsed parse(const Source& source, const Macros& macros) {
  Parsed out;
  if (source.size() > kMaxCodePoints) {
    out.issues.push_back({{},
                          base::format("expression code point size exceeds limit: size: {}, limit "
                                       "{}",
                                       source.size(), kMaxCodePoints)});
    return out;
  }
  if (!is_utf8(source.text())) {
    out.issues.push_back({{}, "expression is not UTF-8"});
    return out;
  }
  Parser(source, macros, out).run();
  return out;
}

}  // namespace dra::cel
