// src/json/path.cpp: see path.h.

#include "dra/json/path.h"

#include <utility>

#include "src/json/go_text.h"
#include "src/json/path_nodes.h"
#include "src/json/path_parser.h"
#include "src/json/path_run.h"

namespace dra::json {
namespace {

using From = PathPiece::From;

Value listed(const std::vector<PathMatch>& matches) {
  Value list = Value::array();
  for (const PathMatch& match : matches)
    list.push(match.value == nullptr ? Value() : *match.value);
  return list;
}

PathPiece piece_of(const PathMatch& match) {
  if (match.value == nullptr) return {From::Value, go_text(match)};
  switch (match.value->kind()) {
    case Kind::Object:
    case Kind::Array:
      return {From::Json, go_json(*match.value, Style::KubectlLine)};
    case Kind::Null:
      return {From::Value, "null"};
    default:
      return {match.type == PathMatch::Type::Template ? From::Template : From::Value,
              go_text(match)};
  }
}

}  // namespace

struct Path::Program {
  path::List nodes;
};

Path::Path(std::unique_ptr<const Program> program) : program_(std::move(program)) {}
Path::Path(Path&&) noexcept = default;
Path& Path::operator=(Path&&) noexcept = default;
Path::~Path() = default;

Result<Path> Path::parse(std::string_view text) {
  path::List nodes = DRA_TRY(path::parse_template(text));
  return Path(std::make_unique<const Program>(Program{std::move(nodes)}));
}

Result<PathMatches> Path::find(const Value& document, const PathOptions& options) const {
  PathMatches found;
  path::Run run(program_->nodes, options.allow_missing_keys, found.made_);
  found.groups_ = DRA_TRY(run.all(document));
  return found;
}

Result<std::vector<PathPiece>> Path::print(const Value& document,
                                           const PathOptions& options) const {
  const PathMatches found = DRA_TRY(find(document, options));
  std::vector<PathPiece> pieces;
  for (const std::vector<PathMatch>& group : found.groups()) {
    if (options.as_json) {
      pieces.push_back({From::Json, go_json(listed(group), Style::Kubectl)});
      pieces.push_back({From::Template, "\n"});
      continue;
    }
    for (const PathMatch& match : group) {
      if (&match != group.data()) pieces.push_back({From::Template, " "});
      pieces.push_back(piece_of(match));
    }
  }
  return pieces;
}

// `^\{\.?([^{}]+)\}$|^\.?([^{}]+)$`
Result<std::string> relaxed_path(std::string_view text) {
  if (text.empty()) return std::string();
  std::string_view inside = text;
  if (inside.starts_with('{') && inside.ends_with('}')) {
    inside = inside.substr(1, inside.size() - 2);
  }
  if (inside.size() > 1 && inside.starts_with('.')) inside.remove_prefix(1);
  if (inside.empty() || inside.find_first_of("{}") != std::string_view::npos) {
    return Error{ErrorKind::BadInput,
                 "unexpected path string, expected a 'name1.name2' or '.name1.name2' or "
                 "'{name1.name2}' or '{.name1.name2}'",
                 {},
                 {}};
  }
  return "{." + std::string(inside) + "}";
}

}  // namespace dra::json
