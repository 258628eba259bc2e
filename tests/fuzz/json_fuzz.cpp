// tests/fuzz/json_fuzz.cpp: received bytes as JSON. What parses must survive being written and read
// again.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dra/json/parse.h"
#include "dra/json/write.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = dra::json::parse_json(text);
  if (!value.ok()) return 0;
  for (const auto style :
       {dra::json::Style::Compact, dra::json::Style::Pretty, dra::json::Style::Kubectl}) {
    // Go's -0 is an integer when it is read again.
    const auto settled = dra::json::parse_json(dra::json::write_json(value.value(), style));
    if (!settled.ok()) std::abort();
    const std::string written = dra::json::write_json(settled.value(), style);
    const auto again = dra::json::parse_json(written);
    if (!again.ok() || dra::json::write_json(again.value(), style) != written) std::abort();
  }
  return 0;
}
