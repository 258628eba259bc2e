// tests/fuzz/cel_fuzz.cpp
//
// An expression, through all that is done with a selector: parsed, checked, estimated, planned and
// evaluated for a device within the limit of the scheduler. Whatever is wrong with it has a place
// in the text; going through all its parts gives what the short way gives.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/cel/check/checker.h"
#include "dra/cel/check/estimate.h"
#include "dra/cel/run/program.h"
#include "dra/cel/syntax/parser.h"
#include "tests/support/device_cel.h"
#include "tests/support/device_values_cel.h"
#include "tests/support/show_cel.h"

namespace {

using namespace dra::cel;
using dra::test::device_value;

constexpr std::size_t kLongestSelector = 10'240;  // in bytes; the API server refuses longer ones
constexpr std::uint64_t kCostLimit = 1'000'000;
constexpr std::uint64_t kObservedLimit = 50'000;  // of going through all parts, which takes longer

const std::vector<std::string_view> kDevice = {
    "gpu.example.com",
    "true",
    "type string gpu",
    "minor int 3",
    "healthy bool true",
    "driverVersion version 580.126.20",
    "names strings a,\u00e9,gpu-0",
    "lanes ints 4,8,16",
    "flags bools true,false",
    "versions versions 1.0.0,2.0.0-rc.1",
    "resource.kubernetes.io/numaNode int 0",
    "memory quantity 81920Mi",
    "cores quantity 1500m",
    "huge quantity 1e100",
};

void check_issues(const Source& source, const std::vector<Issue>& issues) {
  for (const Issue& issue : issues) {
    DRA_CHECK(!issue.message.empty());
    if (issue.at) DRA_CHECK(*issue.at <= source.size());
  }
  DRA_CHECK(!display(source, issues).empty());
}

void check_spans(const Source& source, const Ast& ast) {
  for (const Node& node : ast.nodes) {
    DRA_CHECK(node.span.begin <= node.span.end && node.span.end <= source.size());
    DRA_CHECK(node.at <= source.size());
  }
}

void evaluate(const Program& program) {
  Scratch scratch;
  const Value device = device_value(scratch, kDevice);
  DRA_CHECK(!device.is_error());
  Run run;
  run.cost_limit = kCostLimit;
  const std::string value = dra::test::show(program.evaluate({&device, 1}, run));
  const bool stopped = !run.stopped.empty();
  Run whole;
  whole.cost_limit = kObservedLimit;
  whole.observer = [&program](NodeId node, const Value&) {
    DRA_CHECK(node < program.checked().ast.nodes.size());
  };
  const std::string again = dra::test::show(program.evaluate({&device, 1}, whole));
  if (!stopped && whole.stopped.empty()) DRA_CHECK(value == again);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer gives the name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kLongestSelector) return 0;
  const Source source(std::string(reinterpret_cast<const char*>(data), size));
  const Environment& environment = dra::test::device_environment();
  Parsed parsed = parse(source, environment.macros());
  if (!parsed.ok()) {
    check_issues(source, parsed.issues);
    return 0;
  }
  check_spans(source, parsed.ast);
  Checked checked = check(std::move(parsed.ast), environment);
  if (!checked.ok()) {
    check_issues(source, checked.issues);
    return 0;
  }
  // The least may be more than the most: replace() makes it so upstream, too.
  static_cast<void>(estimate_cost(checked, dra::test::kDeviceSizes));
  const dra::Result<Program> program = Program::make(std::move(checked), environment);
  if (!program.ok()) {
    DRA_CHECK(!program.error().message.empty());
    return 0;
  }
  evaluate(program.value());
  return 0;
}
