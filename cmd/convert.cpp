// cmd/convert.cpp: `kubectl dra convert`: manifests of older API versions in the newest.

#include "cmd/commands.h"
#include "cmd/manifest_files.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/checks/conversion.h"

namespace dra::cmd {
namespace {

class Convert final : public Command {
 public:
  Info info() const override {
    return {
        .name = "convert",
        .usage = "-f FILE",
        .summary = "Print manifests with the DRA API's objects in their newest version.",
        .description =
            "Claims, templates, classes, slices and rules for taints of v1alpha3, v1beta1 and "
            "v1beta2 become v1: of a request what stands beside its name goes below `exactly`, and "
            "of a device what is in `basic` goes beside its name. Comments, order and quotes stay, "
            "and so does everything else in the files. Where an object cannot be changed as it "
            "stands, as behind an alias, its file is written anew, without comments, and a warning "
            "says so.\n\n"
            "Nothing is checked: kubectl dra validate says what is wrong.",
        .examples = {{"convert -f claim.yaml", "a file in v1"},
                     {"convert -R -f manifests/ | kubectl dra validate -f -",
                      "whether a whole tree is right afterwards"}}};
  }

  std::vector<Flag> flags() override {
    return {
        filename_flag(files_),
        recursive_flag(recursive_),
        {.name = "to",
         .value = "VERSION",
         .help = "The version to convert to; there is one.",
         .target = &to_,
         .choices = {"v1"}},
    };
  }

  Result<ExitCode> run(Context& context) override {
    if (files_.empty())
      return Error{ErrorKind::BadInput, "there is nothing to convert",
                   "name files or directories with -f, or - for standard input"};
    std::string out;
    for (const ManifestFile& file : DRA_TRY(read_manifests(context, files_, recursive_))) {
      const auto converted = DRA_TRY(checks::to_newest(file.text).context(file.name));
      if (converted.written_anew) warn_written_anew(context, file.name);
      const bool divided = out.empty() || converted.text.starts_with("---");
      if (!divided) out += "---\n";
      out += converted.text;
      if (!out.ends_with('\n')) out += '\n';
    }
    context.print_text(context.console().terminal ? base::printable_block(out) : out);
    return ExitCode::Done;
  }

 private:
  std::vector<std::string> files_;
  std::string to_;
  bool recursive_ = false;
};

}  // namespace

std::unique_ptr<Command> make_convert() { return std::make_unique<Convert>(); }

}  // namespace dra::cmd
