// src/report/phrases/remedy.cpp: see remedy.h.

#include "dra/report/phrases/remedy.h"

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
void add_remedy(view::Document& document, const Remedy& remedy, std::string_view flags) {
  document.add(view::Paragraph{
      .spans = {span("-> ", view::Tone::Strong), span(remedy.text)}, .indent = 2, .hang = 3});
  if (!remedy.command.empty()) add_command(document, to_paste(remedy.command, flags), 5);
}

std::string to_paste(const std::string& command, std::string_view flags) {
  const bool ours = command.starts_with("kubectl dra ");
  return ours ? diag::with_flags(command, flags) : command;
}

void add_command(view::Document& document, std::string command, int indent) {
  document.add(view::Verbatim{
      .lines = {{span(std::move(command), view::Tone::Dim)}}, .indent = indent, .command = true});
}

void add_command(view::Document& document, std::string_view words, std::string command) {
  document.add(view::Verbatim{
      .lines = {{span(std::string(words)), span(std::move(command), view::Tone::Dim)}},
      .indent = 2,
      .command = true});
}

}  // namespace dra::report
