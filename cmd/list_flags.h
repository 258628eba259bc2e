// cmd/list_flags.h
//
// kubectl's flags of `get`. Lists of API objects have all of them; devices, pools and drivers have
// no labels and no namespace, and so fewer flags.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "cmd/output.h"

namespace dra::cmd {

struct ListFlags {
  bool all_namespaces = false;
  bool ignore_not_found = false;
  bool no_headers = false;
  bool output_watch_events = false;
  bool server_print = true;  // changes nothing: the program makes its tables
  bool show_kind = false;
  bool show_labels = false;
  bool show_managed_fields = false;
  bool watch = false;
  bool watch_only = false;
  int chunk_size = 500;
  std::string field_selector;
  std::string output;
  std::string selector;
  std::string sort_by;
  std::string subresource;
  TemplateFlags templates;
  std::vector<std::string> label_columns;

  // Sorted by name.
  std::vector<Flag> for_objects();
  std::vector<Flag> for_reports();  // add_flags() adds the others
  std::vector<Flag> for_watch();    // for_objects() has them

  bool watches() const { return watch || watch_only; }
  bool has_selector() const { return !selector.empty() || !field_selector.empty(); }
  // The values of --label-columns, split at commas.
  std::vector<std::string> columns() const;

 private:
  // `sort_help` is the help of --sort-by, which differs.
  std::vector<Flag> for_all(std::string_view sort_help);
};

// Reads --output and checks that the other flags go with it. Also sets the page size.
Result<Output> check_flags(const ListFlags& flags, Context& context);

// BadInput if the flags name a source that does not change. `flag` is the one that watches.
Result<Done> check_watchable(const Context& context, std::string_view flag);

// The namespace to list; empty for all namespaces.
Result<std::string> chosen_namespace(const Context& context, const ListFlags& flags);

// The error for a name together with -A, in kubectl's words.
Error across_all_namespaces();

// Rejects names together with -A or with a selector.
Result<Done> check_names(const std::vector<std::string>& names, const ListFlags& flags);

// "resourceclaims.resource.k8s.io "x" not found", as kubectl; with the title of a server's error
// where the state comes from a server.
Error not_found(const Context& context, api::Kind kind, std::string_view name);
// The same, with what was probably meant as the hint.
Error not_found_in(const Context& context, const snapshot::Snapshot& snapshot, api::Kind kind,
                   const std::string& ns, const std::string& name);

// Adds flags to a table of flags, which stays sorted.
void add_flags(std::vector<Flag>& flags, std::vector<Flag> more);

}  // namespace dra::cmd
