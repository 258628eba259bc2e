// cmd/list_flags.cpp: see list_flags.h.

#include "cmd/list_flags.h"

#include "dra/base/printable.h"

namespace dra::cmd {

std::vector<Flag> ListFlags::for_cluster() {
  return {{"no-headers", '\0', "", "Leave out the titles of columns.", &no_headers},
          {"output",
           'o',
           "FORMAT",
           "Write JSON, or a table with more columns.",
           &output,
           {"json", "wide"}}};
}

std::vector<Flag> ListFlags::for_namespaced() {
  std::vector<Flag> flags = for_cluster();
  flags.insert(flags.begin(),
               {"all-namespaces", 'A', "", "Look into all namespaces.", &all_namespaces});
  flags.push_back({"selector", 'l', "SELECTOR",
                   "Show only what has such labels: a=b,c!=d,e in (f,g).", &selector});
  return flags;
}

Result<std::string> chosen_namespace(const Context& context, const ListFlags& flags) {
  if (flags.all_namespaces) return std::string();
  return snapshot::default_namespace(context.source());
}

void print_table(const Context& context, const view::Document& table, const ListFlags& flags) {
  context.print(table, flags.wide(), !flags.no_headers);
}

void say_nothing_found(const Context& context, const std::string& ns) {
  context.console().streams.err << (ns.empty() ? std::string("No resources found")
                                               : "No resources found in " + base::printable(ns) +
                                                     " namespace.")
                                << '\n';
}

Error not_found(api::Kind kind, std::string_view name) {
  const api::KindInfo& info = api::info_of(kind);
  const std::string resource = info.group.empty()
                                   ? std::string(info.resource)
                                   : base::format("{}.{}", info.resource, info.group);
  return {ErrorKind::NotFound, base::format("{} \"{}\" not found", resource, name), {}};
}

Result<Done> check_names(const Context& context, const ListFlags& flags) {
  if (context.args().empty()) return Done{};
  if (flags.all_namespaces) {
    return Error{ErrorKind::BadInput, "an object cannot be found by name across all namespaces",
                 "name its namespace with -n"};
  }
  if (!flags.selector.empty()) {
    return Error{ErrorKind::BadInput, "name cannot be provided when a selector is specified", {}};
  }
  return Done{};
}

}  // namespace dra::cmd
