// tests/differential/answer_cel.cpp: what the CEL engine says, for tests/differential/cel to
// compare with upstream. Questions and answers are lines, as for answer_base.cpp.

#include <algorithm>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/decode.h"
#include "dra/base/text.h"
#include "dra/cel/check/checker.h"
#include "dra/cel/check/estimate.h"
#include "dra/cel/run/program.h"
#include "dra/cel/syntax/parser.h"
#include "dra/cel/values/value.h"
#include "dra/engine/facts/device_value.h"
#include "dra/engine/selectors/selector.h"
#include "dra/json/parse.h"
#include "tests/support/device_cel.h"
#include "tests/support/show_cel.h"

namespace {

namespace api = dra::api;
namespace engine = dra::engine;
namespace json = dra::json;

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

// "new v1.37.1" and "stored v1.36.0" are what a server of the release has; "36 shares lists" tells
// what there is one by one.
engine::Language language_named(std::string_view name) {
  const auto words = dra::base::split(name, ' ');
  if (words[0] == "new" || words[0] == "stored") {
    auto language =
        language_of({.version = std::string(words[1])},
                    words[0] == "new" ? engine::Expressions::New : engine::Expressions::Stored);
    language.reads_lists = true;  // as upstream's newest code, which evaluates for all releases
    return language;
  }
  const auto has = [&words](std::string_view what) {
    return std::ranges::find(words, what) != words.end();
  };
  return {.release = std::stoi(std::string(words[0])),
          .shares = has("shares"),
          .lists = has("lists"),
          .includes = has("includes")};
}

// Those that questions have told, in their order: slices of one device, as JSON.
class Devices {
 public:
  void clear() { slices_.clear(); }

  void add(std::string_view text) {
    const auto tree = json::parse_json(text);
    DRA_CHECK(tree.ok());
    Slice& slice = *slices_.emplace_back(std::make_unique<Slice>());
    const auto read = json::read_tree(tree.value(), slice.arena, [&slice](json::Cursor& root) {
      api::decode(root, slice.decoded);
    });
    DRA_CHECK(read.ok());
  }

  // The one of a number, as what expressions see; good until the next is asked for.
  const engine::DeviceValue& operator[](std::string_view number) {
    const Slice& slice = *slices_.at(std::stoul(std::string(number)));
    const api::SliceSpec& spec = slice.decoded.spec;
    value_.set(spec.driver, spec.devices.front());
    return value_;
  }

 private:
  struct Slice {
    dra::base::Arena arena;
    api::ResourceSlice decoded;
  };

  std::vector<std::unique_ptr<Slice>> slices_;
  engine::DeviceValue value_;
};

std::string show(const engine::Answer& answer) {
  const std::string cost = format(" cost {}", answer.cost);
  if (!answer.failure) return (answer.matches ? "true" : "false") + cost;
  const engine::Failure& failure = *answer.failure;
  return format("{}: {}", name_of(failure.stage), escape(failure.message)) +
         (failure.stage == engine::Stage::Attribute ? "" : cost);
}

// What becomes of a selector, parted by tabs: where it fails ("ok": nowhere), the message, and
// if there is a program, its type, "?", the estimated cost, and the answer for each device.
std::string answer_select(std::span<const std::string_view> fields, Devices& devices) {
  const engine::Selector selector(unescape(fields[1]), language_named(fields[0]));
  std::string out = "ok\t";
  if (const auto& failure = selector.failure())
    out = format("{}\t{}", name_of(failure->stage), escape(failure->message));
  if (selector.program() == nullptr) return out;
  out += format("\t{}\t?\t{}", selector.output_type(), selector.estimated_cost());
  Run run;
  for (const std::string_view number : fields.subspan(2))
    out += "\t" + show(selector.evaluate(devices[number], run));
  return out;
}

// The same of an expression of any type, which is no matter of the engine: "refused" and all
// issues, or why there is no program, or "value"; the least and the most estimated cost; the value
// for each device and its cost.
std::string answer_value(std::span<const std::string_view> fields, Devices& devices) {
  const Environment& declared = environment_of(language_named(fields[0]));
  const Source source(unescape(fields[1]));
  Parsed parsed = parse(source, declared.macros());
  if (!parsed.ok()) return "refused\t" + escape(display(source, parsed.issues));
  Checked checked = check(std::move(parsed.ast), declared);
  if (!checked.ok()) return "refused\t" + escape(display(source, checked.issues));
  const Estimate estimate = estimate_cost(checked, dra::test::kDeviceSizes);
  const std::string about =
      format("\t{}\t{}\t{}", describe_output(checked.output()), estimate.min, estimate.max);
  const dra::Result<Program> program = Program::make(std::move(checked), declared);
  if (!program.ok()) return "program\t" + escape(program.error().message) + about;
  std::string out = "value\t" + about;
  Run run;
  run.cost_limit = engine::kMaxSelectorCost;
  for (const std::string_view number : fields.subspan(2)) {
    const engine::DeviceValue& device = devices[number];
    if (!device.problem().empty()) {
      out += "\terror " + escape(device.problem());
      continue;
    }
    const Value variable = device.value();
    const Value value = program.value().evaluate({&variable, 1}, run);
    out += format("\t{} cost {}", escape(show(value)), run.cost);
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
    if (fields.front() == "device") devices.add(unescape(rest[0]));
    if (fields.front() == "parse") std::cout << answer_parse(unescape(rest[0])) << '\n';
    if (fields.front() == "select") std::cout << answer_select(rest, devices) << '\n';
    if (fields.front() == "value") std::cout << answer_value(rest, devices) << '\n';
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();  // questions come in batches
  }
}
