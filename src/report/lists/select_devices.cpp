// src/report/lists/select_devices.cpp: evaluates selectors for a fleet, and words their failures.

#include "dra/report/lists/select_devices.h"

#include "dra/base/text.h"
#include "dra/engine/selectors/selection.h"
#include "dra/report/phrases/selector_words.h"

namespace dra::report {
namespace {

using engine::PoolDevice;
using engine::Selection;

// "class gpu: selector #1", as in the scheduler's messages; no number for a single selector.
std::string place_of(std::string_view whose, const Selection& selection, std::size_t selector) {
  return selection.selectors.size() == 1 ? std::string(whose)
                                         : base::format("{}: selector #{}", whose, selector);
}

std::vector<std::string> warnings_of(const Selection& selection, std::string_view whose,
                                     std::span<const PoolDevice> devices) {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < selection.selectors.size(); ++i) {
    const engine::SelectorAnswer& answer = *selection.selectors[i].answer;
    if (answer.devices) continue;
    warnings.push_back(base::format(
        "{} does not compile, so it chooses no device, and the scheduler gives up on every pod "
        "for which it asks it: {}",
        place_of(whose, selection, i), engine::on_one_line(*answer.selector.failure())));
  }
  for (const engine::FailureGroup& group : engine::failures_of(selection)) {
    if (!selection.selectors[group.selector].answer->devices) continue;
    std::vector<engine::DeviceId> ids;
    for (const std::size_t device : group.devices)
      ids.push_back(devices[device].id());
    warnings.push_back(base::format(
        "{} fails for {}, which {} omitted: {} ({})", place_of(whose, selection, group.selector),
        base::plural(static_cast<std::int64_t>(ids.size()), "device"),
        ids.size() == 1 ? "is" : "are", group.failure->message, ids_text(ids)));
  }
  return warnings;
}

}  // namespace

SelectedDevices select_devices(std::span<const PoolDevice> devices,
                               std::span<const std::string_view> selectors,
                               const snapshot::Server& server, std::string_view whose) {
  engine::Answers answers(engine::fleet_of(devices),
                          engine::language_of(server, engine::Expressions::Stored));
  const Selection selection = engine::choose(answers, selectors);
  SelectedDevices selected{.chosen = {}, .warnings = warnings_of(selection, whose, devices)};
  for (const engine::Outcome outcome : selection.devices)
    selected.chosen.push_back(outcome == engine::Outcome::Chosen);
  return selected;
}

Result<Done> check_expression(std::string_view expression, const snapshot::Server& server,
                              std::string_view flag) {
  const engine::Selector selector(expression,
                                  engine::language_of(server, engine::Expressions::Stored));
  if (selector.program() != nullptr) return Done{};
  return Error{ErrorKind::BadInput,
               base::format("{}: {}", flag, engine::on_one_line(*selector.failure())),
               "`kubectl dra eval --check` shows the place"};
}

}  // namespace dra::report
