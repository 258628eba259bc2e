// tests/cel/library/library_url_test.cpp

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_url_test {
namespace {

using test::expect;
using test::Row;

TEST_CASE("URLs come apart") {
  expect({
      Row{"the scheme in lower case", "url('HTTPS://a/').getScheme()", "'https'"},
      Row{"the host with its port", "url('http://u:p@a.b:80/c').getHost()", "'a.b:80'"},
      Row{"the host alone", "url('http://[::1]:80/').getHostname()", "'::1'"},
      Row{"the port", "url('http://[::1]:80/').getPort()", "'80'"},
      Row{"a path as it is escaped", "url('http://a/%41 é').getEscapedPath()", "'/A%20%C3%A9'"},
      Row{"a path that is only escaped otherwise", "url('http://a/b%2Fc').getEscapedPath()",
          "'/b%2Fc'"},
      Row{"the query, by key", "url('http://a/?x=1&y=a+b&x=%32&%zz&p;q=1&&').getQuery()",
          "{'x':['1','2'],'y':['a b']}"},
      Row{"a path alone has no host", "url('//a/b').getEscapedPath()", "'/b'"},
      Row{"written differently, the same", "url('http://a/%41') == url('http://a/A')", "false"},
      Row{"the scheme does not count by case", "url('HTTP://a/') == url('http://a/')", "true"},
  });
}

TEST_CASE("what is wrong with a URL is told as Go tells it") {
  const std::string prefix = "error URL parse error during conversion from string: parse ";
  expect({
      Row{"relative", "url('a/b')", prefix + R"("a/b": invalid URI for request)"},
      Row{"nothing", "url('')", prefix + R"("": empty url)"},
      Row{"a broken escape", "url('http://a/%zz')",
          prefix + R"("http://a/%zz": invalid URL escape "%zz")"},
      Row{"a port that is none", "url('http://a:x/')",
          prefix + R"("http://a:x/": invalid port ":x" after host)"},
      Row{"two ports", "url('http://a:1:2/')",
          prefix + R"("http://a:1:2/": invalid port ":1:2" after host)"},
      Row{"a list of hosts, outside of http", "isURL('db://a:1,b:2/')", "true"},
      Row{"a name in brackets", "url('http://[x]/')",
          prefix + R"("http://[x]/": invalid host: ParseAddr("x"): unable to parse IP)"},
      Row{"a control character", "url('http://a/\\u0001')",
          prefix + R"("http://a/\x01": net/url: invalid control character in URL)"},
      Row{"an invisible character", "url('http://a b\\u202e/')",
          prefix + R"("http://a b\u202e/": invalid character " " in host name)"},
      Row{"a fragment is only read the second time", "isURL('http://a/?b#%zz')", "true"},
      Row{"and fails then", "url('http://a/?b#%zz')",
          prefix + R"("http://a/?b#%zz": invalid URL escape "%zz")"},
  });
}

}  // namespace
}  // namespace dra::cel::library_url_test
