// cmd/commands/prices.cpp: see prices.h.

#include "cmd/commands/prices.h"

#include <charconv>
#include <set>

#include "cmd/find_by_name.h"
#include "cmd/name_hints.h"
#include "dra/api/claim.h"
#include "dra/api/device_class.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

bool is_decimal(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

void add_classes(const api::ClaimSpec& spec, std::set<std::string>& names) {
  for (const api::DeviceRequest& request : spec.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(request))
      names.emplace(demand.demand->device_class);
  }
}

}  // namespace

Result<report::Prices> read_prices(const std::vector<std::string>& words) {
  report::Prices prices;
  for (const std::string& word : words) {
    const std::size_t equals = word.rfind('=');
    const std::string_view amount = equals == std::string::npos
                                        ? std::string_view()
                                        : std::string_view(word).substr(equals + 1);
    double number = 0;
    const auto read = std::from_chars(amount.data(), amount.data() + amount.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == amount.data() + amount.size();
    if (equals == 0 || !is_decimal(amount) || !whole) {
      return Error{ErrorKind::BadInput,
                   base::format("--price {} is not CLASS=AMOUNT", base::shell_word(word)),
                   "name a class and what one device of it costs in an hour: "
                   "--price gpu.nvidia.com=2.5"};
    }
    prices[word.substr(0, equals)] = number;
  }
  return prices;
}

Result<Done> check_classes(const snapshot::Snapshot& snapshot, const report::Prices& prices) {
  if (prices.empty() || !snapshot.coverage().saw(api::Kind::Class)) return Done{};
  std::set<std::string> names;
  for (const api::DeviceClass& one : snapshot.all<api::DeviceClass>())
    names.emplace(one.meta.name);
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>())
    add_classes(claim.spec, names);
  for (const auto& [name, amount] : prices) {
    if (names.contains(name)) continue;
    const std::vector<std::string> all(names.begin(), names.end());
    return Error{ErrorKind::BadInput,
                 base::format("--price: there is no device class {}", base::shell_word(name)),
                 did_you_mean(name, all)};
  }
  return Done{};
}

}  // namespace dra::cmd
