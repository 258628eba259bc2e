// src/engine/scheduler/constraint.cpp: compares a device with those before it; with lists, the
// values common to all are kept after each device.

#include "src/engine/scheduler/constraint.h"

#include <algorithm>

namespace dra::engine {
namespace {

using Kind = api::DeviceAttribute::Kind;

bool is_scalar(const api::DeviceAttribute& attribute) {
  return !attribute.is_list() && attribute.kind() != Kind::None;
}

}  // namespace

bool ConstraintState::applies_to(std::string_view request, std::string_view full_name) const {
  const auto& names = constraint_->requests;
  return names.empty() || std::ranges::find(names, request) != names.end() ||
         std::ranges::find(names, full_name) != names.end();
}

ConstraintState::Values ConstraintState::values_of(const api::DeviceAttribute& attribute) {
  const auto& lists = attribute.lists();
  switch (attribute.kind()) {
    case Kind::Ints:
      return {.kind = Kind::Int, .numbers = lists.ints};
    case Kind::Bools:
      return {.kind = Kind::Bool, .numbers = {lists.bools.begin(), lists.bools.end()}};
    case Kind::Strings:
      return {.kind = Kind::String, .texts = lists.strings};
    case Kind::Versions:
      return {.kind = Kind::Version, .texts = lists.versions};
    case Kind::Int:
      return {.kind = Kind::Int, .numbers = {attribute.as_int()}};
    case Kind::Bool:
      return {.kind = Kind::Bool, .numbers = {attribute.as_bool() ? 1 : 0}};
    case Kind::String:
    case Kind::Version:
      return {.kind = attribute.kind(), .texts = {attribute.text()}};
    case Kind::None:
      break;
  }
  return {};
}

ConstraintState::Values ConstraintState::common(const Values& a, const Values& b) {
  Values both{.kind = a.kind};
  if (a.kind != b.kind) return both;
  const auto keep = [](const auto& from, const auto& others, auto& out) {
    std::ranges::copy_if(from, std::back_inserter(out), [&others](const auto& value) {
      return std::ranges::find(others, value) != others.end();
    });
  };
  keep(a.numbers, b.numbers, both.numbers);
  keep(a.texts, b.texts, both.texts);
  return both;
}

Objection ConstraintState::add(const api::DeviceAttribute* attribute, std::string_view request) {
  if (attribute == nullptr) return Objection::Missing;
  const bool as_sets = lists_ != Lists::Unknown;
  if (as_sets && attribute->kind() == Kind::None)
    return matching() ? Objection::Differs : Objection::NotDistinct;
  const Objection objection = !matching() ? differ(*attribute)
                              : as_sets   ? match_lists(*attribute)
                                          : match(*attribute);
  if (objection == Objection::None) remember(request, *attribute);
  return objection;
}

void ConstraintState::remember(std::string_view request, const api::DeviceAttribute& attribute) {
  if (memory_ != Memory::OfEach && !matching()) {
    for (Device& device : taken_) {
      if (device.request == request) device.attribute = nullptr;
    }
  }
  taken_.push_back({request, &attribute});
}

void ConstraintState::remove(std::string_view request) {
  const auto last = std::find_if(taken_.rbegin(), taken_.rend(),
                                 [&](const Device& device) { return device.request == request; });
  taken_.erase(std::prev(last.base()));
  if (!matching() || lists_ == Lists::Unknown) return;
  if (lists_ == Lists::Narrowed && common_.size() > 1) {
    common_.erase(common_.end() - 2);
  } else {
    common_.pop_back();
  }
}

Objection ConstraintState::match(const api::DeviceAttribute& attribute) {
  if (taken_.empty()) return Objection::None;
  return is_scalar(attribute) && attribute == *taken_.front().attribute ? Objection::None
                                                                        : Objection::Differs;
}

Objection ConstraintState::match_lists(const api::DeviceAttribute& attribute) {
  Values values = values_of(attribute);
  if (!common_.empty()) {
    values = common(common_.back(), values);
    if (values.empty()) return Objection::Differs;
  }
  common_.push_back(std::move(values));
  return Objection::None;
}

bool ConstraintState::is_like(const api::DeviceAttribute& attribute,
                              const api::DeviceAttribute& before) const {
  if (memory_ == Memory::ByPlace) return &attribute == &before;
  if (lists_ != Lists::Unknown) return !common(values_of(attribute), values_of(before)).empty();
  return !is_scalar(attribute) || attribute == before;
}

Objection ConstraintState::differ(const api::DeviceAttribute& attribute) const {
  const bool taken = std::ranges::any_of(taken_, [&](const Device& before) {
    return before.attribute != nullptr && is_like(attribute, *before.attribute);
  });
  return taken ? Objection::NotDistinct : Objection::None;
}

}  // namespace dra::engine
