// tests/session/base64_test.cpp

#include "src/session/base64.h"

#include <doctest/doctest.h>

namespace dra::session::base64_test {
namespace {

std::string decoded(std::string_view text) { return decode_base64(text).value_or("refused"); }

TEST_CASE("text is decoded as Go decodes []byte") {
  CHECK(decoded("") == "");
  CHECK(decoded("TQ==") == "M");
  CHECK(decoded("TWE=") == "Ma");
  CHECK(decoded("TWFu") == "Man");
  CHECK(decoded("TWFu\r\nTWE=\n") == "ManMa");
  CHECK(decoded("+/+/") == "\xfb\xff\xbf");
}

TEST_CASE("what is not whole, or of another alphabet, is refused") {
  for (const char* text : {"T", "TQ", "TQ=", "TQ===", "=", "T===", "====", "TQ==TQ==", "TQ=Q",
                           "TW E=", "-_-_", "TWFuT", "\xc3\xa4TWF"}) {
    CAPTURE(text);
    CHECK(decoded(text) == "refused");
  }
}

TEST_CASE("what is written is read again") {
  CHECK(encode_base64("") == "");
  CHECK(encode_base64("M") == "TQ==");
  CHECK(encode_base64("Ma") == "TWE=");
  CHECK(encode_base64("Man") == "TWFu");
  CHECK(encode_base64("\xfb\xff\xbfM") == "+/+/TQ==");
}

}  // namespace
}  // namespace dra::session::base64_test
