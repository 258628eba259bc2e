// tests/fuzz/reports_fuzz.cpp
//
// A file of any bytes as a cluster, through every report: from the command line to the output. The
// output holds no character that could act on a terminal.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cmd/cli.h"
#include "tests/support/fake_console.h"

namespace {

using Words = std::vector<std::string>;

const std::vector<Words>& reports() {
  static const std::vector<Words> all = {
      {"overview"},
      {"doctor", "-A"},
      {"claims", "-A", "-o", "wide"},
      {"classes"},
      {"devices", "-o", "json"},
      {"slices", "-o", "wide"},
      {"pools"},
      {"pods", "-A"},
      {"topology"},
      {"top"},
      {"explain", "--pending", "-A", "-o", "wide"},
      {"explain", "pod", "p", "-n", "default", "-o", "wide"},
      {"describe", "claim", "c", "-n", "default"},
      {"describe", "node", "n"},
      {"eval", "device.driver == 'd'"},
      {"snapshot"},
      {"report"},
  };
  return all;
}

bool acts_on_terminal(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  // One report for each input: all of them would make each input a tenth as often tried.
  Words words = reports()[bytes[0] % reports().size()];
  words.insert(words.end(), {"--snapshot", "-"});
  const dra::support::FakeConsole console(
      {.input = std::string(reinterpret_cast<const char*>(bytes) + 1, size - 1)});
  dra::cmd::run_cli(words, console.streams());
  for (const std::string& text : {console.out(), console.err()})
    DRA_CHECK(std::ranges::none_of(text, acts_on_terminal));
  return 0;
}
