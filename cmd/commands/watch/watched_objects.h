// cmd/commands/watch/watched_objects.h
//
// Objects that are printed one after another, in the formats of `kubectl get -w -o FORMAT`. With
// --output-watch-events an object stands within its event (meta/v1.WatchEvent): in JSON on one
// line, with all that the server sent.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "cmd/output.h"
#include "dra/json/value.h"
#include "dra/session/watch.h"
#include "dra/snapshot/select.h"

namespace dra::cmd {

class ObjectPrinter {
 public:
  struct Options {
    bool events = false;
    bool managed_fields = false;
    bool report = false;  // the items are this program's own, not API objects
  };

  ObjectPrinter(const Context& context, const Output& output, const Options& options)
      : context_(context), output_(output), options_(options) {}

  Result<Done> print(const snapshot::ObjectRef& object, session::EventType type);
  // Those of the list, before any event.
  Result<Done> print_list(const std::vector<snapshot::ObjectRef>& objects);
  // Several that are printed at the same time. kubectl aligns the rows of a list with one another.
  struct Item {
    json::Value item;
    std::string name;
    session::EventType type = session::EventType::Added;
  };
  Result<Done> print_items(std::vector<Item> items);
  // `name` is for --output=name.
  Result<Done> print_item(json::Value item, const std::string& name, session::EventType type);

 private:
  // In columns, with what stands around it.
  json::Value row_of(json::Value item, session::EventType type) const;
  json::Value json_of(const snapshot::ObjectRef& object) const;
  Result<Done> print_rows(const json::Value& rows);

  const Context& context_;
  const Output& output_;
  Options options_;
  bool printed_ = false;  // anything
  render::Columns::Before before_;
};

}  // namespace dra::cmd
