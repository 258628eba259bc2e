// src/json/path_run.h: one evaluation of a JSONPath template.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/path.h"
#include "src/json/path_nodes.h"

namespace dra::json::path {

using Matches = std::vector<PathMatch>;
using Groups = std::vector<Matches>;

// Follows client-go/util/jsonpath/jsonpath.go node by node, because its treatment of mistakes is
// visible: a filter that asks whether something exists takes the input of a failed step.
class Run {
 public:
  Run(const List& root, bool allow_missing, std::deque<Value>& made)
      : root_(root), allow_missing_(allow_missing), made_(made) {}

  Result<Groups> all(const Value& document);

 private:
  // The nodes from `first` to the end of the innermost loop.
  Groups find(const PathMatch& current, std::size_t first);

  // Applies a node to the matches of the one before it. After a failure the result is the one that
  // Go returns along with the error.
  Matches walk(const Matches& input, const Node& node);
  Matches walk_list(Matches input, const List& nodes);
  Matches keyword(const Matches& input, const Identifier& word);
  Matches field(const Matches& input, const Field& field);
  Matches slice(const Matches& input, const Slice& slice);
  Matches wildcard(const Matches& input);
  Matches recursive(const Matches& input);
  Matches filter(const Matches& input, const Filter& filter);
  Matches union_of(const Matches& input, const Union& all);

  // The item passes the filter. No value: the filter failed.
  std::optional<bool> passes(const PathMatch& item, const Filter& filter);
  // The only match of one side of a comparison. No value: the item does not pass.
  std::optional<PathMatch> side(const PathMatch& item, const List& nodes);
  // Members, items, or the bytes of a string.
  Matches children(const PathMatch& match);
  Matches for_each(std::size_t count, Value value, PathMatch::Type type);

  void fail(std::string message);
  bool failed() const { return error_.has_value(); }

  const List& root_;
  bool allow_missing_;
  std::deque<Value>& made_;
  std::optional<Error> error_;
  // The numbers of loops that begin, run, and end at the node being evaluated.
  int begins_ = 0;
  int running_ = 0;
  int ends_ = 0;
  std::optional<std::size_t> last_end_;
  bool open_ = false;            // some loop has no {end}
  std::int64_t open_steps_ = 0;  // nodes evaluated since that is known
};

}  // namespace dra::json::path
