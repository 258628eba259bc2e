// tests/fuzz/yaml_fuzz.cpp: foreign YAML. What parses must be a value that JSON can hold, or at
// least an error.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "dra/json/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto documents = dra::json::parse_yaml({reinterpret_cast<const char*>(data), size});
  if (!documents.ok()) return 0;
  for (const dra::json::Value& document : documents.value()) {
    (void)dra::json::write_json(document, dra::json::Style::Compact);
  }
  return 0;
}
