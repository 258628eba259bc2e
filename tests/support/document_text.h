// tests/support/document_text.h
//
// A document without its layout: every span and cell, blocks apart by line breaks. For tests of
// what is said; how it is laid out is the matter of goldens.

#pragma once

#include <string>
#include <type_traits>
#include <variant>

#include "dra/view/document.h"

namespace dra::support {

inline void add_text(const view::Paragraph& block, std::string& text) {
  for (const view::Span& span : block.spans)
    text += span.text;
}
inline void add_text(const view::Table& block, std::string& text) {
  for (const view::Column& column : block.columns)
    text += column.title + " | ";
  for (const auto& row : block.rows) {
    text += "\n";
    for (const view::Cell& cell : row)
      text += cell.text + " | ";
  }
}
inline void add_text(const view::Fields& block, std::string& text) {
  for (const view::Field& field : block.fields) {
    text += "\n" + field.name + " ";
    for (const view::Span& span : field.value)
      text += span.text;
  }
}
inline void add_text(const view::Verbatim& block, std::string& text) {
  for (const auto& line : block.lines) {
    text += "\n";
    for (const view::Span& span : line)
      text += span.text;
  }
}
inline void add_text(const view::Grid& block, std::string& text) {
  for (const view::Place& place : block.places)
    text += place.mark.text;
}
inline void add_text(const view::Row& block, std::string& text) {
  text += block.title;
  for (const view::Place& place : block.places)
    text += " " + place.mark.text;
}
inline void add_text(const view::Summary&, std::string&) {}
inline void add_text(const view::Blank&, std::string&) {}

inline std::string text_of(const view::Document& document) {
  std::string text;
  for (const view::Block& block : document.blocks) {
    std::visit([&text](const auto& one) { add_text(one, text); }, block);
    text += "\n";
  }
  return text;
}

// The rows of the only table: "a | b | \n". Columns for -o wide are left out.
inline std::string rows_of(const view::Document& document) {
  const auto& table = std::get<view::Table>(document.blocks.at(0));
  std::string text;
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!table.columns.at(i).wide) text += (i == 0 ? "" : " | ") + row[i].text;
    }
    text += "\n";
  }
  return text;
}

// The cells under one title, line by line.
inline std::string column_of(const view::Document& document, const std::string& title) {
  const auto& table = std::get<view::Table>(document.blocks.at(0));
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].title != title) continue;
    for (const auto& row : table.rows)
      text += row.at(i).text + "\n";
  }
  return text;
}

}  // namespace dra::support
