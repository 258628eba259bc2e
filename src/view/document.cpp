// src/view/document.cpp: folds of a document, and documents put together.

#include "dra/view/document.h"

#include <algorithm>
#include <iterator>

namespace dra::view {

std::size_t Document::begin_fold(FoldWords words, std::optional<PartId> needs) {
  const std::size_t here = blocks.size();
  folds.push_back(
      {.words = std::move(words), .needs = needs, .begin = here, .head_end = here, .end = here});
  return folds.size() - 1;
}

void Document::add_head(std::size_t fold, Block block) {
  blocks.push_back(std::move(block));
  folds[fold].head_end = blocks.size();
}

PartId Document::add_part(std::size_t fold, Document part, Rank rank, std::size_t count) {
  const std::size_t begin = blocks.size();
  append(std::move(part));
  folds[fold].parts.push_back({.begin = begin, .end = blocks.size(), .rank = rank, .count = count});
  return {fold, folds[fold].parts.size() - 1};
}

PartId Document::add_part(std::size_t fold, Block block, Rank rank, std::size_t count) {
  Document part;
  part.blocks.push_back(std::move(block));
  return add_part(fold, std::move(part), rank, count);
}

void Document::end_fold(std::size_t fold) { folds[fold].end = blocks.size(); }

void Document::add_card(Document card, Tone tone) {
  const std::size_t begin = blocks.size();
  append(std::move(card));
  cards.push_back({begin, blocks.size(), tone});
}

void Document::add_rows(std::size_t fold, Table table, const std::vector<RowPart>& parts) {
  std::size_t row = 0;
  for (const RowPart& part : parts) {
    folds[fold].parts.push_back(
        {.begin = row, .end = row + part.rows, .rank = part.rank, .count = part.count});
    row += part.rows;
  }
  folds[fold].table = blocks.size();
  blocks.emplace_back(std::move(table));
  end_fold(fold);
}

void Document::append(Document other) {
  const std::size_t block = blocks.size();
  const std::size_t fold = folds.size();
  for (Fold& one : other.folds) {
    if (one.needs) one.needs->fold += fold;
    one.begin += block;
    one.head_end += block;
    one.end += block;
    if (one.table) {
      *one.table += block;
    } else {
      for (Part& part : one.parts) {
        part.begin += block;
        part.end += block;
      }
    }
  }
  for (const std::size_t screen : other.screens)
    screens.push_back(screen + block);
  for (const Card& card : other.cards)
    cards.push_back({card.begin + block, card.end + block, card.tone});
  std::ranges::move(other.folds, std::back_inserter(folds));
  std::ranges::move(other.blocks, std::back_inserter(blocks));
}

void Document::append_screen(Document other) {
  screens.push_back(blocks.size());
  append(std::move(other));
}

}  // namespace dra::view
