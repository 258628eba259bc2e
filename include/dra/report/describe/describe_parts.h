// include/dra/report/describe/describe_parts.h
//
// The parts of all descriptions: a headline, problems, facts, sections, and commands to go on with.
//
// Problems are often found while a section is built, but are printed before it. So a Description
// collects its parts, and finish() arranges them. Empty parts are left out. Who adds a part to the
// text sets the members of the JSON that say the same.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/report/describe/describe.h"
#include "dra/report/phrases/words.h"

namespace dra::report {

class Description {
 public:
  // `kind` is that of the report. The headline is a sentence; a missing full stop is added, here
  // and in problem().
  Description(const Scene& scene, std::string_view kind, const SubjectName& subject,
              std::string headline, view::Tone tone = view::Tone::Strong);

  const Scene& scene() const { return scene_; }

  // A problem or something unusual, as a sentence, with an optional remedy. Printed below the
  // headline in the order of the calls; the same sentence is printed once.
  void problem(std::string what, std::string remedy = {}, view::Tone tone = view::Tone::Bad);
  // True if the kind could be read, in the namespace `ns` if that is set. Otherwise adds a sentence
  // that it could not be read, and that `not_known` is unknown for that reason.
  bool saw(api::Kind kind, std::string_view not_known, std::string_view ns = {});

  // Adds a line "name  value" below the headline.
  void fact(std::string name, std::string value, view::Tone tone = view::Tone::Plain);

  // Starts a section. The title of a section without content is not printed.
  void section(std::string title);
  void add(view::Block block);
  void note(std::string text);  // a remark inside a section

  // Adds a command to go on with, without `kubectl dra`; the same command is printed once.
  void next(const std::string& command, std::string what);
  // The command to copy: with `kubectl dra`, and with the flags that read this state.
  std::string command(std::string_view words) const;

  // Sets a member of the JSON, after those that were set before. Null, and what is empty, is left
  // out.
  void set(std::string key, json::Value value);
  // The same, also of what is empty.
  void put(std::string key, json::Value value) { members_.set(std::move(key), std::move(value)); }
  // set() of the member `metadata`.
  void set_metadata(std::string key, json::Value value);

  Described finish() &&;

 private:
  struct Problem {
    std::string what;
    std::string remedy;
    view::Tone tone;
  };

  view::Document document() const;
  json::Value problems_json() const;
  json::Value commands_json() const;

  Scene scene_;
  std::string_view kind_;
  SubjectName subject_;
  view::Span headline_;
  std::vector<Problem> problems_;
  view::Fields facts_;
  std::string title_;  // of a section without content so far
  std::vector<view::Block> body_;
  std::vector<std::pair<std::string, std::string>> next_;  // what, command
  json::Value metadata_ = json::Value::object();
  json::Value members_ = json::Value::object();
};

// A table inside a section. It is indented, and its cells are shortened on a narrow terminal,
// except in the columns `whole`.
view::Table section_table(Titles titles, Titles whole = {});
// Removes columns that are empty in every row.
void drop_empty_columns(view::Table& table);
// "name  value" lines inside a section, for add() below.
view::Fields section_fields(int indent = 2);
void add_line(view::Fields& fields, std::string name, std::string value,
              view::Tone tone = view::Tone::Plain);  // nothing, if the value is empty

std::string capitalised(std::string text);  // with a capital first letter

// At most `limit` names, each once, in order: "a, b and 3 more".
std::string some_of(const std::vector<std::string>& names, std::size_t limit);

// An attribute or a capacity of a device as text.
struct Property {
  std::string name;  // without the driver's domain
  std::string text;
};
std::vector<Property> properties_of(std::string_view driver, const api::Device& device);
// "type=gpu, memory=24Gi and 3 more".
std::string properties_text(const std::vector<Property>& properties, std::size_t limit);

// "pending", "allocated" or "deleting", for columns.
view::Cell state_cell(const api::ResourceClaim& claim);
// The containers that get the claim's devices; in parentheses the request that a container selects:
// "main, proxy (nic)".
std::string containers_with(const api::Pod& pod, std::string_view claim);

std::string taint_text(const api::DeviceTaint& taint);  // "xid=79:NoSchedule"
std::string toleration_text(const api::Toleration& toleration);

// A driver's parameters on one line: kind and version, then the fields as compact JSON, truncated.
// They are no secret: a user who may read the object may read them, too.
std::string parameters_text(const api::RawJson& parameters);

// A condition's status, reason, age and message: "False GpuLost, 5m: no answer".
std::vector<view::Span> condition_text(const api::Condition& condition, base::Instant now);

// Sections, each with its title.
void add_conditions(Description& out, const std::vector<api::Condition>& conditions);
// Events about this object, matched by uid: at most ten, the most recent last, as in kubectl.
void add_events(Description& out, std::string_view kind, const api::ObjectMeta& about);

// "node n1": the controller that owns the object.
void add_owner(Description& out, const api::ObjectMeta& meta);
// The age; and for an object that is being deleted the finalizers that it waits for.
void add_lifecycle(Description& out, const api::ObjectMeta& meta);
// For an object that is being deleted: "asked for 5m ago, waits for example.com/keep".
std::string deletion_words(const api::ObjectMeta& meta, base::Instant now);

}  // namespace dra::report
