// tests/fuzz/selector_fuzz.cpp
//
// A selector written as text again parses to the same text, and a selector of plain equalities
// matches the labels it names.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dra/base/selector.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer gives the name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dra::base;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const dra::Result<Selector> parsed = parse_selector(text);
  if (!parsed.ok()) {
    DRA_CHECK(parsed.error().message.starts_with("selector: character "));
    return 0;
  }
  const Selector& selector = parsed.value();
  const std::string canonical = selector.to_string();
  const dra::Result<Selector> again = parse_selector(canonical);
  DRA_CHECK(again.ok());
  DRA_CHECK(again.value().to_string() == canonical);
  for (const Requirement& requirement : selector.requirements) {
    const bool named = !requirement.values().empty();
    const Labels labels = {
        {requirement.key(), named ? std::string_view(requirement.values()[0]) : ""}};
    const bool wants_it =
        requirement.op() == LabelOperator::In || requirement.op() == LabelOperator::Exists;
    DRA_CHECK(requirement.matches(labels) == wants_it);
    const bool content_without =
        requirement.op() == LabelOperator::NotIn || requirement.op() == LabelOperator::DoesNotExist;
    DRA_CHECK(requirement.matches({}) == content_without);
  }
  return 0;
}
