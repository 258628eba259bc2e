// include/dra/report/describe/describe_parts.h
//
// What all descriptions are made of, so that they look and read the same whatever they are about: a
// headline, what is odd, facts, sections, what to ask next.
//
// What is odd is often found while a section is put together, and yet has to stand first. So a
// Description collects, and is laid out only at the end. Nothing that is empty leaves a trace.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/report/describe/describe.h"
#include "dra/report/phrases/words.h"

namespace dra::report {

class Description {
 public:
  // The headline is a sentence. A full stop that is not there is added, here as for odd().
  Description(const Scene& scene, std::string headline, view::Tone tone = view::Tone::Strong);

  const Scene& scene() const { return scene_; }

  // What is wrong or unusual, a sentence, and what to do about it if something can be done. Shown
  // below the headline in the order in which it was found; the same words are said once.
  void odd(std::string what, std::string remedy = {}, view::Tone tone = view::Tone::Bad);
  // Says that a kind cannot be read, and what is not known for that reason, if it is so. True if
  // the kind was read, at least in the namespace if one is named.
  bool saw(api::Kind kind, std::string_view not_known, std::string_view ns = {});

  // A line "name  value" below the headline.
  void fact(std::string name, std::string value, view::Tone tone = view::Tone::Plain);

  // What is added from here on stands below this title. A section without content has no title.
  void section(std::string title);
  void add(view::Block block);
  void note(std::string text);  // a remark inside a section

  // A command that goes on from here, without `kubectl dra`; the same one is shown once.
  void next(const std::string& command, std::string what);
  // The command as it can be copied: with `kubectl dra`, and the flags that lead to this state.
  std::string command(std::string_view words) const;

  view::Document finish() &&;

 private:
  struct Odd {
    std::string what;
    std::string remedy;
    view::Tone tone;
  };

  Scene scene_;
  view::Span headline_;
  std::vector<Odd> odd_;
  view::Fields facts_;
  std::string title_;  // of the section that has no content yet
  std::vector<view::Block> body_;
  std::vector<std::pair<std::string, std::string>> next_;  // what, command
};

// A table inside a section: indented, and shortened where the terminal is too narrow for it, but
// for the columns in `whole`, which are among the titles.
view::Table section_table(Titles titles, Titles whole = {});
// Removes columns that have nothing in any row.
void drop_empty_columns(view::Table& table);
// "name  value" lines inside a section, for add() below.
view::Fields section_fields(int indent = 2);
void add_line(view::Fields& fields, std::string name, std::string value,
              view::Tone tone = view::Tone::Plain);  // nothing, if the value is empty

std::string capitalised(std::string text);  // its first letter

// At most `limit` names: "a, b and 3 more"; each once, in the order given.
std::string some_of(const std::vector<std::string>& names, std::size_t limit);

// What a device publishes of itself: its capacity, then its attributes, as text.
struct Property {
  std::string name;  // without a domain that is the driver's
  std::string text;
};
std::vector<Property> properties_of(std::string_view driver, const api::Device& device);
// "type=gpu, memory=24Gi and 3 more".
std::string properties_text(const std::vector<Property>& properties, std::size_t limit);

// Whether the pod names that claim of its namespace: itself, through a template, or for extended
// resources.
bool names_claim(const api::Pod& pod, std::string_view claim);
// "pending", "allocated" or "deleting", for columns.
view::Cell state_cell(const api::ResourceClaim& claim);
// The containers that get the claim's devices, with the requests they are limited to:
// "main, proxy (nic)".
std::string containers_with(const api::Pod& pod, std::string_view claim);

std::string taint_text(const api::DeviceTaint& taint);  // "xid=79:NoSchedule"
std::string toleration_text(const api::Toleration& toleration);

// A driver's parameters on one line: kind and version, then the fields as compact JSON, cut off
// where they are long. Whoever may read the object may read them too, so values are shown.
std::string parameters_text(const api::RawJson& parameters);

// A condition's status, reason, age and message: "False GpuLost, 5m: no answer".
std::vector<view::Span> condition_text(const api::Condition& condition, base::Instant now);

// Sections, each with its title.
void add_conditions(Description& out, const std::vector<api::Condition>& conditions);
// Events about this very object.
// Recent ones last, as kubectl; at most ten.
void add_events(Description& out, std::string_view kind, const api::ObjectMeta& about);

// "node n1": the controller that made the object and removes it.
void add_owner(Description& out, const api::ObjectMeta& meta);
// Age, and a deletion that waits, for whom.
void add_lifecycle(Description& out, const api::ObjectMeta& meta);
// "asked for 5m ago, waits for example.com/keep": of an object that is being deleted.
std::string deletion_words(const api::ObjectMeta& meta, base::Instant now);

}  // namespace dra::report
