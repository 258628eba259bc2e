// tests/fuzz/snapshot_fuzz.cpp: a file that somebody hands us as a cluster, and a page that a
// server sends. What loads must also survive being recorded and loaded again.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "dra/json/write.h"
#include "dra/snapshot/builder.h"
#include "dra/snapshot/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  dra::snapshot::Builder page;
  (void)page.add_page(dra::base::Page(text), dra::api::Kind::Slice,
                      size % 2 == 0 ? "v1" : "v1beta1");
  dra::snapshot::Builder builder;
  if (!builder.add_text(text, "input").ok()) return 0;
  const auto snapshot = std::move(builder).build();
  if (!snapshot.ok()) return 0;
  const std::string recorded =
      dra::json::write_json(dra::snapshot::record(snapshot.value(), {}), dra::json::Style::Kubectl);
  dra::snapshot::Builder again;
  if (!again.add_text(recorded, "recording").ok()) std::abort();
  return 0;
}
