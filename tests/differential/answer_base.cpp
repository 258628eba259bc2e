// tests/differential/answer_base.cpp: what the base, json and render layers say, for base_test.go
// to compare with upstream.
//
// Each line of input is a question, `KIND\tARG\tARG...`, answered by one line. In arguments `\t`,
// `\n` and `\\` stand for a tab, a line break and a backslash. What cannot be parsed is answered
// "error".

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/go_sort.h"
#include "dra/base/quantity.h"
#include "dra/base/selector.h"
#include "dra/base/text.h"
#include "dra/base/time.h"
#include "dra/json/parse.h"
#include "dra/json/path.h"
#include "dra/json/unicode.h"
#include "dra/json/write.h"
#include "dra/json/yaml.h"
#include "dra/render/columns.h"
#include "dra/render/go_template/template.h"

namespace {

using namespace dra::base;
using dra::json::Value;
using Args = std::vector<std::string>;

constexpr const char* kError = "error";

std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size();
    const char c = text[escaped ? ++i : i];
    plain += escaped && c == 't' ? '\t' : escaped && c == 'n' ? '\n' : c;
  }
  return plain;
}

// Canonical form, sign, AsInt64 and format.
std::string show(const Quantity& quantity) {
  constexpr const char* formats[] = {"DecimalSI", "BinarySI", "DecimalExponent"};
  const std::optional<std::int64_t> integer = quantity.as_int64();
  return format("{} {} {} {}", quantity.to_string(), quantity.sign(),
                integer ? format("{}", *integer) : "-",
                formats[static_cast<int>(quantity.format())]);
}

// One quantity alone, or a running sum, with each next one compared, subtracted and added.
std::string answer_quantity(const Args& args) {
  std::vector<Quantity> quantities;
  for (const std::string& arg : args) {
    const dra::Result<Quantity> parsed = Quantity::parse(arg);
    if (!parsed.ok()) return kError;
    quantities.push_back(parsed.value());
  }
  Quantity sum = quantities.front();
  std::string answer = show(sum);
  for (std::size_t i = 1; i < quantities.size(); ++i) {
    const auto order = sum <=> quantities[i];
    Quantity difference = sum;
    difference.sub(quantities[i]);
    sum.add(quantities[i]);
    answer += format(" | {} | {} | {}",
                     order < 0   ? -1
                     : order > 0 ? 1
                                 : 0,
                     show(difference), show(sum));
  }
  return answer;
}

std::string answer_age(const Args& args) {
  std::int64_t nanos = 0;
  std::from_chars(args[0].data(), args[0].data() + args[0].size(), nanos);
  return human_age({nanos});
}

std::string answer_instant(const Args& args) {
  const dra::Result<Instant> parsed = parse_rfc3339(args[0]);
  if (!parsed.ok()) return kError;
  const Instant instant = parsed.value();
  return format("{} {} {}", instant.seconds, instant.nanos, format_rfc3339(instant));
}

std::string answer_duration(const Args& args) {
  const dra::Result<Duration> parsed = parse_duration(args[0]);
  return parsed.ok() ? format("{}", parsed.value().nanos) : kError;
}

// A selector, then keys and values of labels in turn.
std::string answer_selector(const Args& args) {
  const dra::Result<Selector> parsed = parse_selector(args[0]);
  if (!parsed.ok()) return kError;
  Labels labels;
  for (std::size_t i = 1; i + 1 < args.size(); i += 2)
    labels.emplace_back(args[i], args[i + 1]);
  return parsed.value().matches(labels) ? "true" : "false";
}

std::string escape(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\\' || c == '\n') line += '\\';
    line += c == '\n' ? 'n' : c;
  }
  return line;
}

// Any JSON value; the reader takes objects and lists alone.
std::optional<Value> value_of(const std::string& text) {
  auto list = dra::json::parse_json("[" + text + "]");
  if (!list.ok()) return std::nullopt;
  return list.value().items().front();
}

std::string answer_yaml(const Args& args) {
  const std::optional<Value> document = value_of(args[0]);
  return document ? escape(dra::json::write_yaml(*document)) : kError;
}

std::string answer_kyaml(const Args& args) {
  const std::optional<Value> document = value_of(args[0]);
  return document ? escape(dra::json::write_kyaml(*document)) : kError;
}

// The classes of 256 characters from a code point on, a letter for each: L, D, N, S for one that is
// printed, W for a space. "." is none.
std::string answer_characters(const Args& args) {
  std::uint32_t code = 0;
  std::from_chars(args[0].data(), args[0].data() + args[0].size(), code);
  std::string classes;
  for (const std::uint32_t end = code + 256; code < end; ++code) {
    if (dra::json::is_space(code) && code != ' ') {
      classes += 'W';
    } else if (dra::json::is_letter(code)) {
      classes += 'L';
    } else if (dra::json::is_number(code)) {
      classes += dra::json::is_decimal_digit(code) ? 'D' : 'N';
    } else {
      classes += dra::json::is_printable(code) ? 'S' : '.';
    }
  }
  return classes;
}

// The text of one document as it is printed after it was read.
std::string answer_read(const Args& args) {
  const auto documents = dra::json::parse_yaml(args[0]);
  if (!documents.ok()) return kError;
  if (documents.value().size() > 1) return "several documents";
  return escape(
      dra::json::write_yaml(documents.value().empty() ? Value() : documents.value().front()));
}

// A template, "strict" if missing keys are errors, "json" for lists of JSON, a document.
std::string answer_path(const Args& args) {
  const auto path = dra::json::Path::parse(args[0]);
  // Where the mistake is we say in brackets; upstream does not.
  if (!path.ok()) {
    const std::string& message = path.error().message;
    return "error: " +
           escape(message.substr(0, std::min(message.find(" (at "), message.find(" (in "))));
  }
  const std::optional<Value> document = value_of(args[3]);
  if (!document) return "a bad document";
  const auto pieces = path.value().print(*document, {args[1] != "strict", args[2] == "json"});
  if (!pieces.ok()) return kError;
  std::string text;
  for (const dra::json::PathPiece& piece : pieces.value())
    text += piece.text;
  return escape(text);
}

// A template, "strict" if missing keys are errors, an object.
std::string answer_template(const Args& args) {
  const auto parsed = dra::render::Template::parse(args[0]);
  if (!parsed.ok()) return kError;
  const std::optional<Value> document = value_of(args[2]);
  if (!document) return "a bad document";
  const auto text = parsed.value().print(*document, {args[1] != "strict"});
  return text.ok() ? escape(text.value()) : kError;
}

// The order in which numbers are sorted; "-" stands for none, which is less than everything.
std::string answer_sort(const Args& args) {
  const std::vector<std::string_view> keys = split(args[0], ' ');
  const auto less = [&keys](std::size_t a, std::size_t b) {
    if (keys[a] == "-") return true;
    return keys[b] != "-" && keys[a] < keys[b];
  };
  std::string order;
  for (const std::size_t at : go_sorted(keys.size(), less))
    order += format("{} ", at);
  return order;
}

// "spec" or "file", its text, "bare" for no headers, an object or a List.
std::string answer_columns(const Args& args) {
  using dra::render::Columns;
  const auto columns = args[0] == "file" ? Columns::from_file(args[1])
                                         : Columns::from_spec(args[1], args[2] == "bare");
  if (!columns.ok()) return kError;
  const std::optional<Value> document = value_of(args[3]);
  if (!document) return "a bad document";
  const auto text = columns.value().print(*document, false);
  return text.ok() ? escape(text.value()) : kError;
}

std::string answer(std::string_view line) {
  Args args;
  for (const std::string_view part : split(line, '\t'))
    args.push_back(unescape(part));
  const std::string kind = args.front();
  args.erase(args.begin());
  if (args.empty()) return "a question without arguments";
  if (kind == "quantity") return answer_quantity(args);
  if (kind == "age") return answer_age(args);
  if (kind == "instant") return answer_instant(args);
  if (kind == "duration") return answer_duration(args);
  if (kind == "selector") return answer_selector(args);
  if (kind == "yaml") return answer_yaml(args);
  if (kind == "kyaml") return answer_kyaml(args);
  if (kind == "characters") return answer_characters(args);
  if (kind == "read") return answer_read(args);
  if (kind == "path") return answer_path(args);
  if (kind == "template") return answer_template(args);
  if (kind == "sort") return answer_sort(args);
  if (kind == "columns") return answer_columns(args);
  return format("no kind \"{}\"", kind);
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answer(line) << '\n' << std::flush;
  }
}
