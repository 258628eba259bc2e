// src/json/yaml_tree.cpp: see yaml_tree.h.

#include "src/json/yaml_tree.h"

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "src/json/yaml_properties.h"
#include "src/json/yaml_scalar.h"

namespace dra::json {
namespace {

// The limit of what anchors and aliases copy, in memory. Otherwise a few lines of nested ones could
// fill it, or one long text that is named often.
constexpr std::size_t kMaxCopies = std::size_t{64} << 20U;

// The memory that a copy takes.
std::size_t size_of(const Value& value) {
  std::size_t bytes = sizeof(Value) + value.text().size();
  for (const Member& member : value.members())
    bytes += sizeof(Member) - sizeof(Value) + member.key.size() + size_of(member.value);
  for (const Value& item : value.items())
    bytes += size_of(item);
  return bytes;
}

std::size_t depth_of(const Value& value) {
  std::size_t depth = 0;
  for (const Member& member : value.members())
    depth = std::max(depth, depth_of(member.value));
  for (const Value& item : value.items())
    depth = std::max(depth, depth_of(item));
  return depth + 1;
}

// JSON has only strings for keys, and `y: 1` has the key "true". The converter behind kubectl has
// no text for null.
void check_key(const Value& key) {
  if (key.is(Kind::Object) || key.is(Kind::Array) || key.is(Kind::Null))
    throw YamlError{key.position(),
                    "a key must be plain text, not " + std::string(name_of(key.kind()))};
}

[[noreturn]] void no_number(Position at, const std::string& text) {
  throw YamlError{at, "JSON has no number " + text};
}

[[noreturn]] void no_merge(Position at) {
  throw YamlError{at, "<< must name a map or a list of maps"};
}

[[noreturn]] void too_deep(Position at) {
  throw YamlError{at, base::format("nested deeper than {} levels", kMaxDepth)};
}

std::pair<std::uint32_t, std::uint32_t> place_of(Position position) {
  return {position.line, position.column};
}

Value placed(Value value, Position at) {
  value.set_position(at);
  return value;
}

}  // namespace

void YamlTree::start_document() {
  anchors_.clear();
  no_numbers_.clear();
}

void YamlTree::check_properties(Position at, std::string_view text) const {
  if (const char wrong = wrong_property(text, in_flow()))
    throw YamlError{at, base::format("no text can start with {}; quote the text", wrong)};
}

std::optional<Value> YamlTree::take_document() {
  if (document_ && !no_numbers_.empty()) check_numbers(*document_);
  return std::exchange(document_, std::nullopt);
}

void YamlTree::scalar(Position at, std::string_view text, ScalarStyle style,
                      std::string_view anchor) {
  if (style == ScalarStyle::Text) return finish(placed(Value(text), at), anchor, ++nodes_);
  auto resolved = resolve_plain_scalar(text);
  if (!resolved) {
    if (is_open() && open_.back().waits_for_key()) no_number(at, std::string(text));
    no_numbers_.emplace(place_of(at), text);
  }
  plain_merge_key_ = text == "<<";
  finish(placed(resolved ? *std::move(resolved) : Value(), at), anchor, ++nodes_);
}

void YamlTree::value(Position at, Value value, std::string_view anchor) {
  finish(placed(std::move(value), at), anchor, ++nodes_);
}

void YamlTree::alias(Position at, std::string_view anchor) {
  const auto found = anchors_.find(anchor);
  const bool known = found != anchors_.end();
  const auto around = std::ranges::find(open_.rbegin(), open_.rend(), anchor, &Open::anchor);
  if (around != open_.rend() && (!known || around->number > found->second.number))
    throw YamlError{at, "an alias inside its own anchor"};
  if (!known) throw YamlError{at, "an alias names an anchor that is not defined above it"};
  const Value& value = found->second.value;
  count_copy(value, at);
  if (open_.size() + depth_of(value) > static_cast<std::size_t>(kMaxDepth)) too_deep(at);
  if (const auto number = no_numbers_.find(place_of(value.position())); number != no_numbers_.end())
    no_numbers_.emplace(place_of(at), number->second);
  if (is_open() && open_.back().key_is_merge && !value.is(Kind::Object)) no_merge(at);
  finish(placed(value, at), {}, ++nodes_);
}

void YamlTree::open(Position at, Kind kind, bool flow, std::string_view anchor) {
  if (open_.size() >= static_cast<std::size_t>(kMaxDepth)) too_deep(at);
  open_.push_back({placed(kind == Kind::Array ? Value::array() : Value::object(), at),
                   std::string(anchor), ++nodes_, flow});
}

void YamlTree::close() {
  Open done = std::move(open_.back());
  open_.pop_back();
  if (!done.merges.empty()) merge_members(done.value.members(), std::move(done.merges));
  plain_merge_key_ = false;
  finish(std::move(done.value), done.anchor, done.number);
}

// A map with an anchor has the anchor's place.
std::optional<YamlTree::Waiting> YamlTree::waiting_key() const {
  if (!is_open() || !open_.back().key) return std::nullopt;
  const Position key = open_.back().key->position;
  return Waiting{key, std::min(open_.back().value.position().column, key.column)};
}

std::vector<YamlKey> YamlTree::open_keys() const {
  std::vector<YamlKey> keys;
  std::string path;
  for (const Open& open : open_) {
    if (open.value.is(Kind::Array)) {
      path += base::format("[{}]", open.value.items().size());
      continue;
    }
    const auto& members = open.value.members();
    const Member* last = open.key ? &*open.key : members.empty() ? nullptr : &members.back();
    if (last == nullptr) break;
    path += (path.empty() ? "" : ".") + last->key;
    keys.push_back({last->position, path});
  }
  return keys;
}

void YamlTree::finish(Value value, std::string_view anchor, std::size_t number) {
  if (!anchor.empty()) {
    count_copy(value, value.position());
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end() || known->second.number < number)
      anchors_.insert_or_assign(std::string(anchor), Anchored{value, number});
  }
  const bool merge_key = std::exchange(plain_merge_key_, false);
  if (!is_open()) {
    document_ = std::move(value);
    return;
  }
  Open& parent = open_.back();
  if (parent.value.is(Kind::Array)) {
    parent.value.items().push_back(std::move(value));
  } else if (!parent.key) {
    check_key(value);
    parent.key = Member{value.text(), {}, value.position()};
    parent.key_is_merge = merge_key;
  } else {
    add_member(parent, std::move(value));
  }
}

void YamlTree::add_member(Open& parent, Value value) {
  if (parent.key_is_merge) {
    parent.merges.push_back({std::move(value), parent.value.members().size()});
  } else {
    parent.key->value = std::move(value);
    parent.value.members().push_back(*std::move(parent.key));
  }
  parent.key.reset();
  parent.key_is_merge = false;
}

void YamlTree::count_copy(const Value& value, Position at) {
  copied_ += size_of(value);
  if (copied_ > kMaxCopies)
    throw YamlError{at, base::format("the anchors and aliases of this text expand to more than {} "
                                     "MiB; write out what they stand for",
                                     kMaxCopies >> 20U)};
}

// A number that JSON does not have is allowed if a merge replaces it.
void YamlTree::check_numbers(const Value& value) const {
  if (value.is(Kind::Null)) {
    const auto number = no_numbers_.find(place_of(value.position()));
    if (number != no_numbers_.end()) no_number(value.position(), number->second);
  }
  for (const Member& member : value.members())
    check_numbers(member.value);
  for (const Value& item : value.items())
    check_numbers(item);
}

void YamlTree::unfold_map(Value map, std::vector<Written>& written) {
  if (!map.is(Kind::Object)) no_merge(map.position());
  for (Member& member : map.members())
    written.push_back({std::move(member), true});
}

// The members that a merge adds. The first of several maps wins, so it comes last. As behind
// kubectl, a list must be written in place: an alias of a list, or a list in a list, is no merge.
void YamlTree::unfold(Value merge, std::vector<Written>& written) {
  if (!merge.is(Kind::Array)) return unfold_map(std::move(merge), written);
  std::reverse(merge.items().begin(), merge.items().end());
  for (Value& item : merge.items())
    unfold_map(std::move(item), written);
}

// The members of a map with merges. As in the library behind kubectl (yaml/v2), and unlike YAML's
// own rule, each write replaces the ones above it, so a merge replaces the members above it. Keys
// that the map itself has twice stay so.
void YamlTree::merge_members(std::vector<Member>& members, std::vector<Merge> merges) {
  std::vector<Written> written;
  auto merge = merges.begin();
  for (std::size_t i = 0; i <= members.size(); ++i) {
    for (; merge != merges.end() && merge->above == i; ++merge)
      unfold(std::move(merge->value), written);
    if (i < members.size()) written.push_back({std::move(members[i]), false});
  }
  std::set<std::string> below;
  std::set<std::string> merged_below;
  std::vector<Member> kept;
  std::reverse(written.begin(), written.end());
  for (Written& last : written) {
    const std::string key = last.member.key;
    if (!(last.merged ? below : merged_below).contains(key)) kept.push_back(std::move(last.member));
    below.insert(key);
    if (last.merged) merged_below.insert(key);
  }
  std::reverse(kept.begin(), kept.end());
  members = std::move(kept);
}

}  // namespace dra::json
