// tests/fuzz/manifest_fuzz.cpp: foreign manifests through everything that validate, convert and
// --fix do. Whatever they are, each finding has a code and words; what was converted can be read
// and is not converted again, with the pods of device plugins too; and a correction is not
// corrected again.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dra/checks/convert/conversion.h"
#include "dra/checks/convert/corrections.h"
#include "dra/checks/convert/device_plugin.h"
#include "dra/checks/manifest/manifest.h"
#include "dra/json/yaml.h"

namespace {

using namespace dra;

void must(bool holds) {
  if (!holds) std::abort();
}

void check(const checks::ManifestChecker& checker, const json::Value& document) {
  for (const checks::CheckedObject& object : checker.check(document)) {
    for (const checks::ManifestFinding& finding : object.findings)
      must(!finding.code.empty() && !finding.message.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const checks::ManifestChecker checker{snapshot::Server()};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto documents = json::parse_yaml(text);
  if (!documents.ok()) return 0;
  for (const json::Value& document : documents.value())
    check(checker, document);
  const auto newest = checks::to_newest(text);
  must(newest.ok());
  const auto again = checks::to_newest(newest.value().text);
  must(again.ok() && again.value().objects == 0);
  const auto pods = checks::from_device_plugin(text);
  must(pods.ok() && (pods.value().pods > 0 || pods.value().text == text));
  const auto no_more = checks::from_device_plugin(pods.value().text);
  must(no_more.ok() && no_more.value().pods == 0);
  const auto corrected = checks::correct(text, checker);
  must(corrected.ok());
  const auto twice = checks::correct(corrected.value().text, checker);
  must(twice.ok() && twice.value().text == corrected.value().text);
  return 0;
}
