// src/render/go_template/run.h: one evaluation of a Go template.

#pragma once

#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/json/value.h"
#include "dra/render/go_template/template.h"
#include "src/render/go_template/nodes.h"

namespace dra::render::go_template {

// `text` is what the templates were parsed from, for the places of mistakes.
Result<std::string> run_template(const Templates& templates, std::string_view text,
                                 const json::Value& data, const TemplateOptions& options);

}  // namespace dra::render::go_template
