// src/report/explain/explanation_ranks.h
//
// Which parts of an explanation come first where a screen is too small for all of them (see
// view::Rank): that there is advice at all; what is asked for and where it was looked for; the best
// advice and one holder of devices; then more of each.

#pragma once

#include "dra/view/document.h"

namespace dra::report {

struct ExplainRank {
  enum : view::Rank {
    AdviceCount = 1,
    Requests,
    Nodes,
    BestAdvice,
    FirstHolder,
    GoodAdvice,
    Reasons,
    Evidence,
    Figures,
    Holders,
    Advice,
    Conflicts,
  };
};

}  // namespace dra::report
