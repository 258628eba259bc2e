// tests/fuzz/path_fuzz.cpp: JSONPath templates, asked of a document that has a bit of everything.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dra/json/parse.h"
#include "dra/json/path.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using dra::json::Path;
  static const dra::json::Value kDocument =
      dra::json::parse_json(R"({"a":[{"b":1,"c":"x"},{"b":1.5},null],"b":{"a":[true,"y"]},"c":""})")
          .value();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Loops in loops and descents multiply: what people would wait for is no bug.
  constexpr std::size_t longest = 120;
  if (size > longest) return 0;
  const auto path = Path::parse(text);
  if (!path.ok()) return 0;
  for (const bool as_json : {false, true}) {
    const auto first = path.value().print(kDocument, {true, as_json});
    const auto again = path.value().print(kDocument, {true, as_json});
    if (first.ok() != again.ok()) std::abort();
    if (first.ok() && !std::equal(first.value().begin(), first.value().end(), again.value().begin(),
                                  again.value().end(),
                                  [](const auto& a, const auto& b) { return a.text == b.text; })) {
      std::abort();
    }
  }
  return 0;
}
