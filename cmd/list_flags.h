// cmd/list_flags.h
//
// kubectl's flags of `get`. Lists of API objects have all of them, reports of ours those that make
// sense for what has no labels and no namespace.

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
  bool show_kind = false;
  bool show_labels = false;
  bool show_managed_fields = false;
  int chunk_size = 500;
  std::string field_selector;
  std::string output;
  std::string selector;
  std::string sort_by;
  std::vector<std::string> label_columns;

  // Sorted by name.
  std::vector<Flag> for_objects();
  std::vector<Flag> for_reports();

  bool has_selector() const { return !selector.empty() || !field_selector.empty(); }
  // The values of --label-columns, which may be joined by commas, too.
  std::vector<std::string> columns() const;

 private:
  // `sort_help` is that of --sort-by: what can be sorted by differs.
  std::vector<Flag> for_all(std::string_view sort_help);
};

// The format, and whether the other flags go with it. Also sets the size of pages.
Result<Output> check_flags(const ListFlags& flags, Context& context);

// The namespace to look into: none when all are wanted.
Result<std::string> chosen_namespace(const Context& context, const ListFlags& flags);

// That a name and -A do not go together, in kubectl's words.
Error across_all_namespaces();

// A name cannot be looked up in all namespaces at once, nor together with a selector.
Result<Done> check_names(const std::vector<std::string>& names, const ListFlags& flags);

// "resourceclaims.resource.k8s.io "x" not found", in kubectl's words; of a server they have its
// title.
Error not_found(const Context& context, api::Kind kind, std::string_view name);

// Adds flags to a table of flags, keeping it sorted.
void add_flags(std::vector<Flag>& flags, std::vector<Flag> more);

}  // namespace dra::cmd
