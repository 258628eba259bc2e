// tests/differential/answer_base.cpp: what the base layer says, for base_test.go to compare with
// upstream.
//
// Each line of input is a question, `KIND\tARG\tARG...`, answered by one line. In arguments `\t`,
// `\n` and `\\` stand for a tab, a line break and a backslash. What cannot be parsed is answered
// "error".

#include <charconv>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/quantity.h"
#include "dra/base/selector.h"
#include "dra/base/text.h"
#include "dra/base/time.h"

namespace {

using namespace dra::base;
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
  return format("no kind \"{}\"", kind);
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answer(line) << '\n' << std::flush;
  }
}
