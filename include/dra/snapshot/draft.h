// include/dra/snapshot/draft.h
//
// Makes a snapshot from another one by adding, changing and removing objects. The other one stays
// unchanged. Untouched kinds are shared with it. A kind that changes is copied once, or not at all
// if no other snapshot shares it, so that a state which is carried forward step by step is edited
// in place.
//
// The order of objects, the numbers of pools and the index of events hold after every step, so
// now() is a complete snapshot. A step on a kind invalidates references to objects of that kind.

#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dra/api/pool_names.h"
#include "dra/base/memory.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

class Draft {
 public:
  explicit Draft(Snapshot base) : now_(std::move(base)) {}
  // A snapshot without objects, with the same server and coverage.
  static Draft without_objects(const Snapshot& other);
  Draft(const Draft&) = delete;
  Draft(Draft&&) = default;
  Draft& operator=(const Draft&) = delete;
  Draft& operator=(Draft&&) = default;
  ~Draft() = default;

  const Snapshot& now() const { return now_; }
  Snapshot finish() && { return std::move(now_); }

  // Adds objects. Each replaces the object of the same name.
  template <class T>
  void add(std::vector<T> added);
  // Shares all objects of a kind with the other snapshot. Slices and claims number pools, so both
  // must come from one snapshot, into a draft without either.
  template <class T>
  void share(const Snapshot& other);
  // Shares everything about volumes, and pod groups.
  void share_further(const Snapshot& other);
  // Copies the objects of the other snapshot that `is_wanted` selects.
  template <class T, class F>
  void copy_if(const Snapshot& other, F is_wanted) {
    std::vector<T> copies;
    for (const T& object : other.all<T>()) {
      if (is_wanted(object)) copies.push_back(object);
    }
    add(std::move(copies));
  }
  template <class T, class F>
  void remove_if(F is_gone) {
    const std::vector<T>& objects = now_.all<T>();
    if (std::none_of(objects.begin(), objects.end(), is_gone)) return;
    std::erase_if(own<T>(), is_gone);
    finish_step<T>();
  }
  // Changes the object of that name, except for its name. False: there is none.
  template <class T, class F>
  bool change(std::string_view ns, std::string_view name, F change) {
    const T* found = now_.find<T>(ns, name);
    if (found == nullptr) return false;
    const auto place = static_cast<std::size_t>(found - now_.all<T>().data());
    T& object = own<T>()[place];
    change(object);
    number_pools(object);
    finish_step<T>();
    return true;
  }
  // Changes all objects that `is_meant` selects.
  template <class T, class F, class G>
  void change_if(F is_meant, G change) {
    const std::vector<T>& objects = now_.all<T>();
    if (std::none_of(objects.begin(), objects.end(), is_meant)) return;
    for (T& object : own<T>()) {
      if (!is_meant(object)) continue;
      change(object);
      number_pools(object);
    }
    finish_step<T>();
  }

  void set_server(Server server) { now_.server_ = std::move(server); }
  void set_read(base::Instant read) { now_.read_ = read; }
  // Copies text into memory that lives as long as the snapshot.
  std::string_view keep(std::string_view text);
  // Everything but objects and their texts.
  void share_facts(const Snapshot& other);
  // Keeps the texts of the other snapshot, or `owner`, alive for objects that point into them.
  void share_texts(const Snapshot& other);
  void share_texts(std::shared_ptr<const void> owner) { now_.texts_.push_back(std::move(owner)); }

 private:
  template <class T>
  static constexpr bool kNamesPools =
      std::is_same_v<T, api::ResourceSlice> || std::is_same_v<T, api::ResourceClaim>;

  // The list of a kind, copied first if another snapshot shares it.
  template <class T>
  std::vector<T>& own() {
    auto& objects = std::get<std::shared_ptr<std::vector<T>>>(now_.objects_);
    if (objects.use_count() > 1) objects = std::make_shared<std::vector<T>>(*objects);
    return *objects;
  }
  template <class T>
  void finish_step() {
    if constexpr (std::is_same_v<T, api::Event>) order_events();
    if constexpr (kNamesPools<T>) sort_pools();
  }
  // Numbers the pools of an object that was added or changed.
  template <class T>
  void number_pools(T& object) {
    if constexpr (std::is_same_v<T, api::ResourceClaim>) {
      if (object.allocated()) own_pools().add(object);
    } else if constexpr (std::is_same_v<T, api::ResourceSlice>) {
      own_pools().add(object);
    }
  }
  api::PoolNames& own_pools();
  void sort_pools();
  void order_events();

  Snapshot now_;
  std::shared_ptr<base::Arena> arena_;  // one of the texts; created on first use
};

}  // namespace dra::snapshot
