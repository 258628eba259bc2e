// tests/session/json_frames_test.cpp: objects cut out of bytes that arrive in any pieces.

#include "src/session/json_frames.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"

namespace dra::session::json_frames_test {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 20U;

struct Frames {
  explicit Frames(std::size_t most = kMost) : frames(most) {}

  Result<Done> read(std::string_view bytes) {
    return frames.read(bytes, [this](std::string_view object) -> Result<Done> {
      found.emplace_back(object);
      return Done{};
    });
  }

  JsonFrames frames;
  std::vector<std::string> found = {};
};

const std::vector<std::string> kObjects = {
    R"({"type":"ADDED","object":{"a":[1,{"b":"}"}]}})",
    R"({"t":"\"}{\\","u":"\\\"]"})",
    "{}",
    "{\n  \"pretty\": [\n    {}\n  ]\n}",
};

TEST_CASE("the same objects come out wherever the bytes are cut") {
  const std::string text = base::join(kObjects, "\n") + "\r\n";
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t step : {1U, 7U, 1000U}) {
      Frames frames;
      CHECK(frames.read(text.substr(0, first)).ok());
      for (std::size_t at = first; at < text.size(); at += step)
        CHECK(frames.read(text.substr(at, step)).ok());
      CHECK(frames.found == kObjects);
      CHECK_FALSE(frames.frames.within());
    }
  }
}

TEST_CASE("objects need no white space between them") {
  Frames frames;
  CHECK(frames.read(base::join(kObjects, "")).ok());
  CHECK(frames.found == kObjects);
}

TEST_CASE("what is no object is refused, with its beginning") {
  for (const std::string text : {"<html>sorry</html>", "[]", "null", "\"{}\"", "}"}) {
    Frames frames;
    CHECK(frames.read("{} ").ok());
    const Result<Done> read = frames.read(text);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().kind == ErrorKind::BadAnswer);
    CHECK(read.error().message == "expected an event, which is a JSON object, found: " + text);
  }
}

TEST_CASE("an object has a limit, in one piece or in many") {
  const std::string large = "{\"a\":\"" + std::string(2 * kMost, 'x') + "\"}";
  Frames whole;
  CHECK_FALSE(whole.read(large).ok());
  Frames pieces;
  bool refused = false;
  for (std::size_t at = 0; at < large.size() && !refused; at += 1000)
    refused = !pieces.read(std::string_view(large).substr(at, 1000)).ok();
  CHECK(refused);
  Frames many;
  for (int i = 0; i < 3; ++i)
    CHECK(many.read("{\"a\":\"" + std::string(kMost - 100, 'x') + "\"}\n").ok());
  CHECK(many.found.size() == 3);
}

TEST_CASE("what has begun can be forgotten") {
  Frames frames;
  CHECK(frames.read("{\"a\":\"").ok());
  CHECK(frames.frames.within());
  frames.frames.reset();
  CHECK(frames.read("{\"b\":1}").ok());
  CHECK(frames.found == std::vector<std::string>{"{\"b\":1}"});
}

}  // namespace
}  // namespace dra::session::json_frames_test
