// cmd/commands/list_watch.cpp: objects of events one by one, rows that changed because of other
// objects together, a few times a second at most.

#include "cmd/commands/list_watch.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cmd/commands/watch/watched_objects.h"
#include "cmd/commands/watch/watched_rows.h"
#include "cmd/commands/watch/watching.h"
#include "dra/engine/facts/full_name.h"
#include "dra/json/write.h"

namespace dra::cmd {
namespace {

using session::EventType;
using snapshot::ObjectEvent;
using snapshot::ObjectId;
using snapshot::ObjectRef;
using snapshot::Snapshot;

constexpr base::Duration kIdle = base::Duration::seconds(10);
// Events often come in groups, such as those of all claims of a job.
constexpr base::Duration kLeastPause = {100'000'000};

std::string key_of(const ObjectRef& object) { return engine::full_name(*object.meta); }

ObjectId id_of(const ObjectRef& object) {
  return {object.kind, std::string(object.meta->namespace_), std::string(object.meta->name)};
}

bool same_json(const json::Value& one, const json::Value& other) {
  return json::write_json(one, json::Style::Compact) ==
         json::write_json(other, json::Style::Compact);
}

class ObjectsWatch {
 public:
  ObjectsWatch(const Context& context, const ListFlags& flags, const Output& output,
               const WatchedObjects& list, Watching watching)
      : context_(context),
        flags_(flags),
        output_(output),
        list_(list),
        watching_(std::move(watching)),
        rows_(context, {.wide = output.format == Format::Wide,
                        .headers = !flags.no_headers,
                        .events = flags.output_watch_events}),
        objects_(
            context, output,
            {.events = flags.output_watch_events, .managed_fields = flags.show_managed_fields}) {}

  Result<ExitCode> run() {
    const Snapshot& start = watching_.now();
    ObjectRefs objects = DRA_TRY(list_.chosen(start, snapshot::objects_of(start, kind())));
    const std::vector<Error> missing = list_.missing(start, objects);
    for (const Error& error : missing)
      context_.report(error);
    if (!missing.empty()) return ExitCode::Failed;
    if (objects.empty() && !list_.need.names.empty()) return ExitCode::Done;  // ignored
    for (const ObjectRef& object : objects)
      shown_.insert(id_of(object));
    DRA_TRY(print_start(start, std::move(objects)));
    while (true) {
      auto events = DRA_TRY(watching_.next(pause()));
      if (!events) return ExitCode::Done;
      for (const ObjectEvent& event : *events)
        DRA_TRY(take(event));
      if (!pending_.empty() && of_events_.left() == base::Duration{}) DRA_TRY(print_pending());
      if (others_changed_ && of_others_.left() == base::Duration{}) DRA_TRY(print_others());
    }
  }

 private:
  api::Kind kind() const { return list_.need.kind; }

  // Until there is something to print, if no more events come.
  base::Duration pause() const {
    base::Duration most = kIdle;
    if (!pending_.empty()) most = std::min(most, of_events_.left());
    if (others_changed_) most = std::min(most, of_others_.left());
    return most;
  }

  Result<Done> print_start(const Snapshot& start, ObjectRefs objects) {
    if (output_.table()) {
      if (!flags_.watch_only) objects = DRA_TRY(list_.sorted(std::move(objects)));
      view::Table table = list_.table(start, objects);
      const auto rows = rows_of(objects, {});
      if (flags_.watch_only) {
        rows_.note(table, rows);
      } else {
        rows_.print(std::move(table), rows);
      }
      return Done{};
    }
    if (flags_.watch_only) return Done{};
    return objects_.print_list(objects);
  }

  // Of two states of one object the first is printed before the second replaces it.
  Result<Done> take(const ObjectEvent& event) {
    others_changed_ = true;
    if (event.id.kind != kind()) return watching_.state().apply(event);
    if (pending_.contains(event.id)) DRA_TRY(print_pending());
    // What is deleted is printed once more, as it was last.
    if (!event.object.text().empty()) DRA_TRY(watching_.state().put(event));
    pending_.emplace(event.id, event.type);
    order_.push_back(event.id);
    return Done{};
  }

  Result<Done> print_pending() {
    return of_events_.run([this] { return print_events(); });
  }

  Result<Done> print_events() {
    const Snapshot& state = watching_.now();
    ObjectRefs objects;
    for (const ObjectId& id : order_) {
      if (const auto object = snapshot::find_object(state, id)) objects.push_back(*object);
    }
    const ObjectRefs chosen = DRA_TRY(list_.chosen(state, objects));
    std::set<std::string> chosen_keys;
    for (const ObjectRef& object : chosen)
      chosen_keys.insert(key_of(object));
    std::map<std::string, EventType> types;
    std::erase_if(objects, [&](const ObjectRef& object) {
      const auto type = type_shown(object, chosen_keys.contains(key_of(object)));
      if (type) types.emplace(key_of(object), *type);
      return !type;
    });
    DRA_TRY(print_objects(state, std::move(objects), types));
    for (const auto& [id, type] : pending_) {
      if (type == EventType::Deleted) watching_.state().remove(id);
    }
    pending_.clear();
    order_.clear();
    return Done{};
  }

  // What the event is for the list: an object can also come into it, or leave it, by a change. No
  // value: the list has nothing to do with it.
  std::optional<EventType> type_shown(const ObjectRef& object, bool chosen) {
    const ObjectId id = id_of(object);
    const EventType type = pending_.at(id);
    const bool before = shown_.contains(id);
    if (!before && !chosen) return std::nullopt;
    if (type == EventType::Deleted || !chosen) {
      shown_.erase(id);
      return EventType::Deleted;
    }
    shown_.insert(id);
    return before ? EventType::Modified : EventType::Added;
  }

  Result<Done> print_objects(const Snapshot& state, ObjectRefs objects,
                             const std::map<std::string, EventType>& types) {
    if (!output_.table()) {
      for (const ObjectRef& object : objects)
        DRA_TRY(objects_.print(object, types.at(key_of(object))));
      return Done{};
    }
    view::Table table = list_.table(state, objects);
    rows_.print(std::move(table), rows_of(objects, types));
    for (const auto& [key, type] : types) {
      if (type == EventType::Deleted) rows_.forget(key);
    }
    return Done{};
  }

  static std::vector<WatchedRow> rows_of(const ObjectRefs& objects,
                                         const std::map<std::string, EventType>& types) {
    std::vector<WatchedRow> rows;
    for (const ObjectRef& object : objects) {
      const auto type = types.find(key_of(object));
      rows.push_back({key_of(object), type == types.end() ? EventType::Added : type->second});
    }
    return rows;
  }

  Result<Done> print_others() {
    if (!output_.table()) {
      others_changed_ = false;
      return Done{};
    }
    if (!pending_.empty()) DRA_TRY(print_pending());
    others_changed_ = false;
    return of_others_.run([this]() -> Result<Done> {
      const Snapshot& state = watching_.now();
      ObjectRefs objects = DRA_TRY(list_.chosen(state, snapshot::objects_of(state, kind())));
      view::Table table = list_.table(state, objects);
      std::vector<WatchedRow> rows = rows_of(objects, {});
      for (WatchedRow& row : rows) {
        if (rows_.knows(row.key)) row.type = EventType::Modified;
      }
      rows_.keep_changed(table, rows);
      rows_.print(std::move(table), rows);
      return Done{};
    });
  }

  const Context& context_;
  const ListFlags& flags_;
  const Output& output_;
  const WatchedObjects& list_;
  Watching watching_;
  WatchedRows rows_;
  ObjectPrinter objects_;
  std::set<ObjectId> shown_;  // what is in the list
  std::map<ObjectId, EventType> pending_;
  std::vector<ObjectId> order_;  // of pending events
  bool others_changed_ = false;
  Pace of_events_;
  Pace of_others_{kLeastPause};
};

// A row of devices, pools or drivers has no object of its own.
class ReportWatch {
 public:
  ReportWatch(const Context& context, const ListFlags& flags, const Output& output)
      : context_(context),
        flags_(flags),
        output_(output),
        rows_(context, {.wide = output.format == Format::Wide,
                        .headers = !flags.no_headers,
                        .events = flags.output_watch_events}),
        objects_(context, output, {.events = flags.output_watch_events, .report = true}) {}

  Result<ExitCode> run(Watching watching, const MakeReportRows& make) {
    bool first = true;
    bool changed = true;
    Pace pace(kLeastPause);
    const auto take_rows = [&](const ReportRows& rows) { return take(rows, first); };
    const auto show = [&] { return make(watching.now(), take_rows); };
    while (true) {
      if (changed && pace.left() == base::Duration{}) {
        changed = false;
        const ExitCode code = DRA_TRY(pace.run(show));
        if (code != ExitCode::Done) return code;
        first = false;
      }
      const auto events = DRA_TRY(watching.next(changed ? pace.left() : kIdle));
      if (!events) return ExitCode::Done;
      for (const ObjectEvent& event : *events)
        DRA_TRY(watching.state().apply(event));
      changed = changed || !events->empty();
    }
  }

 private:
  Result<ExitCode> take(const ReportRows& rows, bool first) {
    if (first && !rows.not_found.empty() && !flags_.ignore_not_found) {
      for (const Error& error : rows.not_found)
        context_.report(error);
      return ExitCode::Failed;
    }
    if (output_.table()) {
      print_table(rows, first);
    } else {
      DRA_TRY(print_items(rows, first));
    }
    return ExitCode::Done;
  }

  void print_table(const ReportRows& rows, bool first) {
    const view::Document document = rows.table();
    view::Table table;
    if (!document.blocks.empty()) table = std::get<view::Table>(document.blocks.front());
    std::vector<WatchedRow> shown;
    const std::vector<std::string> names = names_of_rows(rows);
    shown.reserve(names.size());
    for (const std::string& name : names)
      shown.push_back({name, rows_.knows(name) ? EventType::Modified : EventType::Added});
    print_gone(table, names);
    if (first && flags_.watch_only) return rows_.note(table, shown);
    rows_.keep_changed(table, shown);
    rows_.print(std::move(table), shown);
  }

  // A row that is gone would look like one that is there, so only --output-watch-events has it.
  void print_gone(const view::Table& like, const std::vector<std::string>& names) {
    view::Table table{.columns = like.columns};
    std::vector<WatchedRow> gone;
    const std::set<std::string_view> there(names.begin(), names.end());
    for (const std::string& key : rows_.keys()) {
      if (there.contains(key)) continue;
      std::vector<view::Cell> cells = rows_.forget(key);
      if (cells.size() != table.columns.size()) continue;
      gone.push_back({key, EventType::Deleted});
      table.rows.push_back(std::move(cells));
    }
    if (!flags_.output_watch_events) return;
    rows_.print(std::move(table), gone);
    for (const WatchedRow& row : gone)
      rows_.forget(row.key);
  }

  Result<Done> print_items(const ReportRows& rows, bool first) {
    const json::Value report = rows.json();
    const auto& items = report.find("items")->items();
    DRA_CHECK(items.size() == rows.count);
    std::vector<ObjectPrinter::Item> changed;
    std::set<std::string> gone;
    for (const auto& [name, item] : items_)
      gone.insert(name);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string name = rows.name(i);
      gone.erase(name);
      const auto known = items_.find(name);
      if (known != items_.end() && same_json(known->second, items[i])) continue;
      const EventType type = known == items_.end() ? EventType::Added : EventType::Modified;
      items_.insert_or_assign(name, items[i]);
      if (!(first && flags_.watch_only)) changed.push_back({items[i], name, type});
    }
    for (const std::string& name : gone) {
      if (flags_.output_watch_events)
        changed.push_back({items_.at(name), name, EventType::Deleted});
      items_.erase(name);
    }
    return objects_.print_items(std::move(changed));
  }

  const Context& context_;
  const ListFlags& flags_;
  const Output& output_;
  WatchedRows rows_;
  ObjectPrinter objects_;
  std::map<std::string, json::Value> items_;  // as they were printed, by name
};

}  // namespace

Result<ExitCode> watch_objects(const Context& context, const ListFlags& flags, const Output& output,
                               const WatchedObjects& list) {
  Watching watching = DRA_TRY(Watching::open(context, list.needs));
  return ObjectsWatch(context, flags, output, list, std::move(watching)).run();
}

Result<ExitCode> list_report(const Context& context, const ListFlags& flags, const Output& output,
                             std::span<const snapshot::Need> needs, const MakeReportRows& make) {
  if (!flags.watches()) {
    return make(DRA_TRY(context.load(needs)),
                [&](const ReportRows& rows) { return print_report(context, flags, output, rows); });
  }
  return ReportWatch(context, flags, output).run(DRA_TRY(Watching::open(context, needs)), make);
}

}  // namespace dra::cmd
