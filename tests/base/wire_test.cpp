// tests/base/wire_test.cpp

#include "dra/base/wire.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/wire.h"

namespace dra::base::wire_test {
namespace {

using support::WireMessage;

std::string fields_of(std::string_view message) {
  std::string out;
  const bool whole = read_wire(message, [&out](const WireField& field) {
    out += base::format("{}={};", field.number,
                        field.is_bytes ? std::string(field.bytes) : std::to_string(field.value));
  });
  return whole ? out : out + "damaged";
}

TEST_CASE("a message is walked field by field") {
  const auto inner = WireMessage().bytes(1, "in");
  const std::string text =
      WireMessage().number(1, 300).bytes(2, "text").message(2, inner).number(3, ~0ULL).text();
  CHECK(fields_of(text) ==
        "1=300;2=text;2=" + inner.text() + ";3=" + std::to_string(~std::uint64_t{0}) + ";");
  CHECK(fields_of("").empty());
}

TEST_CASE("values of fixed size are skipped") {
  const std::string fixed(
      "\x09"
      "12345678"
      "\x15"
      "1234",
      14);  // fields 1 and 2
  CHECK(fields_of(fixed + WireMessage().number(3, 1).text()) == "3=1;");
}

TEST_CASE("each end within a message is damage, and nothing is read behind it") {
  const std::string text = WireMessage().number(1, 300).bytes(2, "text").text();
  for (std::size_t size = 1; size < text.size(); ++size) {
    if (size == 3) continue;  // the end of field 1
    const std::string cut = text.substr(0, size);
    CHECK(fields_of(cut).ends_with("damaged"));
  }
  for (const char* bad :
       {"\x0f", "\x0b", "\x12\xff\xff\xff\xff\x7f", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"})
    CHECK(fields_of(bad) == "damaged");
}

TEST_CASE("the envelope has the type and the message") {
  const auto list = WireMessage().message(1, WireMessage().bytes(2, "41").bytes(3, "token"));
  const std::string text = support::in_envelope("NodeList", list);
  REQUIRE(is_wire(text));
  const auto object = open_wire(text);
  REQUIRE(object);
  CHECK(object->api_version == "v1");
  CHECK(object->kind == "NodeList");
  const auto meta = wire_list_meta(object->message);
  REQUIRE(meta);
  CHECK(meta->resource_version == "41");
  CHECK(meta->continue_token == "token");
}

TEST_CASE("no envelope, and a damaged one") {
  CHECK(!is_wire("{}"));
  CHECK(!is_wire("k8s"));
  CHECK(!open_wire("{}"));
  CHECK(!open_wire(std::string("k8s\0\xff", 5)));
  CHECK(!wire_list_meta("\x0a\x05"));
}

}  // namespace
}  // namespace dra::base::wire_test
