// tests/fuzz/kubeconfig_fuzz.cpp
//
// A kubeconfig of any bytes is decoded or refused with a position, and so are the addresses and the
// base64 in it. Files that it names are not read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dra/session/connection.h"
#include "src/session/base64.h"
#include "src/session/kubeconfig_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const dra::Result<dra::session::Kubeconfig> config =
      dra::session::decode_kubeconfig(text, "kubeconfig");
  if (!config.ok()) {
    DRA_CHECK(!config.error().message.empty());
    return 0;
  }
  for (const dra::session::ClusterEntry& cluster : config.value().clusters) {
    static_cast<void>(dra::session::decode_base64(cluster.certificate_authority_data.text));
    const auto address = dra::session::parse_server(cluster.server.text, true);
    if (!address.ok()) continue;
    // What was understood is understood again in the same way.
    const auto again = dra::session::parse_server(address.value().url(), true);
    DRA_CHECK(again.ok() && again.value().url() == address.value().url());
  }
  return 0;
}
