// tests/differential/answer_cel.cpp: what the CEL engine says, for tests/differential/cel to
// compare with upstream. Questions and answers are lines, as for answer_base.cpp.

#include <cstring>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/checker.h"
#include "dra/cel/estimate.h"
#include "dra/cel/parser.h"
#include "tests/support/device_cel.h"

namespace {

using namespace dra::cel;
using dra::base::format;

std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size();
    const char c = text[escaped ? ++i : i];
    plain += escaped && c == 't' ? '\t' : escaped && c == 'n' ? '\n' : c;
  }
  return plain;
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\\') {
      out += "\\\\";
    } else {
      out += c;
    }
  }
  return out;
}

std::string show(const Literal& literal) {
  struct Show {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return format("{}", value); }
    std::string operator()(std::uint64_t value) const { return format("{}u", value); }
    std::string operator()(double value) const {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      return format("d{:016x}", bits);
    }
    std::string operator()(const std::string& value) const { return "'" + value + "'"; }
    std::string operator()(const Bytes& value) const {
      std::string out = "b";
      for (const char c : value.octets)
        out += format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
      return out;
    }
  };
  return std::visit(Show(), literal);
}

// "call _+_@3(lit 1@1,lit 2@5)"
void show(const Ast& ast, NodeId id, std::string& out) {
  const Node& node = ast[id];
  constexpr const char* kinds[] = {"error", "lit", "ident", "select", "call",
                                   "list",  "map", "msg",   "fold"};
  out += kinds[static_cast<int>(node.kind)];
  if (node.kind == NodeKind::Literal) out += " " + show(node.literal);
  const bool named = node.kind != NodeKind::Fold && !node.name.empty();
  if (named) out += " " + node.name;
  if (node.presence) out += " presence";
  if (node.member) out += " member";
  for (const std::string& name : node.names)
    out += " " + name;
  out += format("@{}(", node.at);
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    if (i > 0) out += ",";
    const std::size_t entry = node.kind == NodeKind::Map ? i / 2 : i;
    const bool is_key = node.kind != NodeKind::Map || i % 2 == 0;
    if (is_key && entry < node.optional.size() && node.optional[entry]) out += "?";
    show(ast, node.args[i], out);
  }
  out += ")";
}

// The tree, or all issues; a syntax error by its place only.
std::string answer_parse(const std::string& expression) {
  const Source source(expression);
  const Parsed parsed = parse(source);
  std::string out;
  if (parsed.ok()) {
    show(parsed.ast, parsed.ast.root, out);
    return escape(out);
  }
  return "error " + escape(display(source, parsed.issues));
}

// The environment of stored expressions.
const Environment& environment() { return dra::test::device_environment(); }

// The output type, or all issues.
std::string answer_check(const std::string& expression) {
  const Source source(expression);
  Parsed parsed = parse(source, environment().macros());
  if (!parsed.ok()) return "error " + escape(display(source, parsed.issues));
  const Checked checked = check(std::move(parsed.ast), environment());
  if (!checked.ok()) return "error " + escape(display(source, checked.issues));
  return "ok " + describe_output(checked.output());
}

// The estimated cost, from the least to the most, of an expression without issues.
std::string answer_estimate(const std::string& expression) {
  Parsed parsed = parse(Source(expression), environment().macros());
  if (!parsed.ok()) return "error";
  const Checked checked = check(std::move(parsed.ast), environment());
  if (!checked.ok()) return "error";
  const Estimate estimate = estimate_cost(checked, dra::test::kDeviceSizes);
  return format("{} {}", estimate.min, estimate.max);
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto fields = dra::base::split(line, '\t');
    const std::string argument = fields.size() > 1 ? unescape(fields[1]) : std::string();
    if (fields.front() == "parse") std::cout << answer_parse(argument) << std::endl;
    if (fields.front() == "check") std::cout << answer_check(argument) << std::endl;
    if (fields.front() == "estimate") std::cout << answer_estimate(argument) << std::endl;
  }
}
