// src/render/blocks.h: one block of a document as lines of text, for all that consists of lines.

#pragma once

#include "dra/render/text.h"
#include "src/render/lines.h"

namespace dra::render {

// Nothing for what has nothing to show.
void write_block(LineSink sink, const view::Block& block, const TextOptions& options);

}  // namespace dra::render
