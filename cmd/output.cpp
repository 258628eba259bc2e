// cmd/output.cpp: the table of formats, and their parser and printer.

#include "cmd/output.h"

#include <algorithm>
#include <array>

#include "cmd/name_cluster.h"
#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/render/structured.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kAsJson = "jsonpath-as-json";
constexpr std::string_view kName = "name";

struct FormatInfo {
  std::string_view name;
  Format format;
  bool has_value = false;  // after `=`
  bool in_file = false;    // the value is the name of a file
};

constexpr std::array kFormats{
    FormatInfo{"custom-columns", Format::CustomColumns, true, false},
    FormatInfo{"custom-columns-file", Format::CustomColumns, true, true},
    FormatInfo{"go-template", Format::GoTemplate, true, false},
    FormatInfo{"go-template-file", Format::GoTemplate, true, true},
    FormatInfo{"json", Format::Json},
    FormatInfo{"jsonpath", Format::JsonPath, true, false},
    FormatInfo{kAsJson, Format::JsonPath, true, false},
    FormatInfo{"jsonpath-file", Format::JsonPath, true, true},
    FormatInfo{"kyaml", Format::Kyaml},
    FormatInfo{kName, Format::Name},
    FormatInfo{"template", Format::GoTemplate, true, false},
    FormatInfo{"templatefile", Format::GoTemplate, true, true},
    FormatInfo{"wide", Format::Wide},
    FormatInfo{"yaml", Format::Yaml},
};

const FormatInfo* find_exactly(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &FormatInfo::name);
  return found == kFormats.end() ? nullptr : found;
}

Error no_such_format(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::vector<std::string> names;
  for (const std::string_view candidate : candidates) {
    const FormatInfo* format = find_exactly(candidate);
    const bool has_value = format != nullptr && format->has_value;
    names.push_back(std::string(candidate) + (has_value ? "=..." : ""));
  }
  const std::string_view nearest = base::nearest(name, candidates);
  return {ErrorKind::BadInput,
          base::format("--output cannot be \"{}\": use {}", name, base::join(names, ", ")),
          nearest.empty() ? std::string() : base::format("did you mean {}?", nearest)};
}

// As in kubectl, formats for programs may be written with capital letters.
const FormatInfo* find_format(const std::string& name) {
  constexpr std::array<std::string_view, 4> any_case{"json", "kyaml", "name", "yaml"};
  const std::string lower = base::lower(name);
  const bool known = std::ranges::find(any_case, lower) != any_case.end();
  return find_exactly(known ? lower : name);
}

Error takes_no_value(const FormatInfo& format) {
  return {
      ErrorKind::BadInput, base::format("--output={} does not accept a value", format.name), {}};
}

Result<Done> check_value(const FormatInfo& format, const std::string& value) {
  if (!format.has_value || !value.empty()) return Done{};
  return Error{ErrorKind::BadInput, base::format("--output={} needs a value", format.name),
               base::format("write --output={}={}", format.name, format.in_file ? "FILE" : "...")};
}

}  // namespace

std::vector<std::string_view> output_formats() {
  std::vector<std::string_view> names;
  names.reserve(kFormats.size());
  for (const FormatInfo& format : kFormats)
    names.push_back(format.name);
  return names;
}

std::vector<std::string_view> output_formats_of_report(const std::vector<std::string_view>& own) {
  std::vector<std::string_view> names = output_formats();
  std::erase(names, kName);
  names.insert(names.end(), own.begin(), own.end());
  std::ranges::sort(names);
  return names;
}

Flag allow_missing_keys_flag(TemplateFlags& templates) {
  return {"allow-missing-template-keys", '\0', "",
          "Ignore it if a member that a JSONPath or a Go template names is missing, the default; "
          "with =false it is an error.",
          &templates.allow_missing_keys};
}

Flag template_flag(TemplateFlags& templates) {
  return {"template", '\0', "EXPRESSION",
          "The expression, or the file, of --output=go-template, jsonpath and custom-columns; "
          "without --output a Go template.",
          &templates.expression};
}

Result<Output> read_report_output(const std::string& format, const TemplateFlags& templates,
                                  const std::vector<std::string_view>& own) {
  const std::string name = format.substr(0, format.find('='));
  const FormatInfo* known = find_format(name);
  const bool is_name = known != nullptr && known->format == Format::Name;
  const bool lists_names = std::ranges::find(own, kName) != own.end();
  if (!format.empty() && (known == nullptr || (is_name && !lists_names)))
    return no_such_format(name, output_formats_of_report(own));
  return read_output(format, false, templates);
}

Result<Output> read_output(const std::string& given, bool no_headers,
                           const TemplateFlags& templates) {
  const std::string text = given.empty() && !templates.expression.empty() ? "go-template" : given;
  if (text.empty()) return Output{};
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const FormatInfo* format = find_format(name);
  if (format == nullptr) return no_such_format(name, output_formats());
  std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (format->has_value && !templates.expression.empty()) {
    if (!value.empty()) {
      return Error{ErrorKind::BadInput,
                   base::format("--output={} and --template both have an expression", name),
                   base::format("write --output={} with --template", name)};
    }
    value = templates.expression;
  }
  if (!format->has_value && equals != std::string::npos) return takes_no_value(*format);
  DRA_TRY(check_value(*format, value));
  if (format->in_file) value = DRA_TRY(base::read_input(value));
  Output output{.format = format->format, .allow_missing_keys = templates.allow_missing_keys};
  const std::string place = "--output=" + name;
  if (format->format == Format::JsonPath) {
    output.path = DRA_TRY(json::Path::parse(value).context(place));
    output.path_options = {templates.allow_missing_keys, name == kAsJson};
  } else if (format->format == Format::GoTemplate) {
    output.go_template = DRA_TRY(render::Template::parse(value).context(place));
  } else if (format->format == Format::CustomColumns) {
    output.columns = DRA_TRY((format->in_file ? render::Columns::from_file(value)
                                              : render::Columns::from_spec(value, no_headers))
                                 .context(place));
  }
  return output;
}

bool is_data(std::string_view format) {
  return format == "json" || format == "yaml" || format == "kyaml";
}

namespace {

// Of a report whose commands name the cluster.
void write_data(const Context& context, const json::Value& report, std::string_view format) {
  if (format == "json") return context.print_json(report);
  context.print_text(format == "yaml" ? render::render_yaml(report) : render::render_kyaml(report));
}

}  // namespace

void print_data(const Context& context, const json::Value& written, std::string_view format) {
  const auto named = naming_cluster(written, context.globals());
  const json::Value& report = named ? *named : written;
  if (!context.keep(report)) write_data(context, report, format);
}

Result<Done> print_structured(const Context& context, const json::Value& written,
                              const Output& output, Printed what) {
  const bool terminal = context.console().terminal;
  const bool api = what == Printed::ApiObjects;
  const auto named = api ? std::nullopt : naming_cluster(written, context.globals());
  const json::Value& value = named ? *named : written;
  if (context.keep(value)) return Done{};
  switch (output.format) {
    case Format::Json:
      api ? context.print_api(value) : write_data(context, value, "json");
      break;
    case Format::Yaml:
      api ? context.print_text(render::render_api_yaml(value, terminal))
          : write_data(context, value, "yaml");
      break;
    case Format::Kyaml:
      api ? context.print_text(render::render_api_kyaml(value, terminal))
          : write_data(context, value, "kyaml");
      break;
    case Format::JsonPath:
      context.print_text(
          DRA_TRY(render::render_path(*output.path, value, output.path_options, terminal)));
      break;
    case Format::CustomColumns:
      context.print_text(DRA_TRY(output.columns->print(value, terminal)));
      break;
    case Format::GoTemplate:
      context.print_text(
          DRA_TRY(output.go_template->print(value, {output.allow_missing_keys, terminal})
                      .context("--output=go-template")));
      break;
    case Format::Table:
    case Format::Wide:
    case Format::Name:
      DRA_CHECK(false);
  }
  return Done{};
}

}  // namespace dra::cmd
