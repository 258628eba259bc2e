// src/render/go_template/functions.cpp: see functions.h. Follows text/template, funcs.go, and what
// kubectl adds (k8s.io/cli-runtime/pkg/printers).

#include "src/render/go_template/functions.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/unicode.h"
#include "src/render/go_template/escapes.h"
#include "src/render/go_template/printf.h"

namespace dra::render::go_template {
namespace {

using Type = Operand::Type;
using Answer = Result<Operand>;

Error failure(std::string message) { return {ErrorKind::BadInput, std::move(message), {}}; }

Error wrong_type(std::string_view what, const Operand& value) {
  if (value.is_nothing()) return failure(base::format("cannot {} what is missing or null", what));
  return failure(base::format("cannot {} a value of type {}", what, type_name(value)));
}

// The position of an item, up to `most`. Behind it, and for what is no integer, there is none.
Result<std::size_t> position_of(const Operand& index, std::size_t most) {
  if (!index.is_integer()) return wrong_type("index a list or text with", index);
  if (index.integer < 0 || static_cast<std::uint64_t>(index.integer) > most) {
    return failure(base::format("index out of range: {}", index.integer));
  }
  return static_cast<std::size_t>(index.integer);
}

Operand byte_at(const Operand& text, std::size_t at) {
  Operand byte = of_int(static_cast<unsigned char>(text.text[at]));
  byte.type = Type::Byte;
  return byte;
}

std::size_t length_of(const Operand& value) {
  return value.type == Type::String ? value.text.size() : value.length;
}

Answer index_one(const Operand& item, const Operand& index) {
  if (item.type == Type::String || item.type == Type::List) {
    const std::size_t length = length_of(item);
    const std::size_t at = DRA_TRY(position_of(index, length));
    if (at == length) return failure(base::format("index out of range: {}", at));
    return item.type == Type::String ? byte_at(item, at) : item_of(item, at);
  }
  if (item.type != Type::Map) return wrong_type("index", item);
  if (index.type != Type::String) return wrong_type("index an object with", index);
  Operand null;
  null.type = Type::Null;
  return member_of(item, index.text).value_or(null);
}

Answer call_index(const Operands& args) {
  Operand item = args.front();
  if (item.is_nothing()) return wrong_type("index", item);
  for (std::size_t i = 1; i < args.size(); ++i)
    item = DRA_TRY(index_one(item, args[i]));
  return item;
}

Answer call_slice(const Operands& args) {
  Operand item = args.front();
  const bool text = item.type == Type::String;
  if (!text && item.type != Type::List) return wrong_type("slice", item);
  if (args.size() > 4) return failure("too many slice indexes");
  if (text && args.size() == 4) return failure("text has no capacity to slice");
  const std::size_t capacity = text ? item.text.size() : item.capacity;
  std::size_t bounds[] = {0, length_of(item), capacity};
  for (std::size_t i = 1; i < args.size(); ++i) {
    // An oddity of Go's: .a is no index, but (.a) is.
    if (args[i].wrapped) return failure("an index of slice must stand in parentheses");
    bounds[i - 1] = DRA_TRY(position_of(args[i], capacity));
  }
  if (bounds[0] > bounds[1] || bounds[1] > bounds[2]) {
    return failure(base::format("invalid slice index: {} > {}",
                                bounds[bounds[0] > bounds[1] ? 0 : 1],
                                bounds[bounds[0] > bounds[1] ? 1 : 2]));
  }
  if (text) return of_string(item.text.substr(bounds[0], bounds[1] - bounds[0]));
  item.first += bounds[0];
  item.length = bounds[1] - bounds[0];
  item.capacity = bounds[2] - bounds[0];
  return item;
}

Answer call_len(const Operands& args) {
  const Operand& item = args.front();
  switch (item.type) {
    case Type::String:
    case Type::List:
      return of_int(static_cast<std::int64_t>(length_of(item)));
    case Type::Map: {
      std::int64_t count = 0;
      for (const json::Member& member : item.data->members())
        count += item.data->find(member.key) == &member.value ? 1 : 0;
      return of_int(count);
    }
    default:
      return wrong_type("count", item);
  }
}

Answer call_not(const Operands& args) { return of_bool(!is_true(args.front())); }

// Go's kinds of values that can be compared. Integers with and without sign are compared, too.
enum class Comparable { None, Bool, Integer, Float, Text };

Comparable comparable(const Operand& value) {
  if (value.is_integer()) return Comparable::Integer;
  if (value.type == Type::Bool) return Comparable::Bool;
  if (value.type == Type::Float) return Comparable::Float;
  return value.type == Type::String ? Comparable::Text : Comparable::None;
}

Error incomparable(const Operand& left, const Operand& right) {
  return failure(base::format("cannot compare {} with {}", type_name(left), type_name(right)));
}

Result<bool> equal(const Operand& left, const Operand& right) {
  const Comparable kind = comparable(left);
  const bool either_missing = left.is_nothing() || right.is_nothing();
  if (kind != comparable(right)) {
    return either_missing ? Result<bool>(false) : Result<bool>(incomparable(left, right));
  }
  switch (kind) {
    case Comparable::Bool:
      return left.flag == right.flag;
    case Comparable::Integer:
      return left.integer == right.integer;
    case Comparable::Float:
      return left.number == right.number;
    case Comparable::Text:
      return left.text == right.text;
    case Comparable::None:
      break;
  }
  // Lists and objects equal nothing, not even themselves, but they can be told from nothing.
  if (either_missing) return left.is_nothing() && right.is_nothing();
  return incomparable(left, right);
}

Answer call_eq(const Operands& args) {
  if (args.size() < 2) return failure("missing argument for comparison");
  for (std::size_t i = 1; i < args.size(); ++i) {
    if (DRA_TRY(equal(args[0], args[i]))) return of_bool(true);
  }
  return of_bool(false);
}

Answer call_ne(const Operands& args) { return of_bool(!DRA_TRY(equal(args[0], args[1]))); }

Result<bool> less(const Operand& left, const Operand& right) {
  const Comparable kind = comparable(left);
  if (kind == comparable(right)) {
    if (kind == Comparable::Integer) return left.integer < right.integer;
    if (kind == Comparable::Float) return left.number < right.number;
    if (kind == Comparable::Text) return left.text < right.text;
  }
  return incomparable(left, right);
}

Answer call_lt(const Operands& args) { return of_bool(DRA_TRY(less(args[0], args[1]))); }
Answer call_ge(const Operands& args) { return of_bool(!DRA_TRY(less(args[0], args[1]))); }
Answer call_gt(const Operands& args) { return of_bool(DRA_TRY(less(args[1], args[0]))); }
Answer call_le(const Operands& args) { return of_bool(!DRA_TRY(less(args[1], args[0]))); }

// fmt.Sprint puts a space between two values unless one of them is text.
std::string printed(const Operands& args, std::string_view nothing) {
  std::string out;
  bool text_before = true;
  for (const Operand& arg : args) {
    const bool missing = arg.is_nothing();
    const bool text = arg.type == Type::String || (missing && nothing != "<nil>");
    if (!text && !text_before) out += ' ';
    out += missing ? std::string(nothing) : sprint(arg);
    text_before = text;
  }
  return out;
}

Answer call_print(const Operands& args) { return of_string(printed(args, "<nil>")); }

Answer call_println(const Operands& args) {
  std::vector<std::string> texts;
  for (const Operand& arg : args)
    texts.push_back(sprint(arg));
  return of_string(base::join(texts, " ") + "\n");
}

Answer call_printf(const Operands& args) {
  return of_string(DRA_TRY(sprintf_go(args.front().text, std::span(args).subspan(1))));
}

// What is escaped is printed as the template itself would print it.
constexpr const char* kNoValue = "<no value>";

Answer call_html(const Operands& args) { return of_string(escape_html(printed(args, kNoValue))); }
Answer call_js(const Operands& args) { return of_string(escape_js(printed(args, kNoValue))); }
Answer call_urlquery(const Operands& args) {
  return of_string(escape_query(printed(args, kNoValue)));
}

Answer call_call(const Operands& args) { return wrong_type("call", args.front()); }

// kubectl's: whether index with the same arguments would find something.
// Without an index even what is missing exists.
Answer call_exists(const Operands& args) {
  std::optional<Operand> item = args.front();
  for (std::size_t i = 1; i < args.size(); ++i) {
    const Operand& index = args[i];
    if (item->type == Type::String || item->type == Type::List) {
      const Result<std::size_t> at = position_of(index, length_of(*item));
      if (!at.ok() || at.value() == length_of(*item)) return of_bool(false);
      item = item->type == Type::String ? byte_at(*item, at.value()) : item_of(*item, at.value());
    } else if (item->type == Type::Map && (index.type == Type::String || index.is_nothing())) {
      item = member_of(*item, index.text);
    } else {
      return of_bool(false);
    }
    if (!item || item->is_nothing()) return of_bool(false);
  }
  return of_bool(true);
}

Answer call_base64decode(const Operands& args) {
  std::optional<std::string> text = decode_base64(args.front().text);
  if (!text) return failure("base64 decode failed");
  return of_string(std::move(*text));
}

constexpr FunctionInfo kFunctions[] = {
    {"and", 1, true},
    {"base64decode", 1, false, true, call_base64decode},
    {"call", 1, true, false, call_call},
    {"eq", 1, true, false, call_eq},
    {"exists", 1, true, false, call_exists},
    {"ge", 2, false, false, call_ge},
    {"gt", 2, false, false, call_gt},
    {"html", 0, true, false, call_html},
    {"index", 1, true, false, call_index},
    {"js", 0, true, false, call_js},
    {"le", 2, false, false, call_le},
    {"len", 1, false, false, call_len},
    {"lt", 2, false, false, call_lt},
    {"ne", 2, false, false, call_ne},
    {"not", 1, false, false, call_not},
    {"or", 1, true},
    {"print", 0, true, false, call_print},
    {"printf", 1, true, true, call_printf},
    {"println", 0, true, false, call_println},
    {"slice", 1, true, false, call_slice},
    {"urlquery", 0, true, false, call_urlquery},
};

}  // namespace

const FunctionInfo* find_function(std::string_view name) {
  const auto* const found = std::ranges::find(kFunctions, name, &FunctionInfo::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

}  // namespace dra::render::go_template
