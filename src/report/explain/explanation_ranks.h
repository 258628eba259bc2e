// src/report/explain/explanation_ranks.h
//
// The order in which parts of an explanation are shown if a screen is too small for all (see
// view::Rank): that there is advice, and the best of it; requests and nodes; one holder of devices;
// then more of each.

#pragma once

#include "dra/view/document.h"

namespace dra::report {

struct ExplainRank {
  enum : view::Rank {
    AdviceCount = 1,
    BestAdvice,
    Requests,
    Nodes,
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
