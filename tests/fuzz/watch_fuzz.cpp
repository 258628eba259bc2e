// tests/fuzz/watch_fuzz.cpp: the bytes of a watch, in pieces. The first byte says how large these
// are: wherever the network cuts, the same events come out, and the same error.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "dra/json/parse.h"
#include "src/session/json_frames.h"

namespace {

constexpr std::size_t kMost = 4096;  // bytes of an event

struct Events {
  std::vector<std::string> objects;
  bool ok = true;
  bool within = false;  // an event has begun and not ended
};

Events events_of(std::string_view bytes, std::size_t piece) {
  dra::session::JsonFrames frames(kMost);
  Events events;
  while (!bytes.empty() && events.ok) {
    const std::string part(bytes.substr(0, piece));  // so that a view into it does not live on
    bytes.remove_prefix(part.size());
    events.ok = frames
                    .read(part,
                          [&events](std::string_view object) -> dra::Result<dra::Done> {
                            events.objects.emplace_back(object);
                            return dra::Done{};
                          })
                    .ok();
  }
  events.within = events.ok && frames.within();
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Events whole = events_of(bytes, std::max<std::size_t>(bytes.size(), 1));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{data[0]} + 1}) {
    const Events parts = events_of(bytes, piece);
    if (parts.objects != whole.objects || parts.ok != whole.ok || parts.within != whole.within)
      std::abort();
  }
  for (const std::string& object : whole.objects) {
    if (object.size() > kMost || object.front() != '{') std::abort();
    static_cast<void>(dra::json::parse_json(object));
  }
  return 0;
}
