// include/dra/report/phrases/height.h
//
// How many lines a document takes on a terminal of 80 columns, for views that leave out what does
// not fit on one screen. The renderer lays out; this only counts as it would.

#pragma once

#include <cstddef>

#include "dra/view/document.h"

namespace dra::report {

inline constexpr std::size_t kScreenWidth = 80;
inline constexpr std::size_t kScreenHeight = 24;

std::size_t height_of(const view::Document& document);

// Adds the block unless the document would be higher than `limit` then. Whether it did.
template <class B>
bool add_if_room(view::Document& document, B block, std::size_t limit) {
  document.add(std::move(block));
  if (height_of(document) <= limit) return true;
  document.blocks.pop_back();
  return false;
}

}  // namespace dra::report
