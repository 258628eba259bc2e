// tests/cel/library/library_ip_test.cpp

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_ip_test {
namespace {

using test::expect;
using test::Row;

TEST_CASE("addresses are read and written") {
  expect({
      Row{"IPv4", "string(ip('10.0.0.1'))", "'10.0.0.1'"},
      Row{"the longest run of zeros goes", "string(ip('1:0:0:2:0:0:0:3'))", "'1:0:0:2::3'"},
      Row{"of equal ones the first", "string(ip('1:0:0:2:3:0:0:4'))", "'1::2:3:0:0:4'"},
      Row{"one zero stays", "string(ip('1:0:2:3:4:5:6:7'))", "'1:0:2:3:4:5:6:7'"},
      Row{"an embedded IPv4", "string(ip('::1.2.3.4'))", "'::102:304'"},
      Row{"capitals are not canonical", "ip.isCanonical('FE80::1')", "false"},
      Row{"a leading zero", "ip('10.0.0.01')",
          R"(error IP Address "10.0.0.01" parse error during conversion from string: )"
          R"(ParseAddr("10.0.0.01"): IPv4 field has octet with leading zero)"},
      Row{"too many colons", "ip(':::1')",
          R"(error IP Address ":::1" parse error during conversion from string: )"
          R"(ParseAddr(":::1"): each colon-separated field must have at least one digit )"
          R"((at ":1"))"},
      Row{"a zone", "ip('fe80::1%eth0')",
          R"(error IP address "fe80::1%eth0" with zone value is not allowed)"},
      Row{"a mapped one", "ip('::ffff:1.2.3.4')",
          R"(error IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed)"},
      Row{"nothing left for the colons", "isIP('1:2:3:4:5:6:7::8')", "false"},
  });
}

TEST_CASE("kinds of addresses") {
  expect({
      Row{"loopback", "ip('127.9.9.9').isLoopback() && ip('::1').isLoopback()", "true"},
      Row{"unspecified", "ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified()", "true"},
      Row{"link-local", "ip('169.254.1.1').isLinkLocalUnicast()", "true"},
      Row{"up to febf", "ip('febf::1').isLinkLocalUnicast()", "true"},
      Row{"multicast on the link", "ip('ff12::1').isLinkLocalMulticast()", "true"},
      Row{"only the first block", "ip('224.0.1.1').isLinkLocalMulticast()", "false"},
      Row{"private ones are global, too", "ip('10.0.0.1').isGlobalUnicast()", "true"},
      Row{"broadcast is not", "ip('255.255.255.255').isGlobalUnicast()", "false"},
      Row{"the family", "ip('::1').family() - ip('1.2.3.4').family()", "2"},
  });
}

TEST_CASE("networks contain addresses and networks") {
  expect({
      Row{"inside", "cidr('10.0.0.0/8').containsIP('10.255.0.1')", "true"},
      Row{"outside", "cidr('10.0.0.0/8').containsIP(ip('11.0.0.1'))", "false"},
      Row{"another family", "cidr('0.0.0.0/0').containsIP('::')", "false"},
      Row{"what is wrong with a text is lost", "cidr('0.0.0.0/0').containsIP('x')",
          "error no such overload"},
      Row{"a smaller network", "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"},
      Row{"a larger one", "cidr('10.1.0.0/16').containsCIDR('10.0.0.0/8')", "false"},
      Row{"bits behind the prefix stay", "string(cidr('10.1.2.3/8'))", "'10.1.2.3/8'"},
      Row{"until they are cut", "string(cidr('10.1.2.3/12').masked())", "'10.0.0.0/12'"},
      Row{"and then it is another", "cidr('10.1.2.3/8') == cidr('10.1.2.3/8').masked()", "false"},
      Row{"the address", "string(cidr('2001:db8::1/64').ip())", "'2001:db8::1'"},
      Row{"the length", "cidr('::/0').prefixLength()", "0"},
      Row{"too long a prefix, told twice", "cidr('10.0.0.0/33')",
          "error network address parse error during conversion from string: network address "
          "parse error during conversion from string: netip.ParsePrefix(\"10.0.0.0/33\"): "
          "prefix length out of range"},
      Row{"a prefix with a leading zero", "isCIDR('10.0.0.0/08')", "false"},
  });
}

}  // namespace
}  // namespace dra::cel::library_ip_test
