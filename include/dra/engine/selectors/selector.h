// include/dra/engine/selectors/selector.h
//
// CEL selectors of device classes and requests: in which language a release compiles them, what is
// wrong with one that does not compile, and what one says of a device.
//
// Upstream: k8s.io/dynamic-resource-allocation/cel, compile.go (newCompiler,
// CompileCELExpression, DeviceMatches); what validation refuses beyond that:
// k8s.io/kubernetes/pkg/apis/resource/validation, validateCELSelector.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/library/environment.h"
#include "dra/cel/run/program.h"
#include "dra/cel/syntax/source.h"
#include "dra/engine/facts/device_value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// New expressions are what the API server stores: they may use only what the release before knows,
// too, as an upgrade may be undone. Stored ones are the scheduler's: whatever it knows.
enum class Expressions : std::uint8_t { New, Stored };

// What differs between releases.
struct Language {
  int release = 37;      // minor release whose functions there are
  bool shares = true;    // device.allowMultipleAllocations
  bool lists = true;     // attributes may be lists: their type is dyn, not any
  bool includes = true;  // x.includes(y)
  // No expression can be evaluated for a device with an attribute that is a list, else.
  bool reads_lists = true;

  friend bool operator==(const Language&, const Language&) = default;
};
Language language_of(const snapshot::Server& server, Expressions expressions);

// The variable is `device`. Lives as long as the program.
const cel::Environment& environment_of(const Language& language);

inline constexpr std::size_t kMaxExpressionBytes = 10'240;
inline constexpr std::uint64_t kMaxSelectorCost = 1'000'000;  // estimated, and of each evaluation

// Where an expression fails, or its evaluation for a device.
enum class Stage : std::uint8_t {
  Length,
  Syntax,
  Check,
  OutputType,
  Program,    // a constant part cannot be computed
  Cost,       // compiling: at worst too dear; evaluating: stopped
  Attribute,  // the device has an attribute that cannot be read
  Eval,
  Result,  // neither true nor false
};
std::string_view name_of(Stage stage);  // "output-type", as in reports

struct Failure {
  Stage stage = Stage::Eval;
  std::string message = {};             // the server's words
  std::vector<cel::Issue> issues = {};  // of Syntax and Check: one or more
};

// The message on one line, without the text that it shows: "compilation failed: ERROR: <input>:1:8:
// undefined field 'x'".
std::string on_one_line(const Failure& failure);

// What an expression says of one device.
struct Answer {
  bool matches = false;                 // false also if it fails
  std::optional<Failure> failure = {};  // then the scheduler gives up on the pod
  std::uint64_t cost = 0;
};

// What an expression is for: to choose devices, or to derive an attribute that a constraint
// compares, which is a bool, an int, a string, a version, or a list of one of these.
enum class Purpose : std::uint8_t { Choice, Attribute };

class Selector {
 public:
  // An expression that does not compile is a Selector, too: it has a failure and no program.
  Selector(std::string_view expression, const Language& language,
           Purpose purpose = Purpose::Choice);

  const cel::Source& source() const { return source_; }
  std::string_view expression() const { return source_.text(); }
  // Why there is no program, or why it may not be stored: Cost leaves a program, and so does Length
  // if the text compiles.
  const std::optional<Failure>& failure() const { return failure_; }
  // nullptr if it does not compile.
  const cel::Program* program() const { return program_ ? &*program_ : nullptr; }
  std::string output_type() const;
  // At worst, for any device; the largest number stands for "not bounded".
  std::uint64_t estimated_cost() const { return estimated_cost_; }

  // Whether a device with an attribute that is a list can be read.
  bool reads_lists() const { return reads_lists_; }
  // Why no expression can be evaluated for the device, in the server's words; empty: it can.
  std::string problem_with(const DeviceValue& device) const;
  // There must be a program. The run may be used for many evaluations; it holds what values need.
  Answer evaluate(const DeviceValue& device, cel::Run& run) const;
  // The same, as the value itself; it may lie in the run. The device must be readable.
  cel::Value value(const DeviceValue& device, cel::Run& run) const;

 private:
  void compile(const Language& language, Purpose purpose);

  cel::Source source_;
  bool reads_lists_;
  std::optional<Failure> failure_;
  std::optional<cel::Program> program_;
  std::uint64_t estimated_cost_ = 0;
};

}  // namespace dra::engine
