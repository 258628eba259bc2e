// include/dra/render/go_template/template.h
//
// Go templates, `-o go-template=`: the language of text/template with the functions that kubectl
// adds (k8s.io/cli-runtime/pkg/printers, GoTemplatePrinter). Data are objects as kubectl decodes
// them from JSON, so there are no methods, structs, channels and functions to call.
//
//   {{range $i, $item := .items}}{{$i}} {{.metadata.name}}{{"\n"}}{{else}}none{{end}}
//   {{if and (eq .kind "Pod") (not .status)}}...{{else if ...}}...{{else with ...}}...{{end}}
//   {{with index .metadata.labels "a/b"}}{{. | printf "%-10s"}}{{end}}   {{- trimmed -}}  {{/* */}}
//   {{define "x"}}...{{end}}{{template "x" .}}  {{block "x" .}}...{{end}}  {{break}} {{continue}}
//
// Functions: and, base64decode, call, eq, exists, ge, gt, html, index, js, le, len, lt, ne, not,
// or, print, printf, println, slice, urlquery. Refused by name: complex numbers, and of printf %#v,
// %p of lists and objects, and argument indexes such as %[1]d. Where kubectl prints what it had so
// far and a dump of the data, an error here prints nothing but its place.
//
// A template is compiled once and evaluated as often as needed.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::render {

struct TemplateOptions {
  // False: a key that is missing is an error. kubectl's default is true: it prints <no value>.
  bool allow_missing_keys = true;
  // Text of the data is escaped where it would act on a terminal; the template's own text is not.
  bool for_terminal = false;
};

class Template {
 public:
  // Fails with BadInput, and says where.
  static Result<Template> parse(std::string_view text);

  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  // No line break is added. Fails with BadInput: a field of what has no fields, an index out of
  // range, values that cannot be compared.
  Result<std::string> print(const json::Value& data, const TemplateOptions& options = {}) const;

 private:
  struct Program;
  explicit Template(std::unique_ptr<const Program> program);
  std::unique_ptr<const Program> program_;
};

}  // namespace dra::render
