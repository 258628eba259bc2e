// include/dra/engine/selectors/selector.h
//
// CEL selectors of device classes and requests: the language in which a release compiles them,
// their compile errors, and their evaluation for a device.
//
// Upstream: k8s.io/dynamic-resource-allocation/cel, compile.go (newCompiler, CompileCELExpression,
// DeviceMatches); further checks of validation: k8s.io/kubernetes/pkg/apis/resource/validation,
// validateCELSelector.

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

// The API server accepts new expressions only if the release before knows them, too, as an upgrade
// may be rolled back. The scheduler compiles stored ones with everything it knows.
enum class Expressions : std::uint8_t { New, Stored };

// The differences between releases.
struct Language {
  int release = 37;      // minor release of the function library
  bool shares = true;    // device.allowMultipleAllocations
  bool lists = true;     // attributes may be lists; their type is dyn, not any
  bool includes = true;  // x.includes(y)
  // False: no expression can be evaluated for a device with a list attribute.
  bool reads_lists = true;

  friend bool operator==(const Language&, const Language&) = default;
};
Language language_of(const snapshot::Server& server, Expressions expressions);

// The variable is `device`. Lives as long as the program.
const cel::Environment& environment_of(const Language& language);

inline constexpr std::size_t kMaxExpressionBytes = 10'240;
inline constexpr std::uint64_t kMaxSelectorCost =
    1'000'000;  // of the estimate, and of each evaluation

// The step at which an expression, or its evaluation for a device, fails.
enum class Stage : std::uint8_t {
  Length,
  Syntax,
  Check,
  OutputType,
  Program,    // a constant subexpression cannot be computed
  Cost,       // the estimate is too high, or an evaluation was stopped
  Attribute,  // an attribute of the device cannot be read
  Eval,
  Result,  // neither true nor false
};
std::string_view name_of(Stage stage);  // "output-type", as in reports

struct Failure {
  Stage stage = Stage::Eval;
  std::string message = {};             // the server's words
  std::vector<cel::Issue> issues = {};  // of Syntax and Check: one or more
};

// The message on one line, without the quoted source: "compilation failed: ERROR: <input>:1:8:
// undefined field 'x'".
std::string on_one_line(const Failure& failure);

// The result of an expression for one device.
struct Answer {
  bool matches = false;                 // false also if it fails
  std::optional<Failure> failure = {};  // then the scheduler gives up on the pod
  std::uint64_t cost = 0;
};

// An expression chooses devices, or derives an attribute that a constraint compares: a bool, an
// int, a string, a version, or a list of one of these.
enum class Purpose : std::uint8_t { Choice, Attribute };

class Selector {
 public:
  // An expression that does not compile makes a Selector with a failure and no program.
  Selector(std::string_view expression, const Language& language,
           Purpose purpose = Purpose::Choice);

  const cel::Source& source() const { return source_; }
  std::string_view expression() const { return source_.text(); }
  // Why there is no program, or why the API server refuses it: with Cost there is a program, and
  // with Length if the text compiles.
  const std::optional<Failure>& failure() const { return failure_; }
  // nullptr: it does not compile.
  const cel::Program* program() const { return program_ ? &*program_ : nullptr; }
  std::string output_type() const;
  // The upper bound for any device; the largest number means unbounded.
  std::uint64_t estimated_cost() const { return estimated_cost_; }

  // Whether a device with a list attribute can be read.
  bool reads_lists() const { return reads_lists_; }
  // Why no expression can be evaluated for the device, in the server's words; empty: expressions
  // can.
  std::string problem_with(const DeviceValue& device) const;
  // Needs a program. A run may serve many evaluations; it holds the memory of values.
  Answer evaluate(const DeviceValue& device, cel::Run& run) const;
  // The value instead of the answer; it may lie in the run. The device must be readable.
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
