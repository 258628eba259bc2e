// src/api/device_attribute.cpp: DeviceAttribute of slice.h, a tagged union with owned lists.

#include "dra/api/slice.h"

#include <utility>

#include "dra/base/same_text.h"

namespace dra::api {

DeviceAttribute DeviceAttribute::integer(std::int64_t value) {
  DeviceAttribute made;
  made.set_int(value);
  return made;
}

DeviceAttribute DeviceAttribute::boolean(bool value) {
  DeviceAttribute made;
  made.set_bool(value);
  return made;
}

DeviceAttribute DeviceAttribute::string(std::string_view value) {
  DeviceAttribute made;
  made.set_string(value);
  return made;
}

DeviceAttribute DeviceAttribute::version(std::string_view value) {
  DeviceAttribute made;
  made.set_version(value);
  return made;
}

const DeviceAttribute::Lists& DeviceAttribute::no_lists() {
  static const Lists none;
  return none;
}

DeviceAttribute& DeviceAttribute::operator=(const DeviceAttribute& other) {
  if (this == &other) return *this;
  drop();
  copy(other);
  return *this;
}

DeviceAttribute& DeviceAttribute::operator=(DeviceAttribute&& other) noexcept {
  if (this == &other) return *this;
  drop();
  steal(other);
  return *this;
}

void DeviceAttribute::copy(const DeviceAttribute& other) {
  kind_ = other.kind_;
  if (is_list()) {
    lists_ = new Lists(*other.lists_);
  } else if (kind_ == Kind::Int || kind_ == Kind::Bool) {
    number_ = other.number_;
  } else {
    text_ = other.text_;
  }
}

void DeviceAttribute::steal(DeviceAttribute& other) {
  if (!other.is_list()) return copy(other);
  kind_ = std::exchange(other.kind_, Kind::None);
  lists_ = other.lists_;
  other.text_ = {};
}

// The last of several values of one kind counts.
bool DeviceAttribute::takes(Kind kind) {
  if (kind > kind_) return false;
  drop();
  kind_ = kind;
  return true;
}

void DeviceAttribute::set_int(std::int64_t value) {
  if (takes(Kind::Int)) number_ = value;
}

void DeviceAttribute::set_bool(bool value) {
  if (takes(Kind::Bool)) number_ = value ? 1 : 0;
}

void DeviceAttribute::set_string(std::string_view value) {
  if (takes(Kind::String)) text_ = value;
}

void DeviceAttribute::set_version(std::string_view value) {
  if (takes(Kind::Version)) text_ = value;
}

void DeviceAttribute::set_ints(std::vector<std::int64_t> values) {
  if (!values.empty()) set(Kind::Ints, {.ints = std::move(values)});
}

void DeviceAttribute::set_bools(std::vector<bool> values) {
  if (!values.empty()) set(Kind::Bools, {.bools = std::move(values)});
}

void DeviceAttribute::set_strings(std::vector<std::string_view> values) {
  if (!values.empty()) set(Kind::Strings, {.strings = std::move(values)});
}

void DeviceAttribute::set_versions(std::vector<std::string_view> values) {
  if (!values.empty()) set(Kind::Versions, {.versions = std::move(values)});
}

void DeviceAttribute::set(Kind kind, Lists lists) {
  if (takes(kind)) lists_ = new Lists(std::move(lists));
}

DeviceAttribute::Lists* DeviceAttribute::list_of(Kind kind) {
  if (kind_ == kind) return lists_;
  set(kind, {});
  return kind_ == kind ? lists_ : nullptr;
}

void DeviceAttribute::add_int(std::int64_t value) {
  if (Lists* lists = list_of(Kind::Ints)) lists->ints.push_back(value);
}

void DeviceAttribute::add_bool(bool value) {
  if (Lists* lists = list_of(Kind::Bools)) lists->bools.push_back(value);
}

void DeviceAttribute::add_string(std::string_view value) {
  if (Lists* lists = list_of(Kind::Strings)) lists->strings.push_back(value);
}

void DeviceAttribute::add_version(std::string_view value) {
  if (Lists* lists = list_of(Kind::Versions)) lists->versions.push_back(value);
}

void DeviceAttribute::share_text(const DeviceAttribute& other) {
  const bool is_text = kind_ == Kind::String || kind_ == Kind::Version;
  if (is_text && kind_ == other.kind_ && text_ == other.text_) text_ = other.text_;
}

bool operator==(const DeviceAttribute& a, const DeviceAttribute& b) {
  if (a.kind_ != b.kind_) return false;
  switch (a.kind_) {
    case DeviceAttribute::Kind::None:
      return true;
    case DeviceAttribute::Kind::Int:
    case DeviceAttribute::Kind::Bool:
      return a.number_ == b.number_;
    case DeviceAttribute::Kind::String:
    case DeviceAttribute::Kind::Version:
      return base::same_text(a.text_, b.text_);
    default:
      return a.lists_->ints == b.lists_->ints && a.lists_->bools == b.lists_->bools &&
             a.lists_->strings == b.lists_->strings && a.lists_->versions == b.lists_->versions;
  }
}

}  // namespace dra::api
