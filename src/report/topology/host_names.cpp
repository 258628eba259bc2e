// src/report/topology/host_names.cpp: finds the common prefix and domain of the nodes, and breaks
// the remaining names into the lines of a row.

#include "src/report/topology/host_names.h"

#include <algorithm>
#include <optional>

#include "dra/base/printable.h"
#include "dra/base/text.h"

namespace dra::report {
namespace {

using topology::ChipGrid;
using topology::GridHost;

constexpr std::size_t kMostLetters = 34;  // to the right of a row

// The common part of the names of all hosts with a node.
struct Shared {
  std::string_view start;   // up to a `-`
  std::string_view domain;  // from the first `.`
};

std::string_view domain_of(std::string_view node) {
  return node.substr(std::min(node.find('.'), node.size()));
}

std::string_view common_start(std::string_view a, std::string_view b) {
  return a.substr(0, static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()));
}

Shared shared_by(std::span<const GridHost> hosts) {
  std::optional<Shared> shared;
  for (const GridHost& host : hosts) {
    if (host.node.empty()) continue;
    const std::string_view domain = domain_of(host.node);
    const std::string_view start = host.node.substr(0, host.node.size() - domain.size());
    if (!shared) shared = {start, domain};
    if (shared->domain != domain) return {};
    shared->start = common_start(shared->start, start);
  }
  if (!shared) return {};
  shared->start = shared->start.substr(0, shared->start.rfind('-') + 1);
  return *shared;
}

// The names of each row of hosts, in the first `lines` lines of the row.
std::vector<std::string> names_in_lines(const ChipGrid& grid, const HostNames& names,
                                        std::int64_t lines) {
  const std::int64_t across = grid.shape.x / grid.host.x;
  const std::int64_t each = (across + lines - 1) / lines;
  std::vector<std::string> beside;
  for (std::int64_t row = 0; row < grid.shape.z * grid.shape.y; ++row) {
    const std::int64_t line = row % grid.shape.y % grid.host.y;
    std::vector<std::string> hosts;
    for (std::int64_t i = line * each; line < lines && i < std::min(across, (line + 1) * each);
         ++i) {
      const auto cell = static_cast<std::size_t>(row * grid.shape.x + i * grid.host.x);
      hosts.push_back(names.own[grid.cells[cell].host]);
    }
    beside.push_back(base::join(hosts, "  "));
  }
  return beside;
}

}  // namespace

HostNames host_names(std::span<const GridHost> hosts) {
  const Shared shared = shared_by(hosts);
  HostNames names;
  if (!shared.start.empty() || !shared.domain.empty())
    names.around = base::format("{}*{}", shared.start, shared.domain);
  for (const GridHost& host : hosts) {
    std::string_view own = host.node;
    if (!own.empty()) {
      own.remove_prefix(shared.start.size());
      own.remove_suffix(shared.domain.size());
    }
    const std::string node = own.empty() ? std::string("no node") : std::string(own);
    names.own.push_back(host.worker ? base::format("w{} {}", *host.worker, node) : node);
  }
  return names;
}

std::vector<std::string> names_beside(const ChipGrid& grid, const HostNames& names) {
  for (std::int64_t lines = 1; lines <= grid.host.y; ++lines) {
    std::vector<std::string> beside = names_in_lines(grid, names, lines);
    const bool fits = std::ranges::all_of(beside, [](const std::string& text) {
      return base::width(base::printable(text)) <= kMostLetters;
    });
    if (fits) return beside;
  }
  return {};
}

}  // namespace dra::report
