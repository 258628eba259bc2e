// src/json/parse.cpp: see parse.h. The only file that includes simdjson.
//
// simdjson's get_string() copies every string into memory that the next document overwrites. So
// strings are views of the raw token in the page; only strings with a backslash are unescaped, into
// the arena.

#include "dra/json/parse.h"

#include <simdjson.h>

#include "dra/base/text.h"

namespace dra::json {
namespace {

namespace od = simdjson::ondemand;

// Shared by all cursors of one page.
struct Source {
  Reading& reading;
  od::parser& parser;
  const base::Page& page;
  int depth = 0;

  std::string place(const char* at) const {
    const char* begin = page.text().data();
    if (at < begin || at > begin + page.text().size()) return "";
    return base::format("byte {}: ", static_cast<std::int64_t>(at - begin));
  }

  void fail(simdjson::error_code code) {
    switch (code) {
      case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      case simdjson::UNCLOSED_STRING:
      case simdjson::EMPTY:
        reading.fail({}, "the JSON text ends too early");
        return;
      case simdjson::UTF8_ERROR:
        reading.fail({}, "the JSON text holds bytes that are not UTF-8");
        return;
      case simdjson::UNESCAPED_CHARS:
        reading.fail({}, "the JSON text holds a control character inside a string");
        return;
      case simdjson::DEPTH_ERROR:
        reading.fail({}, "the JSON text is nested too deeply");
        return;
      default:
        reading.fail({}, "not valid JSON");
        return;
    }
  }
};

std::string_view trimmed(std::string_view token) {
  while (!token.empty() &&
         std::string_view(" \t\r\n").find(token.back()) != std::string_view::npos) {
    token.remove_suffix(1);
  }
  return token;
}

bool digits(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9')
    ++at;
  return at > start;
}

// JSON's grammar for numbers.
bool valid_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t integer = at;
  if (!digits(text, at)) return false;
  if (text[integer] == '0' && at - integer > 1) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits(text, at)) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits(text, at)) return false;
  }
  return at == text.size();
}

class PageCursor final : public Cursor {
 public:
  PageCursor(Source& source, od::value value, std::string_view token)
      : Cursor(source.reading), source_(source), value_(value), token_(token) {}

  Kind kind() override {
    switch (token_.empty() ? '\0' : token_.front()) {
      case '{':
        return Kind::Object;
      case '[':
        return Kind::Array;
      case '"':
        return Kind::String;
      case 't':
      case 'f':
        return Kind::Bool;
      case 'n':
        return Kind::Null;
      default:
        return Kind::Number;
    }
  }

  std::string_view scalar() override {
    const std::string_view token = trimmed(token_);
    if (token.starts_with('"')) return text_of(token);
    if (token == "true" || token == "false") return token;
    if (token == "null") return {};
    if (!valid_number(token)) reading_.fail(where(), "not valid JSON");
    return token;
  }

  void members(OnMember on_member) override {
    if (!enter()) return;
    if (const auto error = open_object()) return leave(error);
    for (auto field : object_) {
      if (field.error()) return leave(field.error());
      const char* key = field.value_unsafe().key().raw();
      od::value value = field.value_unsafe().value();
      PageCursor child(source_, value, value.raw_json_token());
      on_member(key_at(key), child);
      if (reading_.failed()) break;
    }
    --source_.depth;
  }

  void items(OnItem on_item) override {
    if (!enter()) return;
    auto array = value_.get_array();
    if (array.error()) return leave(array.error());
    for (auto item : array.value_unsafe()) {
      if (item.error()) return leave(item.error());
      od::value value = item.value_unsafe();
      PageCursor child(source_, value, value.raw_json_token());
      on_item(child);
      if (reading_.failed()) break;
    }
    --source_.depth;
  }

  // simdjson walks over the value to find its end; an object goes back to its start afterwards.
  std::string_view raw() override {
    if (reading_.failed()) return {};
    std::string_view text = token_;
    if (kind() == Kind::Array) {
      od::array array;
      auto error = value_.get_array().get(array);
      if (!error) error = array.raw_json().get(text);
      if (error) source_.fail(error);
    } else if (kind() == Kind::Object) {
      auto error = open_object();
      if (!error) error = object_.raw_json().get(text);
      if (!error) error = object_.reset().error();
      if (error) source_.fail(error);
    }
    return trimmed(text);
  }

  std::string_view peek(std::string_view key) override {
    if (reading_.failed() || kind() != Kind::Object) return {};
    std::string_view found;
    auto error = open_object();
    if (error) return source_.fail(error), found;
    for (auto field : object_) {
      if (field.error()) return source_.fail(field.error()), found;
      if (key_at(field.value_unsafe().key().raw()) != key) continue;
      od::value value = field.value_unsafe().value();
      PageCursor child(source_, value, value.raw_json_token());
      if (child.kind() == Kind::String) found = child.scalar();
      break;
    }
    error = object_.reset().error();
    if (error) source_.fail(error);
    return found;
  }

  std::string where() override { return source_.place(token_.data()); }

 private:
  bool enter() {
    if (reading_.failed()) return false;
    if (++source_.depth <= kMaxDepth) return true;
    --source_.depth;
    source_.fail(simdjson::DEPTH_ERROR);
    return false;
  }

  void leave(simdjson::error_code code) {
    --source_.depth;
    source_.fail(code);
  }

  simdjson::error_code open_object() {
    if (opened_) return simdjson::SUCCESS;
    opened_ = true;
    return value_.get_object().get(object_);
  }

  // The token reaches up to the next structural character: `"text"` and perhaps white space.
  std::string_view text_of(std::string_view token) {
    if (token.size() < 2 || token.back() != '"') return bad_string();
    const std::string_view inner = token.substr(1, token.size() - 2);
    if (inner.find('\\') != std::string_view::npos) return unescape(token);
    if (inner.find('"') != std::string_view::npos) return bad_string();
    return inner;
  }

  std::string_view key_at(const char* raw) {
    const char* end = raw;
    while (*end != '"' && *end != '\\')
      ++end;  // simdjson has seen the closing quote
    if (*end == '"') return {raw, static_cast<std::size_t>(end - raw)};
    while (*end != '"')
      end += *end == '\\' ? 2 : 1;
    return unescape({raw - 1, static_cast<std::size_t>(end - raw) + 2});
  }

  // `quoted` starts and ends with a quote and holds at least one escape.
  std::string_view unescape(std::string_view quoted) {
    const simdjson::padded_string copy(quoted);
    od::parser parser;
    auto document = parser.iterate(copy);
    std::string_view text;
    if (document.error() || document.get_string().get(text)) return bad_string();
    return reading_.arena.copy(text);
  }

  std::string_view bad_string() {
    reading_.fail(where(), "not valid JSON: a string with a bad escape or quote");
    return {};
  }

  Source& source_;
  od::value value_;
  od::object object_;
  bool opened_ = false;
  std::string_view token_;
};

// A document that starts as an object or a list but does not end as one: the most common kind of
// broken answer, with a message of its own.
bool cut_short(std::string_view text) {
  const std::string_view body = base::trim(text);
  if (body.empty()) return false;
  return (body.front() == '{' && body.back() != '}') || (body.front() == '[' && body.back() != ']');
}

}  // namespace

Result<Done> read_json(const base::Page& page, base::Arena& arena,
                       base::FunctionRef<void(Cursor&)> read) {
  Reading reading{.arena = arena};
  od::parser parser;
  Source source{.reading = reading, .parser = parser, .page = page};
  auto document = parser.iterate(
      simdjson::padded_string_view(page.text().data(), page.text().size(), page.capacity()));
  if (document.error()) source.fail(document.error());
  if (!reading.failed() && cut_short(page.text()))
    source.fail(simdjson::INCOMPLETE_ARRAY_OR_OBJECT);
  if (reading.failed()) return reading.error();
  auto root = document.get_value();
  if (root.error()) {
    // simdjson has no value for a document that is a scalar. No answer of Kubernetes is one.
    reading.fail({}, "not a JSON object");
    return reading.error();
  }
  PageCursor cursor(source, root.value_unsafe(), root.value_unsafe().raw_json_token());
  read(cursor);
  if (!reading.failed() && document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
    reading.fail({}, "more text follows the JSON document");
  }
  if (reading.failed()) return reading.error();
  return Done{};
}

Result<Value> parse_json(std::string_view text) {
  const base::Page page(text);
  base::Arena arena;
  Value value;
  DRA_TRY(read_json(page, arena, [&value](Cursor& root) { value = to_value(root); }));
  return value;
}

std::vector<std::string_view> split_documents(std::string_view text) {
  std::vector<std::string_view> documents;
  std::size_t begin = 0;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && depth > 0 && --depth == 0) {
      documents.push_back(text.substr(begin, i + 1 - begin));
      begin = i + 1;
    }
  }
  const std::string_view rest = text.substr(begin);
  if (!base::trim(rest).empty()) documents.push_back(rest);
  return documents;
}

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

}  // namespace dra::json
