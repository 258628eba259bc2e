// src/render/table.h: a table as aligned lines.

#pragma once

#include <string>

#include "dra/render/text.h"
#include "dra/view/document.h"

namespace dra::render {

void write_table(std::string& out, const view::Table& table, const TextOptions& options);

}  // namespace dra::render
