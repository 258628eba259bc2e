// src/render/go_template/nodes.h: the syntax tree of a Go template.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dra::render::go_template {

struct Pipeline;

struct BoolLiteral {
  bool value = false;
};
struct NumberLiteral {
  std::string text;
  bool is_float = false;                // it is written as one
  std::optional<std::int64_t> integer;  // no value: it is an integer that is too large
  double number = 0;
};
struct StringLiteral {
  std::string text;
};
struct Nil {};
struct Dot {};
struct FieldChain {  // .a.b
  std::vector<std::string> names;
};
struct Variable {  // $x.a.b
  std::string name;
  std::vector<std::string> fields;
};
struct Function {
  std::string name;
};
struct Parenthesized {  // (pipeline)
  std::unique_ptr<Pipeline> pipeline;
};

// (pipeline).a.b, or a function's value; `fields` is empty without them.
struct Term {
  std::size_t at = 0;  // in the text of the template
  std::variant<BoolLiteral, NumberLiteral, StringLiteral, Nil, Dot, FieldChain, Variable, Function,
               Parenthesized>
      what;
  std::vector<std::string> fields = {};
};

struct Command {
  std::vector<Term> terms;  // the first one is what is evaluated; the others are its arguments
};

struct Pipeline {
  std::size_t at = 0;
  bool assigns = false;                // $x = rather than $x :=
  std::vector<std::string> variables;  // declared or assigned, at most two
  std::vector<Command> commands;
};

struct Node;
using List = std::vector<Node>;

struct Text {
  std::string text;
};
struct Action {
  Pipeline pipeline;
};
enum class BranchKind { If, With, Range };
struct Branch {
  BranchKind kind = BranchKind::If;
  Pipeline pipeline;
  List body;
  std::optional<List> otherwise;
};
struct Call {  // {{template "name" pipeline}}
  std::string name;
  std::optional<Pipeline> pipeline;
};
struct Break {};
struct Continue {};

struct Node {
  std::size_t at = 0;
  std::variant<Text, Action, Branch, Call, Break, Continue> what;
};

// The templates of a text by name. The text itself is kMain.
inline constexpr const char* kMain = "output";
using Templates = std::map<std::string, List>;

}  // namespace dra::render::go_template
