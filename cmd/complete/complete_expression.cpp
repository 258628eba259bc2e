// cmd/complete/complete_expression.cpp: looks at the end of the text alone, so what stands before
// it need not compile.

#include "cmd/complete/complete_expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

constexpr std::array<std::string_view, 2> kMaps{"attributes", "capacity"};
constexpr std::array<std::string_view, 4> kMembers{"allowMultipleAllocations", "attributes[\"",
                                                   "capacity[\"", "driver"};
constexpr std::string_view kDevice = "device.";

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t begin_of_name(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && is_of_name(text[at - 1]))
    --at;
  return at;
}

// The text ends with this word, which is not the end of a longer one.
bool ends_with_word(std::string_view text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  text.remove_suffix(word.size());
  return text.empty() || (!is_of_name(text.back()) && text.back() != '.');
}

// `device.attributes["gpu.nvidia.com` or, behind it, `"].`, taken apart.
struct Lookup {
  std::string_view member;
  char quote = '"';
  std::size_t begin = 0;  // of the domain in the text
};

std::optional<Lookup> last_lookup(std::string_view typed) {
  const std::size_t bracket = typed.rfind('[');
  if (bracket == std::string_view::npos || bracket + 1 == typed.size()) return std::nullopt;
  const char quote = typed[bracket + 1];
  if (quote != '"' && quote != '\'') return std::nullopt;
  for (const std::string_view member : kMaps) {
    if (ends_with_word(typed.substr(0, bracket), base::format("{}{}", kDevice, member)))
      return Lookup{member, quote, bracket + 2};
  }
  return std::nullopt;
}

std::vector<Choice> members_of_device(std::string_view typed) {
  std::vector<Choice> choices;
  const std::string_view before = typed.substr(0, begin_of_name(typed));
  if (!ends_with_word(before, kDevice)) return choices;
  for (const std::string_view member : kMembers)
    choices.push_back({base::format("{}{}", before, member)});
  return choices;
}

}  // namespace

Answer expression_choices(const CompletionNames& names, std::string_view typed) {
  Answer answer{.opens = true, .quoted = true};
  const auto lookup = last_lookup(typed);
  if (!lookup) {
    answer.choices = members_of_device(typed);
    return answer;
  }
  const std::string close = base::format("{}].", lookup->quote);
  const std::size_t end = typed.find(lookup->quote, lookup->begin);
  const std::size_t name = end == std::string_view::npos ? end : end + close.size();
  const bool behind = end != std::string_view::npos && typed.substr(end).starts_with(close) &&
                      std::ranges::all_of(typed.substr(name), is_of_name);
  if (end != std::string_view::npos && !behind) {
    answer.choices = members_of_device(typed);
    return answer;
  }
  for (const CelName& one : names.cel_names()) {
    if (one.member != lookup->member) continue;
    if (!behind) {
      answer.choices.push_back(
          {base::format("{}{}{}", typed.substr(0, lookup->begin), one.domain, close)});
    } else if (one.domain == typed.substr(lookup->begin, end - lookup->begin)) {
      answer.choices.push_back({base::format("{}{}", typed.substr(0, name), one.name)});
    }
  }
  return answer;
}

}  // namespace dra::cmd
