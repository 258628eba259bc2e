// src/api/fields.h
//
// Turns a list of fields into a decoder. Each API type has one function
//
//     template <class Io>
//     void fields(Io& io, DeviceSelector& s) { io.field("expression", 1, s.expression); }
//
// with a line per field: JSON name, protobuf number of v1, member. It runs once per type, on a
// probe object, to record the offset of each member. After that decoding is a walk over the
// received members with one table look-up and one call each. A new field is one member and one
// line.

#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/meta.h"
#include "dra/json/cursor.h"

namespace dra::api {

class FieldTable;

// The JSON of a member.
enum class Shape : std::uint8_t {
  Plain,  // a scalar or an object, or a list of these
  Map,    // an object with any keys, whose values are plain
  Raw,    // anything, which only its owner understands
};

struct Field {
  std::string_view name;
  std::uint32_t number;
  std::size_t offset;  // of the member in its struct
  void (*read)(json::Cursor& from, void* member);
  const FieldTable& (*nested)();  // the fields of the member's own struct, if it has one
  Shape shape = Shape::Plain;
};

// The fields of one type, in the order of its list, which is the order in which servers send them.
class FieldTable {
 public:
  void add(Field field) { fields_.push_back(field); }
  const std::vector<Field>& fields() const { return fields_; }
  // Searches from `next` on, where the field is expected, and sets `next` behind the one found.
  const Field* find(std::string_view name, std::size_t& next) const;

 private:
  std::vector<Field> fields_;
};

// Reads the members of an object into a struct that starts at `base`.
void read_fields(json::Cursor& from, const FieldTable& table, std::byte* base);

void read(json::Cursor& from, std::string_view& out);
void read(json::Cursor& from, std::int64_t& out);
void read(json::Cursor& from, bool& out);
void read(json::Cursor& from, Quantity& out);  // a string or a number
void read(json::Cursor& from, RawJson& out);
void read(json::Cursor& from, base::Instant& out);

// False, with a failure, if the value is of another kind. A null leaves the member as it is.
bool expect(json::Cursor& from, json::Kind kind);

template <class T>
void read(json::Cursor& from, T& object);
template <class T>
void read(json::Cursor& from, std::optional<T>& out);
template <class T>
void read(json::Cursor& from, Rare<T>& out);
template <class T>
void read(json::Cursor& from, std::vector<T>& out);
template <class T>
void read(json::Cursor& from, RareList<T>& out);
template <class T>
void read(json::Cursor& from, Map<T>& out);

// The element types of optional, list and map members.
template <class T>
struct ElementOf {
  using type = T;
};
template <class T>
struct ElementOf<std::optional<T>> : ElementOf<T> {};
template <class T>
struct ElementOf<Rare<T>> : ElementOf<T> {};
template <class T>
struct ElementOf<RareList<T>> : ElementOf<T> {};
template <class T>
struct ElementOf<std::vector<T>> : ElementOf<T> {};
template <class T>
struct ElementOf<Entry<T>> : ElementOf<T> {};

template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<Map<T>> = true;

// The parameter type of a setter.
template <class F>
struct ParameterOf;
template <class T, class V>
struct ParameterOf<void (T::*)(V)> {
  using type = V;
};

template <class T>
const FieldTable& table_of();

class Recorder;
template <class T>
concept HasFields = requires(Recorder& io, T& object) {
  fields(io, object);
};

// The Io that records a type's fields.
class Recorder {
 public:
  Recorder(FieldTable& table, void* probe)
      : table_(table), probe_(static_cast<std::byte*>(probe)) {}

  template <class M>
  void field(std::string_view name, std::uint32_t number, M& member) {
    const auto offset = static_cast<std::size_t>(reinterpret_cast<std::byte*>(&member) - probe_);
    Field recorded{
        .name = name, .number = number, .offset = offset, .read = nullptr, .nested = nullptr};
    recorded.read = [](json::Cursor& from, void* out) { read(from, *static_cast<M*>(out)); };
    using Element = typename ElementOf<M>::type;
    if constexpr (HasFields<Element>) recorded.nested = &table_of<Element>;
    if constexpr (kIsMap<M>) recorded.shape = Shape::Map;
    if constexpr (std::same_as<Element, RawJson>) recorded.shape = Shape::Raw;
    table_.add(recorded);
  }

  // One of several values of which the object has one. `Set` stores it in the object.
  template <auto Set, auto Add = Set, class T>
  void choice(std::string_view name, std::uint32_t number, T& object) {
    const auto offset = static_cast<std::size_t>(reinterpret_cast<std::byte*>(&object) - probe_);
    Field recorded{
        .name = name, .number = number, .offset = offset, .read = nullptr, .nested = nullptr};
    recorded.read = [](json::Cursor& from, void* out) {
      if (from.kind() == json::Kind::Null) return;
      typename ParameterOf<decltype(Set)>::type value{};
      read(from, value);
      (static_cast<T*>(out)->*Set)(std::move(value));
    };
    table_.add(recorded);
  }

  // A struct whose fields are inlined in JSON. Protobuf nests it under `number`.
  template <class M>
  void inlined(std::uint32_t, M& member) {
    fields(*this, member);
  }

 private:
  FieldTable& table_;
  std::byte* probe_;
};

template <class T>
const FieldTable& table_of() {
  static const FieldTable table = [] {
    FieldTable recorded;
    T probe{};
    Recorder recorder(recorded, &probe);
    fields(recorder, probe);
    return recorded;
  }();
  return table;
}

template <class T>
void read(json::Cursor& from, T& object) {
  if (!expect(from, json::Kind::Object)) return;
  read_fields(from, table_of<T>(), reinterpret_cast<std::byte*>(&object));
}

template <class T>
void read(json::Cursor& from, std::optional<T>& out) {
  if (from.kind() == json::Kind::Null) return;
  read(from, out.emplace());
}

template <class T>
void read(json::Cursor& from, Rare<T>& out) {
  if (from.kind() == json::Kind::Null) return;
  read(from, out.emplace());
}

void add_index(json::Cursor& list, std::size_t index);  // to the path of a failure
void add_key(json::Cursor& map, std::string_view key);

template <class T>
void read(json::Cursor& from, std::vector<T>& out) {
  if (!expect(from, json::Kind::Array)) return;
  out.clear();  // the last of two members with one name counts, as in Go
  from.items([&out](json::Cursor& item) {
    T value{};
    read(item, value);
    add_index(item, out.size());
    out.push_back(std::move(value));
  });
}

template <class T>
void read(json::Cursor& from, RareList<T>& out) {
  std::vector<T> items;
  read(from, items);
  out = RareList<T>(std::move(items));
}

// API servers send maps sorted by key. Maps in manifests are sorted here, so that the same state
// gives the same output from any source. The last of two entries with one key counts.
template <class T>
void sort_by_key(Map<T>& map) {
  if (std::ranges::adjacent_find(map, std::ranges::greater_equal(), &Entry<T>::key) == map.end())
    return;
  std::ranges::stable_sort(map, {}, &Entry<T>::key);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (i + 1 < map.size() && map[i].key == map[i + 1].key) continue;
    if (kept != i) map[kept] = std::move(map[i]);
    ++kept;
  }
  map.resize(kept);
}

template <class T>
void read(json::Cursor& from, Map<T>& out) {
  if (!expect(from, json::Kind::Object)) return;
  from.members([&out](std::string_view key, json::Cursor& member) {
    read(member, out.emplace_back(Entry<T>{key, {}}).value);
    add_key(member, key);
  });
  sort_by_key(out);
}

// Top-level objects keep the bytes that they were decoded from.
template <class T>
void read_object(json::Cursor& from, T& object) {
  object.origin.raw = from.raw();
  read(from, object);
}

}  // namespace dra::api
