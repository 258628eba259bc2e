// src/snapshot/state.cpp: queues changes, and applies those of a kind together.

#include "dra/snapshot/state.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"
#include "dra/base/text.h"
#include "dra/snapshot/builder.h"
#include "dra/snapshot/select.h"
#include "src/snapshot/builder_lists.h"
#include "src/snapshot/order.h"

namespace dra::snapshot {
namespace {

// Below these nothing is decoded again to save memory.
constexpr std::size_t kFewBytes = std::size_t{16} << 20U;
constexpr std::size_t kFewObjects = 4096;
// What an object counts for at least: it takes that much memory, however little is in it.
constexpr std::size_t kLeastObject = 1024;

std::size_t size_of_text(std::string_view text) { return std::max(text.size(), kLeastObject); }

// The objects of each kind that are added, and the names of those that go.
template <class T>
struct Step {
  std::vector<T> added = {};
  std::vector<NameKey> removed = {};
};

template <class T>
void apply_step(Step<T>& step, Draft& draft) {
  draft.add(std::move(step.added));
  if (step.removed.empty()) return;
  std::ranges::sort(step.removed);
  draft.remove_if<T>([&step](const T& object) {
    return std::ranges::binary_search(step.removed, name_key(object));
  });
}

template <class F>
void for_each_object(const Snapshot& snapshot, F on_object) {
  for (const api::KindInfo& kind : api::all_kinds()) {
    for (const ObjectRef& object : objects_of(snapshot, kind.kind))
      on_object(object);
  }
}

}  // namespace

State::State(Snapshot start) : draft_(std::move(start)) {
  for_each_object(draft_.now(), [this](const ObjectRef& object) {
    live_bytes_ += size_of_text(object.origin->raw);
    ++live_objects_;
  });
}

Result<Done> State::put(const ObjectEvent& event) {
  Builder builder;
  DRA_TRY(builder.add_item(base::Page(event.object.text()), event.id.kind, event.version));
  Snapshot alone = DRA_TRY(std::move(builder).build({}));
  put_bytes_ += size_of_text(event.object.text());
  ++put_objects_;
  queued_.insert_or_assign(event.id, std::move(alone));
  return Done{};
}

void State::remove(const ObjectId& id) { queued_.insert_or_assign(id, std::nullopt); }

Result<Done> State::apply(const ObjectEvent& event) {
  if (event.type != session::EventType::Deleted) return put(event);
  remove(event.id);
  return Done{};
}

const Snapshot& State::now() {
  if (!queued_.empty()) settle();
  const bool many = put_bytes_ > std::max(live_bytes_, kFewBytes) ||
                    put_objects_ > std::max(live_objects_, kFewObjects);
  if (many) shrink();
  return draft_.now();
}

void State::settle() {
  ListsOf<Step> steps;
  for (const auto& [id, alone] : queued_) {
    with_kind(steps, id.kind, [&id = id, &alone = alone]<class T>(Step<T>& step) {
      if (alone) {
        step.added.push_back(alone->all<T>().front());
        return;
      }
      NameKey key{id.namespace_, id.name};
      if constexpr (std::is_same_v<T, api::Workload>) key.kind = api::info_of(id.kind).name;
      step.removed.push_back(key);
    });
    if (alone) draft_.share_texts(*alone);
  }
  std::apply([this](auto&... step) { (apply_step(step, draft_), ...); }, steps);
  queued_.clear();
}

std::size_t State::kept_bytes() const { return live_bytes_ + put_bytes_; }

void State::shrink() {
  if (!queued_.empty()) settle();
  Builder builder;
  live_bytes_ = 0;
  live_objects_ = 0;
  for_each_object(draft_.now(), [&builder, this](const ObjectRef& object) {
    live_bytes_ += size_of_text(object.origin->raw);
    ++live_objects_;
    const Result<Done> added = builder.add_again(*object.origin, object.kind);
    DRA_CHECK(added.ok());  // the same text was decoded before
  });
  Result<Snapshot> again = std::move(builder).build({});
  DRA_CHECK(again.ok());
  Draft fresh(std::move(again).take());
  fresh.share_facts(draft_.now());
  draft_ = std::move(fresh);
  put_bytes_ = 0;
  put_objects_ = 0;
}

}  // namespace dra::snapshot
