// include/dra/engine/device_value.h
//
// A device as the variable `device` of selectors: views into it, no copy of any text. One object is
// set to one device after the other and reuses its memory.
//
// Unknown domains are empty maps, as upstream's mapper makes them; a name without a domain has the
// driver's. If a device publishes both `x` and `driver/x`, upstream takes either; here it is the
// one that sorts first.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/slice.h"
#include "dra/cel/value.h"

namespace dra::engine {

// "gpu.nvidia.com/type" -> that domain and "type"; the driver is the domain of a bare name.
struct QualifiedName {
  std::string_view domain;
  std::string_view id;
};
QualifiedName split_name(std::string_view name, std::string_view driver);

class DeviceValue final : public cel::MapValue {
 public:
  DeviceValue();
  DeviceValue(const DeviceValue&) = delete;  // its parts point at it
  DeviceValue& operator=(const DeviceValue&) = delete;

  // Both must outlive the evaluations.
  void set(std::string_view driver, const api::Device& device);
  // Why no expression can be evaluated for this device, in the server's words: "attribute
  // gpu.nvidia.com/version: parse semantic version: ...". Empty: nothing is wrong.
  const std::string& problem() const { return problem_; }
  // Good until set() is called again.
  cel::Value value() const { return cel::Value::map(this); }

  std::size_t size() const override;
  std::pair<cel::Value, cel::Value> entry(std::size_t index) const override;
  std::optional<cel::Value> find(const cel::Value& key) const override;

 private:
  // One attribute or capacity. Its value is made when it is first looked at.
  struct Named {
    QualifiedName name;
    const api::DeviceAttribute* attribute = nullptr;
    const api::DeviceCapacity* capacity = nullptr;
    mutable std::optional<cel::Value> value = {};
  };

  // The ids of a domain.
  class Ids final : public cel::MapValue {
   public:
    Ids(const DeviceValue& device, const std::vector<Named>& all, std::string_view domain)
        : device_(device), all_(all), domain_(domain) {}
    std::size_t size() const override;
    std::pair<cel::Value, cel::Value> entry(std::size_t index) const override;
    std::optional<cel::Value> find(const cel::Value& key) const override;

   private:
    bool counts(std::size_t at) const;

    const DeviceValue& device_;
    const std::vector<Named>& all_;
    std::string_view domain_;
  };

  // The domains of attributes, or of capacities.
  class Domains final : public cel::MapValue {
   public:
    explicit Domains(const DeviceValue& device) : device_(device) {}
    std::size_t size() const override;
    std::pair<cel::Value, cel::Value> entry(std::size_t index) const override;
    std::optional<cel::Value> find(const cel::Value& key) const override;
    std::optional<cel::Value> fallback() const override;

    void clear();
    void add(const Named& named) { all_.push_back(named); }
    const std::vector<Named>& all() const { return all_; }

   private:
    bool begins(std::size_t at) const;
    cel::Value ids_of(std::string_view domain) const;

    const DeviceValue& device_;
    std::vector<Named> all_;
    mutable std::vector<std::pair<std::string_view, cel::Value>> made_;
  };

  cel::Value value_of(const Named& named) const;
  void note_problem(std::string_view name, std::string_view what);

  std::string_view driver_;
  bool shared_ = false;
  std::string problem_;
  Domains attributes_;
  Domains capacity_;
  mutable cel::Scratch scratch_;
  cel::Scratch kept_;  // what does not change from device to device
  cel::Value empty_map_;
};

// A capacity or attribute as a value of CEL; an error value if it cannot be read.
cel::Value attribute_value(const api::DeviceAttribute& attribute, cel::Scratch& scratch);

}  // namespace dra::engine
