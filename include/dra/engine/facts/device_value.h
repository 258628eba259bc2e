// include/dra/engine/facts/device_value.h
//
// A device as the variable `device` of selectors: views into it, without copies of texts. One
// object serves one device after the other and reuses its memory.
//
// Unknown domains are empty maps, as upstream's mapper makes them; a name without a domain has the
// driver's. If a device publishes both `x` and `driver/x`, upstream takes either; here it is `x`.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/device_models.h"
#include "dra/base/fetch.h"
#include "dra/cel/values/value.h"

namespace dra::engine {

// "gpu.nvidia.com/type" -> that domain and "type"; the driver is the domain of a bare name.
struct QualifiedName {
  std::string_view domain;
  std::string_view id;
};
QualifiedName split_name(std::string_view name, std::string_view driver);

// Finds attributes, or capacities, of one qualified name in one device after the other. Devices of
// a driver mostly have a name at the same place, so the finder looks there first.
class NameFinder {
 public:
  NameFinder(std::string_view domain, std::string_view id)
      : domain_(domain), id_(id), may_be_bare_(id.find('/') == std::string_view::npos) {}

  // Fetches the entry that find() looks at first.
  template <class T>
  void fetch(const api::Map<T>& map) const {
    if (at_ < map.size()) base::fetch(&map[at_]);
  }

  // nullptr if the device has none. The driver's text must not move while the finder is in use.
  template <class T>
  const T* find(const api::Map<T>& map, std::string_view driver) {
    const bool own = may_be_bare_ && is_domain(driver);
    if (at_ < map.size() && (own ? map[at_].key == id_ : is_qualified(map[at_].key)))
      return &map[at_].value;
    const api::Entry<T>* found = nullptr;
    for (const api::Entry<T>& entry : map) {
      if (own && entry.key == id_) {
        at_ = static_cast<std::size_t>(&entry - map.data());
        return &entry.value;
      }
      if (is_qualified(entry.key)) found = &entry;
    }
    if (found == nullptr) return nullptr;
    if (!own) at_ = static_cast<std::size_t>(found - map.data());
    return &found->value;
  }

 private:
  // Devices of one slice share the driver's text, so it is compared once.
  bool is_domain(std::string_view driver) {
    if (driver.data() != driver_.data() || driver.size() != driver_.size()) {
      driver_ = driver;
      is_domain_ = driver == domain_;
    }
    return is_domain_;
  }

  bool is_qualified(std::string_view name) const {
    return name.size() == domain_.size() + 1 + id_.size() && name[domain_.size()] == '/' &&
           name.ends_with(id_) && name.starts_with(domain_);
  }

  std::string_view domain_;
  std::string_view id_;
  bool may_be_bare_;  // a name with a slash has a domain of its own
  std::size_t at_ = 0;
  std::string_view driver_ = domain_;  // the last that was compared with the domain
  bool is_domain_ = true;
};

// Finds attributes that the scheduler cannot read, for one device after the other: it fails for
// such a device before it evaluates anything. Devices of a driver mostly have the same versions, so
// the last one is remembered.
class FlawFinder {
 public:
  // In the server's words: "attribute gpu.nvidia.com/version: parse semantic version: ...". Empty:
  // nothing is wrong.
  std::string find(const api::Device& device) {
    return find(device, {device.model, device.differs});
  }
  std::string find(const api::Device& device, const api::Likeness& likeness);
  // Whether the model proves that no device of a slice with it has a flaw.
  bool none_in(const api::SliceModel& model, std::uint64_t differs);

 private:
  std::string look_at(const api::Map<api::DeviceAttribute>& attributes);
  void look_at_model(const api::Device& model);

  std::vector<std::string>
      good_versions_;                   // by the place of the attribute: the last readable version
  const api::Device* model_ = nullptr;  // the last one
  std::uint64_t may_be_wrong_ = 0;      // the places of attributes that may have a flaw
  std::string flaw_of_model_;
  const api::SliceModel* slice_model_ = nullptr;  // the last one
  std::uint64_t may_be_wrong_in_slice_ = 0;
  bool slice_is_wrong_ = false;
};

// The name of the first attribute that is a list; empty: there is none.
std::string_view first_list(const api::Map<api::DeviceAttribute>& attributes);

class DeviceValue final : public cel::MapValue {
 public:
  DeviceValue();
  DeviceValue(const DeviceValue&) = delete;  // its parts point at it
  DeviceValue& operator=(const DeviceValue&) = delete;

  // Both must outlive the evaluations.
  void set(std::string_view driver, const api::Device& device);
  // Why no expression can be evaluated for this device, in the server's words: "attribute
  // gpu.nvidia.com/version: parse semantic version: ...". Empty: expressions can.
  const std::string& problem() const { return problem_; }
  const api::Map<api::DeviceAttribute>& attributes() const { return device_->attributes; }
  // Good until set() is called again.
  cel::Value value() const { return cel::Value::map(this); }

  std::size_t size() const override;
  std::pair<cel::Value, cel::Value> entry(std::size_t index) const override;
  std::optional<cel::Value> find(const cel::Value& key) const override;
  bool rebuilt_on_read() const override { return true; }

 private:
  // The domains of attributes, or of capacities.
  template <class T>
  class Domains;
  // The names of one domain.
  template <class T>
  class Ids;

  cel::Value read(const api::DeviceAttribute& attribute) const;
  cel::Value read(const api::DeviceCapacity& capacity) const;

  std::string_view driver_;
  const api::Device* device_ = nullptr;
  FlawFinder flaws_;
  std::string problem_;
  mutable cel::Scratch scratch_;
  cel::Scratch kept_;  // the values that are the same for every device
  // These must be identical at every read: a map may have them for keys.
  cel::Value attributes_;
  cel::Value capacity_;
  cel::Value empty_map_;
  // The same, until set() is called again.
  mutable std::vector<std::pair<const api::DeviceCapacity*, cel::Value>> quantities_;
};

// As a CEL value; an error if it cannot be read. Texts are not copied.
cel::Value value_of(const api::DeviceAttribute& attribute, cel::Scratch& scratch);
cel::Value value_of(const api::DeviceCapacity& capacity, cel::Scratch& scratch);

}  // namespace dra::engine
