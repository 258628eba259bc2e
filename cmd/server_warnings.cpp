// cmd/server_warnings.cpp: prints warnings and counts them for --warnings-as-errors.

#include "cmd/server_warnings.h"

#include "dra/base/text.h"
#include "dra/render/text.h"
#include "dra/view/document.h"

namespace dra::cmd {
namespace {

// A warning is one line, as kubectl's is, however long.
constexpr int kNeverWrap = 1'000'000;

}  // namespace

void ServerWarnings::print(std::string_view text) {
  if (!printed_.emplace(text).second) return;
  view::Document document;
  document.add(view::Paragraph{{{"Warning:", view::Tone::Warn}, {" " + std::string(text)}}});
  err_ << render::render_text(document, {.width = kNeverWrap, .colour = colour_});
}

Result<Done> ServerWarnings::none() const {
  if (printed_.empty()) return Done{};
  const auto count = static_cast<std::int64_t>(printed_.size());
  return Error{ErrorKind::Server, base::plural(count, "warning") + " received", {}};
}

}  // namespace dra::cmd
