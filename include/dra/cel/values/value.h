// include/dra/cel/values/value.h
//
// Values of expressions. A Value is small and copied freely; larger content lives in a Scratch, or
// with the owner of the variable, and must outlive the evaluation. Errors are values, as operators
// may absorb them.
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
  Opaque,  // of a library: see OpaqueValue::type_name()
};

class Value;
class Scratch;

// An ordered list. It does not change while expressions can read it.
class ListValue {
 public:
  virtual std::size_t size() const = 0;
  virtual Value at(std::size_t index) const = 0;
  // True if upstream builds the list from Go values at each read, as it does with lists of devices.
  // Such a list is never found as a key of a map.
  virtual bool rebuilt_on_read() const { return false; }
  // The name of upstream's implementation in messages.
  virtual std::string_view go_type() const { return "*types.baseList"; }
  // An element as %v prints it in messages about the list.
  virtual std::string element_text(std::size_t index) const;
  // Appends the elements of another list if a fold is building this one, and nothing else has seen
  // it yet.
  virtual bool append(const ListValue& more) const;

 protected:
  ~ListValue() = default;
};

// An ordered map. Keys are unique within their kind, see same_key(): 1 and 1.0 are two keys.
class MapValue {
 public:
  virtual std::size_t size() const = 0;
  virtual std::pair<Value, Value> entry(std::size_t index) const = 0;
  virtual std::optional<Value> find(const Value& key) const = 0;
  // The value for missing keys, if these are not an error.
  virtual std::optional<Value> fallback() const;
  virtual bool rebuilt_on_read() const { return false; }  // as for lists
  // True for maps that expressions make. They are Go maps upstream, which panic on look-up of a key
  // that Go cannot hash, unless they are empty.
  virtual bool hashes_keys() const;
  // Adds an entry if a fold is building this map.
  virtual bool insert(const Value& key, const Value& value) const;

 protected:
  ~MapValue() = default;
};

// A value of a library's type; only the library knows its content.
class OpaqueValue {
 public:
  virtual std::string_view type_name() const = 0;  // "kubernetes.Quantity"
  virtual std::string_view go_type() const = 0;    // "cel.Quantity", for messages
  virtual std::string text() const = 0;            // for people: "40Gi"
  // Equality with the value on the right; no value: "no such overload".
  virtual std::optional<bool> equals(const Value& other) const = 0;
  // The size for costs: the bytes of an address; 1 for types without a size.
  virtual std::size_t size() const { return 1; }
  // True if optional.ofNonZeroValue() takes the value for none.
  virtual bool is_zero() const { return false; }
  // The length of a format's pattern; 0 for other types.
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
  // The message is not copied; Scratch::failure() copies it.
  static Value error(std::string_view message);

  ValueKind kind() const { return kind_; }
  bool is(ValueKind kind) const { return kind_ == kind; }
  bool is_error() const { return kind_ == ValueKind::Error; }
  bool is_true() const { return kind_ == ValueKind::Bool && bits_.boolean; }
  bool is_false() const { return kind_ == ValueKind::Bool && !bits_.boolean; }

  // Each for values of its kind only.
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

// The type of a value in upstream's messages: "int", "kubernetes.Quantity".
std::string_view type_name(const Value& value);

// Owns the values that an evaluation makes. reset() frees them and keeps the memory.
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
  // Valid until reset(), as everything made here; for types without a destructor.
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

  // Most evaluations need little memory: they use the array within the object. From the first value
  // that does not fit on, all memory comes from elsewhere.
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
  std::size_t used_ = 0;  // bytes of first_; larger than its size: memory_ is in use
  std::pmr::monotonic_buffer_resource memory_;
  std::vector<Owned> owned_;
};

// The error for values that do not match.
inline constexpr std::string_view kNoSuchOverload = "no such overload";
inline Value no_such_overload() { return Value::error(kNoSuchOverload); }

// Compares as `==` does: numbers of different kinds by value, lists and maps by element. A Bool, or
// an error if the left value cannot be compared with the right.
Value equal(const Value& left, const Value& right);
// True if both are the same key of a map: equal values of one kind; lists, maps and the like only
// if they are the same object.
bool same_key(const Value& a, const Value& b);
// -1, 0 or 1 as an Int, or an error; for `<` and similar operators.
Value compare(const Value& left, const Value& right);

// A map of the entries; of equal keys the last one counts.
Value make_map(Scratch& scratch, const std::vector<std::pair<Value, Value>>& entries);

// An empty list or map that a fold can extend: see append() and insert().
Value growing_list(Scratch& scratch);
Value growing_map(Scratch& scratch);
// One list after the other, without copying.
Value concatenate(Scratch& scratch, const Value& first, const Value& second);

}  // namespace dra::cel
