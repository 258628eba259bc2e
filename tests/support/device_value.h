// tests/support/device_value.h
//
// Values of the variable `device`, made of few attributes and capacities. Domains that a device
// does not have are empty maps, as upstream has them.

#pragma once

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dra/cel/library/kubernetes.h"
#include "dra/cel/values/value.h"

namespace dra::test {

struct Version {
  std::string text;

  friend bool operator==(const Version&, const Version&) = default;
};
using AttributeValue = std::variant<std::int64_t, bool, std::string, Version>;

template <class T>
using ByDomain = std::map<std::string, std::map<std::string, T>>;

struct DeviceFacts {
  std::string driver = "a.io";
  bool allow_multiple = false;
  ByDomain<AttributeValue> attributes = {};
  ByDomain<std::string> capacity = {};
};

class DomainsValue final : public cel::MapValue {
 public:
  DomainsValue(const cel::Value& known, const cel::Value& empty) : known_(known), empty_(empty) {}
  std::size_t size() const override { return known_.as_map().size(); }
  std::pair<cel::Value, cel::Value> entry(std::size_t index) const override {
    return known_.as_map().entry(index);
  }
  std::optional<cel::Value> find(const cel::Value& key) const override {
    return known_.as_map().find(key);
  }
  std::optional<cel::Value> fallback() const override { return empty_; }

 private:
  cel::Value known_;
  cel::Value empty_;
};

inline cel::Value value_of(const AttributeValue& value, cel::Scratch& scratch) {
  struct Make {
    cel::Scratch& scratch;
    cel::Value operator()(std::int64_t v) const { return cel::Value::integer(v); }
    cel::Value operator()(bool v) const { return cel::Value::boolean(v); }
    cel::Value operator()(const std::string& v) const { return scratch.string(v); }
    cel::Value operator()(const Version& v) const {
      return cel::parse_semver(scratch.keep(v.text), scratch);
    }
  };
  return std::visit(Make{scratch}, value);
}
inline cel::Value value_of(const std::string& quantity, cel::Scratch& scratch) {
  return cel::parse_quantity(scratch.keep(quantity), scratch);
}

template <class T>
cel::Value domains_value(const ByDomain<T>& domains, cel::Scratch& scratch) {
  std::vector<std::pair<cel::Value, cel::Value>> outer;
  for (const auto& [domain, values] : domains) {
    std::vector<std::pair<cel::Value, cel::Value>> inner;
    for (const auto& [id, value] : values)
      inner.emplace_back(scratch.string(id), value_of(value, scratch));
    outer.emplace_back(scratch.string(domain), cel::make_map(scratch, inner));
  }
  return cel::Value::map(
      scratch.make<DomainsValue>(cel::make_map(scratch, outer), cel::make_map(scratch, {})));
}

// Lies in the scratch.
inline cel::Value device_value(const DeviceFacts& facts, cel::Scratch& scratch) {
  return cel::make_map(
      scratch,
      {{scratch.string("driver"), scratch.string(facts.driver)},
       {scratch.string("allowMultipleAllocations"), cel::Value::boolean(facts.allow_multiple)},
       {scratch.string("attributes"), domains_value(facts.attributes, scratch)},
       {scratch.string("capacity"), domains_value(facts.capacity, scratch)}});
}

}  // namespace dra::test
