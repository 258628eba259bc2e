// cmd/commands/watch/watched_objects.h
//
// Objects that are printed one after another, in the formats of `kubectl get -w -o FORMAT`. With
// --output-watch-events an object stands within its event (meta/v1.WatchEvent): in JSON on one
// line, with all that the server sent.

#pragma once

#include <string>

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
  // `name` is for --output=name.
  Result<Done> print_item(json::Value item, const std::string& name, session::EventType type);

 private:
  const Context& context_;
  const Output& output_;
  Options options_;
  bool printed_ = false;  // anything
};

}  // namespace dra::cmd
