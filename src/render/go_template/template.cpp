// src/render/go_template/template.cpp: see template.h.

#include "dra/render/go_template/template.h"

#include <utility>

#include "src/render/go_template/nodes.h"
#include "src/render/go_template/parser.h"
#include "src/render/go_template/run.h"

namespace dra::render {

struct Template::Program {
  std::string text;
  go_template::Templates templates;
};

Template::Template(std::unique_ptr<const Program> program) : program_(std::move(program)) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

Result<Template> Template::parse(std::string_view text) {
  go_template::Templates templates = DRA_TRY(go_template::parse_templates(text));
  return Template(
      std::make_unique<const Program>(Program{std::string(text), std::move(templates)}));
}

Result<std::string> Template::print(const json::Value& data, const TemplateOptions& options) const {
  return go_template::run_template(program_->templates, program_->text, data, options);
}

}  // namespace dra::render
