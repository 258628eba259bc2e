// src/json/yaml.cpp: see yaml.h. The only file that includes libyaml. The library behind kubectl is
// a translation of libyaml to Go, so that both read the same in a text.

#include "dra/json/yaml.h"

#include <yaml.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "src/json/yaml_complaint.h"
#include "src/json/yaml_properties.h"
#include "src/json/yaml_scalar.h"
#include "src/json/yaml_tree.h"
#include "src/json/yaml_words.h"

namespace dra::json {
namespace {

// The parser and the tree take up to 200 bytes for each piece of a text. Texts of honest size have
// more than eight characters in each.
constexpr std::size_t kFreePieces = 500'000;
constexpr std::size_t kPieceLength = 8;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// YAML is made of characters, and so is what it becomes. Files that were joined may have a byte
// order mark within, which no editor shows.
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

// Lines and bytes of the marks of libyaml, which counts characters, and takes more for ends of
// lines than an editor does.
class Places {
 public:
  explicit Places(std::string_view text)
      : text_(text), exact_(std::ranges::all_of(text, is_one_byte)) {}

  // Of the mark that of() was asked about last.
  std::size_t byte_of(const yaml_mark_t& mark) const { return exact_ ? mark.index : byte_; }

  Position of(const yaml_mark_t& mark) {
    if (exact_)
      return {static_cast<std::uint32_t>(mark.line + 1),
              static_cast<std::uint32_t>(mark.column + 1)};
    if (mark.index < characters_) *this = Places(text_, exact_);  // an empty value, seldom
    for (; characters_ < mark.index && byte_ < text_.size(); ++characters_)
      pass();
    return {line_, static_cast<std::uint32_t>(byte_ - line_start_ + 1)};
  }

 private:
  Places(std::string_view text, bool exact) : text_(text), exact_(exact) {}

  static bool is_one_byte(char c) { return static_cast<unsigned char>(c) < 0x80 && c != '\r'; }

  void pass() {
    const bool ends_line = text_[byte_++] == '\n';
    while (byte_ < text_.size() && (static_cast<unsigned char>(text_[byte_]) & 0xc0U) == 0x80)
      ++byte_;
    if (!ends_line) return;
    ++line_;
    line_start_ = byte_;
  }

  std::string_view text_;
  bool exact_;  // of one byte each, and without other ends of lines: the marks are right
  std::size_t characters_ = 0;
  std::size_t byte_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

// The event parser of libyaml over a text, which has to live as long.
class Parser {
 public:
  explicit Parser(std::string_view text) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's characters
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Parser() { yaml_parser_delete(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // False where the text is no YAML.
  bool next(yaml_event_t& event) {
    if (yaml_parser_parse(&parser_, &event) != 0) return true;
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    return false;
  }

  const yaml_mark_t& mark_of_problem() const { return parser_.problem_mark; }
  std::string_view problem() const { return text_of(parser_.problem); }

  static std::string_view text_of(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
  }

 private:
  yaml_parser_t parser_ = {};
};

// Gives the events of a text to a tree.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), places_(text), parser_(text) {}

  std::variant<std::vector<Value>, YamlError> read() {
    try {
      while (read_event()) {
      }
    } catch (YamlError& error) {  // thrown by the tree
      if (error.keys.empty()) error.keys = tree_.open_keys();
      return std::move(error);
    }
    return std::move(documents_);
  }

 private:
  using Event = std::unique_ptr<yaml_event_t, decltype(&yaml_event_delete)>;

  bool read_event() {
    yaml_event_t stored = {};
    if (!parser_.next(stored)) complain();
    const Event event(&stored, &yaml_event_delete);
    const Position at = places_.of(stored.start_mark);
    from_ = text_.substr(std::min(places_.byte_of(stored.start_mark), text_.size()));
    tree_.check_properties(at, from_);
    switch (stored.type) {
      case YAML_STREAM_END_EVENT:
        return false;
      case YAML_DOCUMENT_START_EVENT:
        start_document(stored.data.document_start, at);
        break;
      case YAML_DOCUMENT_END_EVENT:
        end_document();
        break;
      case YAML_SCALAR_EVENT:
        add_scalar(stored.data.scalar, at);
        break;
      case YAML_ALIAS_EVENT:
        tree_.alias(at, text_of(stored.data.alias.anchor));
        break;
      case YAML_SEQUENCE_START_EVENT:
        tree_.open(at, Kind::Array, stored.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
                   text_of(stored.data.sequence_start.anchor));
        break;
      case YAML_MAPPING_START_EVENT:
        tree_.open(at, Kind::Object, stored.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
                   text_of(stored.data.mapping_start.anchor));
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        tree_.close();
        break;
      default:
        break;
    }
    return true;
  }

  template <class Start>
  void start_document(const Start& start, Position at) {
    const auto* version = start.version_directive;
    if (version != nullptr && (version->major != 1 || version->minor != 1))
      throw YamlError{at, "kubectl reads YAML 1.1 alone: remove the line that begins with %YAML"};
    tree_.start_document();
  }

  void end_document() {
    auto document = tree_.take_document();
    if (document && !document->is(Kind::Null)) documents_.push_back(*std::move(document));
  }

  template <class Scalar>
  void add_scalar(const Scalar& scalar, Position at) {
    const std::string_view tag = text_of(scalar.tag);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's characters
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    if (scalar.style == YAML_PLAIN_SCALAR_STYLE && tree_.in_flow() && text.find('?') != text.npos)
      throw YamlError{at, "kubectl takes no ? in text between brackets or braces; quote the text"};
    // A ! alone makes text of what follows, which libyaml does not tell.
    const bool plain =
        (scalar.plain_implicit != 0 && !has_tag(from_)) || tag == "tag:yaml.org,2002:merge";
    if (tag.empty() || plain)
      return tree_.scalar(at, text, plain ? ScalarStyle::Plain : ScalarStyle::Text,
                          text_of(scalar.anchor));
    const auto value = resolve_tagged_scalar(tag, text);
    if (!value)
      throw YamlError{
          at, base::format("\"{}\" is not a valid {}", text, tag.substr(tag.rfind(':') + 1))};
    tree_.value(at, *value, text_of(scalar.anchor));
  }

  static std::string_view text_of(const yaml_char_t* text) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's characters
    return Parser::text_of(reinterpret_cast<const char*>(text));
  }

  [[noreturn]] void complain() {
    if (auto complaint = complaint_about(text_)) throw *std::move(complaint);
    throw YamlError{places_.of(parser_.mark_of_problem()),
                    plain_words(std::string(parser_.problem()))};
  }

  std::string_view text_;
  std::string_view from_;  // the text from the last event on
  Places places_;
  Parser parser_;
  YamlTree tree_;
  std::vector<Value> documents_;
};

std::variant<std::vector<Value>, YamlError> read_from_first_line(std::string_view text) {
  text = without_byte_order_mark(text);
  try {
    check_characters(text);
    check_pieces(text);
  } catch (YamlError& error) {
    return std::move(error);
  }
  return Reader(text).read();
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
