// src/cel/values/value.cpp: lists and maps, equality and order across kinds, and making values.

#include "dra/cel/values/value.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

namespace dra::cel {
namespace {

class Elements final : public ListValue {
 public:
  explicit Elements(std::span<const Value> values) : values_(values) {}
  std::size_t size() const override { return values_.size(); }
  Value at(std::size_t index) const override { return values_[index]; }

 private:
  std::span<const Value> values_;
};

class GrowingList final : public ListValue {
 public:
  std::size_t size() const override { return values_.size(); }
  Value at(std::size_t index) const override { return values_[index]; }
  bool append(const ListValue& more) const override {
    const std::size_t count = more.size();  // `more` may be this list
    for (std::size_t i = 0; i < count; ++i)
      values_.push_back(more.at(i));
    return true;
  }

 private:
  mutable std::vector<Value> values_;
};

// Two lists in a row. A long concatenation is a tree of these; elements are rarely read.
class Concatenated final : public ListValue {
 public:
  Concatenated(const ListValue* first, const ListValue* second)
      : first_(first), second_(second), split_(first->size()), size_(split_ + second->size()) {}
  std::size_t size() const override { return size_; }
  Value at(std::size_t index) const override {
    return index < split_ ? first_->at(index) : second_->at(index - split_);
  }
  std::string_view go_type() const override { return "*types.concatList"; }

 private:
  const ListValue* first_;
  const ListValue* second_;
  std::size_t split_;
  std::size_t size_;
};

// Library types that are pointers upstream.
bool is_key_by_object(const Value& key) {
  const std::string_view type = key.as_opaque().type_name();
  return type == "kubernetes.Quantity" || type == "kubernetes.URL" ||
         type.starts_with("google.protobuf.");
}

// Equal keys have equal hashes.
std::size_t hash_of(const Value& key) {
  switch (key.kind()) {
    case ValueKind::Bool:
      return key.as_bool() ? 1 : 2;
    case ValueKind::Int:
      return std::hash<double>()(static_cast<double>(key.as_int()));
    case ValueKind::Uint:
      return std::hash<double>()(static_cast<double>(key.as_uint()));
    case ValueKind::Double:
      return std::hash<double>()(key.as_double());
    case ValueKind::String:
    case ValueKind::Bytes:
      return std::hash<std::string_view>()(key.text());
    case ValueKind::Duration:
      return std::hash<std::int64_t>()(key.nanos());
    case ValueKind::Timestamp:
      return std::hash<std::int64_t>()(key.moment().seconds);
    case ValueKind::List:
      return std::hash<const void*>()(&key.as_list());
    case ValueKind::Map:
      return std::hash<const void*>()(&key.as_map());
    case ValueKind::Optional:
      return std::hash<const void*>()(key.content());
    case ValueKind::Opaque:
      return is_key_by_object(key) ? std::hash<const void*>()(&key.as_opaque())
                                   : std::hash<std::string>()(key.as_opaque().text());
    default:
      return 0;
  }
}

// A number is also looked up as another kind of integer with the same value. A double is only
// looked up as itself.
std::optional<Value> as_int_key(const Value& key) {
  if (key.is(ValueKind::Uint) && key.as_uint() <= INT64_MAX) {
    return Value::integer(static_cast<std::int64_t>(key.as_uint()));
  }
  constexpr double limit = 9223372036854775808.0;
  const double value = key.is(ValueKind::Double) ? key.as_double() : limit;
  const bool whole = value > -limit && value < limit && std::trunc(value) == value;
  return whole ? std::optional(Value::integer(static_cast<std::int64_t>(value))) : std::nullopt;
}
std::optional<Value> as_uint_key(const Value& key) {
  if (key.is(ValueKind::Int) && key.as_int() >= 0) {
    return Value::uint(static_cast<std::uint64_t>(key.as_int()));
  }
  constexpr double limit = 18446744073709551616.0;
  const double value = key.is(ValueKind::Double) ? key.as_double() : limit;
  const bool whole = value >= 0 && value < limit && std::trunc(value) == value;
  return whole ? std::optional(Value::uint(static_cast<std::uint64_t>(value))) : std::nullopt;
}

// Few entries, as in most literals, are searched one by one; more have an index.
class Entries final : public MapValue {
 public:
  explicit Entries(bool grows) : grows_(grows) {}

  std::size_t size() const override { return entries_.size(); }
  std::pair<Value, Value> entry(std::size_t index) const override { return entries_[index]; }
  std::optional<Value> find(const Value& key) const override {
    std::optional<std::size_t> at = place_of(key);
    if (!at) at = place_of_other(as_int_key(key));
    if (!at) at = place_of_other(as_uint_key(key));
    return at ? std::optional(entries_[*at].second) : std::nullopt;
  }
  bool hashes_keys() const override { return true; }
  bool insert(const Value& key, const Value& value) const override {
    if (grows_) put(key, value);
    return grows_;
  }
  void put(const Value& key, const Value& value) const {
    if (const std::optional<std::size_t> at = place_of(key)) {
      entries_[*at].second = value;
      return;
    }
    entries_.emplace_back(key, value);
    if (entries_.size() == kFew + 1) {
      for (std::size_t i = 0; i < entries_.size(); ++i)
        index_.emplace(hash_of(entries_[i].first), i);
    } else if (entries_.size() > kFew) {
      index_.emplace(hash_of(key), entries_.size() - 1);
    }
  }

 private:
  static constexpr std::size_t kFew = 8;

  std::optional<std::size_t> place_of(const Value& key) const {
    const auto is_key = [this, &key](std::size_t i) { return same_key(entries_[i].first, key); };
    if (entries_.size() <= kFew) {
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (is_key(i)) return i;
      }
      return std::nullopt;
    }
    const auto [begin, end] = index_.equal_range(hash_of(key));
    for (auto one = begin; one != end; ++one) {
      if (is_key(one->second)) return one->second;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> place_of_other(const std::optional<Value>& key) const {
    return key ? place_of(*key) : std::nullopt;
  }

  bool grows_;
  mutable std::vector<std::pair<Value, Value>> entries_;
  mutable std::unordered_multimap<std::size_t, std::size_t> index_;
};

template <class T>
int order(const T& a, const T& b) {
  if (a < b) return -1;
  return b < a ? 1 : 0;
}

// Doubles outside an integer's range are beyond all its values; within it, the integer is rounded.
int order_double_int(double d, std::int64_t i) {
  if (d < static_cast<double>(std::numeric_limits<std::int64_t>::min())) return -1;
  if (d > static_cast<double>(std::numeric_limits<std::int64_t>::max())) return 1;
  return order(d, static_cast<double>(i));
}
int order_double_uint(double d, std::uint64_t u) {
  if (d < 0) return -1;
  if (d > static_cast<double>(std::numeric_limits<std::uint64_t>::max())) return 1;
  return order(d, static_cast<double>(u));
}
int order_int_uint(std::int64_t i, std::uint64_t u) {
  return i < 0 ? -1 : order(static_cast<std::uint64_t>(i), u);
}

bool is_number(const Value& value) {
  return value.is(ValueKind::Int) || value.is(ValueKind::Uint) || value.is(ValueKind::Double);
}

bool is_nan(const Value& value) {
  return value.is(ValueKind::Double) && std::isnan(value.as_double());
}

// Neither is NaN.
int order_numbers(const Value& a, const Value& b) {
  switch (a.kind()) {
    case ValueKind::Int:
      if (b.is(ValueKind::Int)) return order(a.as_int(), b.as_int());
      if (b.is(ValueKind::Uint)) return order_int_uint(a.as_int(), b.as_uint());
      return -order_double_int(b.as_double(), a.as_int());
    case ValueKind::Uint:
      if (b.is(ValueKind::Uint)) return order(a.as_uint(), b.as_uint());
      if (b.is(ValueKind::Int)) return -order_int_uint(b.as_int(), a.as_uint());
      return -order_double_uint(b.as_double(), a.as_uint());
    default:
      if (b.is(ValueKind::Double)) return order(a.as_double(), b.as_double());
      if (b.is(ValueKind::Int)) return order_double_int(a.as_double(), b.as_int());
      return order_double_uint(a.as_double(), b.as_uint());
  }
}

// Go counts seconds from the year 1, in 64 bits that overflow (package time, unixToInternal).
std::int64_t since_year_one(const Moment& moment) {
  constexpr std::uint64_t before_1970 = 62'135'596'800;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(moment.seconds) + before_1970);
}

int order_moments(const Moment& a, const Moment& b) {
  return order(std::pair(since_year_one(a), a.nanos), std::pair(since_year_one(b), b.nanos));
}

// Zones are objects upstream, and those of whole hours are shared.
bool same_in_zone(const Moment& a, const Moment& b) {
  return a.offset == b.offset && a.offset % 3600 == 0 && order_moments(a, b) == 0;
}

// Elements that cannot be compared count as equal, as upstream.
bool differ(const Value& a, const Value& b) { return equal(a, b).is_false(); }

bool equal_lists(const ListValue& a, const ListValue& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (differ(a.at(i), b.at(i))) return false;
  }
  return true;
}

bool equal_maps(const MapValue& a, const MapValue& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto [key, value] = a.entry(i);
    std::optional<Value> other = b.find(key);
    if (!other) other = b.fallback();
    if (!other || differ(value, *other)) return false;
  }
  return true;
}

Value equal_opaque(const Value& a, const Value& b) {
  const std::optional<bool> same = a.as_opaque().equals(b);
  return same ? Value::boolean(*same) : no_such_overload();
}

// Contents that cannot be compared are an error here, even with null.
Value equal_optionals(const Value& a, const Value& b) {
  if (a.content() == nullptr || b.content() == nullptr) {
    return Value::boolean(a.content() == b.content());
  }
  const Value& content = *a.content();
  return content.is(ValueKind::Opaque) ? equal_opaque(content, *b.content())
                                       : equal(content, *b.content());
}

}  // namespace

bool ListValue::append(const ListValue&) const { return false; }
std::optional<Value> MapValue::fallback() const { return std::nullopt; }
bool MapValue::hashes_keys() const { return false; }
bool MapValue::insert(const Value&, const Value&) const { return false; }

Value Value::boolean(bool value) {
  Value out(ValueKind::Bool);
  out.bits_.boolean = value;
  return out;
}
Value Value::integer(std::int64_t value) {
  Value out(ValueKind::Int);
  out.bits_.integer = value;
  return out;
}
Value Value::uint(std::uint64_t value) {
  Value out(ValueKind::Uint);
  out.bits_.natural = value;
  return out;
}
Value Value::real(double value) {
  Value out(ValueKind::Double);
  out.bits_.real = value;
  return out;
}
Value Value::string(std::string_view text) {
  Value out(ValueKind::String);
  out.bits_.text = text.data();
  out.size_ = static_cast<std::uint32_t>(text.size());
  return out;
}
Value Value::bytes(std::string_view octets) {
  Value out = string(octets);
  out.kind_ = ValueKind::Bytes;
  return out;
}
Value Value::error(std::string_view message) {
  Value out = string(message);
  out.kind_ = ValueKind::Error;
  return out;
}
Value Value::duration(std::int64_t nanos) {
  Value out = integer(nanos);
  out.kind_ = ValueKind::Duration;
  return out;
}
Value Value::timestamp(const Moment* moment) {
  Value out(ValueKind::Timestamp);
  out.bits_.moment = moment;
  return out;
}
Value Value::type(const Type* type) {
  Value out(ValueKind::Type);
  out.bits_.type = type;
  return out;
}
Value Value::list(const ListValue* list) {
  Value out(ValueKind::List);
  out.bits_.list = list;
  return out;
}
Value Value::map(const MapValue* map) {
  Value out(ValueKind::Map);
  out.bits_.map = map;
  return out;
}
Value Value::none() { return optional(nullptr); }
Value Value::optional(const Value* content) {
  Value out(ValueKind::Optional);
  out.bits_.content = content;
  return out;
}
Value Value::opaque(const OpaqueValue* value) {
  Value out(ValueKind::Opaque);
  out.bits_.opaque = value;
  return out;
}

std::string_view type_name(const Value& value) {
  constexpr std::string_view names[] = {"error",
                                        "null_type",
                                        "bool",
                                        "int",
                                        "uint",
                                        "double",
                                        "string",
                                        "bytes",
                                        "google.protobuf.Duration",
                                        "google.protobuf.Timestamp",
                                        "type",
                                        "list",
                                        "map",
                                        "optional_type"};
  if (value.is(ValueKind::Opaque)) return value.as_opaque().type_name();
  return names[static_cast<std::size_t>(value.kind())];
}

std::string_view Scratch::keep(std::string_view text) {
  if (text.empty()) return {};
  auto* bytes = static_cast<char*>(allocate(text.size(), 1));
  text.copy(bytes, text.size());
  return {bytes, text.size()};
}

void Scratch::destroy_owned() {
  for (; !owned_.empty(); owned_.pop_back())
    owned_.back().destroy(owned_.back().object);
}

Value Scratch::list(std::span<const Value> elements) {
  return Value::list(make<Elements>(elements));
}

Value Scratch::list(const std::vector<Value>& elements) {
  const std::span<Value> copied = values(elements.size());
  std::ranges::copy(elements, copied.begin());
  return list(std::span<const Value>(copied));
}

Value Scratch::optional(const Value& content) { return Value::optional(make<Value>(content)); }

Value make_map(Scratch& scratch, const std::vector<std::pair<Value, Value>>& entries) {
  auto* map = scratch.make<Entries>(false);
  for (const auto& [key, value] : entries)
    map->put(key, value);
  return Value::map(map);
}

Value growing_list(Scratch& scratch) { return Value::list(scratch.make<GrowingList>()); }
Value growing_map(Scratch& scratch) { return Value::map(scratch.make<Entries>(true)); }

Value concatenate(Scratch& scratch, const Value& first, const Value& second) {
  if (first.as_list().append(second.as_list())) return first;
  if (first.as_list().size() == 0) return second;
  if (second.as_list().size() == 0) return first;
  return Value::list(scratch.make<Concatenated>(&first.as_list(), &second.as_list()));
}

Value equal(const Value& left, const Value& right) {
  if (left.is(ValueKind::String) && right.is(ValueKind::String))  // the common case
    return Value::boolean(left.text() == right.text());
  if (left.is(ValueKind::Null) || right.is(ValueKind::Null)) {
    return Value::boolean(left.kind() == right.kind());
  }
  if (is_number(left)) {
    const bool comparable = is_number(right) && !is_nan(left) && !is_nan(right);
    return Value::boolean(comparable && order_numbers(left, right) == 0);
  }
  if (left.is(ValueKind::Opaque)) return equal_opaque(left, right);
  if (left.kind() != right.kind()) return Value::boolean(false);
  switch (left.kind()) {
    case ValueKind::Bool:
      return Value::boolean(left.as_bool() == right.as_bool());
    case ValueKind::Bytes:
      return Value::boolean(left.text() == right.text());
    case ValueKind::Duration:
      return Value::boolean(left.nanos() == right.nanos());
    case ValueKind::Timestamp:
      return Value::boolean(order_moments(left.moment(), right.moment()) == 0);
    case ValueKind::Type:
      return Value::boolean(left.as_type().name == right.as_type().name);
    case ValueKind::List:
      return Value::boolean(equal_lists(left.as_list(), right.as_list()));
    case ValueKind::Map:
      return Value::boolean(equal_maps(left.as_map(), right.as_map()));
    case ValueKind::Optional:
      return equal_optionals(left, right);
    default:
      return left;  // an error stays an error
  }
}

bool same_key(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case ValueKind::List:
      return &a.as_list() == &b.as_list() && !a.as_list().rebuilt_on_read();
    case ValueKind::Map:
      return &a.as_map() == &b.as_map() && !a.as_map().rebuilt_on_read();
    case ValueKind::Optional:
      return a.content() == b.content();
    case ValueKind::Timestamp:
      return &a.moment() == &b.moment() || same_in_zone(a.moment(), b.moment());
    case ValueKind::Opaque:
      return is_key_by_object(a) ? &a.as_opaque() == &b.as_opaque() : equal(a, b).is_true();
    default:
      return equal(a, b).is_true();
  }
}

Value compare(const Value& left, const Value& right) {
  // On the left it takes precedence over the kind of the right side, as in upstream's
  // Double.Compare.
  const bool numbers = is_number(left) && is_number(right);
  if (is_nan(left) || (numbers && is_nan(right)))
    return Value::error("NaN values cannot be ordered");
  if (numbers) return Value::integer(order_numbers(left, right));
  if (left.kind() != right.kind()) return no_such_overload();
  switch (left.kind()) {
    case ValueKind::Bool:
      return Value::integer(order(left.as_bool(), right.as_bool()));
    case ValueKind::String:
    case ValueKind::Bytes:
      return Value::integer(order(left.text(), right.text()));
    case ValueKind::Duration:
      return Value::integer(order(left.nanos(), right.nanos()));
    case ValueKind::Timestamp:
      return Value::integer(order_moments(left.moment(), right.moment()));
    default:
      return no_such_overload();
  }
}

}  // namespace dra::cel
