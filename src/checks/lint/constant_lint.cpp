// src/checks/lint/constant_lint.cpp: evaluates the constant calls of a selector. The server
// computes some of them when it compiles the expression, and refuses it; of the others only the
// scheduler finds out that they fail.

#include <algorithm>

#include "dra/base/text.h"
#include "dra/cel/hints/near_literals.h"
#include "dra/cel/values/go_text.h"
#include "dra/checks/lint/lint.h"
#include "src/checks/lint/selector_paths.h"

namespace dra::checks {
namespace {

using base::format;
using cel::NodeId;
using cel::NodeKind;

// Each is compiled by itself.
constexpr std::size_t kMostConstants = 100;

class ConstantLinter {
 public:
  ConstantLinter(const engine::Selector& selector, const cel::Environment& environment)
      : ast_(selector.program()->checked().ast),
        source_(selector.source()),
        environment_(environment) {}

  std::vector<SelectorLint> run() {
    look_at(ast_.root);
    return std::move(found_);
  }

 private:
  struct Constant {
    bool is = false;
    bool fails = false;  // a part of it does
  };

  Constant look_at(NodeId id) {
    const cel::Node& node = ast_[id];
    Constant all{.is = node.kind == NodeKind::Literal || node.kind == NodeKind::Call ||
                       node.kind == NodeKind::List || node.kind == NodeKind::Map};
    for (const NodeId arg : node.args) {
      const Constant part = look_at(arg);
      all.is = all.is && part.is;
      all.fails = all.fails || part.fails;
    }
    all.is = all.is && !node.generated;
    if (all.is && !all.fails && node.kind == NodeKind::Call) all.fails = report(node);
    return all;
  }

  std::string failure_of(std::string_view text) {
    return cel::failure_of_constant(text, environment_);
  }

  // True if the call fails.
  bool report(const cel::Node& node) {
    if (++tried_ > kMostConstants) return false;
    const std::string_view text = source_.text_of(node.span);
    const std::string failure = failure_of(text);
    if (failure.empty()) return false;
    found_.push_back(
        {.message = format("{} cannot be evaluated, and the scheduler gives up on the pod: {}",
                           text, failure),
         .fix = base::join(better_than(node), " or "),
         .code = diag::Code::SelectorError,
         .offset = source_.byte_of(node.span.begin)});
    return true;
  }

  // The call with another text that it accepts.
  std::vector<std::string> better_than(const cel::Node& node) {
    std::vector<std::string> better;
    for (const NodeId arg : node.args) {
      const std::string* literal = text_of(ast_, arg);
      if (literal == nullptr) continue;
      const cel::Span span = ast_[arg].span;
      for (const std::string& near : cel::near_literals(node.name, *literal)) {
        std::string call = format("{}{}{}", source_.text_of({node.span.begin, span.begin}),
                                  cel::go_quoted(near), source_.text_of({span.end, node.span.end}));
        if (failure_of(call).empty()) better.push_back(std::move(call));
      }
    }
    return better;
  }

  const cel::Ast& ast_;
  const cel::Source& source_;
  const cel::Environment& environment_;
  std::size_t tried_ = 0;
  std::vector<SelectorLint> found_;
};

}  // namespace

std::vector<SelectorLint> lint_constants(const engine::Selector& selector,
                                         const engine::Language& language) {
  if (selector.program() == nullptr) return {};
  return ConstantLinter(selector, engine::environment_of(language)).run();
}

}  // namespace dra::checks
