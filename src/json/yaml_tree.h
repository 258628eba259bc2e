// src/json/yaml_tree.h
//
// Documents made of the events of a YAML parser: anchors, merges, keys, scalars, and the limits of
// what a text may become. A parser knows the grammar, this knows what the text means to kubectl.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/json/value.h"
#include "dra/json/yaml.h"

namespace dra::json {

// How a scalar is written, which decides what it means.
enum class ScalarStyle : std::uint8_t { Plain, Text };  // Text: in quotes or in a block

// Every function throws YamlError where the document is wrong.
class YamlTree {
 public:
  void start_document();
  // The text of an event has no anchor and no tag in front that kubectl does not take.
  void check_properties(Position at, std::string_view text) const;
  // Without a value if the document has none.
  std::optional<Value> take_document();

  // An anchor is empty where there is none.
  void scalar(Position at, std::string_view text, ScalarStyle style, std::string_view anchor);
  void value(Position at, Value value, std::string_view anchor);  // of a scalar with a tag
  void alias(Position at, std::string_view anchor);
  void open(Position at, Kind kind, bool flow, std::string_view anchor);  // of a list or a map
  void close();

  bool is_open() const { return !open_.empty(); }
  bool in_flow() const { return is_open() && open_.back().flow; }  // in brackets or braces
  // The key whose value is still to come, and the column that the value stands to the right of.
  struct Waiting {
    Position key;
    std::uint32_t indent;
  };
  std::optional<Waiting> waiting_key() const;

  // The keys of the maps that are open: the last one of each.
  std::vector<YamlKey> open_keys() const;

 private:
  // `<<: *base`, and the number of members of the map above it.
  struct Merge {
    Value value;
    std::size_t above;
  };

  // A list or a map whose end is still to come, and in a map the key that waits for its value.
  struct Open {
    Value value;
    std::string anchor;
    std::size_t number = 0;  // among all nodes, in the order in which they begin
    bool flow = false;
    std::optional<Member> key = {};
    bool key_is_merge = false;
    std::vector<Merge> merges = {};

    bool waits_for_key() const { return value.is(Kind::Object) && !key; }
  };

  // A member, which a merge may have added.
  struct Written {
    Member member;
    bool merged;
  };

  using Place = std::pair<std::uint32_t, std::uint32_t>;  // line and column

  void finish(Value value, std::string_view anchor, std::size_t number);
  void count_copy(const Value& value, Position at);
  void check_numbers(const Value& value) const;
  static void add_member(Open& parent, Value value);
  static void unfold_map(Value map, std::vector<Written>& written);
  static void unfold(Value merge, std::vector<Written>& written);
  static void merge_members(std::vector<Member>& members, std::vector<Merge> merges);

  std::optional<Value> document_;
  std::vector<Open> open_;
  // An anchor stands for the node that began last with its name, also where a node around that one
  // ends later.
  struct Anchored {
    Value value;
    std::size_t number;  // of the node
  };
  std::map<std::string, Anchored, std::less<>> anchors_;
  std::size_t nodes_ = 0;                    // that have begun
  std::map<Place, std::string> no_numbers_;  // plain scalars that JSON has no number for
  std::size_t copied_ = 0;
  bool plain_merge_key_ = false;
};

}  // namespace dra::json
