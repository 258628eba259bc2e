// cmd/combined_answer.h: the answers about several clusters as one: as JSON, and as a document.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::cmd {

struct ContextAnswer {
  KeptAnswer kept;
  ExitCode exit = ExitCode::Done;
};

// Failed before Found before Undetermined before Done.
ExitCode worst_of(std::span<const ContextAnswer> answers);

// A ContextList: an item for each context, in the same order, with its report or its errors.
json::Value combined_json(const std::vector<ContextAnswer>& answers);

// Rows: tables whose columns go together become one. Columns that only some have are empty in the
// rows of the others. With `sort_by` the rows that have keys are sorted as one list. BadInput for
// keys without an order.
Result<view::Document> combined_view(std::vector<ContextAnswer> answers, Combination combination,
                                     std::string_view sort_by = {});

}  // namespace dra::cmd
