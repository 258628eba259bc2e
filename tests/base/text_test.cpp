// tests/base/text_test.cpp

#include "dra/base/text.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "dra/base/prose.h"

namespace dra::base::text_test {
namespace {

struct Case {
  const char* name;
  std::string got;
  const char* want;
};

TEST_CASE("format") {
  const std::string text = "text";
  const Case cases[] = {
      {"numbers of any kind", format("{} {} {}", 1, -2L, std::size_t{3}), "1 -2 3"},
      {"the largest unsigned number", format("{}", std::numeric_limits<std::uint64_t>::max()),
       "18446744073709551615"},
      {"text of any kind", format("{} {} {}", "literal", text, std::string_view("view")),
       "literal text view"},
      {"a character is not a number", format("{}", 'x'), "x"},
      {"a fraction with given places", format("{:.2f}", 1.005), "1.00"},
      {"width and alignment", format("[{:>5}][{:<5}]", "a", "b"), "[    a][b    ]"},
      {"braces", format("{{{}}}", 1), "{1}"},
      {"no argument", format("plain"), "plain"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(c.got == c.want);
  }
}

TEST_CASE("split keeps empty parts") {
  using Parts = std::vector<std::string_view>;
  CHECK(split("a,b", ',') == Parts{"a", "b"});
  CHECK(split(",a,", ',') == Parts{"", "a", ""});
  CHECK(split("", ',') == Parts{""});
}

TEST_CASE("the first of many names are joined, and the others counted") {
  const std::vector<std::string> names{"a", "b", "c"};
  CHECK(join_first(names, 3) == "a, b, c");
  CHECK(join_first(names, 2) == "a, b and 1 more");
  CHECK(join_first(std::vector<std::string>{}, 2).empty());
}

TEST_CASE("join is the reverse of split") {
  const std::vector<std::string> parts = {"a", "", "b"};
  CHECK(join(parts, ", ") == "a, , b");
  CHECK(join(std::vector<std::string>{}, ", ").empty());
}

TEST_CASE("trim takes white space from both ends only") {
  CHECK(trim(" \ta b\r\n") == "a b");
  CHECK(trim(" \n").empty());
  CHECK(trim("").empty());
}

TEST_CASE("lower changes ASCII letters and nothing else") { CHECK(lower("GPU-ÄZ9") == "gpu-Äz9"); }

TEST_CASE("plural") {
  CHECK(plural(1, "node") == "1 node");
  CHECK(plural(0, "node") == "0 nodes");
  CHECK(plural(2, "class", "classes") == "2 classes");
}

TEST_CASE("edit distance") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("claim", "") == 5);
  CHECK(edit_distance("claims", "clams") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest word is one that could be meant") {
  const std::vector<std::string_view> commands = {"claims", "classes", "slices"};
  CHECK(nearest("clams", commands) == "claims");
  CHECK(nearest("class", commands).empty());
  CHECK(nearest("clases", commands) == "classes");
  CHECK(nearest("nothing", commands).empty());
  CHECK(nearest("x", {}).empty());
}

TEST_CASE("shorten_middle keeps both ends") {
  CHECK(shorten_middle("gpu-0", 5) == "gpu-0");
  CHECK(shorten_middle("gpu-node-17", 7) == "gpu…-17");
  CHECK(shorten_middle("gpu-node-17", 6) == "gp…-17");
  CHECK(shorten_middle("äöüßäöüß", 5) == "äö…üß");
}

TEST_CASE("shorten_message keeps both ends and cuts between words") {
  CHECK(shorten_message("the device is gone", 18) == "the device is gone");
  CHECK(shorten_message("failed to prepare the devices: gpu-3 is gone", 30) ==
        "failed to … gpu-3 is gone");
  CHECK(shorten_message("failed to prepare: it is gone", 27) == "failed to … it is gone");
  CHECK(shorten_message("aaaaaaaaaaaaaaaaaaaaaaaa", 11) == "aaaa … aaaa");
  CHECK(shorten_message("äöüßäöüß", 5) == "ä … ß");
}

TEST_CASE("what a URL would read as its own is escaped") {
  CHECK(url_escape("involvedObject.name=a&b c/d") == "involvedObject.name%3Da%26b%20c%2Fd");
  CHECK(url_escape("plain-1.2_~") == "plain-1.2_~");
}

TEST_CASE("the first parameter begins a query, others go on with it") {
  const std::string first = with_parameter("/api/v1/pods", "limit", "500");
  CHECK(first == "/api/v1/pods?limit=500");
  CHECK(with_parameter(first, "labelSelector", "a=b,c") ==
        "/api/v1/pods?limit=500&labelSelector=a%3Db%2Cc");
}

TEST_CASE("what a shell would read as its own is quoted") {
  CHECK(shell_word("rack-1/chassis-2") == "rack-1/chassis-2");
  CHECK(shell_word("a; rm -rf ~") == "'a; rm -rf ~'");
  CHECK(shell_word("it's $HOME") == "'it'\\''s $HOME'");
  CHECK(shell_word("") == "''");
}

}  // namespace
}  // namespace dra::base::text_test
