// src/render/fit.cpp: see dra/render/fit.h.
//
// At first a document has only what is always shown. Then parts are added one by one, by rank and
// within a rank from top to bottom, until one does not fit. So what parts of a higher rank need
// at least, such as the line that says how many are left out, is reserved from the start.
//
// Stopping at the first part without room, instead of trying smaller ones, keeps less important
// things from taking the place of more important ones: the screen ends one or two lines early then.
//
// A block is laid out at most once, and only when its turn comes: a part takes a line at least, so
// no more parts are tried than a screen has lines. A table with sentences is laid out for each
// number of its rows; rows of others are never wrapped.

#include "dra/render/fit.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/render/blocks.h"

namespace dra::render {
namespace {

constexpr std::size_t kNoFold = static_cast<std::size_t>(-1);

view::Block block_of(const view::Rest& rest, std::size_t count) {
  std::string text = count == 1 && !rest.one.empty() ? rest.one : rest.several;
  if (const std::size_t at = text.find("{}"); at != std::string::npos)
    text.replace(at, 2, std::to_string(count));
  view::Span span{std::move(text), rest.tone};
  if (rest.verbatim) return view::Verbatim{.lines = {{std::move(span)}}, .indent = rest.indent};
  return view::Paragraph{.spans = {std::move(span)}, .indent = rest.indent};
}

std::size_t height_of_table(std::size_t rows) { return rows == 0 ? 0 : rows + 1; }

// Terminals break lines that are never wrapped.
std::size_t height_of_verbatim(const view::Verbatim& block, std::size_t width) {
  if (block.command || width == 0) return block.lines.size();
  std::size_t height = 0;
  for (const auto& line : block.lines) {
    const std::size_t taken = size_of(block.indent) + line_width(clean(line));
    height += std::max<std::size_t>((taken + width - 1) / width, 1);
  }
  return height;
}

bool has_sentences(const view::Table& table) {
  return std::ranges::any_of(table.columns, &view::Column::prose);
}

std::size_t lines_of(const view::Block& block, int width) {
  std::size_t height = 0;
  const auto count = [&height](std::size_t, const Line&) { ++height; };
  write_block(count, block, {.width = width});
  return height;
}

// Of the first rows alone, by which its columns have their widths then.
std::size_t height_of_rows(const view::Table& table, std::size_t rows, int width) {
  if (rows == 0 || !has_sentences(table)) return height_of_table(rows);
  view::Table part = table;
  part.rows.resize(rows);
  return lines_of(part, width);
}

std::size_t height_of(const view::Block& block, int width) {
  if (const auto* table = std::get_if<view::Table>(&block))
    return height_of_rows(*table, table->rows.size(), width);
  if (const auto* verbatim = std::get_if<view::Verbatim>(&block))
    return height_of_verbatim(*verbatim, size_of(width));
  return lines_of(block, width);
}

class Fitting {
 public:
  Fitting(const view::Document& document, const Screen& screen);

  view::Document fit();

 private:
  // The blocks of one screen, and its folds in the order in which their words stand.
  struct Range {
    std::size_t begin;
    std::size_t end;
    std::vector<std::size_t> folds;
  };
  struct State {
    std::size_t shown = 0;  // parts
    bool none = false;      // there is room for the words in place of all parts
  };
  // A block is shown if the fold shows so many parts.
  struct Owner {
    std::size_t fold = kNoFold;
    std::size_t parts = 0;
  };
  // Shows one part more; or, without a part, the words in place of all.
  struct Step {
    view::Rank rank;
    std::size_t block;  // where the part stands, or the one that it needs
    std::size_t fold;
    std::optional<std::size_t> part;
  };

  std::vector<Range> ranges() const;
  void mark(std::size_t fold);
  void fit(const Range& range);
  std::vector<Step> steps(const Range& range) const;
  bool is_possible(const Step& step) const;
  void set(const Step& step, bool shown);
  bool is_shown(std::size_t block) const;
  std::size_t rows_of(std::size_t block, std::size_t all) const;
  std::optional<view::Block> words_of(std::size_t fold) const;
  std::size_t height_at(std::size_t block);
  bool fits(const Range& range);
  void add(const Range& range, view::Document& out) const;
  template <class OnBlock, class OnWords>
  void walk(const Range& range, OnBlock on_block, OnWords on_words) const;

  const view::Document& document_;
  Screen screen_;
  std::vector<State> states_;           // of folds
  std::vector<Owner> owners_;           // of blocks
  std::vector<std::size_t> row_folds_;  // of blocks: the fold of a table's rows, or kNoFold
  std::vector<std::optional<std::size_t>> heights_;  // of blocks, as far as they were laid out
};

Fitting::Fitting(const view::Document& document, const Screen& screen)
    : document_(document),
      screen_(screen),
      states_(document.folds.size()),
      owners_(document.blocks.size()),
      row_folds_(document.blocks.size(), kNoFold),
      heights_(document.blocks.size()) {
  for (std::size_t fold = 0; fold < document.folds.size(); ++fold)
    mark(fold);
}

void Fitting::mark(std::size_t fold) {
  const view::Fold& one = document_.folds[fold];
  for (std::size_t block = one.begin; block < one.head_end; ++block)
    owners_[block] = {fold, 1};
  if (one.table) {
    row_folds_[*one.table] = fold;
    return;
  }
  for (std::size_t part = 0; part < one.parts.size(); ++part) {
    for (std::size_t block = one.parts[part].begin; block < one.parts[part].end; ++block)
      owners_[block] = {fold, part + 1};
  }
}

// Of folds that end at one block the inner one, which began later, has its words first.
std::vector<Fitting::Range> Fitting::ranges() const {
  std::vector<std::size_t> bounds = {0};
  bounds.insert(bounds.end(), document_.screens.begin(), document_.screens.end());
  bounds.push_back(document_.blocks.size());
  std::vector<Range> ranges;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    Range& range = ranges.emplace_back(Range{bounds[i], bounds[i + 1], {}});
    for (std::size_t fold = document_.folds.size(); fold-- > 0;) {
      const std::size_t begin = document_.folds[fold].begin;
      if (begin >= range.begin && begin < range.end) range.folds.push_back(fold);
    }
    std::ranges::stable_sort(range.folds, {},
                             [this](std::size_t fold) { return document_.folds[fold].end; });
  }
  return ranges;
}

bool Fitting::is_shown(std::size_t block) const {
  const Owner& owner = owners_[block];
  return owner.fold == kNoFold || states_[owner.fold].shown >= owner.parts;
}

std::size_t Fitting::rows_of(std::size_t block, std::size_t all) const {
  if (row_folds_[block] == kNoFold) return all;
  const std::size_t shown = states_[row_folds_[block]].shown;
  return shown == 0 ? 0 : document_.folds[row_folds_[block]].parts[shown - 1].end;
}

std::optional<view::Block> Fitting::words_of(std::size_t fold) const {
  const view::Fold& one = document_.folds[fold];
  const State& state = states_[fold];
  if (state.shown == 0 && !state.none) return std::nullopt;
  std::size_t left = 0;
  for (std::size_t part = state.shown; part < one.parts.size(); ++part)
    left += one.parts[part].count;
  const view::Rest& rest = state.shown == 0 ? one.words.none : one.words.more;
  if (left == 0 || rest.several.empty()) return std::nullopt;
  return block_of(rest, left);
}

// Hands out what is shown, from top to bottom, until one of the two wants no more.
template <class OnBlock, class OnWords>
void Fitting::walk(const Range& range, OnBlock on_block, OnWords on_words) const {
  auto fold = range.folds.begin();
  for (std::size_t block = range.begin; block <= range.end; ++block) {
    for (; fold != range.folds.end() && document_.folds[*fold].end == block; ++fold) {
      const std::optional<view::Block> words = words_of(*fold);
      if (words && !on_words(*words)) return;
    }
    if (block < range.end && is_shown(block) && !on_block(block)) return;
  }
}

std::size_t Fitting::height_at(std::size_t block) {
  const view::Block& one = document_.blocks[block];
  if (const auto* table = std::get_if<view::Table>(&one))
    return height_of_rows(*table, rows_of(block, table->rows.size()), screen_.width);
  if (!heights_[block]) heights_[block] = height_of(one, screen_.width);
  return *heights_[block];
}

bool Fitting::fits(const Range& range) {
  const std::size_t limit = size_of(screen_.height);
  std::size_t lines = 0;
  bool blank = false;
  const auto count = [&](std::size_t height) {
    if (height > 0 && std::exchange(blank, false) && lines > 0) ++lines;
    lines += height;
    return lines <= limit;
  };
  walk(
      range,
      [&](std::size_t block) {
        if (std::holds_alternative<view::Blank>(document_.blocks[block])) blank = true;
        return count(height_at(block));
      },
      [&](const view::Block& words) { return count(height_of(words, screen_.width)); });
  return lines <= limit;
}

std::vector<Fitting::Step> Fitting::steps(const Range& range) const {
  const auto block_of_part = [this](const view::PartId& id) {
    const view::Fold& fold = document_.folds[id.fold];
    return fold.table ? *fold.table : fold.parts[id.part].begin;
  };
  std::vector<Step> steps;
  for (const std::size_t fold : range.folds) {
    const view::Fold& one = document_.folds[fold];
    if (!one.words.none.several.empty())
      steps.push_back({one.words.none_rank, one.begin, fold, std::nullopt});
    for (std::size_t part = 0; part < one.parts.size(); ++part)
      steps.push_back({one.parts[part].rank,
                       block_of_part(one.needs.value_or(view::PartId{fold, part})), fold, part});
  }
  std::ranges::stable_sort(steps, {},
                           [](const Step& step) { return std::pair(step.rank, step.block); });
  return steps;
}

bool Fitting::is_possible(const Step& step) const {
  const std::optional<view::PartId>& needs = document_.folds[step.fold].needs;
  if (needs && states_[needs->fold].shown <= needs->part) return false;
  const std::size_t shown = states_[step.fold].shown;
  return step.part ? shown == *step.part : shown == 0;
}

void Fitting::set(const Step& step, bool shown) {
  if (step.part) {
    states_[step.fold].shown = *step.part + (shown ? 1 : 0);
  } else {
    states_[step.fold].none = shown;
  }
}

void Fitting::fit(const Range& range) {
  for (const std::size_t fold : range.folds)
    states_[fold].shown = document_.folds[fold].parts.size();
  if (fits(range)) return;
  for (const std::size_t fold : range.folds)
    states_[fold].shown = 0;
  for (const Step& step : steps(range)) {
    if (!is_possible(step)) continue;
    set(step, true);
    if (step.rank == view::kAlways || fits(range)) continue;
    set(step, false);
    return;
  }
}

void Fitting::add(const Range& range, view::Document& out) const {
  walk(
      range,
      [&](std::size_t block) {
        view::Block& copy = out.blocks.emplace_back(document_.blocks[block]);
        if (auto* table = std::get_if<view::Table>(&copy))
          table->rows.resize(rows_of(block, table->rows.size()));
        return true;
      },
      [&](view::Block words) {
        out.blocks.push_back(std::move(words));
        return true;
      });
}

view::Document Fitting::fit() {
  view::Document out;
  for (const Range& range : ranges()) {
    fit(range);
    add(range, out);
  }
  return out;
}

}  // namespace

view::Document fit(const view::Document& document, const Screen& screen) {
  return Fitting(document, screen).fit();
}

}  // namespace dra::render
