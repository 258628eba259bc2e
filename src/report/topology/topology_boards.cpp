// src/report/topology/topology_boards.cpp: partitionable accelerators as JSON and as text.

#include <algorithm>

#include "dra/base/text.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/words.h"
#include "src/report/topology/topology_parts.h"

namespace dra::report {
namespace {

using topology::Board;
using topology::Profile;
using topology::Slot;
using view::Tone;

json::Value profile_json(const Profile& profile) {
  json::Value value = json::Value::object();
  value.set("name", profile.name);
  value.set("slots", profile.slots);
  value.set("total", profile.total);
  value.set("placeable", json_if_known(profile.placeable_count));
  json::Value& at = value.set("at", json::Value::array());
  for (const std::int64_t slot : profile.placeable)
    at.push(slot);
  value.set("shortOf", strings_json(profile.short_of));
  return value;
}

json::Value counter_json(const engine::CounterState& counter, bool known) {
  json::Value value = json::Value::object();
  value.set("name", counter.name);
  value.set("total", counter.total.to_string());
  value.set("used", known ? json::Value(counter.used.to_string()) : json::Value());
  value.set("left", known ? json::Value(counter.left.to_string()) : json::Value());
  return value;
}

// "1g.10gb x2 (5, 6)"
std::string placeable_words(const Profile& profile) {
  std::string text = profile.name;
  if (*profile.placeable_count > 1 || profile.total > 1)
    text += base::format(" x{}", *profile.placeable_count);
  std::vector<std::string> slots;
  for (const std::int64_t slot : profile.placeable)
    slots.push_back(std::to_string(slot));
  return slots.empty() ? text : base::format("{} ({})", text, base::join(slots, ", "));
}

// "2g.20gb (no multiprocessors)"
std::string blocked_words(const Profile& profile) {
  if (profile.short_of.empty()) return profile.name;
  return base::format("{} (too little is left of {})", profile.name,
                      base::join(profile.short_of, ", "));
}

void add_line(std::string_view title, const std::string& words, Tone tone,
              view::Document& document) {
  if (words.empty()) return;
  document.add(view::Paragraph{
      .spans = {span(std::string(title), tone), span(base::format("  {}", words))}, .indent = 4});
}

class BoardView {
 public:
  BoardView(const Board& board, const Scene& scene, Marks& marks)
      : board_(board), scene_(scene), marks_(marks) {}

  view::Row row() {
    view::Row row{.title = base::format("{} {} ", board_.pool->name, board_.name), .places = {}};
    if (board_.slots.empty()) {
      add_devices(row);
    } else {
      row.parted = true;
      add_slots(row);
    }
    return row;
  }

  // Unallocated partitions without slots are in no other part of the drawing. As places they are
  // useful in HTML only, where the pointer shows their facts.
  void add_unallocated(bool details, view::Document& document) {
    if (board_.slots.empty()) return;
    view::Row row{.title = "not allocated ", .places = {}, .indent = 4};
    for (const std::size_t number : board_.devices) {
      const auto takes = [number](const Slot& slot) { return slot.holder == number; };
      if (std::ranges::any_of(board_.slots, takes)) continue;
      if (details)
        row.places.push_back(marks_.of(device(number)));
      else
        marks_.note_admins(device(number));
    }
    if (!row.places.empty()) document.add(std::move(row));
  }

  void add_words(view::Document& document, bool wide) const {
    std::vector<std::string> placeable;
    std::vector<std::string> blocked;
    std::vector<std::string> unknown;
    for (const Profile& profile : board_.profiles) {
      if (!profile.placeable_count) {
        unknown.push_back(profile.name);
      } else if (*profile.placeable_count > 0) {
        placeable.push_back(placeable_words(profile));
      } else {
        blocked.push_back(blocked_words(profile));
      }
    }
    add_line("can be placed", base::join(placeable, " or "), Tone::Good, document);
    add_line("blocked", base::join(blocked, ", "), Tone::Dim, document);
    add_line("not known whether blocked", base::join(unknown, ", "), Tone::Dim, document);
    if (board_.saw_claims && (wide || board_.slots.empty()))
      add_line("left", base::join(counter_words(), ", "), Tone::Dim, document);
  }

 private:
  const engine::InventoryDevice& device(std::size_t number) const {
    return scene_.inventory.devices()[number];
  }

  void add_slots(view::Row& row) {
    for (std::size_t i = 0; i < board_.slots.size(); ++i) {
      const Slot& slot = board_.slots[i];
      if (!slot.holder) {
        row.places.push_back(marks_.part(slot.counter, slot.left));
        continue;
      }
      view::Place place = marks_.of(device(*slot.holder));
      for (; i + 1 < board_.slots.size() && board_.slots[i + 1].holder == slot.holder; ++i)
        ++place.width;
      row.places.push_back(std::move(place));
    }
  }

  void add_devices(view::Row& row) {
    for (const std::size_t number : board_.devices)
      row.places.push_back(marks_.of(device(number)));
  }

  std::vector<std::string> counter_words() const {
    std::vector<std::string> words;
    for (const engine::CounterState& counter : board_.counters)
      words.push_back(base::format("{} {} of {}", counter.name, counter.left.to_string(),
                                   counter.total.to_string()));
    return words;
  }

  const Board& board_;
  const Scene& scene_;
  Marks& marks_;
};

}  // namespace

json::Value board_json(const Board& board, const Scene& scene, const Asked& asked) {
  json::Value value = json::Value::object();
  value.set("driver", board.pool->driver);
  value.set("pool", board.pool->name);
  value.set("counterSet", board.set);
  value.set("name", board.name);
  json::Value& slots = value.set("slots", json::Value::array());
  for (const Slot& slot : board.slots) {
    json::Value& one = slots.push(json::Value::object());
    one.set("counter", slot.counter);
    one.set("left", slot.left ? json::Value(*slot.left) : json::Value());
    if (slot.holder)
      one.set("id", engine::to_string(scene.inventory.devices()[*slot.holder].published.id()));
  }
  json::Value& profiles = value.set("profiles", json::Value::array());
  for (const Profile& profile : board.profiles)
    profiles.push(profile_json(profile));
  json::Value& counters = value.set("counters", json::Value::array());
  for (const engine::CounterState& counter : board.counters)
    counters.push(counter_json(counter, board.saw_claims));
  value.set("devices", devices_json(board.devices, scene, asked));
  return value;
}

void add_boards(const Topology& topology, const Scene& scene, const TopologyView& options,
                view::Document& document) {
  const auto& boards = topology.boards;
  for (auto first = boards.begin(); first != boards.end();) {
    const auto end = std::find_if(first, boards.end(), [&](const Board& board) {
      return board.pool->driver != first->pool->driver;
    });
    std::size_t partitions = 0;
    for (auto board = first; board != end; ++board)
      partitions += board->devices.size();
    document.add(view::Paragraph{
        .spans = {
            span(std::string(first->pool->driver), Tone::Strong),
            span(base::format("   {} of {}{}",
                              base::plural(static_cast<std::int64_t>(partitions), "partition"),
                              base::plural(end - first, "accelerator"),
                              first->slots.empty() ? std::string()
                                                   : base::format(", by {}", first->slot_name)))}});
    Marks marks(scene, options.details, topology.asked);
    const auto shown =
        options.wide ? end : std::min(end, first + static_cast<std::ptrdiff_t>(kMostRows));
    for (auto board = first; board != shown; ++board) {
      BoardView view(*board, scene, marks);
      document.add(view.row());
      view.add_unallocated(options.details, document);
      view.add_words(document, options.wide);
    }
    if (shown != end)
      document.add(view::Paragraph{
          .spans = {span(base::format("and {} more: -o wide", end - shown), Tone::Dim)},
          .indent = 2});
    marks.add_legend(document, options.wide);
    document.add(view::Blank{});
    first = end;
  }
}

}  // namespace dra::report
