// cmd/commands/file_targets.cpp: reads the documents of each file and notes what their objects are.

#include "cmd/commands/file_targets.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "cmd/manifest_files.h"
#include "dra/base/text.h"
#include "dra/checks/manifest/documents.h"
#include "dra/diag/command_line.h"
#include "dra/snapshot/load.h"

namespace dra::cmd {
namespace {

// "Deployment web"
std::string words_for(const std::string& kind, const std::string& name) {
  return name.empty() ? kind : base::format("{} {}", kind, name);
}

const NounInfo* noun_of_kind(const api::KindInfo* kind) {
  if (kind == nullptr) return nullptr;
  const auto nouns = all_nouns();
  const auto found =
      std::ranges::find_if(nouns, [kind](const NounInfo& noun) { return noun.kind == kind->kind; });
  return found == nouns.end() ? nullptr : &*found;
}

// Where the command looks: kubectl's NamespaceParam and RequireNamespace.
struct Namespaces {
  std::string usual;
  bool only = false;  // the user named it, so an object of another one is an error
  bool all = false;   // -A, so there is no usual one
};

class FileTargetReader {
 public:
  explicit FileTargetReader(Namespaces namespaces) : namespaces_(std::move(namespaces)) {}

  void read(const ManifestFile& file) {
    file_ = &file.name;
    std::vector<std::string> others;
    for (const checks::Document& document : checks::read_documents(file.text)) {
      if (const auto* tree = std::get_if<json::Value>(&document)) {
        add(*tree, others);
        continue;
      }
      const auto& finding = std::get<checks::ManifestFinding>(document);
      fail(base::format("line {}: {}", finding.position.line, finding.message));
    }
    if (!others.empty())
      others_.push_back(base::format("{}: {}", *file_, base::join(others, ", ")));
  }

  // Files with objects of other kinds, with their words.
  const std::vector<std::string>& others() const { return others_; }
  FileTargets take() { return std::move(found_); }

 private:
  void fail(const std::string& message, std::string hint = {}) {
    found_.named.errors.push_back(
        {ErrorKind::BadInput, base::format("{}: {}", *file_, message), std::move(hint)});
  }

  void add(const json::Value& object, std::vector<std::string>& others) {
    if (object.is(json::Kind::Null)) return;
    const std::string& kind = object.string_at("kind");
    if (kind.empty()) return fail("Object 'Kind' is missing");
    const json::Value* items = kind.ends_with("List") ? object.find("items") : nullptr;
    if (items != nullptr && items->is(json::Kind::Array)) {
      for (const json::Value& item : items->items())
        add(item, others);
      return;
    }
    const std::string& api_version = object.string_at("apiVersion");
    const std::string& name = object.string_at({"metadata", "name"});
    const api::KindInfo* info = api::kind_of(api_version, kind);
    const NounInfo* noun = noun_of_kind(info);
    if (noun == nullptr) return others.push_back(words_for(kind, name));
    if (name.empty())
      return fail(base::format("a {} without a name", kind),
                  "what metadata.generateName made of it can be listed by its kind");
    add_target({.noun = noun->noun,
                .version = info->is_dra() ? std::string(api::version_of(api_version)) : "",
                .names = {name},
                .namespace_ = info->namespaced ? object.string_at({"metadata", "namespace"}) : ""},
               *info);
  }

  void add_target(ListTarget target, const api::KindInfo& kind) {
    const std::string& ns = target.namespace_;
    if (kind.namespaced && namespaces_.all && ns.empty())
      return fail(base::format("no namespace set on resource {} \"{}\"", kind.resource,
                               target.names.front()),
                  "omit -A, or name its namespace with -n");
    if (kind.namespaced && namespaces_.only && !ns.empty() && ns != namespaces_.usual)
      return fail(
          base::format("{} {}: the namespace from the provided object \"{}\" does not match "
                       "the namespace \"{}\". You must pass '--namespace={}' to perform this "
                       "operation.",
                       kind.name, target.names.front(), ns, namespaces_.usual, ns));
    if (kind.namespaced && ns.empty()) target.namespace_ = namespaces_.usual;
    std::vector<ListTarget>& targets = found_.targets;
    const bool goes_on = !targets.empty() && targets.back().noun == target.noun &&
                         targets.back().version == target.version &&
                         targets.back().namespace_ == target.namespace_;
    if (!goes_on) {
      targets.push_back(std::move(target));
    } else {
      targets.back().names.push_back(std::move(target.names.front()));
    }
  }

  Namespaces namespaces_;
  const std::string* file_ = nullptr;
  FileTargets found_;
  std::vector<std::string> others_;
};

Result<Done> check_file_flags(const FileFlags& flags) {
  if (flags.kustomize.empty()) return Done{};
  if (!flags.files.empty())
    return Error{ErrorKind::BadInput, "only one of -f or -k can be specified", {}};
  if (flags.recursive)
    return Error{ErrorKind::BadInput, "the -k flag can't be used with -f or -R", {}};
  return Error{ErrorKind::BadInput,
               "--kustomize cannot be used: kustomizations are built by kubectl",
               base::format("{} | kubectl dra get -f -",
                            diag::kubectl("kustomize").name(flags.kustomize).text())};
}

constexpr std::string_view kListed =
    "listed are claims, classes, nodes, pods, slices, taint rules and templates; `kubectl get -f` "
    "shows all";

}  // namespace

std::vector<Flag> FileFlags::flags() {
  return {{"filename", 'f', "FILE",
           "Get the objects that a file, directory or URL names, as they are in the cluster; `-` "
           "reads standard input. May be repeated.",
           &files},
          {"kustomize", 'k', "DIR",
           "Refused: pipe what `kubectl kustomize DIR` prints into --filename=-.", &kustomize},
          recursive_flag(recursive)};
}

Result<FileTargets> read_file_targets(const Context& context, const FileFlags& flags,
                                      bool all_namespaces) {
  DRA_TRY(check_file_flags(flags));
  // As kubectl's flag, one may have several with commas.
  std::vector<std::string> names;
  for (const std::string& given : flags.files) {
    for (const std::string_view name : base::split(given, ','))
      names.emplace_back(name);
  }
  const auto files = DRA_TRY(read_manifests(context, names, flags.recursive));
  Namespaces namespaces{.all = all_namespaces};
  if (!all_namespaces) {
    namespaces.usual = DRA_TRY(snapshot::default_namespace(context.source()));
    namespaces.only = !context.globals().connection.namespace_.empty();
  }
  FileTargetReader reader(std::move(namespaces));
  for (const ManifestFile& file : files)
    reader.read(file);
  FileTargets found = reader.take();
  found.named.one_file = files.size() == 1 && names.front() != "-";
  DRA_TRY(check_versions(found.targets));
  if (found.targets.empty() && found.named.errors.empty() && !reader.others().empty())
    return Error{ErrorKind::BadInput,
                 base::format("nothing to list: {}", base::join(reader.others(), "; ")),
                 std::string(kListed)};
  for (const std::string& other : reader.others())
    context.warn(base::format("not listed: {} ({})", other, kListed));
  return found;
}

}  // namespace dra::cmd
