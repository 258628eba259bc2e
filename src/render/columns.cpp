// src/render/columns.cpp: parses specifications, evaluates paths, and aligns with tab_writer.

#include "dra/render/columns.h"

#include <cstddef>
#include <utility>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "src/render/tab_writer.h"
#include "src/render/visible_json.h"

namespace dra::render {
namespace {

Error bad_input(std::string message) {
  return {ErrorKind::BadInput,
          std::move(message),
          "for example NAME:.metadata.name,NODE:.spec.nodeName",
          {}};
}

std::vector<std::string_view> words(std::string_view line) {
  constexpr std::string_view spaces = " \t\r\v\f";
  std::vector<std::string_view> found;
  for (std::size_t at = line.find_first_not_of(spaces); at != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(spaces, at);
    found.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(spaces, end);
  }
  return found;
}

// The text as cli-runtime's EscapeTerminal leaves it, or as it is safe on a terminal.
std::string cell_text(const std::string& text, bool for_terminal) {
  if (for_terminal) return base::printable(text);
  constexpr char escape = 27;
  std::string out;
  for (const char c : text) {
    if (c == escape) {
      out += "^[";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += c;
    }
  }
  return out;
}

Result<std::string> cell(const json::Path& path, const json::Value& object, bool for_terminal) {
  const json::PathMatches found = DRA_TRY(path.find(object));
  std::vector<std::string> texts;
  if (found.groups().empty() || found.groups().front().empty()) texts.emplace_back("<none>");
  for (const std::vector<json::PathMatch>& group : found.groups()) {
    for (const json::PathMatch& match : group)
      texts.push_back(cell_text(json::go_text(match), for_terminal));
  }
  return base::join(texts, ",");
}

}  // namespace

Result<std::string> render_path(const json::Path& path, const json::Value& object,
                                const json::PathOptions& options, bool for_terminal) {
  using From = json::PathPiece::From;
  const std::vector<json::PathPiece> pieces = DRA_TRY(path.print(object, options));
  std::string out;
  for (const json::PathPiece& piece : pieces) {
    if (!for_terminal || piece.from == From::Template) {
      out += piece.text;
    } else {
      out +=
          piece.from == From::Json ? visible_json(piece.text) : base::printable_block(piece.text);
    }
  }
  return out;
}

Result<Columns::Column> Columns::column(std::string_view header, std::string_view path) {
  const std::string where = "column " + base::printable(header);
  const std::string full = DRA_TRY(json::relaxed_path(path).context(where));
  json::Path compiled = DRA_TRY(json::Path::parse(full).context(where));
  return Column{std::string(header), std::move(compiled)};
}

Result<Columns> Columns::from_spec(std::string_view spec, bool no_headers) {
  if (spec.empty()) {
    return bad_input("custom-columns format specified but no custom columns given");
  }
  Columns columns;
  columns.headers_ = !no_headers;
  for (const std::string_view part : base::split(spec, ',')) {
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) {
      return bad_input("unexpected custom-columns spec: " + base::printable(part) +
                       ", expected <header>:<json-path-expr>");
    }
    columns.columns_.push_back(DRA_TRY(column(part.substr(0, colon), part.substr(colon + 1))));
  }
  return columns;
}

Result<Columns> Columns::from_file(std::string_view text) {
  constexpr const char* expected =
      "Expected format is one line of space separated headers, one line of space separated column "
      "specs.";
  if (text.empty()) {
    return bad_input(base::format("invalid template, missing header line. {}", expected));
  }
  const std::vector<std::string_view> lines = base::split(text, '\n');
  if (lines.size() < 2 || (lines.size() == 2 && lines[1].empty())) {
    return bad_input(base::format("invalid template, missing spec line. {}", expected));
  }
  const std::vector<std::string_view> headers = words(lines[0]);
  const std::vector<std::string_view> paths = words(lines[1]);
  if (headers.size() != paths.size()) {
    return bad_input(
        base::format("number of headers ({}) and field specifications ({}) don't match",
                     headers.size(), paths.size()));
  }
  Columns columns;
  for (std::size_t i = 0; i < headers.size(); ++i)
    columns.columns_.push_back(DRA_TRY(column(headers[i], paths[i])));
  return columns;
}

Result<std::string> Columns::print(const json::Value& object, bool for_terminal,
                                   Before* before) const {
  std::string rows;
  std::vector<std::string> cells;
  const auto end_row = [&rows, &cells] {
    rows += base::join(cells, "\t") + "\n";
    cells.clear();
  };
  if (headers_ && (before == nullptr || !std::exchange(before->has_headers, true))) {
    for (const Column& column : columns_)
      cells.push_back(for_terminal ? base::printable(column.header) : column.header);
    end_row();
  }
  const json::Value* items = object.find("items");
  const bool is_list = items != nullptr && items->is(json::Kind::Array);
  const std::size_t count = is_list ? items->items().size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const json::Value& item = is_list ? items->items()[i] : object;
    for (const Column& column : columns_)
      cells.push_back(DRA_TRY(cell(column.path, item, for_terminal)));
    end_row();
  }
  return align_tabs(rows, before == nullptr ? nullptr : &before->widths);
}

}  // namespace dra::render
