// cmd/output.h: the formats of --output of lists, which are kubectl's.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "dra/base/result.h"
#include "dra/json/path.h"
#include "dra/json/value.h"
#include "dra/render/columns.h"
#include "dra/render/go_template/template.h"

namespace dra::cmd {

enum class Format { Table, Wide, Json, Yaml, Kyaml, Name, JsonPath, CustomColumns, GoTemplate };

struct Output {
  Format format = Format::Table;
  std::optional<json::Path> path = {};               // of JsonPath
  json::PathOptions path_options = {};               //
  std::optional<render::Columns> columns = {};       // of CustomColumns
  std::optional<render::Template> go_template = {};  // of GoTemplate
  bool allow_missing_keys = true;                    // of JsonPath and GoTemplate

  bool table() const { return format == Format::Table || format == Format::Wide; }
};

// For help and completion. read_output() also accepts the formats that take a value after `=`.
std::vector<std::string_view> output_formats();
// Those of a report, sorted: names are for lists, unless they are among its own.
std::vector<std::string_view> output_formats_of_report(const std::vector<std::string_view>& own);

// kubectl's flags that formats with an expression depend on.
struct TemplateFlags {
  std::string expression;          // --template: what else stands behind `=`
  bool allow_missing_keys = true;  // --allow-missing-template-keys
};

Flag allow_missing_keys_flag(TemplateFlags& templates);
Flag template_flag(TemplateFlags& templates);

// Parses the expression after `=`, of --template, or in the file named there. BadInput for other
// formats and for invalid expressions, NotFound or Io for files. `no_headers` applies to custom
// columns.
Result<Output> read_output(const std::string& format, bool no_headers,
                           const TemplateFlags& templates = {});

// The same for a report; `own` are further formats that the command has, and does not ask for here.
Result<Output> read_report_output(const std::string& format, const TemplateFlags& templates,
                                  const std::vector<std::string_view>& own);

// json, yaml or kyaml: formats that every report has.
bool is_data(std::string_view format);
void print_data(const Context& context, const json::Value& report, std::string_view format);

// Prints in any format but tables and names. API objects, alone or in a List, are printed byte for
// byte as kubectl does. BadInput for an expression that cannot be evaluated on the value.
enum class Printed { ApiObjects, Report };
Result<Done> print_structured(const Context& context, const json::Value& value,
                              const Output& output, Printed what);

}  // namespace dra::cmd
