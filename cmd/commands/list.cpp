// cmd/commands/list.cpp: lists of API objects. Reads the kinds that were asked for in one load,
// selects and sorts each kind by itself, and prints tables or one List. Error texts and their order
// are kubectl's.

#include "cmd/commands/list.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cmd/commands/list_watch.h"
#include "cmd/commands/streamed_list.h"
#include "cmd/commands/subresource.h"
#include "cmd/name_hints.h"
#include "dra/base/field_selector.h"
#include "dra/base/printable.h"
#include "dra/base/selector.h"
#include "dra/base/text.h"
#include "dra/report/lists/list_columns.h"
#include "dra/report/lists/sort_by.h"

namespace dra::cmd {
namespace {

using snapshot::Need;
using snapshot::ObjectRef;

// One kind of a list, with the objects that are printed.
struct ListedKind {
  const ObjectList* list;
  Need need;
  ObjectRefs objects = {};

  bool named() const { return !need.names.empty(); }
  const api::KindInfo& kind() const { return api::info_of(need.kind); }
};

// Names must be valid segments of a URL (k8s.io/apimachinery, IsPathSegmentName).
Result<Done> check_segment(std::string_view what, std::string_view name) {
  std::string why;
  if (name.empty())
    return Error{ErrorKind::BadInput, base::format("{} may not be empty", what), {}};
  if (name == "." || name == "..") why = base::format("may not be '{}'", name);
  for (const char c : {'/', '%'}) {
    if (name.find(c) == std::string_view::npos) continue;
    why += base::format("{}may not contain '{}'", why.empty() ? "" : " ", c);
  }
  if (why.empty()) return Done{};
  return Error{ErrorKind::BadInput, base::format("invalid {} \"{}\": [{}]", what, name, why), {}};
}

const ObjectList* list_of(Noun noun) {
  const auto& lists = object_lists();
  const auto found = std::ranges::find(lists, noun, &ObjectList::noun);
  return found == lists.end() ? nullptr : &*found;
}

// The error of a field selector with an unknown field, in the words of a server.
Error refused_by_server(const Need& need, Error why) {
  const api::KindInfo& kind = api::info_of(need.kind);
  const std::string_view version = need.version.empty() ? kind.versions.front() : need.version;
  const auto terms = base::parse_field_selector(need.field_selector);
  std::vector<std::string> fields;
  for (const base::FieldTerm& term : terms.value()) {
    fields.push_back(base::format("{}{}{}", term.field,
                                  term.equal ? "=" : "!=", base::escape_field_value(term.value)));
  }
  why.title = "Error from server (BadRequest)";
  why.message = base::format(
      "Unable to find \"{}/{}, Resource={}\" that match label selector \"{}\", field selector "
      "\"{}\": {}",
      kind.group, version, kind.resource, need.label_selector, base::join(fields, ","),
      why.message);
  return why;
}

class Listing {
 public:
  Listing(Context& context, const ListFlags& flags, Output output,
          std::optional<NamedByFiles> files)
      : context_(context), flags_(flags), output_(std::move(output)), files_(std::move(files)) {
    if (files_) errors_ = std::move(files_->errors);
  }

  Result<ExitCode> run(const std::vector<ListTarget>& targets) {
    ns_ = DRA_TRY(chosen_namespace(context_, flags_));
    if (!flags_.all_namespaces) DRA_TRY(check_segment("namespace", ns_));
    for (const ListTarget& target : targets) {
      Result<ListedKind> listed = listed_kind(target);
      // Of a subresource that the kind does not have.
      if (!listed.ok() && listed.error().kind == ErrorKind::NotFound && flags_.ignore_not_found)
        continue;
      listed_.push_back(DRA_TRY(std::move(listed)));
    }
    DRA_TRY(check_selectors());
    note_idle_flags();
    if (flags_.watches()) return watch();
    if (can_stream()) return stream();
    const auto needs = needs_of();
    const auto snapshot = DRA_TRY(context_.load(needs));
    for (ListedKind& listed : listed_)
      DRA_TRY(choose(snapshot, needs, listed));
    if (files_) unite_kinds();
    const Result<Done> printed = output_.table() ? print_tables(snapshot) : print_objects();
    for (const Error& error : errors_)
      context_.report(error);
    if (!printed.ok()) return printed.error();
    return errors_.empty() ? ExitCode::Done : ExitCode::Failed;
  }

 private:
  Result<ListedKind> listed_kind(const ListTarget& target) const {
    const NounInfo& noun = info_of(target.noun);
    const ObjectList* list = list_of(target.noun);
    if (list == nullptr) {
      return Error{ErrorKind::BadInput,
                   base::format("{} cannot be listed together with other kinds", noun.plural),
                   base::format("ask for them alone: get {}", noun.plural)};
    }
    const api::KindInfo& kind = api::info_of(*noun.kind);
    for (const std::string& name : target.names)
      DRA_TRY(check_segment("resource name", name));
    // -A has no effect on kinds without namespaces.
    ListFlags flags = flags_;
    flags.all_namespaces &= kind.namespaced;
    if (!files_) DRA_TRY(check_names(target.names, flags));
    if (!target.namespace_.empty()) DRA_TRY(check_segment("namespace", target.namespace_));
    // As in kubectl, it is not for files, and not watched.
    if (!flags_.subresource.empty() && !files_ && !flags_.watches())
      DRA_TRY(check_subresource(context_, flags_.subresource, target));
    const std::string& ns = target.namespace_.empty() ? ns_ : target.namespace_;
    const std::string_view fields = files_ ? std::string_view() : flags_.field_selector;
    return ListedKind{list,
                      {.kind = kind.kind,
                       .namespace_ = kind.namespaced ? ns : std::string(),
                       .field_selector = std::string(base::trim(fields)),
                       .essential = true,
                       .names = target.names,
                       .label_selector = std::string(base::trim(flags_.selector)),
                       .version = target.version,
                       .verbatim = keeps_text()}};
  }

  // kubectl passes over these in silence.
  void note_idle_flags() const {
    const std::string_view where = files_ ? "--filename" : "--watch";
    if (!flags_.subresource.empty() && (files_ || flags_.watches()))
      context_.warn(base::format("--subresource has no effect with {}", where));
    if (!flags_.field_selector.empty() && files_)
      context_.warn(base::format("--field-selector has no effect with {}", where));
  }

  // Objects of one kind in a row are one table, whatever their namespaces are.
  void unite_kinds() {
    std::vector<ListedKind> united;
    for (ListedKind& listed : listed_) {
      const bool goes_on = !united.empty() && united.back().need.kind == listed.need.kind;
      if (!goes_on) {
        united.push_back(std::move(listed));
        continue;
      }
      united.back().objects.insert(united.back().objects.end(), listed.objects.begin(),
                                   listed.objects.end());
    }
    listed_ = std::move(united);
  }

  // Tables and names need no more of an object than what is decoded. Where more of a kind is read
  // than the fields select, they are looked up in the text.
  bool keeps_text() const {
    const bool decoded = output_.table() || output_.format == Format::Name;
    return !decoded || !flags_.sort_by.empty() || !base::trim(flags_.field_selector).empty();
  }

  // An invalid selector is the user's mistake, and reported before anything is read.
  Result<Done> check_selectors() const {
    DRA_TRY(base::parse_selector(flags_.selector).context("--selector"));
    DRA_TRY(base::parse_field_selector(flags_.field_selector).context("--field-selector"));
    return Done{};
  }

  std::vector<Need> needs_of() const {
    std::vector<Need> needs;
    for (const ListedKind& listed : listed_) {
      add_need(needs, listed.need);
      if (!output_.table()) continue;
      for (Need& need : listed.list->needs(listed.kind().namespaced ? listed.need.namespace_ : ns_))
        needs.push_back(std::move(need));
    }
    // Each kind is read in one version only.
    for (Need& need : needs) {
      for (const ListedKind& listed : listed_) {
        if (listed.need.kind == need.kind) need.version = listed.need.version;
      }
    }
    return needs;
  }

  // Merges needs of one kind and namespace with names, each name once.
  static void add_need(std::vector<Need>& needs, const Need& need) {
    const auto same = std::ranges::find_if(needs, [&need](const Need& other) {
      return other.kind == need.kind && other.namespace_ == need.namespace_ &&
             !other.names.empty() && !need.names.empty();
    });
    Need& target = same == needs.end() ? needs.emplace_back(need) : *same;
    if (same == needs.end()) target.names.clear();
    for (const std::string& name : need.names) {
      if (std::ranges::find(target.names, name) == target.names.end()) target.names.push_back(name);
    }
  }

  Result<Done> choose(const snapshot::Snapshot& snapshot, const std::vector<Need>& needs,
                      ListedKind& listed) {
    ObjectRefs all = snapshot::objects_of(snapshot, listed.need.kind);
    listed.objects = DRA_TRY(chosen_of(std::move(all), snapshot, needs, listed));
    if (listed.named()) note_missing(snapshot, listed);
    return Done{};
  }

  // Those of the objects of the kind that are listed.
  Result<ObjectRefs> chosen_of(ObjectRefs objects, const snapshot::Snapshot& snapshot,
                               const std::vector<Need>& needs, const ListedKind& listed) const {
    Need need = listed.need;
    // A server applies the field selector itself, and knows more fields. Only what it did not
    // select is selected here.
    const bool chosen_by_server =
        context_.source().live() && std::ranges::none_of(needs, [&need](const Need& other) {
          return covers(other, need) && !covers(need, other);
        });
    if (chosen_by_server) need.field_selector.clear();
    auto chosen = snapshot::select_among(std::move(objects), need);
    if (!chosen.ok() && context_.source().live()) return refused_by_server(need, chosen.error());
    ObjectRefs listed_objects = DRA_TRY(std::move(chosen));
    if (!listed.named() && listed.list->concerns != nullptr) {
      std::erase_if(listed_objects, [&](const ObjectRef& object) {
        return !listed.list->concerns(snapshot, object);
      });
    }
    return listed_objects;
  }

  // An error for each name that was not found or was refused.
  void note_missing(const snapshot::Snapshot& snapshot, const ListedKind& listed) {
    for (const std::string& name : listed.need.names) {
      const std::string& ns = listed.need.namespace_;
      if (snapshot::find_object(snapshot, {listed.need.kind, ns, name})) continue;
      const auto refusal =
          std::ranges::find_if(snapshot.refusals(), [&](const snapshot::Refusal& other) {
            return other.kind == listed.need.kind && other.namespace_ == ns && other.name == name;
          });
      Error error = refusal == snapshot.refusals().end()
                        ? not_found(context_, listed.need.kind, name)
                        : refusal->error;
      if (flags_.ignore_not_found && error.kind == ErrorKind::NotFound) continue;
      if (error.kind == ErrorKind::NotFound && error.hint.empty())
        error.hint = near_object(snapshot, listed.need.kind, ns, name);
      errors_.push_back(std::move(error));
    }
  }

  // Whole lists of one kind, as a server sends and selects them.
  bool can_stream() const {
    if (!context_.source().live() || !context_.source().manifests.empty()) return false;
    if (context_.console().kept != nullptr) return false;
    return listed_.size() == 1 && !listed_.front().named() &&
           listed_.front().list->concerns == nullptr && flags_.sort_by.empty() &&
           StreamedList::can_print(output_);
  }

  // As in kubectl, of one kind only: rows of several tables cannot be told apart.
  Result<ExitCode> watch() {
    if (files_) DRA_TRY(check_one_object());
    if (listed_.size() != 1)
      return Error{ErrorKind::BadInput, "you may only specify a single resource type",
                   "watch each kind by a command of its own"};
    ListedKind& listed = listed_.front();
    const std::vector<Need> needs = needs_of();
    const WatchedObjects list{
        .need = listed.need,
        .needs = needs,
        .table =
            [&](const snapshot::Snapshot& snapshot, ObjectRefs& objects) {
              listed.objects = std::move(objects);
              view::Table table = table_of(snapshot, listed);
              objects = std::move(listed.objects);
              return table;
            },
        .chosen =
            [&](const snapshot::Snapshot& snapshot, ObjectRefs objects) {
              return chosen_of(std::move(objects), snapshot, needs, listed);
            },
        .sorted = [&](ObjectRefs objects) -> Result<ObjectRefs> {
          listed.objects = std::move(objects);
          DRA_TRY(sort(listed));
          return std::move(listed.objects);
        },
        .missing =
            [&](const snapshot::Snapshot& snapshot, const ObjectRefs& objects) {
              listed.objects = objects;
              note_missing(snapshot, listed);
              return std::exchange(errors_, {});
            }};
    return watch_objects(context_, flags_, output_, list);
  }

  Result<Done> check_one_object() {
    for (const Error& error : std::exchange(errors_, {}))
      return error;
    const std::size_t objects = count_names();
    if (objects == 1) return Done{};
    return Error{ErrorKind::BadInput,
                 base::format("watch is only supported on individual resources and resource "
                              "collections - {} resources were found",
                              objects),
                 "watch each by a command of its own"};
  }

  Result<ExitCode> stream() const {
    StreamedList printed(context_, output_, flags_.show_managed_fields);
    DRA_TRY(context_.stream(listed_.front().need,
                            [&printed](const api::Origin& origin) { printed.add(origin); }));
    DRA_TRY(printed.end(flags_.ignore_not_found));
    return ExitCode::Done;
  }

  // The objects as JSON. As in kubectl, only -o json, yaml and kyaml leave out managedFields.
  std::vector<json::Value> trees_of(const ObjectRefs& objects) const {
    const bool short_form = output_.format == Format::Json || output_.format == Format::Yaml ||
                            output_.format == Format::Kyaml;
    const bool managed_fields = flags_.show_managed_fields || !short_form;
    std::vector<json::Value> trees;
    trees.reserve(objects.size());
    for (const ObjectRef& object : objects)
      trees.push_back(report::api_object(*object.origin, managed_fields));
    return trees;
  }

  // A single row needs no order, so its path is not checked, as in kubectl. Where no row has the
  // field kubectl prints "No resources found": here that is an error.
  Result<Done> sort(ListedKind& listed) const {
    if (flags_.sort_by.empty() || listed.objects.size() < 2) return Done{};
    const auto trees = trees_of(listed.objects);
    report::reorder(listed.objects,
                    DRA_TRY(report::sort_by(trees, flags_.sort_by, report::Ties::AsKubectl)));
    return Done{};
  }

  Result<Done> print_tables(const snapshot::Snapshot& snapshot) {
    view::Document document;
    Layout layout{.wide = output_.format == Format::Wide, .headers = !flags_.no_headers};
    const bool later = context_.keeps_answer() && !flags_.sort_by.empty();
    for (ListedKind& listed : listed_) {
      if (!later) DRA_TRY(sort(listed));
      view::Table table = table_of(snapshot, listed);
      if (listed.objects.empty()) continue;
      if (later)
        layout.sort_keys.push_back(
            DRA_TRY(report::sort_keys(trees_of(listed.objects), flags_.sort_by)));
      if (!document.blocks.empty() && !flags_.no_headers) document.add(view::Blank{});
      document.add(std::move(table));
    }
    context_.print(document, layout);
    if (document.blocks.empty() && errors_.empty() && !flags_.ignore_not_found)
      print_not_found(snapshot);
    return Done{};
  }

  // The rows of its objects. Those that get none are removed.
  view::Table table_of(const snapshot::Snapshot& snapshot, ListedKind& listed) const {
    const TableOptions options{
        .list = {context_.now(snapshot), flags_.all_namespaces && listed.kind().namespaced},
        .named = listed.named()};
    view::Document one = listed.list->table(snapshot, listed.objects, options);
    if (listed.objects.empty()) return {};
    view::Table table = std::get<view::Table>(std::move(one.blocks.front()));
    add_columns(table, listed);
    return table;
  }

  void add_columns(view::Table& table, const ListedKind& listed) const {
    std::vector<const api::ObjectMeta*> objects;
    objects.reserve(listed.objects.size());
    for (const ObjectRef& object : listed.objects)
      objects.push_back(object.meta);
    report::add_label_columns(table, objects, flags_.columns(), flags_.show_labels);
    if (flags_.show_kind || has_several_kinds()) report::add_kind(table, listed.need.kind);
  }

  // A kind counts if it was listed, or if one of its names was found.
  bool has_several_kinds() const {
    std::optional<api::Kind> first;
    return std::ranges::any_of(listed_, [&first](const ListedKind& listed) {
      if (listed.named() && listed.objects.empty()) return false;
      if (!first) first = listed.need.kind;
      return *first != listed.need.kind;
    });
  }

  void print_not_found(const snapshot::Snapshot& snapshot) const {
    const bool in_namespace =
        !flags_.all_namespaces && std::ranges::all_of(listed_, [](const ListedKind& listed) {
          return listed.kind().namespaced;
        });
    context_.print_not_found(in_namespace ? ns_ : std::string());
    const std::string near = in_namespace ? near_namespace(snapshot, ns_) : std::string();
    if (!near.empty()) context_.console().streams.err << "hint: " << base::printable(near) << '\n';
  }

  Result<Done> print_objects() const {
    ObjectRefs objects;
    for (const ListedKind& listed : listed_)
      objects.insert(objects.end(), listed.objects.begin(), listed.objects.end());
    const bool single = files_ ? files_->one_file : count_names() == 1;
    // kubectl prints an empty List if none of several names is found, or a file has no objects, and
    // nothing for a single name, or if not all objects of a file are found.
    if (objects.empty() && flags_.ignore_not_found) return Done{};
    if (single && !errors_.empty()) return Done{};
    const bool alone = single && objects.size() == 1;
    std::vector<json::Value> trees;
    if (keeps_text()) trees = trees_of(objects);
    if (!alone && !trees.empty() && !flags_.sort_by.empty()) {
      const auto order = DRA_TRY(report::sort_by(trees, flags_.sort_by, report::Ties::AsKubectl));
      report::reorder(trees, order);
      report::reorder(objects, order);
    }
    if (output_.format == Format::Name) {
      print_names(objects);
      return Done{};
    }
    json::Value answer = alone ? std::move(trees.front()) : report::api_list(std::move(trees));
    return print_structured(context_, answer, output_, Printed::ApiObjects);
  }

  std::size_t count_names() const {
    std::size_t names = 0;
    for (const ListedKind& listed : listed_)
      names += listed.need.names.size();
    return names;
  }

  void print_names(const ObjectRefs& objects) const {
    for (const ObjectRef& object : objects) {
      context_.print_text(base::format("{}/{}\n", report::kind_prefix(object.kind),
                                       base::printable(object.meta->name)));
    }
  }

  Context& context_;
  const ListFlags& flags_;
  Output output_;
  std::optional<NamedByFiles> files_;
  std::string ns_;  // empty: all
  std::vector<ListedKind> listed_;
  std::vector<Error> errors_;
};

}  // namespace

Result<ExitCode> list_objects(Context& context, const ListFlags& flags,
                              const std::vector<ListTarget>& targets,
                              std::optional<NamedByFiles> files) {
  Output output = DRA_TRY(check_flags(flags, context));
  return Listing(context, flags, std::move(output), std::move(files)).run(targets);
}

}  // namespace dra::cmd
