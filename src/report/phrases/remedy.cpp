// src/report/phrases/remedy.cpp: see remedy.h.

#include "dra/report/phrases/remedy.h"

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
void add_remedy(view::Document& document, const Remedy& remedy, std::string_view flags) {
  document.add(view::Paragraph{
      .spans = {span("-> ", view::Tone::Strong), span(remedy.text)}, .indent = 2, .hang = 3});
  if (remedy.command.empty()) return;
  const bool ours = remedy.command.starts_with("kubectl dra ");
  add_command(document, ours ? diag::with_flags(remedy.command, flags) : remedy.command, 5);
}

void add_command(view::Document& document, std::string command, int indent) {
  document.add(view::Verbatim{
      .lines = {{span(std::move(command), view::Tone::Dim)}}, .indent = indent, .unbroken = true});
}

void add_command(view::Document& document, std::string_view words, std::string command) {
  document.add(view::Verbatim{
      .lines = {{span(std::string(words)), span(std::move(command), view::Tone::Dim)}},
      .indent = 2,
      .unbroken = true});
}

}  // namespace dra::report
