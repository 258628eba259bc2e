// include/dra/api/meta.h
//
// The fields of every Kubernetes object, and the value types that fields are made of.
//
// Decoding copies structure, not text: every string_view points into the bytes that the snapshot
// owns. Enumerations of the API stay text, because a newer server may send a value that this
// program does not know, and it must not be lost; the known values are constants next to the field.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/time.h"

namespace dra::api {

template <class T>
struct Entry {
  std::string_view key;
  T value;
};

// A JSON map, in the order of its keys, as an API server sends it; each key once.
template <class T>
using Map = std::vector<Entry<T>>;

template <class T>
const T* find(const Map<T>& map, std::string_view key) {
  for (const Entry<T>& entry : map) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

using Time = std::optional<base::Instant>;

// An optional value that few objects have. Absent, it takes as much memory as a pointer.
template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(const Rare& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) { return *this = Rare(other); }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  explicit operator bool() const { return value_ != nullptr; }
  bool has_value() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  T& operator*() { return *value_; }
  T& emplace() {
    value_ = std::make_unique<T>();
    return *value_;
  }

 private:
  std::unique_ptr<T> value_;
};

// A list that few objects have. Empty, it takes as much memory as a pointer.
template <class T>
class RareList {
 public:
  RareList() = default;
  explicit RareList(std::vector<T> items) {
    if (!items.empty()) items_.emplace() = std::move(items);
  }

  bool empty() const { return !items_; }
  std::size_t size() const { return items_ ? items_->size() : 0; }
  const T* begin() const { return items_ ? items_->data() : nullptr; }
  const T* end() const { return items_ ? items_->data() + items_->size() : nullptr; }
  const T& front() const { return items_->front(); }
  T& emplace_back() { return (items_ ? *items_ : items_.emplace()).emplace_back(); }

 private:
  Rare<std::vector<T>> items_;
};

// A quantity as written, "40Gi"; base/quantity parses it.
struct Quantity {
  std::string_view text;
};

// A value that only its owner understands (a driver's parameters), kept as JSON text.
struct RawJson {
  std::string_view text;
};

struct OwnerReference {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  bool controller = false;
};

struct ObjectMeta {
  std::string_view name;
  std::string_view generate_name;  // the server adds five characters to make a name of it
  std::string_view namespace_;
  std::string_view uid;
  std::string_view resource_version;
  std::int64_t generation = 0;
  Time created;
  Time deleted;  // set while a deletion waits for finalizers
  Map<std::string_view> labels;
  Map<std::string_view> annotations;
  std::vector<OwnerReference> owners;
  std::vector<std::string_view> finalizers;
};

struct Condition {
  std::string_view type;
  std::string_view status;  // "True", "False", "Unknown"
  std::string_view reason;
  std::string_view message;
  Time changed;
};

// The condition of a type, or nullptr.
const Condition* condition_of(const std::vector<Condition>& conditions, std::string_view type);
// There is a condition of the type with the status "True".
bool is_true(const std::vector<Condition>& conditions, std::string_view type);

// The owner that has `controller: true`, or nullptr.
const OwnerReference* controller_of(const ObjectMeta& meta);

// Terms are ORed; expressions (labels) and fields (metadata.name) of one term are ANDed.
struct NodeSelectorRequirement {
  std::string_view key;
  std::string_view op;
  std::vector<std::string_view> values;
};
struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> expressions;
  std::vector<NodeSelectorRequirement> fields;
};
struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;
};

// Objects by their labels. A selector without conditions selects all.
struct LabelSelector {
  Map<std::string_view> labels;
  std::vector<NodeSelectorRequirement> expressions;  // the same form as those of nodes
};

// The bytes that an object was decoded from, and the type that they name.
struct Origin {
  std::string_view raw;          // the object as JSON text, or as a message of protobuf
  bool is_wire = false;          // it is a message
  std::string_view api_version;  // as served or written: "resource.k8s.io/v1beta1"
  std::string_view kind;
};

}  // namespace dra::api
