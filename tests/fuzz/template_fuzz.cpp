// tests/fuzz/template_fuzz.cpp: Go templates, run on a document that has a bit of everything. The
// same template prints the same twice. What a terminal would act on is only in what is printed for
// one if the template itself says so.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dra/json/parse.h"
#include "dra/render/go_template/template.h"

namespace {

constexpr char kEscape = 27;

// Writes the character itself, escapes it, or makes it of its number.
bool may_make(std::string_view text) {
  return text.find(kEscape) != std::string_view::npos ||
         text.find('\\') != std::string_view::npos || text.find("print") != std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using dra::render::Template;
  static const dra::json::Value kDocument =
      dra::json::parse_json(
          R"({"a":[{"b":1,"c":"x"},{"b":1.5},null],"b":{"a":[true,"y"]},"c":"","d":-9,"e":"YQ==",)"
          R"("f":"\u001b[2J","g":1e300,"h":{"i":{"j":"<k>"}}})")
          .value();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Loops in loops multiply: what people would wait for is no bug.
  constexpr std::size_t longest = 160;
  if (size > longest) return 0;
  const auto parsed = Template::parse(text);
  if (!parsed.ok()) return 0;
  for (const bool missing : {false, true}) {
    const auto first = parsed.value().print(kDocument, {missing, false});
    const auto again = parsed.value().print(kDocument, {missing, false});
    if (first.ok() != again.ok()) std::abort();
    if (first.ok() && first.value() != again.value()) std::abort();
    const auto shown = parsed.value().print(kDocument, {missing, true});
    if (shown.ok() != first.ok()) std::abort();
    if (shown.ok() && !may_make(text) && shown.value().find(kEscape) != std::string::npos)
      std::abort();
  }
  return 0;
}
