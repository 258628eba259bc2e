// src/cel/library/regex.cpp: RE2 is Go's engine in C++; this file translates patterns and messages
// where the two differ, and limits the memory of RE2 by the effort that is left.

#include "dra/cel/library/regex.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "dra/base/text.h"
#include "dra/cel/syntax/utf8.h"
#include "src/cel/library/regex_height.h"

namespace dra::cel {
namespace {

// The effort to compile a state, and its memory during compilation; less memory than the minimum is
// too little for matching.
constexpr std::uint64_t kEffortPerState = 200;
constexpr std::uint64_t kMemoryPerState = 64;
constexpr std::uint64_t kLeastMemory = 1U << 20;
constexpr std::uint64_t kStatesPerUnit = 32;  // states visited per unit, at worst

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const re2::StringPiece& text) { return {text.data(), text.size()}; }

RE2::Options options(const Effort& effort) {
  const std::uint64_t memory = effort.left() / kEffortPerState * kMemoryPerState;
  RE2::Options out;
  out.set_log_errors(false);
  out.set_max_mem(static_cast<std::int64_t>(std::max(memory, kLeastMemory)));
  return out;
}

// A pattern in RE2's syntax, or why it is not valid in Go's.
struct Translated {
  std::string pattern;
  std::string refused = {};  // "invalid escape sequence: `\C`"
  bool renamed = false;      // the syntax of named groups was changed
};

// Go also accepts (?<x>...) for named groups; \C, any byte, exists in RE2 only.
Translated translate(std::string_view pattern) {
  Translated out;
  bool in_class = false;
  bool quoted = false;  // between \Q and \E
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view rest = pattern.substr(i);
    if (rest.size() >= 2 && rest[0] == '\\') {
      if (rest[1] == 'C' && !quoted && out.refused.empty()) {
        out.refused = "invalid escape sequence: `\\C`";
      }
      if (rest[1] == 'Q' && !in_class) quoted = true;
      if (rest[1] == 'E') quoted = false;
      out.pattern += rest.substr(0, 2);
      ++i;
      continue;
    }
    if (!quoted && !in_class && rest.starts_with("(?<")) {
      out.pattern += "(?P<";
      out.renamed = true;
      i += 2;
      continue;
    }
    if (!quoted && rest[0] == '[' && !in_class) {
      in_class = true;
      // A bracket right after the opening is a literal.
      const std::size_t first = rest.starts_with("[^") ? 2 : 1;
      const std::size_t length = rest.substr(first).starts_with("]") ? first + 1 : first;
      out.pattern += rest.substr(0, length);
      i += length - 1;
      continue;
    }
    if (rest[0] == ']') in_class = false;
    out.pattern += rest[0];
  }
  return out;
}

std::string_view describe(RE2::ErrorCode code) {
  switch (code) {
    case RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case RE2::ErrorBadCharClass:
      return "invalid character class";
    case RE2::ErrorBadCharRange:
      return "invalid character class range";
    case RE2::ErrorMissingBracket:
      return "missing closing ]";
    case RE2::ErrorMissingParen:
      return "missing closing )";
    case RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case RE2::ErrorPatternTooLarge:
      return "expression too large";
    default:
      return "internal error";
  }
}

// The part of the pattern that the message quotes; empty for some errors.
std::string subject(const RE2& re, std::string_view pattern, bool renamed) {
  if (re.error_code() == RE2::ErrorMissingParen || re.error_code() == RE2::ErrorUnexpectedParen) {
    return std::string(pattern);
  }
  if (re.error_code() == RE2::ErrorTrailingBackslash) return {};
  std::string text = re.error_arg();
  if (renamed && text.starts_with("(?P<") && pattern.find(text) == std::string_view::npos) {
    text.erase(2, 1);
  }
  return text;
}

// True if the height is Go's error of a pattern: errors before that have precedence.
bool nests_too_deeply(std::string_view pattern, const Effort& effort) {
  const std::optional<std::size_t> enough = too_high_after(pattern);
  if (!enough) return false;
  const RE2 begin(translate(pattern.substr(0, *enough)).pattern, options(effort));
  return begin.ok() || begin.error_code() == RE2::ErrorMissingParen ||
         begin.error_code() == RE2::ErrorPatternTooLarge;
}

Error parse_error(std::string_view what) {
  return {ErrorKind::BadInput, base::format("error parsing regexp: {}", what), {}};
}

}  // namespace

struct Regex::Program {
  Program(const std::string& pattern, const Effort& effort) : re(pattern, options(effort)) {}

  // Matches from `from` on; ^ and \b see the text before it.
  bool match(std::string_view text, std::size_t from, re2::StringPiece* found) const {
    return re.Match(piece(text), from, text.size(), RE2::UNANCHORED, found,
                    found == nullptr ? 0 : 1);
  }

  RE2 re;
};

Regex::Regex(std::unique_ptr<Program> program) : program_(std::move(program)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::compile(std::string_view pattern, Effort& effort) {
  const Translated translated = translate(pattern);
  if (!translated.refused.empty()) return parse_error(translated.refused);
  if (nests_too_deeply(pattern, effort))
    return parse_error(base::format("expression nests too deeply: `{}`", pattern));
  auto program = std::make_unique<Program>(translated.pattern, effort);
  const RE2& re = program->re;
  const bool too_large = re.error_code() == RE2::ErrorPatternTooLarge;
  const auto states = static_cast<std::uint64_t>(std::max(re.ProgramSize(), 0));
  effort.spend(too_large ? effort.left() : states * kEffortPerState);
  if (!re.ok()) {
    return parse_error(base::format("{}: `{}`", describe(re.error_code()),
                                    subject(re, pattern, translated.renamed)));
  }
  return Regex(std::move(program));
}

std::uint64_t Regex::effort(std::string_view text) const {
  const auto states = static_cast<std::uint64_t>(program_->re.ProgramSize());
  return 1 + (text.size() + 1) * states / kStatesPerUnit;
}

bool Regex::matches(std::string_view text) const { return program_->match(text, 0, nullptr); }

std::string_view Regex::find(std::string_view text) const {
  re2::StringPiece found;
  return program_->match(text, 0, &found) ? view(found) : std::string_view();
}

// Upstream: Regexp.allMatches. An empty match directly after another match does not count.
std::vector<std::string_view> Regex::find_all(std::string_view text, std::int64_t limit,
                                              Effort& effort) const {
  std::vector<std::string_view> all;
  std::size_t from = 0;
  std::optional<std::size_t> last_end;
  const auto wanted = [&] { return limit < 0 || all.size() < static_cast<std::uint64_t>(limit); };
  while (wanted() && from <= text.size() && effort.spend(this->effort(text.substr(from)))) {
    re2::StringPiece found;
    if (!program_->match(text, from, &found)) break;
    const auto begin = static_cast<std::size_t>(found.data() - text.data());
    const std::size_t end = begin + found.size();
    const bool moves = end != from;
    if (moves || begin != last_end) all.push_back(text.substr(begin, found.size()));
    if (moves) {
      from = end;
    } else {
      from += from < text.size() ? rune_length(text, from) : 1;
    }
    last_end = end;
  }
  return all;
}

}  // namespace dra::cel
