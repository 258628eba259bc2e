// src/render/blocks.h: one block of a document as lines of text.

#pragma once

#include "dra/render/text.h"
#include "src/render/lines.h"

namespace dra::render {

// A block without content has no lines.
void write_block(LineSink sink, const view::Block& block, const TextOptions& options);

}  // namespace dra::render
