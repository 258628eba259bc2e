// tests/differential/answer_cel.cpp: what the CEL engine says, for tests/differential/cel to
// compare with upstream. Questions and answers are lines, as for answer_base.cpp.

#include <deque>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/checker.h"
#include "dra/cel/estimate.h"
#include "dra/cel/parser.h"
#include "dra/cel/program.h"
#include "dra/cel/value.h"
#include "tests/support/device_cel.h"
#include "tests/support/device_values_cel.h"
#include "tests/support/show_cel.h"

namespace {

using namespace dra::cel;
using dra::base::format;
using dra::test::show;

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

const Environment& environment(std::string_view name) {
  return name == "new" ? dra::test::new_device_environment() : dra::test::device_environment();
}

// Those that questions have told, in their order.
class Devices {
 public:
  void clear() {
    values_.clear();
    scratches_.clear();
  }
  void add(const std::vector<std::string_view>& fields) {
    Scratch& scratch = scratches_.emplace_back();
    std::vector<std::string_view> plain;
    for (const std::string_view field : fields)
      plain.push_back(scratch.keep(unescape(field)));
    values_.push_back(dra::test::device_value(scratch, plain));
  }
  const Value& operator[](std::string_view number) const {
    return values_.at(std::stoul(std::string(number)));
  }

 private:
  std::deque<Scratch> scratches_;
  std::vector<Value> values_;
};

// Upstream tells more of why a result is no bool.
std::string show_outcome(const Value& value, bool selects) {
  const bool fits = value.is(ValueKind::Bool) || value.is_error();
  if (!selects || fits) return show(value);
  return format("error CEL result of type {} could not be converted to bool", type_name(value));
}

// What becomes of an expression, parted by tabs: "refused" and all issues, or whether it may be a
// selector, its type, its estimated cost, and why there is no program for it, or for each device
// the value and the cost.
std::string answer_evaluate(std::span<const std::string_view> fields, const Devices& devices) {
  const Environment& declared = environment(fields[0]);
  const Source source(unescape(fields[1]));
  Parsed parsed = parse(source, declared.macros());
  if (!parsed.ok()) return "refused\t" + escape(display(source, parsed.issues));
  Checked checked = check(std::move(parsed.ast), declared);
  if (!checked.ok()) return "refused\t" + escape(display(source, checked.issues));
  const TypeKind type = checked.output().kind;
  const TypeKind unknown = fields[0] == "new" ? TypeKind::Any : TypeKind::Dyn;
  const bool selects = type == TypeKind::Bool || type == unknown;
  const Estimate estimate = estimate_cost(checked, dra::test::kDeviceSizes);
  std::string out = format("{}\t{}\t{} {}", selects ? "selector" : "value",
                           describe_output(checked.output()), estimate.min, estimate.max);
  const dra::Result<Program> program = Program::make(std::move(checked), declared);
  if (!program.ok()) return out + "\tprogram " + escape(program.error().message);
  Run run;
  run.cost_limit = 1'000'000;
  for (const std::string_view number : fields.subspan(2)) {
    const Value& device = devices[number];
    if (device.is_error()) {
      out += "\t" + escape(show(device));
      continue;
    }
    const Value value = program.value().evaluate({&device, 1}, run);
    out += format("\t{} cost {}", escape(show_outcome(value, selects)), run.cost);
  }
  return out;
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  Devices devices;
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto fields = dra::base::split(line, '\t');
    const auto rest = std::span(fields).subspan(1);
    if (fields.front() == "devices") devices.clear();
    if (fields.front() == "device") devices.add({rest.begin(), rest.end()});
    if (fields.front() == "parse") std::cout << answer_parse(unescape(rest[0])) << '\n';
    if (fields.front() == "evaluate") std::cout << answer_evaluate(rest, devices) << '\n';
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();  // questions come in batches
  }
}
