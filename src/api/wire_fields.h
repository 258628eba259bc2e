// src/api/wire_fields.h
//
// Turns the same lists of fields as fields.h into decoders of protobuf, by the numbers of the
// fields. An API server sends Kubernetes' types as k8s.io/api generates them (generated.pb.go):
// fields in the order of their numbers, also those that are empty unless they are pointers; maps as
// repeated messages of key 1 and value 2; quantities, times and raw extensions as messages.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/meta.h"
#include "dra/base/wire.h"
#include "src/api/fields.h"

namespace dra::api {

class WireTable;

struct NumberedField {
  std::uint32_t number;
  std::size_t offset;  // of the member in its struct
  void (*read)(json::Reading& reading, const base::WireField& from, void* member);
  void (*finish)(void* member);  // once all fields were read; nullptr: nothing is to be done
};

// The fields of one type, in the order of its list.
class WireTable {
 public:
  void add(NumberedField field) { fields_.push_back(field); }
  const std::vector<NumberedField>& fields() const { return fields_; }
  // Searches from `next` on, as FieldTable::find does. It stays at the field found, which may be
  // repeated.
  const NumberedField* find(std::uint32_t number, std::size_t& next) const;

 private:
  std::vector<NumberedField> fields_;
};

// Reads the fields of a message into a struct that starts at `base`.
void read_message(json::Reading& reading, std::string_view message, const WireTable& table,
                  std::byte* base);

// A number where a message is expected, or the other way round.
void fail_on_type(json::Reading& reading, const base::WireField& from);

void read_wire(json::Reading& reading, const base::WireField& from, std::string_view& out);
void read_wire(json::Reading& reading, const base::WireField& from, std::int64_t& out);
void read_wire(json::Reading& reading, const base::WireField& from, bool& out);
void read_wire(json::Reading& reading, const base::WireField& from, Quantity& out);
void read_wire(json::Reading& reading, const base::WireField& from, RawJson& out);
void read_wire(json::Reading& reading, const base::WireField& from, base::Instant& out);
void read_wire(json::Reading& reading, const base::WireField& from, Time& out);  // empty: no time

template <class T>
requires HasFields<T>
void read_wire(json::Reading& reading, const base::WireField& from, T& object);
template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, std::optional<T>& out);
template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, Rare<T>& out);
template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, std::vector<T>& out);
template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, RareList<T>& out);
template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, Map<T>& out);

template <class T>
const WireTable& wire_table_of();

template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<Map<T>> : std::true_type {};

// The Io that records the numbers of a type's fields.
class WireRecorder {
 public:
  WireRecorder(WireTable& table, void* probe)
      : table_(table), probe_(static_cast<std::byte*>(probe)) {}

  template <class M>
  void field(std::string_view, std::uint32_t number, M& member) {
    NumberedField recorded = place(number, member);
    recorded.read = [](json::Reading& reading, const base::WireField& from, void* out) {
      read_wire(reading, from, *static_cast<M*>(out));
    };
    if constexpr (IsMap<M>::value)
      recorded.finish = [](void* out) { sort_by_key(*static_cast<M*>(out)); };
    table_.add(recorded);
  }

  // A list comes value by value, and `Add` adds each.
  template <auto Set, auto Add = Set, class T>
  void choice(std::string_view, std::uint32_t number, T& object) {
    NumberedField recorded = place(number, object);
    recorded.read = [](json::Reading& reading, const base::WireField& from, void* out) {
      typename ParameterOf<decltype(Add)>::type value{};
      read_wire(reading, from, value);
      (static_cast<T*>(out)->*Add)(std::move(value));
    };
    table_.add(recorded);
  }

  template <class M>
  void inlined(std::uint32_t number, M& member) {
    field({}, number, member);
  }

 private:
  template <class M>
  NumberedField place(std::uint32_t number, M& member) const {
    const auto offset = static_cast<std::size_t>(reinterpret_cast<std::byte*>(&member) - probe_);
    return {.number = number, .offset = offset, .read = nullptr, .finish = nullptr};
  }

  WireTable& table_;
  std::byte* probe_;
};

template <class T>
const WireTable& wire_table_of() {
  static const WireTable table = [] {
    WireTable recorded;
    T probe{};
    WireRecorder recorder(recorded, &probe);
    fields(recorder, probe);
    return recorded;
  }();
  return table;
}

template <class T>
requires HasFields<T>
void read_wire(json::Reading& reading, const base::WireField& from, T& object) {
  if (!from.is_bytes) return fail_on_type(reading, from);
  read_message(reading, from.bytes, wire_table_of<T>(), reinterpret_cast<std::byte*>(&object));
}

template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, std::optional<T>& out) {
  read_wire(reading, from, out.emplace());
}

template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, Rare<T>& out) {
  read_wire(reading, from, out.emplace());
}

template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, std::vector<T>& out) {
  T value{};
  read_wire(reading, from, value);
  out.push_back(std::move(value));
}

template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, RareList<T>& out) {
  read_wire(reading, from, out.emplace_back());
}

// An absent key or value is an empty one.
template <class T>
void read_wire(json::Reading& reading, const base::WireField& from, Map<T>& out) {
  if (!from.is_bytes) return fail_on_type(reading, from);
  Entry<T>& entry = out.emplace_back();
  const bool whole = base::read_wire(from.bytes, [&](const base::WireField& part) {
    if (part.number == 1) read_wire(reading, part, entry.key);
    if (part.number == 2) read_wire(reading, part, entry.value);
  });
  if (!whole) fail_on_type(reading, from);
}

// Top-level objects keep the bytes that they were decoded from.
template <class T>
void read_wire_object(json::Reading& reading, std::string_view message, T& object) {
  object.origin.raw = message;
  object.origin.is_wire = true;
  read_message(reading, message, wire_table_of<T>(), reinterpret_cast<std::byte*>(&object));
}

}  // namespace dra::api
