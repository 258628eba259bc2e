// src/diag/command_line.cpp: joins words by spaces, and quotes names for a shell.

#include "dra/diag/command_line.h"

#include "dra/base/text.h"

namespace dra::diag {

CommandLine& CommandLine::words(std::string_view words) {
  if (words.empty()) return *this;
  if (!text_.empty()) text_ += ' ';
  text_ += words;
  return *this;
}

CommandLine& CommandLine::name(std::string_view name) { return words(base::shell_word(name)); }

CommandLine& CommandLine::in(std::string_view ns) { return ns.empty() ? *this : option("-n", ns); }

CommandLine& CommandLine::option(std::string_view flag, std::string_view value) {
  return words(flag).name(value);
}

CommandLine& CommandLine::flags(std::string_view flags) {
  text_ += flags;
  return *this;
}

CommandLine kubectl(std::string_view words) { return CommandLine("kubectl").words(words); }
CommandLine kubectl_dra(std::string_view words) { return CommandLine("kubectl dra").words(words); }

std::string command_for(std::string_view verb, std::string_view noun, const SubjectName& subject) {
  return CommandLine(verb).words(noun).name(subject.name).in(subject.namespace_).text();
}

}  // namespace dra::diag
