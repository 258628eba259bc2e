// tests/differential/answer_cel.cpp: what the CEL engine says, for tests/differential/cel to
// compare with upstream. Questions and answers are lines, as for answer_base.cpp.

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/checker.h"
#include "dra/cel/estimate.h"
#include "dra/cel/kubernetes.h"
#include "dra/cel/parser.h"
#include "dra/cel/program.h"
#include "dra/cel/value.h"
#include "tests/support/device_cel.h"
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

// A map of maps that is {} for what it does not have, as device.attributes is.
class Domains final : public MapValue {
 public:
  Domains(const Value& known, const Value& empty) : known_(known), empty_(empty) {}
  std::size_t size() const override { return known_.as_map().size(); }
  std::pair<Value, Value> entry(std::size_t index) const override {
    return known_.as_map().entry(index);
  }
  std::optional<Value> find(const Value& key) const override { return known_.as_map().find(key); }
  std::optional<Value> fallback() const override { return empty_; }

 private:
  Value known_;
  Value empty_;
};

Value attribute_value(Scratch& scratch, std::string_view kind, std::string_view text) {
  if (kind.ends_with("s")) {
    std::vector<Value> values;
    for (const std::string_view one : dra::base::split(text, ','))
      values.push_back(attribute_value(scratch, kind.substr(0, kind.size() - 1), one));
    return scratch.list(values);
  }
  if (kind == "bool") return Value::boolean(text == "true");
  if (kind == "int") return Value::integer(std::strtoll(std::string(text).c_str(), nullptr, 10));
  const std::string_view kept = scratch.keep(text);
  if (kind == "version") return parse_semver(kept, scratch);
  return kind == "quantity" ? parse_quantity(kept, scratch) : Value::string(kept);
}

Value maps_of(Scratch& scratch,
              const std::map<std::string, std::vector<std::pair<Value, Value>>>& entries) {
  std::vector<std::pair<Value, Value>> domains;
  for (const auto& [domain, in_it] : entries)
    domains.emplace_back(scratch.string(domain), make_map(scratch, in_it));
  return Value::map(scratch.make<Domains>(make_map(scratch, domains), make_map(scratch, {})));
}

// From fields such as "dra.example.com/cores int 5" and "dra.example.com/names strings a,b"; a
// quantity is a capacity.
Value device_of(Scratch& scratch, const std::vector<std::string_view>& fields) {
  std::map<std::string, std::vector<std::pair<Value, Value>>> attributes;
  std::map<std::string, std::vector<std::pair<Value, Value>>> capacity;
  for (const std::string_view field : fields) {
    const std::size_t slash = field.find('/');
    const std::size_t name = field.find(' ', slash);
    const std::size_t kind = field.find(' ', name + 1);
    const std::string_view type = field.substr(name + 1, kind - name - 1);
    auto& maps = type == "quantity" ? capacity : attributes;
    maps[std::string(field.substr(0, slash))].emplace_back(
        scratch.string(field.substr(slash + 1, name - slash - 1)),
        attribute_value(scratch, type, field.substr(kind + 1)));
  }
  return make_map(scratch, {{Value::string("driver"), Value::string("dra.example.com")},
                            {Value::string("allowMultipleAllocations"), Value::boolean(true)},
                            {Value::string("attributes"), maps_of(scratch, attributes)},
                            {Value::string("capacity"), maps_of(scratch, capacity)}});
}

// The value of an expression for a device, or what went wrong and when.
std::string answer_eval(const std::string& expression,
                        const std::vector<std::string_view>& fields) {
  const Source source(expression);
  Parsed parsed = parse(source, environment().macros());
  if (!parsed.ok()) return "refused " + escape(display(source, parsed.issues));
  Checked checked = check(std::move(parsed.ast), environment());
  if (!checked.ok()) return "refused " + escape(display(source, checked.issues));
  const dra::Result<Program> program = Program::make(std::move(checked), environment());
  if (!program.ok()) return "program " + escape(program.error().message);
  Scratch scratch;
  const Value device = device_of(scratch, fields);
  Run run;
  run.cost_limit = 1'000'000;
  const std::string value = show(program.value().evaluate({&device, 1}, run));
  return escape(value) + format(" cost {}", run.cost);
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
    if (fields.front() == "eval") {
      const std::vector<std::string_view> device(fields.begin() + 2, fields.end());
      std::cout << answer_eval(argument, device) << std::endl;
    }
    if (fields.front() == "estimate") std::cout << answer_estimate(argument) << std::endl;
  }
}
