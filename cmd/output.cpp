// cmd/output.cpp: the table of formats, and their parser and printer.

#include "cmd/output.h"

#include <algorithm>
#include <array>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/render/structured.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kAsJson = "jsonpath-as-json";

struct FormatInfo {
  std::string_view name;
  Format format;
  bool has_value = false;  // after `=`
  bool in_file = false;    // the value is the name of a file
};

constexpr std::array kFormats{
    FormatInfo{"custom-columns", Format::CustomColumns, true, false},
    FormatInfo{"custom-columns-file", Format::CustomColumns, true, true},
    FormatInfo{"json", Format::Json},
    FormatInfo{"jsonpath", Format::JsonPath, true, false},
    FormatInfo{kAsJson, Format::JsonPath, true, false},
    FormatInfo{"jsonpath-file", Format::JsonPath, true, true},
    FormatInfo{"name", Format::Name},
    FormatInfo{"wide", Format::Wide},
    FormatInfo{"yaml", Format::Yaml},
};

// Formats of kubectl that are not supported: they need Go's template language.
constexpr std::array<std::string_view, 4> kTemplates{"go-template", "go-template-file", "template",
                                                     "templatefile"};

Error no_such_format(std::string_view name) {
  if (std::ranges::find(kTemplates, name) != kTemplates.end()) {
    return {ErrorKind::BadInput,
            base::format("--output cannot be \"{}\": Go templates are not understood", name),
            "use -o jsonpath='{.items[*].metadata.name}' or -o custom-columns=NAME:.metadata.name"};
  }
  std::vector<std::string> names;
  std::vector<std::string_view> candidates;
  for (const FormatInfo& format : kFormats) {
    names.push_back(std::string(format.name) + (format.has_value ? "=..." : ""));
    candidates.push_back(format.name);
  }
  const std::string_view nearest = base::nearest(name, candidates);
  return {ErrorKind::BadInput,
          base::format("--output cannot be \"{}\": use {}", name, base::join(names, ", ")),
          nearest.empty() ? std::string() : base::format("did you mean {}?", nearest)};
}

Result<Done> check_value(const FormatInfo& format, const std::string& value) {
  if (format.has_value == !value.empty()) return Done{};
  if (!format.has_value) {
    return Error{ErrorKind::BadInput, base::format("--output={} takes no value", format.name), {}};
  }
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

Result<Output> read_output(const std::string& text, bool no_headers) {
  if (text.empty()) return Output{};
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto* format = std::ranges::find(kFormats, name, &FormatInfo::name);
  if (format == kFormats.end()) return no_such_format(name);
  std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  DRA_TRY(check_value(*format, value));
  if (format->in_file) value = DRA_TRY(base::read_file(value));
  Output output{.format = format->format};
  const std::string place = "--output=" + name;
  if (format->format == Format::JsonPath) {
    output.path = DRA_TRY(json::Path::parse(value).context(place));
    output.path_options.as_json = name == kAsJson;
  } else if (format->format == Format::CustomColumns) {
    output.columns = DRA_TRY((format->in_file ? render::Columns::from_file(value)
                                              : render::Columns::from_spec(value, no_headers))
                                 .context(place));
  }
  return output;
}

Result<Done> print_structured(const Context& context, const json::Value& value,
                              const Output& output, Printed what) {
  const bool terminal = context.console().terminal;
  const bool api = what == Printed::ApiObjects;
  switch (output.format) {
    case Format::Json:
      api ? context.print_api(value) : context.print_json(value);
      break;
    case Format::Yaml:
      context.print_text(api ? render::render_api_yaml(value, terminal)
                             : render::render_yaml(value));
      break;
    case Format::JsonPath:
      context.print_text(
          DRA_TRY(render::render_path(*output.path, value, output.path_options, terminal)));
      break;
    case Format::CustomColumns:
      context.print_text(DRA_TRY(output.columns->print(value, terminal)));
      break;
    case Format::Table:
    case Format::Wide:
    case Format::Name:
      DRA_CHECK(false);
  }
  return Done{};
}

}  // namespace dra::cmd
