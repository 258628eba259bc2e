// src/snapshot/load.cpp: reads files, directories, standard input and demos; load_live.cpp reads
// servers.

#include "dra/snapshot/load.h"

#include <algorithm>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/snapshot/builder.h"
#include "src/snapshot/demo.h"
#include "src/snapshot/load_live.h"

namespace dra::snapshot {
namespace {

bool names_objects(std::string_view file) {
  return file.ends_with(".yaml") || file.ends_with(".yml") || file.ends_with(".json");
}

Result<std::vector<std::string>> files_in(const std::string& directory) {
  std::vector<std::string> files;
  for (const std::string& name : DRA_TRY(base::list_directory(directory))) {
    if (names_objects(name)) files.push_back(base::join_path(directory, name));
  }
  if (files.empty()) {
    return Error{
        ErrorKind::BadInput, directory + ": no .yaml, .yml or .json file in this directory", {}};
  }
  return files;
}

Result<Done> add_path(const Source& source, const std::string& path, Builder& builder) {
  if (path == "-") {
    return builder.add_text(DRA_TRY(source.standard_input()), "standard input");
  }
  if (base::is_directory(path)) {
    for (const std::string& file : DRA_TRY(files_in(path)))
      DRA_TRY(add_path(source, file, builder));
    return Done{};
  }
  const std::size_t most =
      DRA_TRY(session::max_read_of(source.environment, base::kDefaultReadLimit));
  return builder.add_text(DRA_TRY(base::read_input(path, most)), path);
}

Result<Done> lay_manifests_over(const Source& source, Builder& builder) {
  DRA_TRY(add_manifests(source, builder));
  builder.add_train_jobs();
  return Done{};
}

// A recording has the gaps of the user who took it. A gap in an essential kind is an error.
Result<Done> check_essential(const Snapshot& snapshot, std::span<const Need> needs) {
  for (const Need& need : needs) {
    if (!need.essential || snapshot.coverage().saw(need.kind, need.namespace_)) continue;
    const Missing* missing = snapshot.coverage().find(need.kind);
    if (missing->not_in_files) continue;
    return Error{ErrorKind::Denied,
                 base::format("{} could not be read when the snapshot was taken: {}",
                              api::info_of(need.kind).resource, missing->reason),
                 "have the snapshot taken by a user who can read them"};
  }
  return Done{};
}

Result<Snapshot> load_files(const Source& source, std::span<const Need> needs) {
  Builder builder;
  for (const std::string& path : source.files)
    DRA_TRY(add_path(source, path, builder));
  if (source.environment.clock) builder.set_opened(source.environment.now());
  builder.note_kinds_not_in_files();
  DRA_TRY(lay_manifests_over(source, builder));
  std::vector<api::Kind> asked_for;
  std::vector<api::Kind> aside;  // by all needs of the kind
  for (const Need& need : needs) {
    asked_for.push_back(need.kind);
    if (std::ranges::none_of(
            needs, [&need](const Need& other) { return other.kind == need.kind && !other.aside; }))
      aside.push_back(need.kind);
  }
  auto snapshot = DRA_TRY(std::move(builder).build(asked_for, aside));
  DRA_TRY(check_essential(snapshot, needs));
  return snapshot;
}

Result<Snapshot> load_demo(const Source& source) {
  Builder builder;
  const auto scenes = DRA_TRY(demo_scenes(source.demo));
  for (const std::string_view scene : scenes) {
    DRA_TRY(builder.add_text(scene, "demo " + source.demo));
  }
  DRA_TRY(lay_manifests_over(source, builder));
  builder.set_taken(base::parse_rfc3339(kDemoTime).value());
  return std::move(builder).build();
}

}  // namespace

Result<Done> add_manifests(const Source& source, Builder& builder) {
  if (source.manifests.empty()) return Done{};
  const std::string ns = DRA_TRY(default_namespace(source));
  for (const Manifest& manifest : source.manifests)
    DRA_TRY(builder.add_manifest(manifest.text, manifest.name, ns));
  return Done{};
}

Result<Snapshot> load(const Source& source, std::span<const Need> needs) {
  if (!source.demo.empty()) return load_demo(source);
  if (!source.files.empty()) return load_files(source, needs);
  return load_live(source, needs);
}

Result<session::Connection> Source::connection() const {
  if (found) return *found;
  const session::Log& log = client.http.log;
  found = DRA_TRY(session::resolve_connection(flags, environment, log));
  if (found->insecure && found->server.tls && environment.run_plugins && log.write) {
    log.write(base::format(
        "warning: the certificate of {} is not checked (insecure-skip-tls-verify): anyone on "
        "the way can read the credentials and change the answers",
        found->server.host_and_port()));
  }
  return *found;
}

bool covers(const Need& wide, const Need& narrow) {
  if (wide.kind != narrow.kind || wide.version != narrow.version) return false;
  const bool same_place = !api::info_of(wide.kind).namespaced || wide.namespace_.empty() ||
                          wide.namespace_ == narrow.namespace_;
  const bool same_choice = wide.names == narrow.names &&
                           wide.label_selector == narrow.label_selector &&
                           wide.field_selector == narrow.field_selector;
  return same_place && (wide.whole() || same_choice);
}

Result<std::string> default_namespace(const Source& source) {
  if (!source.flags.namespace_.empty()) return source.flags.namespace_;
  if (!source.live()) return std::string("default");
  return DRA_TRY(source.connection()).namespace_;
}

}  // namespace dra::snapshot
