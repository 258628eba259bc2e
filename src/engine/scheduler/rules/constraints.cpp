// src/engine/scheduler/rules/constraints.cpp: a constraint of a claim compares an attribute of all
// devices that it speaks of. ConstraintState judges while the search picks; only that a device does
// not have the attribute is known before.

#include <algorithm>
#include <map>

#include "dra/base/text.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine {
namespace {

using diag::ConstraintEvidence;

// The constraints of the demand's claim that the rule is about, for the first of the devices.
std::vector<std::size_t> constraints_of(const Rejection& rejection) {
  const DemandHere& demand = rejection.demanded();
  const ClaimHere& claim = rejection.problem.claims[demand.claim];
  const bool missing = rejection.rule == Rule::AttributeMissing;
  std::vector<std::size_t> all;
  std::ranges::copy_if(demand.constraints, std::back_inserter(all), [&](std::size_t index) {
    return missing ? claim.attributes[index][rejection.devices.front()] == nullptr
                   : claim.constraints[index].matching() == (rejection.rule == Rule::ValueDiffers);
  });
  return all;
}

// What a device has of an attribute: one value, or every item of a list.
std::vector<std::string> values_of(const api::DeviceAttribute& attribute) {
  using Kind = api::DeviceAttribute::Kind;
  if (attribute.kind() == Kind::Int) return {std::to_string(attribute.as_int())};
  if (attribute.kind() == Kind::Bool) return {attribute.as_bool() ? "true" : "false"};
  if (!attribute.is_list()) return {std::string(attribute.text())};
  std::vector<std::string> values;
  const api::DeviceAttribute::Lists& lists = attribute.lists();
  for (const std::int64_t item : lists.ints)
    values.push_back(std::to_string(item));
  for (const bool item : lists.bools)
    values.emplace_back(item ? "true" : "false");
  for (const auto* texts : {&lists.strings, &lists.versions})
    values.insert(values.end(), texts->begin(), texts->end());
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Numbers in their order, other text in its own.
bool comes_before(const std::string& a, const std::string& b) {
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (is_number(a) && is_number(b) && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

bool usable_but_for_attributes(const Judgement& judged) {
  Rules others = judged.against;
  others.remove(Rule::AttributeMissing);
  return judged.fault == Fault::None && others.none();
}

ConstraintEvidence of_constraint(const Problem& problem, std::size_t claim, std::size_t index) {
  const ClaimHere& here = problem.claims[claim];
  const ConstraintState& constraint = here.constraints[index];
  ConstraintEvidence evidence{.index = index,
                              .matching = constraint.matching(),
                              .attribute = std::string(constraint.attribute()),
                              .requests = {},
                              .values = {}};
  std::map<std::string, std::vector<std::int64_t>, decltype(&comes_before)> values(&comes_before);
  std::size_t number = 0;
  for (const DemandHere& demand : problem.demands) {
    const bool meant = std::ranges::find(demand.constraints, index) != demand.constraints.end();
    if (demand.claim != claim || !meant) continue;
    ConstraintEvidence::Asked asked{.request = demand.name, .wanted = demand.count};
    for (std::size_t device = 0; device < demand.judged.size(); ++device) {
      const Judgement& judged = demand.judged[device];
      const api::DeviceAttribute* attribute = here.attributes[index][device];
      if (attribute == nullptr && usable_but_for_attributes(judged)) ++asked.without;
      if (attribute == nullptr || !judged.usable()) continue;
      for (std::string& value : values_of(*attribute)) {
        auto& counts = values[std::move(value)];
        counts.resize(number + 1);
        ++counts[number];
      }
    }
    evidence.requests.push_back(std::move(asked));
    ++number;
  }
  for (auto& [value, counts] : values) {
    counts.resize(number);
    evidence.values.push_back({value, std::move(counts)});
  }
  return evidence;
}

// What devices with one value of the attribute have in common: "PCIe root".
std::string common_thing(std::string_view attribute) {
  const std::string id = base::lower(attribute.substr(attribute.rfind('/') + 1));
  if (id == "pcieroot" || id == "pciroot") return "PCIe root";
  if (id.find("numa") != std::string::npos) return "NUMA node";
  return base::format("value of {}", attribute);
}

// "2 devices for gpu and 1 for nic".
std::string list_of(const std::vector<std::string>& parts) {
  if (parts.size() < 2) return base::join(parts, "");
  const std::vector<std::string> first(parts.begin(), parts.end() - 1);
  return base::format("{} and {}", base::join(first, ", "), parts.back());
}

// The most devices that one value has, if that is too few. Empty: some value has enough, so that
// it is not the number alone that fails; or a request has alternatives, of which one is served.
std::string most_words(const ConstraintEvidence& evidence) {
  const auto served = [&evidence](const ConstraintEvidence::Value& value) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < evidence.requests.size(); ++i)
      sum += std::min(value.devices[i], evidence.requests[i].wanted);
    return sum;
  };
  const auto best = std::ranges::max_element(evidence.values, {}, served);
  if (best == evidence.values.end()) return {};
  std::vector<std::string> wanted;
  std::vector<std::string> most;
  bool enough = true;
  for (std::size_t i = 0; i < evidence.requests.size(); ++i) {
    const ConstraintEvidence::Asked& asked = evidence.requests[i];
    if (asked.request.find('/') != std::string::npos) return {};
    wanted.push_back(
        i == 0 ? base::format("{} for {}", base::plural(asked.wanted, "free device"), asked.request)
               : base::format("{} for {}", asked.wanted, asked.request));
    most.push_back(std::to_string(best->devices[i]));
    enough &= best->devices[i] >= asked.wanted;
  }
  if (enough) return {};
  return base::format("no {} has {}; the most that one has is {}", common_thing(evidence.attribute),
                      list_of(wanted), base::join(most, " + "));
}

// "gpu and nic need 5 devices with different values of x (constraint 0), and there are 2". Empty:
// there are enough values, so that it is not their number alone that fails.
std::string distinct_words(const ConstraintEvidence& evidence) {
  std::vector<std::string> requests;
  std::int64_t wanted = 0;
  for (const ConstraintEvidence::Asked& asked : evidence.requests) {
    if (asked.request.find('/') != std::string::npos) return {};
    requests.push_back(asked.request);
    wanted += asked.wanted;
  }
  const std::int64_t values = std::ssize(evidence.values);
  if (requests.empty() || values >= wanted) return {};
  return base::format("{} {} {} with different values of {} (constraint {}), and there {} {}",
                      list_of(requests), requests.size() == 1 ? "needs" : "need",
                      base::plural(wanted, "device"), evidence.attribute, evidence.index,
                      values == 1 ? "is" : "are", values == 0 ? "none" : std::to_string(values));
}

// Whether two constraints want the same numbers of devices, and find the same.
bool is_alike(const ConstraintEvidence& one, const ConstraintEvidence& other) {
  return one.attribute == other.attribute &&
         std::ranges::equal(one.requests, other.requests, {}, &ConstraintEvidence::Asked::wanted,
                            &ConstraintEvidence::Asked::wanted) &&
         std::ranges::equal(one.values, other.values, [](const auto& a, const auto& b) {
           return a.value == b.value && a.devices == b.devices;
         });
}

// Constraints that are alike and that more devices would have to serve than there are: "8 sets like
// 1 free device for gpu-0 and 1 for nic-0 need one PCIe root each, and there are devices for 7".
// Empty: it is not this number that fails.
std::string sets_words(const Problem& problem, std::size_t claim, std::size_t index) {
  const ConstraintEvidence evidence = of_constraint(problem, claim, index);
  std::int64_t served = 0;
  for (const ConstraintEvidence::Value& value : evidence.values) {
    std::int64_t sets = -1;
    for (std::size_t i = 0; i < evidence.requests.size(); ++i) {
      const std::int64_t wanted = std::max<std::int64_t>(evidence.requests[i].wanted, 1);
      const std::int64_t here = value.devices[i] / wanted;
      sets = sets < 0 ? here : std::min(sets, here);
    }
    served += std::max<std::int64_t>(sets, 0);
  }
  std::int64_t alike = 0;
  const auto& constraints = problem.claims[claim].constraints;
  for (std::size_t i = 0; i < constraints.size(); ++i)
    alike += constraints[i].matching() && is_alike(evidence, of_constraint(problem, claim, i));
  std::vector<std::string> wanted;
  for (const ConstraintEvidence::Asked& asked : evidence.requests) {
    if (asked.request.find('/') != std::string::npos) return {};
    wanted.push_back(base::format(
        "{} for {}",
        wanted.empty() ? base::plural(asked.wanted, "free device") : std::to_string(asked.wanted),
        asked.request));
  }
  if (alike < 2 || alike <= served || served == 0) return {};
  return base::format("{} sets like {} need one {} each, and there are devices for {}", alike,
                      list_of(wanted), common_thing(evidence.attribute), served);
}

// "an int", of a list what its items are.
std::string_view type_of(const api::DeviceAttribute& attribute) {
  using Kind = api::DeviceAttribute::Kind;
  switch (attribute.kind()) {
    case Kind::Int:
    case Kind::Ints:
      return "an int";
    case Kind::Bool:
    case Kind::Bools:
      return "a bool";
    case Kind::Version:
    case Kind::Versions:
      return "a version";
    default:
      return "a string";
  }
}

// The types that requests of the constraint find, if one finds one type and another one another.
std::string type_words(const Problem& problem, std::size_t claim, std::size_t index) {
  const ClaimHere& here = problem.claims[claim];
  std::map<std::string_view, std::string_view> request_of;  // by type
  for (const DemandHere& demand : problem.demands) {
    const bool meant = std::ranges::find(demand.constraints, index) != demand.constraints.end();
    if (demand.claim != claim || !meant) continue;
    std::string_view only;
    for (std::size_t device = 0; device < demand.judged.size(); ++device) {
      const api::DeviceAttribute* attribute = here.attributes[index][device];
      if (attribute == nullptr || !demand.judged[device].usable()) continue;
      const std::string_view type = type_of(*attribute);
      if (!only.empty() && only != type) return {};
      only = type;
    }
    if (!only.empty()) request_of.emplace(only, demand.name);
  }
  if (request_of.size() < 2) return {};
  const auto& first = *request_of.begin();
  const auto& second = *std::next(request_of.begin());
  return base::format(
      "{} is {} for request {} and {} for request {}, and values of two types never match",
      here.constraints[index].attribute(), first.first, first.second, second.first, second.second);
}

// The constraints are those of the first device; the devices of a demand are all of one claim.
std::string constraint_words(const Rejection& rejection) {
  const std::string count = rejection.count();
  const ClaimHere& claim = rejection.problem.claims[rejection.demanded().claim];
  std::vector<std::string> parts;
  for (const std::size_t index : constraints_of(rejection))
    parts.push_back(
        base::format("{} (constraint {})", claim.constraints[index].attribute(), index));
  const std::string list = base::join(parts, " and ");
  if (parts.empty()) return base::format("a constraint does not let {} in", count);
  if (rejection.rule == Rule::AttributeMissing)
    return base::format("{} without attribute {}", count, list);
  if (rejection.rule == Rule::ValueDiffers && parts.size() == 1) {
    const std::size_t index = constraints_of(rejection).front();
    std::string types = type_words(rejection.problem, rejection.demanded().claim, index);
    if (!types.empty()) return types;
    std::string most =
        most_words(of_constraint(rejection.problem, rejection.demanded().claim, index));
    if (!most.empty()) return most;
  }
  if (rejection.rule == Rule::ValueDiffers && !parts.empty()) {
    std::string sets = sets_words(rejection.problem, rejection.demanded().claim,
                                  constraints_of(rejection).front());
    if (!sets.empty()) return sets;
  }
  if (rejection.rule == Rule::NotDistinct && parts.size() == 1) {
    std::string distinct = distinct_words(of_constraint(
        rejection.problem, rejection.demanded().claim, constraints_of(rejection).front()));
    if (!distinct.empty()) return distinct;
  }
  return base::format("{} of {}",
                      rejection.rule == Rule::ValueDiffers
                          ? "no set of devices has one value"
                          : "too few devices have different values",
                      list);
}

void add_values(const Rejection& rejection, diag::Evidence& evidence) {
  for (const std::size_t index : constraints_of(rejection))
    evidence.constraints.push_back(
        of_constraint(rejection.problem, rejection.demanded().claim, index));
}

}  // namespace

namespace rules {
constinit const DeviceRule kAttributeMissing = {.words = constraint_words, .evidence = add_values};
constinit const DeviceRule kValueDiffers = {.words = constraint_words, .evidence = add_values};
constinit const DeviceRule kNotDistinct = {.words = constraint_words, .evidence = add_values};
}  // namespace rules

Rule rule_of(Objection objection) {
  return objection == Objection::Missing   ? Rule::AttributeMissing
         : objection == Objection::Differs ? Rule::ValueDiffers
                                           : Rule::NotDistinct;
}

bool misses_attribute(const Problem& problem, const DemandHere& demand, std::size_t device) {
  const ClaimHere& claim = problem.claims[demand.claim];
  for (std::size_t i = 0; i < demand.constraints.size(); ++i) {
    const auto& attributes = claim.attributes[demand.constraints[i]];
    if (demand.derived[i] == nullptr && attributes[device] == nullptr) return true;
  }
  return false;
}

}  // namespace dra::engine
