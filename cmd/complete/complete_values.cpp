// cmd/complete/complete_values.cpp: see complete_values.h.

#include "cmd/complete/complete_values.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

std::vector<Choice> choices_of(const std::vector<std::string>& values) {
  std::vector<Choice> choices;
  choices.reserve(values.size());
  for (const std::string& value : values)
    choices.push_back({value});
  return choices;
}

// Those that the list does not have yet, behind what it has.
std::vector<Choice> further_in_list(std::vector<Choice> choices, std::string_view typed) {
  const std::size_t comma = typed.rfind(',');
  const std::string said(comma == std::string_view::npos ? "" : typed.substr(0, comma + 1));
  const auto before = base::split(said, ',');
  std::erase_if(choices, [&before](const Choice& choice) {
    return choice.value.find(',') != std::string::npos ||
           std::ranges::find(before, choice.value) != before.end();
  });
  for (Choice& choice : choices)
    choice.value.insert(0, said);
  return choices;
}

// What an offer depends on.
struct Place {
  const CompletionNames& names;
  std::string_view typed;
  std::span<const api::Kind> listed;
};

std::vector<Choice> priced_classes(const Place& place) {
  auto classes = place.names.of(Noun::Classes, {});
  for (Choice& choice : classes)
    choice.value += '=';
  return classes;
}

// What devices are grouped by, of their places and of their attributes.
std::vector<Choice> groupings(const Place& place) {
  auto groupings = choices_of({"driver", "node", "numa", "pcie", "pool"});
  std::ranges::move(place.names.attributes(), std::back_inserter(groupings));
  return groupings;
}

template <Noun noun>
std::vector<Choice> names_of(const Place& place) {
  return place.names.of(noun, place.typed);
}

template <std::vector<Choice> (CompletionNames::*offer)() const>
std::vector<Choice> all(const Place& place) {
  return (place.names.*offer)();
}

template <std::vector<std::string> session::KubeconfigNames::*kind>
std::vector<Choice> of_kubeconfig(const Place& place) {
  return choices_of(place.names.kubeconfig().*kind);
}

std::vector<Choice> labels(const Place& place) { return place.names.labels(place.listed); }

std::vector<Choice> none(const Place&) { return {}; }

enum class Form : std::uint8_t {
  One,
  List,    // with commas
  Ranked,  // the likeliest first
  Opens,   // more is to be typed behind it
  File,
};

struct Values {
  std::string_view word;  // that stands for the value in help
  std::vector<Choice> (*offer)(const Place& place);
  Form form = Form::One;
};

constexpr std::array kValues{
    Values{"ATTRIBUTE", all<&CompletionNames::attributes>, Form::List},
    Values{"ATTRIBUTE,...", groupings, Form::List},
    Values{"CLASS", names_of<Noun::Classes>},
    Values{"CLASS=AMOUNT", priced_classes, Form::Opens},
    Values{"CLUSTER", of_kubeconfig<&session::KubeconfigNames::clusters>},
    Values{"CONTEXT", of_kubeconfig<&session::KubeconfigNames::contexts>},
    Values{"CONTEXT,...", of_kubeconfig<&session::KubeconfigNames::contexts>, Form::List},
    Values{"DEVICE", names_of<Noun::Devices>},
    Values{"DRIVER", names_of<Noun::Drivers>},
    Values{"FILE", none, Form::File},
    Values{"KEY[:EFFECT]", all<&CompletionNames::taint_keys>},
    Values{"LABEL", labels, Form::List},
    Values{"NAMESPACE", all<&CompletionNames::namespaces>},
    Values{"NODE", names_of<Noun::Nodes>},
    Values{"NODE[=N]", all<&CompletionNames::nodes_and_pools>},
    Values{"POD", names_of<Noun::Pods>, Form::Ranked},
    Values{"POOL", all<&CompletionNames::pool_names>},
    Values{"SNAPSHOT", none, Form::File},
    Values{"USER", of_kubeconfig<&session::KubeconfigNames::users>},
    Values{"WHAT", all<&CompletionNames::holders>},
};

}  // namespace

Answer values_of(const Flag& flag, const CompletionNames& names, std::string_view typed,
                 std::span<const api::Kind> listed) {
  std::vector<Choice> choices;
  choices.reserve(flag.choices.size());
  for (const std::string_view choice : flag.choices)
    choices.push_back({std::string(choice)});
  const auto* values = std::ranges::find(kValues, flag.value, &Values::word);
  if (values == kValues.end()) return {std::move(choices)};
  std::ranges::move(values->offer({names, typed, listed}), std::back_inserter(choices));
  if (values->form == Form::List) choices = further_in_list(std::move(choices), typed);
  return {.choices = std::move(choices),
          .files = values->form == Form::File,
          .ranked = values->form == Form::Ranked,
          .opens = values->form == Form::Opens};
}

}  // namespace dra::cmd
