// cmd/commands/get.cpp: `kubectl dra get`: objects of several kinds, those that files name, and any
// path of the server. Errors are kubectl's.

#include <algorithm>
#include <utility>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/commands/file_targets.h"
#include "cmd/commands/list.h"
#include "cmd/help.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/session/raw.h"

namespace dra::cmd {
namespace {

// The path and query of a URL, which may be one of another server, as in kubectl.
Result<std::string> raw_path(const std::string& raw) {
  const std::size_t scheme = raw.find("://");
  const bool whole = scheme != std::string::npos && raw.find('/') > scheme;
  const std::size_t begin = whole ? raw.find('/', scheme + 3) : 0;
  std::string path = begin == std::string::npos ? "/" : raw.substr(begin);
  path = path.substr(0, path.find('#'));
  const bool plain = std::ranges::all_of(path, [](char c) { return c > ' ' && c < '\x7f'; });
  if (path.starts_with('/') && plain) return path;
  return Error{ErrorKind::BadInput,
               base::format("--raw must be a valid URL path: \"{}\" {}", raw,
                            plain ? "does not begin with /" : "has characters to be escaped"),
               plain ? "such as --raw /version" : "write %20 for a space"};
}

class Get final : public Command {
 public:
  Info info() const override {
    return {
        .name = "get",
        .usage = "KIND[,KIND ...] [NAME ...] | KIND/NAME ... | -f FILE",
        .summary = "List objects of one or several kinds, as kubectl get does.",
        .description =
            "`get claims` is `claims`, with the same flags, and so on for classes, devices, "
            "drivers, nodes, pods, pools, slices, taintrules and templates. A kind may be said as "
            "kubectl says it: resourceclaim, resourceclaims.resource.k8s.io, "
            "resourceclaims.v1.resource.k8s.io. Several kinds of API objects are tables one after "
            "another, or one List.\n\n"
            "--filename lists what manifests name, as it is in the cluster; objects of other kinds "
            "are passed over with a warning. --raw prints any path of the server, byte for "
            "byte.\n\n"
            "The flags below are those of API objects. Devices, pools and drivers are not "
            "API objects: they have no labels, fields and kinds to choose or show, but flags of "
            "their own, which "
            "`kubectl dra devices --help` and the like list.",
        .examples = {{"get claims,pods -n ml", "two tables"},
                     {"get claim/train-gpus pod/train-0 -o yaml", "two objects in one List"},
                     {"get -f job.yaml", "the state of what a manifest names"},
                     {"get devices --state free", "the same as devices --state free"}},
        .max_args = kAnyArgs,
        .arguments = ArgumentKind::Subjects,
        .contexts = Combination::Rows};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = flags_.for_objects();
    add_flags(flags, files_.flags());
    add_flags(flags,
              {{"raw", '\0', "PATH",
                "Print the server's answer to a GET of this path, such as /metrics.", &raw_}});
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    if (!raw_.empty()) return print_raw(context);
    if (files_.given()) return list_files(context);
    if (context.args().empty())
      return Error{ErrorKind::BadInput, "get needs an argument, or --filename",
                   "usage: " + usage_line(info(), program_name(context.console().program))};
    const auto targets = DRA_TRY(read_list_targets(context.args()));
    return list_objects(context, flags_, targets);
  }

 private:
  Result<ExitCode> list_files(Context& context) {
    if (!context.args().empty())
      return Error{ErrorKind::BadInput,
                   "when paths, URLs, or stdin is provided as input, you may not specify resource "
                   "arguments as well",
                   {}};
    FileTargets found = DRA_TRY(read_file_targets(context, files_, flags_.all_namespaces));
    return list_objects(context, flags_, found.targets, std::move(found.named));
  }

  Result<Done> check_raw(const Context& context) const {
    if (!context.args().empty())
      return Error{ErrorKind::BadInput, "arguments may not be passed when --raw is specified", {}};
    if (flags_.watches() || !flags_.selector.empty())
      return Error{ErrorKind::BadInput,
                   "--raw may not be specified with other flags that filter the server request or "
                   "alter the output",
                   {}};
    if (!flags_.output.empty())
      return Error{ErrorKind::BadInput, "--raw and --output are mutually exclusive", {}};
    if (context.source().live()) return Done{};
    return Error{ErrorKind::BadInput,
                 base::format("--raw cannot be used with {}: there is no server to ask",
                              context.globals().demo ? "--demo" : "--snapshot"),
                 "name a cluster, as with --context"};
  }

  // Any text of a server could act on a terminal; elsewhere it stays as it is.
  Result<ExitCode> print_raw(const Context& context) const {
    DRA_TRY(check_raw(context));
    const std::string path = DRA_TRY(raw_path(raw_));
    session::Client client(DRA_TRY(context.source().connection()), context.source().client);
    const base::Page answer = DRA_TRY(session::get_text(client, path));
    context.print_text(context.console().terminal ? base::printable_block(answer.text())
                                                  : std::string(answer.text()));
    return ExitCode::Done;
  }

  ListFlags flags_;
  FileFlags files_;
  std::string raw_;
};

}  // namespace

std::unique_ptr<Command> make_get() { return std::make_unique<Get>(); }

}  // namespace dra::cmd
