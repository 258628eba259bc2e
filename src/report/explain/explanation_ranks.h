// src/report/explain/explanation_ranks.h
//
// The order in which parts of an explanation are shown if a screen is too small for all (see
// view::Rank): how to follow the first advice, which itself is always shown; requests and nodes;
// one reason and one holder of devices; then more of each.

#pragma once

#include "dra/view/document.h"

namespace dra::report {

struct ExplainRank {
  enum : view::Rank {
    BestAdvice = 1,
    CommandsHint,
    Commands,
    FirstRequest,
    Requests,
    Nodes,
    FirstReason,
    FirstHolder,
    GoodAdvice,
    Reasons,
    Diff,
    Evidence,
    Figures,
    Holders,
    Advice,
    Conflicts,
    OtherCommands,  // and diffs, of what is not the best advice
  };
};

}  // namespace dra::report
