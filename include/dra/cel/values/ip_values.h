// include/dra/cel/values/ip_values.h
//
// The types net.IP and net.CIDR. Upstream: k8s.io/apiserver/pkg/cel/ip.go and cidr.go.

#pragma once

#include "dra/cel/values/ip_address.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

class IpValue final : public OpaqueValue {
 public:
  static constexpr std::string_view kType = "net.IP";

  explicit IpValue(const Address& address) : address_(address) {}

  const Address& address() const { return address_; }
  std::string_view type_name() const override { return kType; }
  std::string_view go_type() const override { return "cel.IP"; }
  std::string text() const override { return address_.to_string(); }
  std::size_t size() const override { return static_cast<std::size_t>(address_.bits()) / 8; }
  std::optional<bool> equals(const Value& other) const override;

 private:
  Address address_;
};

// A network as written: the bits after the prefix may be non-zero.
struct Network {
  Address address;
  int bits = 0;

  friend bool operator==(const Network&, const Network&) = default;
};

class CidrValue final : public OpaqueValue {
 public:
  static constexpr std::string_view kType = "net.CIDR";

  explicit CidrValue(const Network& network) : network_(network) {}

  const Network& network() const { return network_; }
  std::string_view type_name() const override { return kType; }
  std::string_view go_type() const override { return "cel.CIDR"; }
  std::string text() const override;
  // The size of the prefix.
  std::size_t size() const override { return (static_cast<std::size_t>(network_.bits) + 7) / 8; }
  std::optional<bool> equals(const Value& other) const override;

 private:
  Network network_;
};

}  // namespace dra::cel
