// src/render/table.h: a table as aligned lines.

#pragma once

#include "dra/render/text.h"
#include "src/render/lines.h"

namespace dra::render {

void write_table(LineSink sink, const view::Table& table, const TextOptions& options);

}  // namespace dra::render
