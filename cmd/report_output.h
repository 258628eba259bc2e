// cmd/report_output.h
//
// --output of reports: text, a page, and kubectl's formats on the report's JSON. A report that can
// be written as something else, too, such as SARIF, names these formats as its own.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/html.h"
#include "cmd/output.h"
#include "dra/base/function_ref.h"

namespace dra::cmd {

class ReportOutput {
 public:
  // `own`: the formats besides kubectl's, of which each command prints its own itself, but for
  // pages. Among them may be `name`. `help`: of the flag.
  explicit ReportOutput(std::vector<std::string_view> own = {"html"},
                        std::string_view help = kHelp);

  // --output, --template and --allow-missing-template-keys, sorted by name.
  std::vector<Flag> flags();

  // Parses what the flags say. BadInput and others as read_output(); to be called before the rest.
  Result<Done> read();

  // What stands before the `=`: "json", "jsonpath", "html"; empty: text.
  const std::string& name() const { return name_; }
  const Output& output() const { return output_; }
  // HTML or SVG, which are drawn of the same document as text.
  bool page() const { return is_html_or_svg(name_); }
  // Nothing is to be folded.
  bool wide() const { return output_.format == Format::Wide || page(); }
  // JSON and what is made of it.
  bool structured() const { return !output_.table(); }

  // The two forms of a report, of which the one that is asked for is made.
  struct Forms {
    base::FunctionRef<json::Value()> json;
    base::FunctionRef<view::Document()> document;
    PageSource page;
    bool ascii = false;
  };
  // For every format that is not one of the command's alone.
  Result<Done> print(const Context& context, const Forms& forms) const;

 private:
  static constexpr std::string_view kHelp =
      "Write another format than text: html is a page, wide text with nothing folded; jsonpath, "
      "go-template and custom-columns take an expression after `=`.";

  std::vector<std::string_view> own_;
  std::string_view help_;
  std::string format_;
  TemplateFlags templates_;
  std::string name_;
  Output output_;
};

}  // namespace dra::cmd
