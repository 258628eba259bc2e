// cmd/report_output.cpp: the flags, and the choice between a page, text and JSON.

#include "cmd/report_output.h"

#include <algorithm>
#include <utility>

#include "dra/base/text.h"

namespace dra::cmd {

ReportOutput::ReportOutput(std::vector<std::string_view> own, std::string_view help)
    : own_(std::move(own)), help_(help) {}

std::vector<Flag> ReportOutput::flags() {
  return {allow_missing_keys_flag(templates_),
          {.name = "output",
           .letter = 'o',
           .value = "FORMAT",
           .help = help_,
           .target = &format_,
           .choices = output_formats_of_report(own_),
           .open = true},
          template_flag(templates_)};
}

Result<Done> ReportOutput::read() {
  const bool is_own = std::ranges::find(own_, format_) != own_.end();
  if (is_own && format_ != "name") {
    name_ = format_;
    if (templates_.expression.empty()) return Done{};
    return Error{ErrorKind::BadInput,
                 base::format("--template cannot be used with --output={}", format_),
                 "it is the expression of go-template, jsonpath and custom-columns"};
  }
  output_ = DRA_TRY(read_report_output(format_, templates_, own_));
  name_ = format_.empty() && structured() ? "go-template" : format_.substr(0, format_.find('='));
  if (output_.format == Format::Json || output_.format == Format::Yaml ||
      output_.format == Format::Kyaml)
    name_ = base::lower(name_);
  return Done{};
}

Result<Done> ReportOutput::print(const Context& context, const Forms& forms) const {
  if (page()) return print_html_or_svg(context, forms.document(), name_, forms.page);
  if (structured()) return print_structured(context, forms.json(), output_, Printed::Report);
  context.print(forms.document(), {.wide = wide(), .ascii = forms.ascii});
  return Done{};
}

}  // namespace dra::cmd
