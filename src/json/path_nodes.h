// src/json/path_nodes.h: the syntax tree of a JSONPath template.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace dra::json::path {

struct Node;
using List = std::vector<Node>;

struct Text {
  std::string text;
};
struct Integer {
  std::int64_t value = 0;
};
struct Float {
  double value = 0;
};
struct Bool {
  bool value = false;
};
struct Identifier {  // range, end, or a mistake that only evaluation sees
  std::string name;
};
struct Field {
  std::string name;
};
struct Wildcard {};
struct Recursive {};

// [start:end:step]
struct Slice {
  struct Bound {
    std::int64_t value = 0;
    bool known = false;
    bool derived = false;  // the end of [start], which is start + 1
  };
  std::array<Bound, 3> bounds;
};
// [?(left operator right)]. An empty operator asks whether the left side exists.
struct Filter {
  List left;
  std::string op;
  List right;
};
struct Union {
  std::vector<List> lists;
};
struct Action {  // {...}
  List nodes;
};

struct Node {
  std::variant<Text, Integer, Float, Bool, Identifier, Field, Wildcard, Recursive, Slice, Filter,
               Union, Action>
      what;
};

}  // namespace dra::json::path
