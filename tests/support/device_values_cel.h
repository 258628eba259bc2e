// tests/support/device_values_cel.h
//
// Devices as CEL sees them, written as fields of text: the driver, whether it may be allocated many
// times ("true"), then attributes and capacities such as "dra.example.com/cores int 5",
// "names strings a,b" and "memory quantity 40Gi". Upstream: DeviceMatches in
// k8s.io/dynamic-resource-allocation/cel/compile.go.

#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/library/kubernetes.h"
#include "dra/cel/values/value.h"

namespace dra::test {

// A list of an attribute.
class Items final : public cel::ListValue {
 public:
  explicit Items(const cel::Value& items) : items_(items) {}
  std::size_t size() const override { return items_.as_list().size(); }
  cel::Value at(std::size_t index) const override { return items_.as_list().at(index); }
  bool rebuilt_on_read() const override { return true; }

 private:
  cel::Value items_;
};

// A map whose keys are texts.
class Names final : public cel::MapValue {
 public:
  explicit Names(const cel::Value& entries) : entries_(entries) {}
  std::size_t size() const override { return entries_.as_map().size(); }
  std::pair<cel::Value, cel::Value> entry(std::size_t index) const override {
    return entries_.as_map().entry(index);
  }
  std::optional<cel::Value> find(const cel::Value& key) const override {
    return entries_.as_map().find(key);
  }
  bool rebuilt_on_read() const override { return true; }

 private:
  cel::Value entries_;
};

// A map of maps that is {} for what it does not have, as device.attributes is.
class Domains final : public cel::MapValue {
 public:
  Domains(const cel::Value& known, const cel::Value& empty) : known_(known), empty_(empty) {}
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

// An error for a version that is none; in a list it takes the place of the list.
inline cel::Value attribute_value(cel::Scratch& scratch, std::string_view kind,
                                  std::string_view text) {
  using cel::Value;
  if (kind.ends_with("s")) {
    std::vector<Value> values;
    for (const std::string_view one : base::split(text, ',')) {
      values.push_back(attribute_value(scratch, kind.substr(0, kind.size() - 1), one));
      if (values.back().is_error()) return values.back();
    }
    return Value::list(scratch.make<Items>(scratch.list(values)));
  }
  if (kind == "bool") return Value::boolean(text == "true");
  if (kind == "int") return Value::integer(std::strtoll(std::string(text).c_str(), nullptr, 10));
  const std::string_view kept = scratch.keep(text);
  if (kind == "version") return cel::parse_semver(kept, scratch);
  return kind == "quantity" ? cel::parse_quantity(kept, scratch) : Value::string(kept);
}

using DomainEntries = std::map<std::string, std::vector<std::pair<cel::Value, cel::Value>>>;

inline cel::Value maps_of(cel::Scratch& scratch, const DomainEntries& entries) {
  std::vector<std::pair<cel::Value, cel::Value>> domains;
  for (const auto& [domain, in_it] : entries)
    domains.emplace_back(scratch.string(domain),
                         cel::Value::map(scratch.make<Names>(make_map(scratch, in_it))));
  return cel::Value::map(scratch.make<Domains>(make_map(scratch, domains), make_map(scratch, {})));
}

// The variable `device`, or the error that any expression gives for it.
inline cel::Value device_value(cel::Scratch& scratch, std::span<const std::string_view> fields) {
  using cel::Value;
  const std::string_view driver = scratch.keep(fields[0]);
  DomainEntries attributes;
  DomainEntries capacity;
  for (const std::string_view field : fields.subspan(2)) {
    const std::size_t end = field.find(' ');
    const std::size_t kind_end = field.find(' ', end + 1);
    const std::string_view name = field.substr(0, end);
    const std::string_view kind = field.substr(end + 1, kind_end - end - 1);
    const std::size_t slash = name.find('/');
    const bool bare = slash == std::string_view::npos;
    const Value value = attribute_value(scratch, kind, field.substr(kind_end + 1));
    if (value.is_error()) {
      return scratch.failure(
          base::format("attribute {}: parse semantic version: {}", name, value.text()));
    }
    auto& maps = kind == "quantity" ? capacity : attributes;
    maps[std::string(bare ? driver : name.substr(0, slash))].emplace_back(
        scratch.string(bare ? name : name.substr(slash + 1)), value);
  }
  const Value device = make_map(
      scratch, {{Value::string("driver"), Value::string(driver)},
                {Value::string("allowMultipleAllocations"), Value::boolean(fields[1] == "true")},
                {Value::string("attributes"), maps_of(scratch, attributes)},
                {Value::string("capacity"), maps_of(scratch, capacity)}});
  return Value::map(scratch.make<Names>(device));
}

}  // namespace dra::test
