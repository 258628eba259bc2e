// cmd/list_flags.cpp: the tables of flags of all lists, and the checks of their combinations.

#include "cmd/list_flags.h"

#include <algorithm>

#include "cmd/name_hints.h"
#include "dra/base/text.h"
#include "dra/snapshot/select.h"

namespace dra::cmd {

std::vector<Flag> ListFlags::for_all(std::string_view sort_help) {
  return {
      allow_missing_keys_flag(templates),
      {"chunk-size", '\0', "COUNT",
       "Read a large list from the server in chunks of so many objects; 0 reads it at once.",
       &chunk_size},
      {"ignore-not-found", '\0', "",
       "Suppress the error about a name that does not exist, and the message about an empty list.",
       &ignore_not_found},
      {"no-headers", '\0', "", "Do not print the headers of a table or of custom columns.",
       &no_headers},
      {.name = "output",
       .letter = 'o',
       .value = "FORMAT",
       .help =
           "Write another format than a table; jsonpath, go-template and custom-columns take an "
           "expression after `=`.",
       .target = &output,
       .choices = output_formats(),
       .open = true},
      {"sort-by", '\0', "PATH", sort_help, &sort_by},
      template_flag(templates),
  };
}

std::vector<Flag> ListFlags::for_watch() {
  return {{"output-watch-events", '\0', "",
           "Output watch event objects when --watch or --watch-only is used. Existing objects are "
           "output as initial ADDED events.",
           &output_watch_events},
          {"watch", 'w', "", "After listing the objects, watch for changes.", &watch},
          {"watch-only", '\0', "", "Watch for changes, without listing first.", &watch_only}};
}

std::vector<Flag> ListFlags::for_reports() {
  std::vector<Flag> flags = for_all(
      "Sort the list by the field at this JSONPath, such as .node of devices and pools, .free of "
      "drivers.");
  add_flags(flags, {{"all-namespaces", 'A', "",
                     "Accepted for compatibility with kubectl: what is listed is in no "
                     "namespace.",
                     &all_namespaces}});
  return flags;
}

std::vector<Flag> ListFlags::for_objects() {
  std::vector<Flag> flags =
      for_all("Sort the list by the field at this JSONPath, such as .metadata.creationTimestamp.");
  add_flags(
      flags,
      {{"all-namespaces", 'A', "", "Look into all namespaces.", &all_namespaces},
       {"field-selector", '\0', "SELECTOR",
        "Show only objects with such fields: spec.nodeName=n1,status.phase!=Running.",
        &field_selector},
       {"label-columns", 'L', "LABEL",
        "Add a column for a label; can be repeated or joined by commas.", &label_columns},
       {"selector", 'l', "SELECTOR", "Show only objects with such labels: a=b,c!=d,e in (f,g).",
        &selector},
       {"server-print", '\0', "",
        "Accepted for compatibility with kubectl: tables are those of this program, also with "
        "=false.",
        &server_print},
       {"show-kind", '\0', "", "Show the kind before the name.", &show_kind},
       {"show-labels", '\0', "", "Show all labels in the last column.", &show_labels},
       {"show-managed-fields", '\0', "", "Keep managedFields in JSON and YAML.",
        &show_managed_fields},
       {.name = "subresource",
        .value = "NAME",
        .help = "Get this subresource of the objects that are named.",
        .target = &subresource,
        .choices = {"resize", "scale", "status"},
        .open = true}});
  add_flags(flags, for_watch());
  return flags;
}

std::vector<std::string> ListFlags::columns() const {
  std::vector<std::string> names;
  for (const std::string& given : label_columns) {
    for (const std::string_view name : base::split(given, ','))
      names.emplace_back(name);
  }
  return names;
}

namespace {

// In kubectl's words, where it has some.
Result<Done> check_watch(const ListFlags& flags, const Context& context) {
  if (!flags.watches()) {
    if (!flags.output_watch_events) return Done{};
    return Error{ErrorKind::BadInput,
                 "--output-watch-events option can only be used with --watch or --watch-only",
                 {}};
  }
  const std::string flag = flags.watch ? "watch" : "watch-only";
  DRA_TRY(check_watchable(context, flag));
  if (!flags.sort_by.empty())
    context.warn(base::format("--{} requested, --sort-by will be ignored{}", flag,
                              flags.watch ? " for watch events received" : ""));
  return Done{};
}

}  // namespace

Result<Output> check_flags(const ListFlags& flags, Context& context) {
  Output output = DRA_TRY(read_output(flags.output, flags.no_headers, flags.templates));
  const auto cannot_be_used = [&](std::string_view flag) {
    return Error{ErrorKind::BadInput,
                 base::format("--{} cannot be used with --output={}", flag,
                              flags.output.substr(0, flags.output.find('='))),
                 "it is about tables"};
  };
  if (flags.show_labels && !output.table() && !flags.output.empty()) {
    return cannot_be_used("show-labels");
  }
  if (!flags.label_columns.empty() && output.format == Format::CustomColumns) {
    return cannot_be_used("label-columns");
  }
  if (flags.chunk_size < 0) {
    return Error{ErrorKind::BadInput,
                 base::format("--chunk-size cannot be {}: it is a number of objects, or 0 for all",
                              flags.chunk_size),
                 {}};
  }
  DRA_TRY(check_watch(flags, context));
  // With --sort-by the list is read in one page, as kubectl does.
  context.set_page_size(flags.sort_by.empty() ? static_cast<std::size_t>(flags.chunk_size) : 0);
  return output;
}

Result<Done> check_watchable(const Context& context, std::string_view flag) {
  if (!context.source().live()) {
    return Error{ErrorKind::BadInput,
                 base::format("--{} cannot be used with {}: what is in a file does not change",
                              flag, context.globals().demo ? "--demo" : "--snapshot"),
                 "name a cluster, as with --context"};
  }
  if (context.source().manifests.empty()) return Done{};
  return Error{
      ErrorKind::BadInput,
      base::format("--{} cannot be used with --filename: what is in a file does not change", flag),
      {}};
}

Result<std::string> chosen_namespace(const Context& context, const ListFlags& flags) {
  if (flags.all_namespaces) return std::string();
  return snapshot::default_namespace(context.source());
}

Error across_all_namespaces() {
  return {ErrorKind::BadInput, "a resource cannot be retrieved by name across all namespaces",
          "name its namespace with -n"};
}

Result<Done> check_names(const std::vector<std::string>& names, const ListFlags& flags) {
  if (names.empty()) return Done{};
  if (flags.all_namespaces) return across_all_namespaces();
  if (flags.has_selector()) {
    return Error{ErrorKind::BadInput, "name cannot be provided when a selector is specified", {}};
  }
  return Done{};
}

Error not_found(const Context& context, api::Kind kind, std::string_view name) {
  const std::string resource = api::qualified_resource(api::info_of(kind));
  Error error{ErrorKind::NotFound, base::format("{} \"{}\" not found", resource, name), {}};
  if (context.source().live()) error.title = "Error from server (NotFound)";
  return error;
}

Error not_found_in(const Context& context, const snapshot::Snapshot& snapshot, api::Kind kind,
                   const std::string& ns, const std::string& name) {
  Error error = not_found(context, kind, name);
  error.hint = hint_about(snapshot, kind, ns, name);
  return error;
}

void add_flags(std::vector<Flag>& flags, std::vector<Flag> more) {
  for (Flag& flag : more)
    flags.push_back(std::move(flag));
  std::ranges::sort(flags, {}, &Flag::name);
}

}  // namespace dra::cmd
