// include/dra/json/path.h
//
// kubectl's JSONPath (k8s.io/client-go/util/jsonpath), which is a language of its own: text with
// actions in braces.
//
//   {.metadata.name}            a member; [0], [-1], [1:3], [::2], [*] and .* pick items, members
//   {.items[?(@.kind=="Pod")]}  items that satisfy a filter: == != < <= > >=, or have the member
//   {.a['b\.c'].d}  {..name}    keys in quotes, and every member of that name at any depth
//   {.items[0,2]}               several at once
//   {range .items[*]}{.metadata.name}{"\n"}{end}
//
// It has no regular expressions. The oddities of kubectl's are kept: .a['b.c'] is two members, a
// quoted key ends at the first ], {range} without {end} goes on behind the loop. Three things
// differ: .* and .. visit members in the document's order, kubectl in a random one; null in a range
// is an error, where kubectl panics; and so are loops without {end} that double the work too often.
//
// A template is compiled once and evaluated as often as needed.

#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::json {

// One value that a template leads to.
struct PathMatch {
  enum class Type {
    Json,      // value, with numbers as Go decodes them
    Float,     // a number of the template that is a float, even if it looks like an integer
    Byte,      // one byte of a string, as .* gives them
    Nothing,   // null inside a range; there is no value
    Template,  // text of the template itself
  };
  Type type = Type::Json;
  const Value* value = nullptr;  // part of the document, or of PathMatches; null only for Nothing
};

// The result of an evaluation: one group for each action and each text of the template, more in
// ranges. The document must outlive it.
class PathMatches {
 public:
  const std::vector<std::vector<PathMatch>>& groups() const { return groups_; }

 private:
  friend class Path;
  std::vector<std::vector<PathMatch>> groups_;
  std::deque<Value> made_;  // values that are not part of the document
};

// A part of kubectl's output.
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
  // False: a member that is missing everywhere is an error. kubectl's default is true.
  bool allow_missing_keys = true;
  // Every group as a list of JSON, `-o jsonpath-as-json`.
  bool as_json = false;
};

class Path {
 public:
  // Fails with BadInput, in kubectl's words and with the place.
  static Result<Path> parse(std::string_view text);

  Path(Path&&) noexcept;
  Path& operator=(Path&&) noexcept;
  ~Path();

  // Fails with BadInput: an index out of bounds, values that cannot be compared, a missing member.
  Result<PathMatches> find(const Value& document, const PathOptions& options = {}) const;

  // find(), as `kubectl get -o jsonpath=` prints it: the texts of all pieces in a row.
  Result<std::vector<PathPiece>> print(const Value& document,
                                       const PathOptions& options = {}) const;

 private:
  struct Program;
  explicit Path(std::unique_ptr<const Program> program);
  std::unique_ptr<const Program> program_;
};

// The template for a path in custom columns and --sort-by: name, .name, {name} and {.name} all
// become {.name} (k8s.io/kubectl/pkg/cmd/get, RelaxedJSONPathExpression). Empty stays empty.
Result<std::string> relaxed_path(std::string_view text);

// The value as Go's fmt.Sprint prints it, in custom columns: map[a:1 b:[x y]], <nil>.
std::string go_text(const PathMatch& match);

}  // namespace dra::json
