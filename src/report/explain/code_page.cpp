// src/report/explain/code_page.cpp: arranges the texts of the catalogue.

#include "dra/report/explain/code_page.h"

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/explain/code_examples.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

view::Verbatim yaml_block(std::string_view yaml) {
  view::Verbatim block{.lines = {}, .indent = 4};
  for (const std::string_view line : base::split(yaml.substr(0, yaml.size() - 1), '\n'))
    block.lines.push_back({{std::string(line)}});
  return block;
}

// The failing manifest, and the fixed one.
void add_example(view::Document& document, const CodeExample& example) {
  document.add(view::Blank{});
  document.add(
      view::Paragraph{.spans = {span("Example, in which "),
                                span(diag::kubectl_dra(example.command).text(), view::Tone::Strong),
                                span(" finds it:")},
                      .indent = 2,
                      .hang = 0});
  document.add(view::Blank{});
  document.add(yaml_block(example.failing));
  document.add(view::Blank{});
  document.add(view::Paragraph{
      .spans = {span("Fixed: ", view::Tone::Strong), span(base::format("{}.", example.change))},
      .indent = 2,
      .hang = 0});
  document.add(view::Blank{});
  document.add(yaml_block(example.fixed));
}

}  // namespace

json::Value to_json(const diag::CodeInfo& code) {
  json::Value out = report_object("ReasonCode");
  out.set("code", code.name);
  out.set("title", code.title);
  out.set("explanation", code.explanation);
  out.set("remedy", code.remedy);
  const auto example = example_of(code);
  if (!example) return out;
  json::Value one = json::Value::object();
  one.set("command", diag::kubectl_dra(example->command).text());
  one.set("failing", example->failing);
  one.set("change", example->change);
  one.set("fixed", example->fixed);
  out.set("example", std::move(one));
  return out;
}

view::Document to_view(const diag::CodeInfo& code) {
  view::Document document;
  document.add(view::Paragraph{
      .spans = {span(base::format("{}: {}", code.name, code.title), view::Tone::Strong)}});
  document.add(view::Blank{});
  document.add(
      view::Paragraph{.spans = {span(std::string(code.explanation))}, .indent = 2, .hang = 0});
  document.add(view::Blank{});
  add_remedy(document, {std::string(code.remedy)});
  if (const auto example = example_of(code)) add_example(document, *example);
  return document;
}

json::Value to_json(std::span<const diag::CodeInfo> codes) {
  json::Value out = report_object("ReasonCodeList");
  json::Value items = json::Value::array();
  for (const diag::CodeInfo& code : codes)
    items.push(to_json(code));
  out.set("items", std::move(items));
  return out;
}

view::Document to_view(std::span<const diag::CodeInfo> codes) {
  view::Document document;
  view::Table table = table_of({"CODE", "MEANING"});
  for (const diag::CodeInfo& code : codes)
    table.rows.push_back({{std::string(code.name)}, {std::string(code.title)}});
  document.add(std::move(table));
  return document;
}

}  // namespace dra::report
