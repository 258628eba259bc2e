// cmd/name_cluster.cpp: looks through the blocks and fields that hold commands.

#include "cmd/name_cluster.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "cmd/repeat_flags.h"
#include "dra/diag/command_line.h"

namespace dra::cmd {
namespace {

constexpr std::array<std::string_view, 3> kFields = {"adviceCommand", "command", "commands"};

bool holds_commands(const view::Block& block) {
  const auto* verbatim = std::get_if<view::Verbatim>(&block);
  return verbatim != nullptr && verbatim->command;
}

void name_in_texts(json::Value& field, std::string_view flags) {
  if (field.is(json::Kind::String)) field = diag::at_cluster(field.text(), flags);
  for (json::Value& item : field.items()) {
    if (item.is(json::Kind::String)) item = diag::at_cluster(item.text(), flags);
  }
}

bool holds_commands(const json::Value& value) {
  const auto in = [](const json::Value& part) { return holds_commands(part); };
  if (std::ranges::any_of(value.items(), in)) return true;
  return std::ranges::any_of(value.members(), [&](const json::Member& member) {
    return std::ranges::find(kFields, member.key) != kFields.end() || in(member.value);
  });
}

void name_in(json::Value& value, std::string_view flags) {
  for (json::Value& item : value.items())
    name_in(item, flags);
  for (json::Member& member : value.members()) {
    if (std::ranges::find(kFields, member.key) != kFields.end()) name_in_texts(member.value, flags);
    name_in(member.value, flags);
  }
}

}  // namespace

std::optional<view::Document> naming_cluster(const view::Document& document,
                                             const GlobalFlags& globals) {
  const std::string flags = cluster_flags(globals);
  const auto holds = [](const view::Block& block) { return holds_commands(block); };
  if (flags.empty() || std::ranges::none_of(document.blocks, holds)) return std::nullopt;
  view::Document named = document;
  for (view::Block& block : named.blocks) {
    if (!holds_commands(block)) continue;
    for (auto& line : std::get<view::Verbatim>(block).lines) {
      for (view::Span& span : line)
        span.text = diag::at_cluster(span.text, flags);
    }
  }
  return named;
}

std::optional<json::Value> naming_cluster(const json::Value& report, const GlobalFlags& globals) {
  const std::string flags = cluster_flags(globals);
  if (flags.empty() || !holds_commands(report)) return std::nullopt;
  json::Value named = report;
  name_in(named, flags);
  return named;
}

}  // namespace dra::cmd
