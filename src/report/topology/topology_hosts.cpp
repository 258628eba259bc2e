// src/report/topology/topology_hosts.cpp: counts the chips of each host by state, chooses the mark
// of the host, and lists taints and claims below the grid.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/words.h"
#include "src/report/topology/host_names.h"
#include "src/report/topology/topology_parts.h"

namespace dra::report {
namespace {

using topology::CellState;
using topology::ChipGrid;
using topology::GridCell;
using topology::GridHost;
using topology::HostState;
using view::Tone;

constexpr std::int64_t kMostPlanes = 16;  // without -o wide
constexpr std::size_t kMostClaims = 8;
constexpr std::size_t kMostHosts = 4;  // names of hosts of one claim
constexpr const char* kTwiceWords = " (holds chips that others hold, too)";
constexpr const char* kAdmin = " (admin access)";

using Claims = std::vector<const api::ResourceClaim*>;

// The use of a host.
struct Use {
  std::optional<std::int64_t> free = 0;  // chips; no value: the holder of a chip is not known
  Claims claims = {};
  Claims of_one_chip = {};                          // claims that hold a chip they cannot share
  Claims admins = {};                               // of `claims`, those with admin access only
  std::map<std::string, std::int64_t> taints = {};  // number of chips with each
  bool asked = false;
};

bool has(const Claims& claims, const api::ResourceClaim* claim) {
  return std::ranges::find(claims, claim) != claims.end();
}

std::vector<Use> uses_of(const ChipGrid& grid, const Asked& asked, const Scene& scene) {
  std::vector<Use> uses(grid.hosts.size());
  for (const GridCell& cell : grid.cells) {
    Use& use = uses[cell.host];
    if (cell.state == CellState::Unknown) use.free.reset();
    if (cell.state == CellState::Free && use.free) ++*use.free;
    if (!cell.device) continue;
    use.asked = use.asked || asked.devices.contains(*cell.device);
    const engine::InventoryDevice& device = scene.inventory.devices()[*cell.device];
    for (const std::string& taint : taint_texts(scene, device))
      ++use.taints[taint];
    for (const engine::Holding& holding : device.holders) {
      if (!has(use.claims, holding.claim)) use.claims.push_back(holding.claim);
      if (holding.admin()) {
        if (!has(use.admins, holding.claim)) use.admins.push_back(holding.claim);
        continue;
      }
      if (cell.state == CellState::HeldTwice && !has(use.of_one_chip, holding.claim))
        use.of_one_chip.push_back(holding.claim);
    }
  }
  return uses;
}

// The mark of a host, and its text in the legend and in the summary.
struct Look {
  std::string mark;
  Tone tone;
  std::string_view legend = {};  // empty if the mark is a number
  std::string_view summary;      // of all hosts with this mark: "free" in "12 free"
};

Look look_of(const GridHost& host, const Use& use) {
  switch (host.state) {
    case HostState::Lost:
    case HostState::Absent:
      return {"?", Tone::Bad, "? missing: the host is gone or publishes nothing", "missing"};
    case HostState::NotKnown:
      return {"?", Tone::Dim, "? which host this is is not known", "whose place is not known"};
    case HostState::Degraded:
      return {"!", Tone::Bad, "! chips are missing", "missing chips"};
    case HostState::Whole:
      break;
  }
  if (!use.of_one_chip.empty())
    return {"%", Tone::Bad, "% claims hold a chip that they cannot share", "with chips held twice"};
  if (!use.free) return {"u", Tone::Dim, "u who is using its chips is not known", "not known"};
  const std::string number = std::to_string(*use.free);
  if (*use.free == 0) return {number, Tone::Strong, {}, "with nothing free"};
  if (!host.takes_pods()) return {number, Tone::Warn, {}, "free that take no pods"};
  return {number, Tone::Good, {}, *use.free == host.chips ? "free" : "free in part"};
}

std::string name_of_host(const GridHost& host) {
  if (host.worker) return base::format("w{}", *host.worker);
  return std::string(host.node);
}

std::string claim_name(const api::ResourceClaim& claim) {
  return base::format("{}/{}", claim.meta.namespace_, claim.meta.name);
}

void describe(const GridHost& host, const Use& use, view::Place& place) {
  const std::string who = host.node.empty() ? "no node" : std::string(host.node);
  const std::string chips = use.free ? base::format("{} of {} chips", *use.free, host.chips)
                                     : base::format("not known of {} chips", host.chips);
  std::vector<std::string> claims;
  std::vector<std::string> pods;
  for (const api::ResourceClaim* claim : use.claims) {
    claims.push_back(claim_name(*claim) + (has(use.of_one_chip, claim) ? kTwiceWords : "") +
                     (has(use.admins, claim) ? kAdmin : ""));
    std::ranges::move(engine::pods_of(*claim), std::back_inserter(pods));
  }
  place.about = use.free ? base::format("{}: {} free", who, chips)
                         : base::format("{}: who is using its chips is not known", who);
  if (!claims.empty()) place.about += base::format(", claim {}", base::join(claims, ", "));
  std::vector<std::string> taints;
  for (const auto& [taint, tainted] : use.taints)
    taints.push_back(base::format("{} ({})", taint, base::plural(tainted, "chip")));
  if (!taints.empty()) place.about += ", tainted " + base::join(taints, ", ");
  if (!host.why.empty()) place.about += ", " + host.why;
  add_fact(place, "node", who);
  if (host.worker) add_fact(place, "worker", std::to_string(*host.worker));
  add_fact(place, "free", chips);
  add_fact(place, "claim", base::join(claims, ", "));
  add_fact(place, "pod", base::join(pods, ", "));
  add_fact(place, "taints", base::join(taints, ", "));
  add_fact(place, "why", host.why);
}

class HostPicture {
 public:
  HostPicture(const ChipGrid& grid, const Asked& asked, const Scene& scene,
              const TopologyView& options, view::Document& document)
      : grid_(grid),
        asked_(asked),
        options_(options),
        document_(document),
        uses_(uses_of(grid, asked, scene)) {
    looks_.reserve(uses_.size());
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      looks_.push_back(look_of(grid.hosts[i], uses_[i]));
      contested_.insert(uses_[i].of_one_chip.begin(), uses_[i].of_one_chip.end());
      admins_.insert(uses_[i].admins.begin(), uses_[i].admins.end());
    }
  }

  void run() {
    const auto shape = divided(grid_.shape, grid_.host);
    DRA_CHECK(shape.has_value());
    const bool drawn = shape->z <= kMostPlanes || options_.wide;
    if (drawn) {
      draw(*shape);
      add_legend();
    }
    add_summary();
    if (!drawn) say(base::format("{} planes of hosts: -o wide draws them", shape->z));
    add_taints();
    add_claims();
  }

 private:
  void say(std::string words) {
    document_.add(view::Paragraph{.spans = {span(std::move(words), Tone::Dim)}, .indent = 2});
  }

  void draw(const topology::Shape& shape) {
    view::Grid drawing = empty_grid(grid_, shape, shape);
    const HostNames names = host_names(grid_.hosts);
    for (std::int64_t z = 0; z < shape.z && shape.z > 1; ++z)
      drawing.titles.push_back(plane_title(grid_, names, z * grid_.host.z));
    drawing.places.reserve(grid_.hosts.size());
    for (std::size_t i = 0; i < grid_.hosts.size(); ++i)
      drawing.places.push_back(place_of(i));
    document_.add(std::move(drawing));
  }

  view::Place place_of(std::size_t number) const {
    const GridHost& host = grid_.hosts[number];
    const Use& use = uses_[number];
    const Look& look = looks_[number];
    view::Place place{.mark = {look.mark, look.tone}, .about = {}};
    if (options_.details) describe(host, use, place);
    if (asked_.is_all || !(use.asked || asked_.has(host))) return place;
    place.asked = true;
    if (!place.about.empty()) place.about += ", asked for";
    return place;
  }

  void add_legend() {
    std::vector<std::string> words = {"one place is a host: how many of its chips are free"};
    bool tells_asked = false;
    for (std::size_t i = 0; i < grid_.hosts.size(); ++i) {
      const std::string_view legend = looks_[i].legend;
      if (!legend.empty() && std::ranges::find(words, legend) == words.end())
        words.emplace_back(legend);
      tells_asked = tells_asked || uses_[i].asked || asked_.has(grid_.hosts[i]);
    }
    if (tells_asked && !asked_.is_all) words.emplace_back("[ ] asked for");
    say(base::join(words, "   "));
  }

  // "32 hosts: 18 free, 9 with nothing free, 2 gone", the largest number first.
  void add_summary() {
    std::map<std::string_view, std::int64_t> counts;
    for (const Look& look : looks_)
      ++counts[look.summary];
    std::vector<std::pair<std::string_view, std::int64_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& one) { return one.second; });
    std::vector<std::string> words;
    words.reserve(sorted.size());
    for (const auto& [what, hosts] : sorted)
      words.push_back(base::format("{} {}", hosts, what));
    document_.add(
        view::Paragraph{.spans = {span(base::format("{} hosts", grid_.hosts.size()), Tone::Strong),
                                  span(": " + base::join(words, ", "))},
                        .indent = 2});
  }

  // "tainted health=bad:NoSchedule  on w3, w7"
  void add_taints() {
    std::map<std::string_view, std::vector<std::string>> hosts;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      for (const auto& [taint, chips] : uses_[i].taints)
        hosts[taint].push_back(name_of_host(grid_.hosts[i]));
    }
    for (const auto& [taint, names] : hosts)
      document_.add(view::Paragraph{
          .spans = {span(base::format("tainted {}", taint), Tone::Warn),
                    span(base::format("  on {}", base::join_first(names, kMostHosts)))},
          .indent = 2,
          .hang = 3});
  }

  // Lists claims: first the selected ones, then those that hold chips of another claim, then others
  // in the order of the hosts, and last those with admin access only.
  void add_claims() {
    Claims claims;
    std::map<const api::ResourceClaim*, std::vector<std::size_t>> hosts;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      for (const api::ResourceClaim* claim : uses_[i].claims) {
        if (hosts[claim].empty()) claims.push_back(claim);
        hosts[claim].push_back(i);
      }
    }
    std::ranges::stable_sort(claims, {}, [this](const api::ResourceClaim* one) {
      return std::tuple(!asked_.claims.contains(one), !contested_.contains(one),
                        admins_.contains(one));
    });
    const bool folded = !options_.wide || options_.details;  // in HTML the places name the claims
    const std::size_t most = folded ? std::min(claims.size(), kMostClaims) : claims.size();
    for (std::size_t i = 0; i < most; ++i)
      add_claim(*claims[i], hosts[claims[i]]);
    if (most < claims.size())
      say(base::format("and {}{}",
                       base::plural(static_cast<std::int64_t>(claims.size() - most), "more claim"),
                       options_.details ? ": the places name them" : ": -o wide"));
  }

  void add_claim(const api::ResourceClaim& claim, const std::vector<std::size_t>& hosts) {
    std::vector<std::string> names;
    names.reserve(hosts.size());
    for (const std::size_t host : hosts)
      names.push_back(name_of_host(grid_.hosts[host]));
    const std::string pods = consumers_of(claim, 2);
    view::Paragraph line{
        .spans = {span(claim_name(claim), Tone::Strong),
                  span(base::format("  on {}  {}", base::join_first(names, kMostHosts),
                                    pods.empty() ? "not reserved for any pod" : pods))},
        .indent = 2,
        .hang = 3};
    if (admins_.contains(&claim)) line.spans.push_back(span(kAdmin, Tone::Dim));
    if (contested_.contains(&claim)) line.spans.push_back(span(kTwiceWords, Tone::Bad));
    document_.add(std::move(line));
  }

  const ChipGrid& grid_;
  const Asked& asked_;
  const TopologyView& options_;
  view::Document& document_;
  std::vector<Use> uses_;                          // by host
  std::vector<Look> looks_;                        // by host
  std::set<const api::ResourceClaim*> contested_;  // that hold chips of other claims
  std::set<const api::ResourceClaim*> admins_;     // with admin access to a chip
};

}  // namespace

void add_grid_of_hosts(const ChipGrid& grid, const Asked& asked, const Scene& scene,
                       const TopologyView& options, view::Document& document) {
  HostPicture(grid, asked, scene, options, document).run();
}

}  // namespace dra::report
