// src/json/yaml.cpp: see yaml.h. The only file that includes yaml-cpp, and only its event parser:
// its tree hides duplicate keys, and its emitter writes the string "true" unquoted.

#include "dra/json/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "src/json/yaml_properties.h"
#include "src/json/yaml_scalar.h"
#include "src/json/yaml_words.h"

namespace dra::json {
namespace {

// The limit of what anchors and aliases copy, in memory. Otherwise a few lines of nested ones could
// fill it, or one long text that is named often.
constexpr std::size_t kMaxCopies = std::size_t{64} << 20U;

// The parser and the tree take up to 200 bytes for each piece of a text. Texts of honest size have
// more than eight characters in each.
constexpr std::size_t kFreePieces = 500'000;
constexpr std::size_t kPieceLength = 8;

Position position_of(const YAML::Mark& mark) {
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

// The memory that a copy takes.
std::size_t size_of(const Value& value) {
  std::size_t bytes = sizeof(Value) + value.text().size();
  for (const Member& member : value.members())
    bytes += sizeof(Member) - sizeof(Value) + member.key.size() + size_of(member.value);
  for (const Value& item : value.items())
    bytes += size_of(item);
  return bytes;
}

// The text of a key. JSON has only strings for keys, and `y: 1` has the key "true". The converter
// behind kubectl has no text for null.
std::string key_text(const Value& key, Position at) {
  if (key.is(Kind::Object) || key.is(Kind::Array) || key.is(Kind::Null)) {
    throw YamlError{at, "a key must be plain text, not " + std::string(name_of(key.kind()))};
  }
  return key.text();
}

// Builds the documents, and throws YamlError where one is wrong.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  // The parser does not move past some characters that no value can start with, and would report
  // the same empty document forever.
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (mark.pos <= last_start_)
      throw YamlError{position_of(mark), "no value can start with this character; quote the text"};
    const bool first = std::exchange(last_start_, mark.pos) < 0;
    check_directives(static_cast<std::size_t>(mark.pos));
    if (!first && !from(mark).starts_with("---") &&
        !ended_before(static_cast<std::size_t>(mark.pos))) {
      throw YamlError{
          position_of(mark),
          "this stands behind the end of the value above; indent it, or write --- between"};
    }
    anchors_.clear();
    no_numbers_.clear();
  }
  void OnDocumentEnd() override {
    if (document && !no_numbers_.empty()) check_numbers(*document);
  }

  // The parser skips lines that look like directives wherever a document could begin. The library
  // behind kubectl accepts %YAML 1.1 alone.
  void check_directives(std::size_t end) const {
    const auto last = static_cast<std::size_t>(std::max(last_event_, 0));
    std::size_t at = last_event_ < 0 ? 0 : std::min(text_.find('\n', last), end);
    for (const std::string_view line : base::split(text_.substr(at, end - at), '\n')) {
      if (line.starts_with('%') && !line.starts_with("%YAML 1.1")) {
        const auto above = std::ranges::count(text_.substr(0, at), '\n');
        throw YamlError{{static_cast<std::uint32_t>(above) + 1, 1},
                        "no line can start with %; quote the text"};
      }
      at += line.size() + 1;
    }
  }

  // The parser takes a last line without a colon for a key without a value. The value's mark is the
  // key's.
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check_properties(mark);
    if (!open_.empty() && !open_.back().flow && open_.back().key && mark.pos == last_event_)
      throw YamlError{position_of(mark), "this key has no colon behind it"};
    if (in_flow() && !open_.back().key && from(mark).starts_with(','))
      throw YamlError{position_of(mark), "a comma with nothing before it"};
    finish(at(Value(), mark), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    last_event_ = mark.pos;
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw YamlError{position_of(mark), "an alias inside its own anchor"};
    count_copy(found->second, position_of(mark));
    if (open_.size() + depth_of(found->second) > static_cast<std::size_t>(kMaxDepth))
      too_deep(mark);
    if (const auto number = no_numbers_.find(place_of(found->second.position()));
        number != no_numbers_.end())
      no_numbers_.emplace(place_of(position_of(mark)), number->second);
    if (!open_.empty() && open_.back().key_is_merge && !found->second.is(Kind::Object))
      no_merge(position_of(mark));
    finish(at(found->second, mark), YAML::NullAnchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    last_event_ = mark.pos;
    check_properties(mark);
    if (tag == "?" && in_flow() && value.starts_with(':'))
      throw YamlError{position_of(mark), "no value can start with a colon here; quote the text"};
    if (tag == "!" && !quote_closes(behind_properties(from(mark)))) {
      throw YamlError{position_of(mark), "the quoted text that starts here has no closing quote"};
    }
    if (tag != "?" && !tag.empty()) return finish(at(Value(value), mark), anchor);
    auto resolved = resolve_plain_scalar(value);
    if (!resolved) {
      const bool is_key = !open_.empty() && open_.back().waits_for_key();
      if (is_key) no_number(position_of(mark), value);
      no_numbers_.emplace(place_of(position_of(mark)), value);
    }
    plain_merge_key_ = value == "<<";
    finish(at(resolved ? *std::move(resolved) : Value(), mark), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    check_properties(mark);
    begin(at(Value::array(), mark), anchor, mark);
    open_.back().flow = style == YAML::EmitterStyle::Flow;
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    check_properties(mark);
    begin(at(Value::object(), mark), anchor, mark);
    open_.back().flow = style == YAML::EmitterStyle::Flow;
  }
  void OnSequenceEnd() override { end(); }
  void OnMapEnd() override { end(); }

  // The keys of the maps that are open: the last one of each.
  std::vector<YamlKey> open_keys() const {
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

  std::optional<Value> document;

 private:
  // `<<: *base`, and the number of members of the map above it.
  struct Merge {
    Value value;
    std::size_t above;
  };

  // A list or a map whose end is still to come, and in a map the key that waits for its value.
  struct Open {
    Value value;
    YAML::anchor_t anchor;
    bool flow = false;  // written in brackets or braces, not in lines
    std::optional<Member> key = {};
    bool key_is_merge = false;
    std::vector<Merge> merges = {};

    bool waits_for_key() const { return value.is(Kind::Object) && !key; }
  };

  using Place = std::pair<std::uint32_t, std::uint32_t>;  // line and column
  static Place place_of(Position position) { return {position.line, position.column}; }

  [[noreturn]] static void no_number(Position at, const std::string& text) {
    throw YamlError{at, "JSON has no number " + text};
  }

  // A number that JSON does not have is allowed if a merge replaces it.
  void check_numbers(const Value& value) const {
    if (value.is(Kind::Null)) {
      const auto number = no_numbers_.find(place_of(value.position()));
      if (number != no_numbers_.end()) no_number(value.position(), number->second);
    }
    for (const Member& member : value.members())
      check_numbers(member.value);
    for (const Value& item : value.items())
      check_numbers(item);
  }

  static Value at(Value value, const YAML::Mark& mark) {
    value.set_position(position_of(mark));
    return value;
  }

  static std::size_t depth_of(const Value& value) {
    std::size_t depth = 0;
    for (const Member& member : value.members())
      depth = std::max(depth, depth_of(member.value));
    for (const Value& item : value.items())
      depth = std::max(depth, depth_of(item));
    return depth + 1;
  }

  bool in_flow() const { return !open_.empty() && open_.back().flow; }

  std::string_view from(const YAML::Mark& mark) const {
    return text_.substr(std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size()));
  }

  void check_properties(const YAML::Mark& mark) const {
    if (const char wrong = wrong_property(from(mark), in_flow()))
      throw YamlError{position_of(mark),
                      base::format("no text can start with {}; quote the text", wrong)};
  }

  // The document before ends with a mark. Then the next one need not begin with one.
  bool ended_before(std::size_t start) const {
    const std::size_t end = text_.substr(0, start).rfind("\n...");
    if (end == std::string_view::npos) return false;
    for (std::string_view line : base::split(text_.substr(end + 4, start - end - 4), '\n')) {
      line = base::trim(line);
      if (!line.empty() && !line.starts_with('#') && !line.starts_with('%')) return false;
    }
    return true;
  }

  [[noreturn]] static void too_deep(const YAML::Mark& mark) {
    throw YamlError{position_of(mark), base::format("nested deeper than {} levels", kMaxDepth)};
  }

  void count_copy(const Value& value, Position at) {
    copied_ += size_of(value);
    if (copied_ > kMaxCopies)
      throw YamlError{at, base::format("the anchors and aliases of this text expand to more than "
                                       "{} MiB; write out what they stand for",
                                       kMaxCopies >> 20U)};
  }

  void begin(Value value, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (open_.size() >= static_cast<std::size_t>(kMaxDepth)) too_deep(mark);
    open_.push_back({std::move(value), anchor});
  }

  void end() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (!done.merges.empty()) merge_members(done.value.members(), std::move(done.merges));
    plain_merge_key_ = false;
    finish(std::move(done.value), done.anchor);
  }

  void finish(Value value, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      count_copy(value, value.position());
      anchors_[anchor] = value;
    }
    const bool merge_key = std::exchange(plain_merge_key_, false);
    if (open_.empty()) {
      document = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.value.is(Kind::Array)) {
      parent.value.items().push_back(std::move(value));
    } else if (!parent.key) {
      const Position position = value.position();
      parent.key = Member{key_text(value, position), {}, position};
      parent.key_is_merge = merge_key;
    } else {
      add_member(parent, std::move(value));
    }
  }

  static void add_member(Open& parent, Value value) {
    const Position at = value.position();
    // A map with an anchor has the anchor's place.
    const std::uint32_t indent =
        std::min(parent.value.position().column, parent.key->position.column);
    if (!parent.flow && !value.is(Kind::Null) && !value.is(Kind::Array) &&
        at.line > parent.key->position.line && at.column <= indent)
      throw YamlError{at, "this key has no colon behind it"};
    if (parent.key_is_merge) {
      parent.merges.push_back({std::move(value), parent.value.members().size()});
    } else {
      parent.key->value = std::move(value);
      parent.value.members().push_back(*std::move(parent.key));
    }
    parent.key.reset();
    parent.key_is_merge = false;
  }

  // A member, which a merge may have added.
  struct Written {
    Member member;
    bool merged;
  };

  [[noreturn]] static void no_merge(Position at) {
    throw YamlError{at, "<< must name a map or a list of maps"};
  }

  static void unfold_map(Value map, std::vector<Written>& written) {
    if (!map.is(Kind::Object)) no_merge(map.position());
    for (Member& member : map.members())
      written.push_back({std::move(member), true});
  }

  // The members that a merge adds. The first of several maps wins, so it comes last. As behind
  // kubectl, a list must be written in place: an alias of a list, or a list in a list, is no merge.
  static void unfold(Value merge, std::vector<Written>& written) {
    if (!merge.is(Kind::Array)) return unfold_map(std::move(merge), written);
    std::reverse(merge.items().begin(), merge.items().end());
    for (Value& item : merge.items())
      unfold_map(std::move(item), written);
  }

  // The members of a map with merges. As in the library behind kubectl (yaml/v2), and unlike YAML's
  // own rule, each write replaces the ones above it, so a merge replaces the members above it. Keys
  // that the map itself has twice stay so.
  static void merge_members(std::vector<Member>& members, std::vector<Merge> merges) {
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
      if (!(last.merged ? below : merged_below).contains(key))
        kept.push_back(std::move(last.member));
      below.insert(key);
      if (last.merged) merged_below.insert(key);
    }
    std::reverse(kept.begin(), kept.end());
    members = std::move(kept);
  }

  std::string_view text_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Value> anchors_;
  std::map<Place, std::string> no_numbers_;  // plain scalars that JSON has no number for
  std::size_t copied_ = 0;
  int last_start_ = -1;  // of the document before this one
  int last_event_ = -1;  // of the scalar or alias before this event
  bool plain_merge_key_ = false;
};

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The parser takes any bytes; YAML is made of characters, and so is what it becomes. Files that
// were joined may have a byte order mark within; kubectl's parser passes over it, ours takes it for
// a character.
void check_characters(std::string_view text) {
  std::uint32_t number = 1;
  for (const std::string_view line : base::split(text, '\n')) {
    if (!is_utf8(line)) throw YamlError{{number, 1}, "this line holds bytes that are not UTF-8"};
    if (line.starts_with(kByteOrderMark))
      throw YamlError{{number, 1},
                      "a byte order mark belongs to the start of a file: remove this one"};
    const auto control = std::ranges::find_if(line, is_control);
    if (control != line.end()) {
      const auto column = static_cast<std::uint32_t>(control - line.begin() + 1);
      throw YamlError{{number, column}, "control characters are not allowed"};
    }
    ++number;
  }
}

void check_pieces(std::string_view text) {
  const std::size_t most = kFreePieces + text.size() / kPieceLength;
  const auto pieces = static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return std::string_view(",:[]{}\n").find(c) != std::string_view::npos; }));
  if (pieces > most)
    throw YamlError{
        {1, 1},
        base::format("more than {} values in a text of {} bytes; split it", most, text.size())};
}

Position moved_down(Position position, std::uint32_t lines) {
  if (position.line > 0) position.line += lines;
  return position;
}

void move_down(Value& value, std::uint32_t lines) {
  value.set_position(moved_down(value.position(), lines));
  for (Member& member : value.members()) {
    member.position = moved_down(member.position, lines);
    move_down(member.value, lines);
  }
  for (Value& item : value.items())
    move_down(item, lines);
}

std::variant<std::vector<Value>, YamlError> read_from_first_line(std::string_view text) {
  text = without_byte_order_mark(text);
  std::vector<Value> documents;
  TreeBuilder builder(text);
  try {
    check_characters(text);
    check_pieces(text);
    std::string whole(text);
    if (whole.ends_with('\r')) whole += '\n';  // the parser takes a last CR for text
    std::istringstream in{std::move(whole)};
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
      if (builder.document && !builder.document->is(Kind::Null)) {
        documents.push_back(*std::move(builder.document));
      }
      builder.document.reset();
    }
    builder.check_directives(text.size());
  } catch (YamlError& error) {  // thrown by TreeBuilder and check_characters
    error.keys = builder.open_keys();
    return std::move(error);
  } catch (const YAML::Exception& exception) {
    const Position at = position_of(exception.mark);
    const bool tab = indented_by_tab(text, at.line);
    return YamlError{at, plain_words(tab ? "illegal tab" : exception.msg), builder.open_keys()};
  }
  return documents;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::variant<std::vector<Value>, YamlError> read_yaml(std::string_view text, std::size_t above) {
  auto read = read_from_first_line(text);
  if (above == 0) return read;
  const auto lines = static_cast<std::uint32_t>(above);
  if (auto* error = std::get_if<YamlError>(&read)) {
    error->at.line += lines;
    for (YamlKey& key : error->keys)
      key.at.line += lines;
  } else {
    for (Value& document : std::get<std::vector<Value>>(read))
      move_down(document, lines);
  }
  return read;
}

Result<std::vector<Value>> parse_yaml(std::string_view text, std::size_t above) {
  auto read = read_yaml(text, above);
  if (const auto* error = std::get_if<YamlError>(&read)) {
    return Error{
        ErrorKind::BadInput,
        base::format("line {}, column {}: {}", error->at.line, error->at.column, error->message),
        {}};
  }
  return std::get<std::vector<Value>>(std::move(read));
}

}  // namespace dra::json
