// src/cel/library/library_ip.cpp: IP addresses and networks. Upstream:
// k8s.io/apiserver/pkg/cel/library/ip.go and cidr.go, net/netip.

#include <charconv>

#include "dra/base/text.h"
#include "dra/cel/library/library.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/ip_values.h"
#include "dra/cel/values/opaque.h"

namespace dra::cel {
namespace {

using base::format;

// --- addresses

// Addresses with zones and mapped addresses are errors.
std::optional<Address> read_ip(std::string_view text, std::string& problem) {
  std::string why;
  const std::optional<Address> address = parse_address(text, why);
  if (!address) {
    problem =
        format("IP Address {} parse error during conversion from string: {}", go_quoted(text), why);
  } else if (address->has_zone) {
    problem = format("IP address {} with zone value is not allowed", go_quoted(text));
  } else if (address->is_mapped()) {
    problem = format("IPv4-mapped IPv6 address {} is not allowed", go_quoted(text));
  } else {
    return address;
  }
  return std::nullopt;
}

Value ip_from_string(const Invocation& call) {
  std::string problem;
  const std::optional<Address> address = read_ip(call.args[0].text(), problem);
  if (!address) return call.scratch.failure(problem);
  return Value::opaque(call.scratch.make<IpValue>(*address));
}

Value is_ip(const Invocation& call) {
  std::string problem;
  return Value::boolean(read_ip(call.args[0].text(), problem).has_value());
}

Value is_canonical(const Invocation& call) {
  std::string problem;
  const std::optional<Address> address = read_ip(call.args[0].text(), problem);
  if (!address) return call.scratch.failure(problem);
  return Value::boolean(address->to_string() == call.args[0].text());
}

const Address& address(const Invocation& call, std::size_t at = 0) {
  return opaque<IpValue>(call.args[at]).address();
}

Value ip_to_string(const Invocation& call) {
  return call.scratch.string(address(call).to_string());
}

Value family(const Invocation& call) { return Value::integer(address(call).is_v4 ? 4 : 6); }

bool is_all(const Address& ip, std::uint8_t byte) {
  const auto size = static_cast<std::size_t>(ip.bits() / 8);
  for (std::size_t i = 0; i < size; ++i) {
    if (ip.bytes[i] != byte) return false;
  }
  return true;
}

bool is_unspecified(const Address& ip) { return is_all(ip, 0); }

bool is_loopback(const Address& ip) {
  if (ip.is_v4) return ip.bytes[0] == 127;
  Address one;
  one.bytes[15] = 1;
  return ip == one;
}

bool is_multicast(const Address& ip) {
  return ip.is_v4 ? (ip.bytes[0] & 0xF0U) == 0xE0 : ip.bytes[0] == 0xFF;
}

bool is_link_local_multicast(const Address& ip) {
  if (ip.is_v4) return ip.bytes[0] == 224 && ip.bytes[1] == 0 && ip.bytes[2] == 0;
  return (ip.group(0) & 0xFF0FU) == 0xFF02;
}

bool is_link_local_unicast(const Address& ip) {
  if (ip.is_v4) return ip.bytes[0] == 169 && ip.bytes[1] == 254;
  return (ip.group(0) & 0xFFC0U) == 0xFE80;
}

bool is_global_unicast(const Address& ip) {
  const bool broadcast = ip.is_v4 && is_all(ip, 255);
  return !broadcast && !is_unspecified(ip) && !is_loopback(ip) && !is_multicast(ip) &&
         !is_link_local_unicast(ip);
}

template <bool (*Test)(const Address&)>
Value test(const Invocation& call) {
  return Value::boolean(Test(address(call)));
}

// --- networks

// The number after the slash; no value if it is no plain decimal number.
std::optional<std::int64_t> read_bits(std::string_view text) {
  if (text.size() > 1 && (text[0] < '1' || text[0] > '9')) return std::nullopt;
  std::int64_t bits = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, bits);
  const bool whole = read.ec == std::errc() && read.ptr == end;
  return whole ? std::optional(bits) : std::nullopt;
}

// netip.ParsePrefix
std::optional<Network> parse_prefix(std::string_view text, std::string& problem) {
  const auto fail = [text, &problem](std::string_view why) {
    problem = format("netip.ParsePrefix({}): {}", go_quoted(text), why);
    return std::nullopt;
  };
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return fail("no '/'");
  std::string why;
  const std::optional<Address> address = parse_address(text.substr(0, slash), why);
  if (!address) return fail(why);
  if (address->has_zone) return fail("IPv6 zones cannot be present in a prefix");
  const std::string_view length = text.substr(slash + 1);
  const std::optional<std::int64_t> bits = read_bits(length);
  if (!bits) return fail("bad bits after slash: " + go_quoted(length));
  if (*bits > address->bits()) return fail("prefix length out of range");
  return Network{*address, static_cast<int>(*bits)};
}

std::optional<Network> read_cidr(std::string_view text, std::string& problem) {
  std::string why;
  const std::optional<Network> network = parse_prefix(text, why);
  if (network && !network->address.is_mapped()) return network;
  problem = network ? format("IPv4-mapped IPv6 address {} is not allowed", go_quoted(text))
                    : "network address parse error during conversion from string: " + why;
  return std::nullopt;
}

Value read_cidr(const Value& text, Scratch& scratch) {
  std::string problem;
  const std::optional<Network> network = read_cidr(text.text(), problem);
  if (network) return Value::opaque(scratch.make<CidrValue>(*network));
  // Upstream's message has this twice.
  return scratch.failure("network address parse error during conversion from string: " + problem);
}

Value cidr_from_string(const Invocation& call) { return read_cidr(call.args[0], call.scratch); }

Value is_cidr(const Invocation& call) {
  std::string problem;
  return Value::boolean(read_cidr(call.args[0].text(), problem).has_value());
}

const Network& network(const Value& value) { return opaque<CidrValue>(value).network(); }

Value cidr_to_string(const Invocation& call) {
  return call.scratch.string(opaque<CidrValue>(call.args[0]).text());
}

Value contains_address(const Network& outer, const Address& ip) {
  return Value::boolean(same_prefix(outer.address, ip, outer.bits));
}
Value contains_address(const Network& outer, const Network& inner) {
  return Value::boolean(outer.bits <= inner.bits &&
                        same_prefix(outer.address, inner.address, outer.bits));
}

Value contains_ip(const Invocation& call) {
  return contains_address(network(call.args[0]), address(call, 1));
}

// Upstream drops the error of the text, too.
Value contains_ip_string(const Invocation& call) {
  std::string problem;
  const std::optional<Address> ip = read_ip(call.args[1].text(), problem);
  return ip ? contains_address(network(call.args[0]), *ip) : no_such_overload();
}

Value contains_cidr(const Invocation& call) {
  return contains_address(network(call.args[0]), network(call.args[1]));
}

Value contains_cidr_string(const Invocation& call) {
  const Value inner = read_cidr(call.args[1], call.scratch);
  return inner.is_error() ? inner : contains_address(network(call.args[0]), network(inner));
}

Value cidr_ip(const Invocation& call) {
  return Value::opaque(call.scratch.make<IpValue>(network(call.args[0]).address));
}

Value cidr_masked(const Invocation& call) {
  const Network& whole = network(call.args[0]);
  const Network cut{masked(whole.address, whole.bits), whole.bits};
  return Value::opaque(call.scratch.make<CidrValue>(cut));
}

Value prefix_length(const Invocation& call) { return Value::integer(network(call.args[0]).bits); }

constexpr OverloadCode kIpOverloads[] = {
    {"cidr_contains_cidr", contains_cidr},
    {"cidr_contains_cidr_string", contains_cidr_string},
    {"cidr_contains_ip_ip", contains_ip},
    {"cidr_contains_ip_string", contains_ip_string},
    {"cidr_ip", cidr_ip},
    {"cidr_masked", cidr_masked},
    {"cidr_prefix_length", prefix_length},
    {"cidr_to_string", cidr_to_string},
    {"ip_family", family},
    {"ip_is_canonical", is_canonical},
    {"ip_is_global_unicast", test<is_global_unicast>},
    {"ip_is_link_local_multicast", test<is_link_local_multicast>},
    {"ip_is_link_local_unicast", test<is_link_local_unicast>},
    {"ip_is_loopback", test<is_loopback>},
    {"ip_is_unspecified", test<is_unspecified>},
    {"ip_to_string", ip_to_string},
    {"is_cidr", is_cidr},
    {"is_ip", is_ip},
    {"string_to_cidr", cidr_from_string},
    {"string_to_ip", ip_from_string},
};

}  // namespace

std::optional<bool> IpValue::equals(const Value& other) const {
  const auto* right = opaque_if<IpValue>(other);
  return right == nullptr ? std::nullopt : std::optional(address_ == right->address_);
}

std::string CidrValue::text() const {
  return format("{}/{}", network_.address.to_string(), network_.bits);
}

std::optional<bool> CidrValue::equals(const Value& other) const {
  const auto* right = opaque_if<CidrValue>(other);
  return right == nullptr ? std::nullopt : std::optional(network_ == right->network_);
}

std::span<const OverloadCode> ip_codes() { return kIpOverloads; }

}  // namespace dra::cel
