// cmd/list_flags.h
//
// What all lists share: kubectl's list flags, and the choice of objects by namespace, label and
// name.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "dra/api/kinds.h"
#include "dra/base/selector.h"
#include "dra/base/text.h"
#include "dra/report/list.h"

namespace dra::cmd {

struct ListFlags {
  bool all_namespaces = false;
  std::string selector;
  std::string output;
  bool no_headers = false;

  bool json() const { return output == "json"; }
  bool wide() const { return output == "wide"; }
  std::vector<Flag> for_namespaced();
  std::vector<Flag> for_cluster();
};

// The namespace to look into: none when all are wanted.
Result<std::string> chosen_namespace(const Context& context, const ListFlags& flags);

void print_table(const Context& context, const view::Document& table, const ListFlags& flags);
// Says on standard error that nothing was found, as kubectl does.
void say_nothing_found(const Context& context, const std::string& ns);
Error not_found(api::Kind kind, std::string_view name);
// A name cannot be looked up in all namespaces at once.
Result<Done> check_names(const Context& context, const ListFlags& flags);

// Objects of one kind by namespace, label selector and the names on the command line, in order.
template <class T>
Result<std::vector<const T*>> choose(const snapshot::Snapshot& snapshot, const Context& context,
                                     const ListFlags& flags, const std::string& ns,
                                     api::Kind kind) {
  DRA_TRY(check_names(context, flags));
  std::vector<const T*> chosen;
  for (const std::string& name : context.args()) {
    const T* object = snapshot.template find<T>(ns, name);
    if (object == nullptr) return not_found(kind, name);
    chosen.push_back(object);
  }
  if (!chosen.empty()) return chosen;
  const base::Selector selector =
      DRA_TRY(base::parse_selector(flags.selector).context("--selector"));
  for (const T& object : snapshot.template all<T>()) {
    if (!ns.empty() && object.meta.namespace_ != ns) continue;
    base::Labels labels;
    for (const auto& label : object.meta.labels)
      labels.emplace_back(label.key, label.value);
    if (selector.matches(labels)) chosen.push_back(&object);
  }
  return chosen;
}

// The objects as kubectl prints them: one that was named alone stands bare, otherwise a List.
template <class T>
void print_objects(const Context& context, const std::vector<const T*>& objects) {
  if (context.args().size() == 1) {
    context.print_api(report::api_object(objects.front()->origin));
    return;
  }
  std::vector<const api::Origin*> origins;
  origins.reserve(objects.size());
  for (const T* object : objects)
    origins.push_back(&object->origin);
  context.print_api(report::api_list(origins));
}

}  // namespace dra::cmd
