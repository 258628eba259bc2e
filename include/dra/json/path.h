// include/dra/json/path.h
//
// JSONPath as kubectl has it (k8s.io/client-go/util/jsonpath), which is a language of its own: text
// with actions in braces.
//
//   {.metadata.name}            a member; [0], [-1], [1:3], [::2], [*] and .* pick items and
//   members
//   {.items[?(@.kind=="Pod")]}  items for which it holds: == != < <= > >=, or that have it
//   {.a['b\.c'].d}  {..name}    keys in quotes, and every member of that name at any depth
//   {.items[0,2]}               several at once
//   {range .items[*]}{.metadata.name}{"\n"}{end}
//
// There are no regular expressions in it. What is odd in kubectl's is odd here: .a['b.c'] is two
// members, a quoted key ends at the first ], {range} without {end} goes on behind the loop. Members
// that .* and .. visit come in their own order, with kubectl in any.
//
// A template is compiled once and can be asked often. Where kubectl's code panics, on null in a
// range, here is an error.

#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::json {

// One value that a template came to.
struct PathMatch {
  enum class Type {
    Json,      // value, with numbers as Go decodes them
    Float,     // a number of the template that is a float, even if it looks like an integer
    Byte,      // one byte of a string, as .* gives them
    Nothing,   // what null becomes inside of a range; there is no value
    Template,  // text of the template itself
  };
  Type type = Type::Json;
  const Value* value = nullptr;  // part of the document, or of PathMatches; null only for Nothing
};

// What an evaluation found: one group for each action and each text of the template, more in
// ranges. Lives no longer than the document.
class PathMatches {
 public:
  const std::vector<std::vector<PathMatch>>& groups() const { return groups_; }

 private:
  friend class Path;
  std::vector<std::vector<PathMatch>> groups_;
  std::deque<Value> made_;  // values that are not part of the document
};

// Part of what kubectl would print.
struct PathPiece {
  enum class From {
    Template,  // the user's own text, and spaces between values
    Value,     // text of the document
    Json,      // an object or a list as JSON
  };
  From from = From::Template;
  std::string text;
};

struct PathOptions {
  // False: a member that no value has is an error. kubectl's default is true.
  bool allow_missing_keys = true;
  // Every group as a list of JSON, `-o jsonpath-as-json`.
  bool as_json = false;
};

class Path {
 public:
  // Fails with BadInput in kubectl's words, and where.
  static Result<Path> parse(std::string_view text);

  Path(Path&&) noexcept;
  Path& operator=(Path&&) noexcept;
  ~Path();

  // Fails with BadInput: an index out of bounds, what cannot be compared, a member that is missing.
  Result<PathMatches> find(const Value& document, const PathOptions& options = {}) const;

  // find(), as `kubectl get -o jsonpath=` prints it: the texts of all pieces in a row.
  Result<std::vector<PathPiece>> print(const Value& document,
                                       const PathOptions& options = {}) const;

 private:
  struct Program;
  explicit Path(std::unique_ptr<const Program> program);
  std::unique_ptr<const Program> program_;
};

// The template for a path as custom columns and --sort-by take it: name, .name, {name} and {.name}
// all become {.name} (k8s.io/kubectl/pkg/cmd/get, RelaxedJSONPathExpression). Empty stays empty.
Result<std::string> relaxed_path(std::string_view text);

// The value as Go's fmt.Sprint prints it, in custom columns: map[a:1 b:[x y]], <nil>.
std::string go_text(const PathMatch& match);

}  // namespace dra::json
