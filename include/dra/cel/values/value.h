// include/dra/cel/values/value.h
//
// Values of expressions. A Value is small and copied freely; what does not fit into it lies in a
// Scratch, or with whoever made the variable, and must outlive the evaluation. Errors are values,
// as operators may absorb them.
//
// Upstream: cel-go common/types; k8s.io/apiserver/pkg/cel for Quantity, Semver, URL, Format, IP and
// CIDR.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dra/cel/values/types.h"

namespace dra::cel {

enum class ValueKind : std::uint8_t {
  Error,
  Null,
  Bool,
  Int,
  Uint,
  Double,
  String,
  Bytes,
  Duration,   // nanoseconds
  Timestamp,  // a Moment
  Type,
  List,
  Map,
  Optional,
  Opaque,  // of a library: see Opaque::type_name()
};

class Value;
class Scratch;

// Elements in their order. Lists never change while somebody can see them.
class ListValue {
 public:
  virtual std::size_t size() const = 0;
  virtual Value at(std::size_t index) const = 0;
  // Whether upstream makes it from Go's own values whenever it is read, as it does with lists of
  // devices. It then is never found as a key.
  virtual bool rebuilt_on_read() const { return false; }
  // As upstream's implementation is called, for messages that tell it.
  virtual std::string_view go_type() const { return "*types.baseList"; }
  // Takes the elements of another list behind its own, if it is one that a fold is building; then
  // nobody else has seen it yet.
  virtual bool append(const ListValue& more) const;

 protected:
  ~ListValue() = default;
};

// Keys are unique within their kind, see same_key(): 1 and 1.0 are two. Their order is fixed.
class MapValue {
 public:
  virtual std::size_t size() const = 0;
  virtual std::pair<Value, Value> entry(std::size_t index) const = 0;
  virtual std::optional<Value> find(const Value& key) const = 0;
  // What indexing and selection give for a key that is not there, where that is no error.
  virtual std::optional<Value> fallback() const;
  virtual bool rebuilt_on_read() const { return false; }  // as for lists
  // Whether expressions make such maps. They are Go maps upstream, which panic when they are asked
  // for a key that Go cannot hash, unless they are empty.
  virtual bool hashes_keys() const;
  // Takes another entry, if it is a map that a fold is building.
  virtual bool insert(const Value& key, const Value& value) const;

 protected:
  ~MapValue() = default;
};

// A value of a type of some library, which alone knows what is in it.
class OpaqueValue {
 public:
  virtual std::string_view type_name() const = 0;  // "kubernetes.Quantity"
  virtual std::string_view go_type() const = 0;    // "cel.Quantity", for messages that tell it
  virtual std::string text() const = 0;            // for people: "40Gi"
  // Equality with a value on the right; no value: there is none ("no such overload").
  virtual std::optional<bool> equals(const Value& other) const = 0;
  // What costs depend on: the bytes of an address, 1 for what has no size.
  virtual std::size_t size() const { return 1; }
  // The length of the pattern that stands for a format; 0 for what is no format.
  virtual std::size_t pattern_size() const { return 0; }

 protected:
  ~OpaqueValue() = default;
};

// A point in time with the offset it was written with.
struct Moment {
  std::int64_t seconds = 0;  // since 1970 UTC
  std::int32_t nanos = 0;
  std::int32_t offset = 0;  // seconds east of UTC
};

class Value {
 public:
  Value() : kind_(ValueKind::Null) {}
  static Value boolean(bool value);
  static Value integer(std::int64_t value);
  static Value uint(std::uint64_t value);
  static Value real(double value);
  static Value string(std::string_view text);   // not copied
  static Value bytes(std::string_view octets);  // not copied
  static Value duration(std::int64_t nanos);
  static Value timestamp(const Moment* moment);
  static Value type(const Type* type);
  static Value list(const ListValue* list);
  static Value map(const MapValue* map);
  static Value none();  // an optional without a value
  static Value optional(const Value* content);
  static Value opaque(const OpaqueValue* value);
  // The message is not copied; failure() copies it into a scratch.
  static Value error(std::string_view message);

  ValueKind kind() const { return kind_; }
  bool is(ValueKind kind) const { return kind_ == kind; }
  bool is_error() const { return kind_ == ValueKind::Error; }
  bool is_true() const { return kind_ == ValueKind::Bool && bits_.boolean; }
  bool is_false() const { return kind_ == ValueKind::Bool && !bits_.boolean; }

  // Each for its kind only.
  bool as_bool() const { return bits_.boolean; }
  std::int64_t as_int() const { return bits_.integer; }
  std::uint64_t as_uint() const { return bits_.natural; }
  double as_double() const { return bits_.real; }
  std::string_view text() const { return {bits_.text, size_}; }  // String, Bytes, Error
  std::int64_t nanos() const { return bits_.integer; }
  const Moment& moment() const { return *bits_.moment; }
  const Type& as_type() const { return *bits_.type; }
  const ListValue& as_list() const { return *bits_.list; }
  const MapValue& as_map() const { return *bits_.map; }
  const Value* content() const { return bits_.content; }  // of an Optional; nullptr: none
  const OpaqueValue& as_opaque() const { return *bits_.opaque; }

 private:
  explicit Value(ValueKind kind) : kind_(kind) {}

  ValueKind kind_;
  std::uint32_t size_ = 0;
  union {
    bool boolean;
    std::int64_t integer = 0;
    std::uint64_t natural;
    double real;
    const char* text;
    const Moment* moment;
    const Type* type;
    const ListValue* list;
    const MapValue* map;
    const Value* content;
    const OpaqueValue* opaque;
  } bits_;
};
static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) == 16);

// "int", "kubernetes.Quantity": as upstream's messages name the type of a value.
std::string_view type_name(const Value& value);

// Owns what an evaluation makes. Reused: reset() forgets everything and keeps the memory.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { reset(); }

  template <class T, class... Args>
  T* make(Args&&... args) {
    void* place = allocate(sizeof(T), alignof(T));
    T* made = ::new (place) T(std::forward<Args>(args)...);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      owned_.push_back({made, [](void* old) { static_cast<T*>(old)->~T(); }});
    }
    return made;
  }
  std::string_view keep(std::string_view text);
  // Good until reset(), as all that is made here; of types that need no end.
  template <class T>
  std::span<T> array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* first = static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }
  std::span<Value> values(std::size_t count) { return array<Value>(count); }
  void reset() {
    if (!owned_.empty()) destroy_owned();
    if (used_ > kFirst) memory_.release();
    used_ = 0;
  }

  Value string(std::string_view text) { return Value::string(keep(text)); }
  Value bytes(std::string_view octets) { return Value::bytes(keep(octets)); }
  Value failure(std::string_view message) { return Value::error(keep(message)); }
  Value list(std::span<const Value> elements);  // not copied: from values()
  Value list(const std::vector<Value>& elements);
  Value optional(const Value& content);

 private:
  struct Owned {
    void* object;
    void (*destroy)(void*);
  };

  // Most evaluations need little: what fits lies within the object, one behind the other. From the
  // first that does not fit, all is from elsewhere.
  void* allocate(std::size_t size, std::size_t alignment) {
    const std::size_t begin = (used_ + alignment - 1) & ~(alignment - 1);
    if (begin > kFirst || size > kFirst - begin) {
      used_ = kFirst + 1;
      return memory_.allocate(size, alignment);
    }
    used_ = begin + size;
    return first_ + begin;
  }
  void destroy_owned();

  static constexpr std::size_t kFirst = 4096;
  alignas(std::max_align_t) std::byte first_[kFirst];
  std::size_t used_ = 0;  // bytes of first_; more than it has: memory_ is used, too
  std::pmr::monotonic_buffer_resource memory_;
  std::vector<Owned> owned_;
};

// An error that says nothing but that the values do not go together.
inline constexpr std::string_view kNoSuchOverload = "no such overload";
inline Value no_such_overload() { return Value::error(kNoSuchOverload); }

// As `==` compares: across kinds of numbers by value, lists and maps by element. A Bool, or an
// error where the left side cannot be compared with the right.
Value equal(const Value& left, const Value& right);
// Whether both are one key of a map: equal values of one kind; lists, maps and the like only where
// they are the same object.
bool same_key(const Value& a, const Value& b);
// -1, 0 or 1 as an Int, or an error: `<` and its like.
Value compare(const Value& left, const Value& right);

// A map of the entries; of two with equal keys the later counts.
Value make_map(Scratch& scratch, const std::vector<std::pair<Value, Value>>& entries);

// An empty list or map that takes more: see append() and insert().
Value growing_list(Scratch& scratch);
Value growing_map(Scratch& scratch);
// Both one after the other, without copying either.
Value concatenate(Scratch& scratch, const Value& first, const Value& second);

}  // namespace dra::cel
