// src/diag/command_line.cpp: joins words by spaces, and quotes names for a shell.

#include "dra/diag/command_line.h"

#include "dra/base/text.h"

namespace dra::diag {
namespace {

constexpr std::string_view kEndOfFlags = " -- ";

// The place of " -- " outside of quotes; npos: there is none.
std::size_t end_of_flags(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && !quoted) {
      ++i;
    } else if (line[i] == '\'') {
      quoted = !quoted;
    } else if (!quoted && line.substr(i).starts_with(kEndOfFlags)) {
      return i;
    }
  }
  return std::string_view::npos;
}

// Short flags have no form with "=" that every parser reads alike.
std::string_view long_form(std::string_view flag) {
  if (flag == "-n") return "--namespace";
  if (flag == "-c") return "--container";
  if (flag == "-f") return "--filename";
  return flag;
}

}  // namespace

void CommandLine::add(std::string& to, std::string_view words) {
  if (words.empty()) return;
  if (!to.empty()) to += ' ';
  to += words;
}

CommandLine& CommandLine::words(std::string_view words) {
  const std::size_t end = end_of_flags(words);
  const std::string_view first = words.substr(0, end);
  add(behind_.empty() || first.starts_with('-') ? text_ : behind_, first);
  if (end != std::string_view::npos) add(behind_, words.substr(end + kEndOfFlags.size()));
  return *this;
}

CommandLine& CommandLine::name(std::string_view name) {
  const bool behind = name.starts_with('-') || !behind_.empty();
  add(behind ? behind_ : text_, base::shell_word(name));
  return *this;
}

CommandLine& CommandLine::in(std::string_view ns) { return ns.empty() ? *this : option("-n", ns); }

CommandLine& CommandLine::option(std::string_view flag, std::string_view value) {
  const std::string word = base::shell_word(value);
  add(text_, value.starts_with('-') ? base::format("{}={}", long_form(flag), word)
                                    : base::format("{} {}", flag, word));
  return *this;
}

CommandLine& CommandLine::flags(std::string_view flags) {
  text_ += flags;
  return *this;
}

std::string CommandLine::text() const {
  return behind_.empty() ? text_ : base::format("{}{}{}", text_, kEndOfFlags, behind_);
}

std::string with_flags(std::string_view line, std::string_view flags) {
  return CommandLine(line).flags(flags).text();
}

CommandLine kubectl(std::string_view words) { return CommandLine("kubectl").words(words); }
CommandLine kubectl_dra(std::string_view words) { return CommandLine("kubectl dra").words(words); }

std::string create_command(std::string_view object) {
  return base::format("echo {} | {}", base::shell_word(object), kubectl("create -f -").text());
}

std::string command_for(std::string_view verb, std::string_view noun, const SubjectName& subject) {
  return CommandLine(verb).words(noun).name(subject.name).in(subject.namespace_).text();
}

}  // namespace dra::diag
