// src/cel/hints/near_literals.cpp: by function, the slips that other tools forgive.

#include "dra/cel/hints/near_literals.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/cel/check/checker.h"
#include "dra/cel/hints/changes.h"
#include "dra/cel/run/program.h"
#include "dra/cel/syntax/parser.h"

namespace dra::cel {
namespace {

using Texts = std::vector<std::string>;

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, base::is_digit);
}

std::string without_zeros(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return std::string(digits);
}

// v8, 8, 8.0 and 8.00.1.
Texts near_versions(std::string_view text) {
  constexpr std::size_t parts_of_version = 3;
  text = base::trim(text);
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_of("-+"), text.size());
  Texts parts;
  for (const std::string_view part : base::split(text.substr(0, end), '.')) {
    if (!all_digits(part)) return {};
    parts.push_back(without_zeros(part));
  }
  while (parts.size() < parts_of_version)
    parts.emplace_back("0");
  if (parts.size() == parts_of_version)
    return {base::join(parts, ".") + std::string(text.substr(end))};
  const Texts first(parts.begin(), parts.begin() + parts_of_version);
  return {base::join(first, ".")};
}

struct Unit {
  std::string_view word;
  std::string_view unit;
  std::int64_t times;
};
// By length, as "minutes" begins with "m".
constexpr std::array kUnits = {Unit{"milliseconds", "ms", 1},
                               Unit{"seconds", "s", 1},
                               Unit{"minutes", "m", 1},
                               Unit{"second", "s", 1},
                               Unit{"minute", "m", 1},
                               Unit{"hours", "h", 1},
                               Unit{"weeks", "h", 168},
                               Unit{"hour", "h", 1},
                               Unit{"days", "h", 24},
                               Unit{"week", "h", 168},
                               Unit{"secs", "s", 1},
                               Unit{"mins", "m", 1},
                               Unit{"hrs", "h", 1},
                               Unit{"day", "h", 24},
                               Unit{"min", "m", 1},
                               Unit{"sec", "s", 1},
                               Unit{"ms", "ms", 1},
                               Unit{"d", "h", 24},
                               Unit{"w", "h", 168},
                               Unit{"h", "h", 1},
                               Unit{"m", "m", 1},
                               Unit{"s", "s", 1}};

// "5 minutes", "5d", "90" and "1h30".
Texts near_durations(std::string_view text) {
  constexpr std::size_t most_digits = 9;
  std::string plain = base::lower(text);
  std::erase(plain, ' ');
  std::string_view rest = plain;
  std::string out;
  std::string_view last = "";
  while (!rest.empty()) {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0 || digits > most_digits) return {};
    const std::string_view number = rest.substr(0, digits);
    rest.remove_prefix(digits);
    const auto unit = std::ranges::find_if(
        kUnits, [rest](const Unit& one) { return rest.starts_with(one.word); });
    if (rest.empty()) {
      out += std::string(number) + (last == "h" ? "m" : "s");
      break;
    }
    if (unit == kUnits.end()) return {};
    out += std::to_string(std::stoll(std::string(number)) * unit->times) + std::string(unit->unit);
    last = unit->unit;
    rest.remove_prefix(unit->word.size());
  }
  return {out};
}

// 2026-01-01, 2026-01-01 10:00 and 2026-01-01T10:00:00.
Texts near_times(std::string_view text) {
  constexpr std::size_t date = 10;
  constexpr std::size_t minutes = 16;
  std::string time(base::trim(text));
  if (time.size() < date) return {};
  if (time.size() == date) return {time + "T00:00:00Z"};
  time[date] = 'T';
  if (time.size() == minutes) time += ":00";
  return {time, time + "Z"};
}

Texts near_addresses(std::string_view text) {
  Texts numbers;
  for (const std::string_view part : base::split(text.substr(0, text.find('/')), '.'))
    numbers.push_back(all_digits(part) ? without_zeros(part) : std::string(part));
  return {base::join(numbers, ".")};
}

Texts near_networks(std::string_view text) {
  if (text.find('/') != std::string_view::npos) return {};
  return {base::format("{}/{}", text, text.find(':') == std::string_view::npos ? 32 : 128)};
}

Texts near_urls(std::string_view text) {
  std::string spaced;
  for (const char c : text)
    spaced += c == ' ' ? std::string("%20") : std::string(1, c);
  if (spaced.find("://") != std::string::npos) return {spaced};
  return {base::format("https://{}", spaced)};
}

// A pattern of a shell, or a text whose characters all count.
Texts near_patterns(std::string_view text) {
  std::string shell;
  std::string literal;
  for (const char c : text) {
    shell += c == '*' ? std::string(".*") : c == '?' ? std::string(".") : std::string(1, c);
    if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos) literal += '\\';
    literal += c;
  }
  return {shell, literal};
}

struct Reader {
  std::string_view function;
  Texts (*near)(std::string_view text);
};
constexpr std::array kReaders = {Reader{"quantity", near_quantities},
                                 Reader{"semver", near_versions},
                                 Reader{"duration", near_durations},
                                 Reader{"timestamp", near_times},
                                 Reader{"ip", near_addresses},
                                 Reader{"cidr", near_networks},
                                 Reader{"url", near_urls},
                                 Reader{"matches", near_patterns},
                                 Reader{"find", near_patterns},
                                 Reader{"findAll", near_patterns}};

}  // namespace

std::vector<std::string> near_literals(std::string_view function, std::string_view text) {
  const auto* const reader = std::ranges::find(kReaders, function, &Reader::function);
  if (reader == kReaders.end() || text.empty()) return {};
  Texts near = reader->near(text);
  std::erase(near, text);
  return near;
}

std::string version_begins_with(std::string_view version, std::string_view prefix) {
  constexpr std::array<std::string_view, 3> parts = {"major", "minor", "patch"};
  if (prefix.ends_with('.')) prefix.remove_suffix(1);
  const std::vector<std::string_view> numbers = base::split(prefix, '.');
  if (numbers.size() > parts.size()) return {};
  Texts conditions;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!all_digits(numbers[i])) return {};
    conditions.push_back(
        base::format("{}.{}() == {}", version, parts.at(i), without_zeros(numbers[i])));
  }
  return base::join(conditions, " && ");
}

std::string failure_of_constant(std::string_view expression, const Environment& environment) {
  constexpr std::string_view unknown = "it does not compile";
  const Source source{std::string(expression)};
  Parsed parsed = parse(source, environment.macros());
  if (!parsed.ok()) return std::string(unknown);
  Checked checked = check(std::move(parsed.ast), environment);
  if (!checked.ok())
    return checked.issues.empty() ? std::string(unknown) : checked.issues.front().message;
  const Result<Program> program = Program::make(std::move(checked), environment);
  if (!program.ok()) return program.error().message;
  const std::vector<Value> variables(environment.variables.size());
  Run run;
  const Value value = program.value().evaluate(variables, run);
  return value.is_error() ? std::string(value.text()) : std::string();
}

}  // namespace dra::cel
