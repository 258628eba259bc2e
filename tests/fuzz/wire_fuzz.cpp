// tests/fuzz/wire_fuzz.cpp: received bytes as a page of protobuf. The first byte chooses the kind.
// Whatever is decoded must be whole enough to build a snapshot of it.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dra/api/kinds.h"
#include "dra/snapshot/builder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto& kinds = dra::api::all_kinds();
  const dra::api::KindInfo& kind = kinds[data[0] % kinds.size()];
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  dra::snapshot::Builder builder;
  const auto page = builder.add_page(dra::base::Page(std::string("k8s\0", 4) + std::string(rest)),
                                     kind.kind, "v1");
  if (page.ok()) static_cast<void>(std::move(builder).build());
  return 0;
}
