// src/snapshot/watched.cpp: what each watched list holds, by name and version. By it an event that
// brings nothing new is recognized, and the differences of a list that was read again are found.

#include "dra/snapshot/watched.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "dra/base/text.h"
#include "src/snapshot/list_items.h"
#include "src/snapshot/load_live.h"

namespace dra::snapshot {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;
using session::EventType;

// A list to be watched.
struct ListWatch {
  LoadedList loaded;
  bool to_read = false;  // its version is not known, or forgotten
  SteadyTime due = {};   // when to read it
  int failures = 0;      // to read it, in a row
  SteadyTime failing_since = {};

  api::Kind kind() const { return loaded.request.need.kind; }
  std::string path() const {
    std::string path = loaded.request.list_path();
    if (loaded.name.empty()) return path;
    return base::with_parameter(path, "fieldSelector", "metadata.name=" + loaded.name);
  }
};

// An item of a list that was read again.
struct ReadItem {
  std::string namespace_ = {};
  std::string name = {};
  std::string version = {};
  base::Page text = {};
};

// Versions are numbers that grow, for all objects of a kind (since v1.35 that is guaranteed).
// Others are not compared.
bool is_older(std::string_view version, std::string_view known) {
  std::uint64_t one = 0;
  std::uint64_t other = 0;
  const auto parse = [](std::string_view text, std::uint64_t& number) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end;
  };
  return parse(version, one) && parse(known, other) && one < other;
}

ReadItem read_item(json::Cursor& item) {
  ReadItem read;
  read.text = base::Page(item.raw());
  item.members([&read](std::string_view key, json::Cursor& member) {
    if (key != "metadata" || member.kind() != json::Kind::Object) return;
    read.namespace_ = member.peek("namespace");
    read.name = member.peek("name");
    read.version = member.peek("resourceVersion");
  });
  return read;
}

ObjectEvent event_of(const ListWatch& list, EventType type, ReadItem item) {
  return {.type = type,
          .id = {list.kind(), std::move(item.namespace_), std::move(item.name)},
          .version = list.loaded.request.version,
          .object = std::move(item.text)};
}

}  // namespace

class Watched::Lists {
 public:
  Lists(session::Connection connection, session::ClientOptions reading,
        session::WatchOptions watching, Snapshot start)
      : state(std::move(start)),
        watching_(std::move(watching)),
        client_(connection, std::move(reading)),
        watches_(std::move(connection), watching_) {}

  void add(LoadedList loaded) {
    ListWatch list{.loaded = std::move(loaded)};
    // An object that was got by its name has no version from which a watch could begin.
    list.to_read = !list.loaded.name.empty();
    watches_.add({.path = list.path(), .version = list.loaded.version, .waits = list.to_read});
    lists_.push_back(std::move(list));
  }

  Result<std::vector<ObjectEvent>> wait(base::Duration most);
  std::vector<Unwatched> take_unwatched() { return std::exchange(unwatched_, {}); }
  const std::optional<session::Watches::Outage>& outage() const { return watches_.outage(); }

  State state;

 private:
  enum class From { Watch, List };  // a list is newer than all that was known
  void take(ListWatch& list, EventType type, ReadItem item, From from);
  void forget(ListWatch& list, const std::string& name, ReadItem last);
  bool others_have(const ListWatch& list, const std::string& name) const;
  Result<Done> read_due();
  Result<Done> read_again(std::size_t number);
  Result<session::ListPage> read_items(const ListWatch& list, std::vector<ReadItem>& items);
  Result<Done> postpone(std::size_t number, Error why);
  Result<Done> give_up(std::size_t number, Error why);
  base::Duration until_due(base::Duration most) const;

  session::WatchOptions watching_;
  session::Client client_;
  session::Watches watches_;
  std::deque<ListWatch> lists_;  // by the numbers of their watches
  std::vector<ObjectEvent> events_;
  std::vector<Unwatched> unwatched_;
};

bool Watched::Lists::others_have(const ListWatch& list, const std::string& name) const {
  return std::ranges::any_of(lists_, [&](const ListWatch& other) {
    return &other != &list && other.kind() == list.kind() && other.loaded.objects.contains(name);
  });
}

// What is there in that version already, by this list or another one, is nothing new.
void Watched::Lists::take(ListWatch& list, EventType type, ReadItem item, From from) {
  const std::string name = base::format("{}/{}", item.namespace_, item.name);
  if (type == EventType::Deleted) return forget(list, name, std::move(item));
  bool known = false;
  bool news = true;
  for (const ListWatch& other : lists_) {
    if (other.kind() != list.kind()) continue;
    const auto found = other.loaded.objects.find(name);
    if (found == other.loaded.objects.end()) continue;
    known = true;
    const bool older = from == From::Watch && is_older(item.version, found->second);
    news = news && found->second != item.version && !older;
  }
  std::string& version = list.loaded.objects[name];
  if (from == From::List || !is_older(item.version, version)) version = item.version;
  if (!news) return;
  if (known) type = EventType::Modified;
  events_.push_back(event_of(list, type, std::move(item)));
}

void Watched::Lists::forget(ListWatch& list, const std::string& name, ReadItem last) {
  if (list.loaded.objects.erase(name) == 0 || others_have(list, name)) return;
  events_.push_back(event_of(list, EventType::Deleted, std::move(last)));
}

Result<session::ListPage> Watched::Lists::read_items(const ListWatch& list,
                                                     std::vector<ReadItem>& items) {
  const auto on_page = [&items](std::size_t, const base::Page& page) {
    base::Arena arena;
    return read_list_page(page, arena, [&items](json::Cursor& item) {
      if (expect_object(item)) items.push_back(read_item(item));
    });
  };
  const std::vector<session::ListTarget> targets = {{.path = list.path(), .passed_on = true}};
  return std::move(
      client_.list(targets, on_page, [&items](std::size_t) { items.clear(); }).front());
}

// The differences of the list from what is known of it are changes. What is gone frees what it
// held, so it comes first.
Result<Done> Watched::Lists::read_again(std::size_t number) {
  ListWatch& list = lists_[number];
  std::vector<ReadItem> items;
  Result<session::ListPage> read = read_items(list, items);
  if (!read.ok()) return postpone(number, std::move(read).take_error());
  std::map<std::string, std::string> gone = list.loaded.objects;
  for (const ReadItem& item : items)
    gone.erase(base::format("{}/{}", item.namespace_, item.name));
  for (const auto& [name, version] : gone) {
    const std::size_t slash = name.find('/');
    forget(list, name, {.namespace_ = name.substr(0, slash), .name = name.substr(slash + 1)});
  }
  for (ReadItem& item : items)
    take(list, EventType::Added, std::move(item), From::List);
  list.to_read = false;
  list.failures = 0;
  watches_.restart(number, read.value().resource_version);
  return Done{};
}

// A server that is down is asked again for as long as it takes, one that refuses only for a while:
// when it starts, it may not know yet who may do what.
Result<Done> Watched::Lists::postpone(std::size_t number, Error why) {
  ListWatch& list = lists_[number];
  const SteadyTime now = std::chrono::steady_clock::now();
  if (list.failures == 0) list.failing_since = now;
  const bool passes = why.kind == ErrorKind::Unreachable || why.kind == ErrorKind::Server ||
                      why.kind == ErrorKind::Gone;
  const bool patient =
      now - list.failing_since < std::chrono::nanoseconds(watching_.patience.nanos);
  if (!passes && !patient) return give_up(number, std::move(why));
  list.due = now + std::chrono::nanoseconds(watching_.pause_after(list.failures++).nanos);
  return Done{};
}

Result<Done> Watched::Lists::give_up(std::size_t number, Error why) {
  ListWatch& list = lists_[number];
  list.to_read = false;
  if (list.loaded.request.need.essential) return why;
  unwatched_.push_back({list.kind(), list.loaded.request.need.aside, std::move(why)});
  return Done{};
}

Result<Done> Watched::Lists::read_due() {
  for (std::size_t number = 0; number < lists_.size(); ++number) {
    const ListWatch& list = lists_[number];
    if (!list.to_read || list.due > std::chrono::steady_clock::now()) continue;
    DRA_TRY(read_again(number));
  }
  return Done{};
}

base::Duration Watched::Lists::until_due(base::Duration most) const {
  const SteadyTime now = std::chrono::steady_clock::now();
  for (const ListWatch& list : lists_) {
    if (!list.to_read) continue;
    const std::int64_t left = std::chrono::nanoseconds(list.due - now).count();
    most = std::min(most, base::Duration{std::max<std::int64_t>(left, 0)});
  }
  return most;
}

Result<std::vector<ObjectEvent>> Watched::Lists::wait(base::Duration most) {
  const SteadyTime end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(most.nanos);
  while (true) {
    DRA_TRY(read_due());
    if (!events_.empty()) return std::exchange(events_, {});
    const SteadyTime now = std::chrono::steady_clock::now();
    const base::Duration left{
        std::max<std::int64_t>(std::chrono::nanoseconds(end - now).count(), 0)};
    session::WatchRound round = DRA_TRY(watches_.wait(until_due(left)));
    for (session::WatchEvent& event : round.events) {
      take(lists_[event.watch], event.type,
           {.namespace_ = std::move(event.namespace_),
            .name = std::move(event.name),
            .version = std::move(event.version),
            .text = std::move(event.object)},
           From::Watch);
    }
    for (const std::size_t number : round.expired) {
      lists_[number].to_read = true;
      lists_[number].due = {};
    }
    for (session::WatchRefusal& refusal : round.refused)
      DRA_TRY(give_up(refusal.watch, std::move(refusal.error)));
    const bool over = std::chrono::steady_clock::now() >= end;
    if (!events_.empty() || !unwatched_.empty() || over) return std::exchange(events_, {});
  }
}

Result<Watched> Watched::open(const Source& source, std::span<const Need> needs,
                              base::FunctionRef<Result<Snapshot>(Snapshot)> adopt,
                              session::WatchOptions options) {
  DRA_CHECK(source.live() && source.manifests.empty());
  std::vector<LoadedList> loaded;
  Snapshot start = DRA_TRY(load_live(source, needs, &loaded));
  start = DRA_TRY(adopt(std::move(start)));
  options.http = source.client.http;
  session::Connection connection = DRA_TRY(source.connection());
  auto lists = std::make_unique<Lists>(std::move(connection), source.client, std::move(options),
                                       std::move(start));
  for (LoadedList& list : loaded)
    lists->add(std::move(list));
  return Watched(std::move(lists));
}

Watched::Watched(std::unique_ptr<Lists> lists) : lists_(std::move(lists)) {}
Watched::~Watched() = default;
Watched::Watched(Watched&&) noexcept = default;
Watched& Watched::operator=(Watched&&) noexcept = default;

State& Watched::state() { return lists_->state; }
Result<std::vector<ObjectEvent>> Watched::wait(base::Duration most) { return lists_->wait(most); }
std::vector<Unwatched> Watched::take_unwatched() { return lists_->take_unwatched(); }
const std::optional<session::Watches::Outage>& Watched::outage() const { return lists_->outage(); }

}  // namespace dra::snapshot
