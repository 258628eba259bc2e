// include/dra/view/document.h
//
// The document that people read, as blocks: no layout, no colour, no width. A report arranges its
// facts into a Document; a renderer (render/text, render/html) lays it out.
//
// A report holds everything that it can say. Folds mark parts that may be left out where a screen
// is too small for all of it, with their replacements (render/fit); other renderers ignore folds.
//
// All text in a document is untrusted. The renderer cleans it; reports need not.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dra::view {

// The meaning of a piece of text, for renderers that have colour. The text must say it as well.
enum class Tone { Plain, Strong, Dim, Good, Warn, Bad };

struct Span {
  std::string text;
  Tone tone = Tone::Plain;
};

// Running text. Wraps at the width of the terminal; lines after the first are indented by `hang`
// more.
struct Paragraph {
  std::vector<Span> spans;
  int indent = 0;
  int hang = 2;
};

struct Cell {
  std::string text;
  Tone tone = Tone::Plain;
};

// The result of a row, in a cell of its own. A renderer without Unicode writes v and x.
inline constexpr const char* kYes = "✓";
inline constexpr const char* kNo = "✗";

struct Column {
  std::string title;
  bool wide = false;     // shown with -o wide only
  bool elastic = false;  // may be shortened in its middle when the table is wider than the terminal
  bool spare = false;    // left out before anything is shortened, the last one first
  bool prose = false;    // sentences: stand below their rows where the table is too wide
};

// Columns are aligned to the left and separated by three spaces, as kubectl's. A table of an
// explanation is indented and must fit the terminal; a list of objects is never shortened.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each as long as `columns`
  int indent = 0;
  bool fits_width = false;
};

// "name  value" lines with aligned values; values wrap under themselves.
struct Field {
  std::string name;
  std::vector<Span> value;
};
struct Fields {
  std::vector<Field> fields;
  int indent = 0;
};

// Text whose lines and columns mean something, such as an expression with marks below it.
struct Verbatim {
  std::vector<std::vector<Span>> lines;
  int indent = 0;
  // A command to copy: each line counts as one line of a screen, even where a terminal breaks it.
  bool command = false;
};

// One place in a picture: a device or a host.
struct Place {
  Span mark;              // at most three cells wide: distinguishes it without colour
  int group = -1;         // places of one group belong together (one claim); at least 0, or none
  std::string about;      // the device or host, in one line
  std::string name = {};  // next to the mark, in rows of few places
  int width = 1;          // in places of a row
  bool asked = false;     // the user asked for it, unlike others in the picture
  std::vector<Field> facts = {};  // details, for HTML, where a reader can point at a place
};

// Places in rows and columns, in one plane or in several that lie above each other.
struct Grid {
  std::string name;  // for readers who cannot see it
  int columns = 1;
  int rows = 1;
  int planes = 1;
  // Lines are drawn around boxes of so many columns and rows; boxes as large as a plane: none.
  int box_columns = 1;
  int box_rows = 1;
  std::vector<Place> places;             // columns * rows * planes of them, by plane, by row
  std::vector<std::string> titles = {};  // of the planes, each may be empty; or none
  bool numbered = false;                 // columns and rows have numbers at their edge
  std::string axes = "xy";               // before the number of a column, and of a row
  bool wraps_columns = false;            // links lead from the end of each row to its start
  bool wraps_rows = false;
  std::vector<std::string> beside = {};  // texts right of the rows of each plane; or none
  int indent = 2;
};

// Places in a line, which wraps if it is too long.
struct Row {
  std::string title;
  std::vector<Place> places;
  bool parted = false;  // with lines between places that do not belong together
  int indent = 2;
};

struct Blank {};

// Numbers at the head of a page. Text and pictures leave them out: their tables say the same.
struct Tile {
  std::string name;  // "missing"
  std::string value;
  Tone tone = Tone::Plain;
};
struct Amount {
  std::string name;
  std::int64_t number = 0;
  Tone tone = Tone::Plain;
};
// Parts of a whole, side by side, each as long as its number.
struct Bar {
  std::string name;
  std::vector<Amount> parts;
};
struct Summary {
  std::vector<Tile> tiles;
  std::vector<Bar> bars;
};

using Block = std::variant<Paragraph, Table, Fields, Verbatim, Grid, Row, Summary, Blank>;

// The order in which parts of a document get their lines where a screen is too small for all of
// them: the lower, the earlier. If a part has no room, no part after it is shown. Parts of rank
// kAlways are shown in any case.
using Rank = int;
inline constexpr Rank kAlways = 0;

// A line about the parts that are left out. "{}" stands for their number.
struct Rest {
  std::string one = {};      // of one part; empty: as of several
  std::string several = {};  // empty: nothing is said
  Tone tone = Tone::Dim;
  int indent = 2;
  bool verbatim = false;  // it holds a command, which is never wrapped
};

// What is shown or left out as a whole.
struct Part {
  std::size_t begin = 0;  // its blocks; its rows in a fold of rows
  std::size_t end = 0;
  Rank rank = kAlways;
  std::size_t count = 1;  // how many the rest counts it for
};

struct PartId {
  std::size_t fold = 0;
  std::size_t part = 0;
};

struct FoldWords {
  Rest more = {};  // below the parts that are shown
  Rest none = {};  // in place of the parts, if not even the first has room
  Rank none_rank = kAlways;
};

// Parts that are alike, such as reasons or the rows of a table. As many of the first ones are shown
// as there is room for.
struct Fold {
  FoldWords words;
  std::optional<PartId> needs;            // the part of another fold that must be shown
  std::size_t begin = 0;                  // a block
  std::size_t head_end = 0;               // blocks from `begin` to here are shown if any part is
  std::size_t end = 0;                    // the block before which the words stand
  std::optional<std::size_t> table = {};  // the block whose rows the parts are
  std::vector<Part> parts = {};           // in the order of the document
};

// The next rows of a table that are one part.
struct RowPart {
  Rank rank = kAlways;
  std::size_t rows = 1;
  std::size_t count = 1;
};

// The blocks about one matter. A page draws an edge of this tone around them.
struct Card {
  std::size_t begin = 0;
  std::size_t end = 0;
  Tone tone = Tone::Plain;
};

struct Document {
  std::vector<Block> blocks;
  std::vector<Fold> folds = {};
  std::vector<std::size_t> screens = {};  // blocks with which another screen begins
  std::vector<Card> cards = {};           // apart from each other, in the order of the document
  std::string title = {};                 // what a page of it is about; empty: the command

  template <class B>
  void add(B block) {
    blocks.emplace_back(std::move(block));
  }

  // A fold is begun, gets its head if it has one, then its parts, and is ended. Other blocks and
  // folds may stand between its parts.
  std::size_t begin_fold(FoldWords words = {}, std::optional<PartId> needs = {});
  void add_head(std::size_t fold, Block block);
  PartId add_part(std::size_t fold, Document part, Rank rank, std::size_t count = 1);
  PartId add_part(std::size_t fold, Block block, Rank rank, std::size_t count = 1);
  void end_fold(std::size_t fold);

  void add_card(Document card, Tone tone);

  // The rest of a fold whose parts are all rows of one table, in this order. Ends the fold.
  void add_rows(std::size_t fold, Table table, const std::vector<RowPart>& parts);

  void append(Document other);
  // `other` has a screen of its own.
  void append_screen(Document other);
};

}  // namespace dra::view
