// src/engine/whatif/max_request.cpp: see max_request.h.

#include "dra/engine/whatif/max_request.h"

#include <vector>

#include "dra/api/device_class.h"
#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/json/write.h"

namespace dra::engine {
namespace {

constexpr std::string_view kName = "largest";

// A claim with one request of any count.
class Request {
 public:
  explicit Request(const api::DeviceClass& device_class) {
    api::DeviceRequest& request = spec_.devices.requests.emplace_back();
    request.name = kName;
    request.exactly.emplace();
    request.exactly->demand.device_class = device_class.meta.name;
    request.exactly->demand.mode = api::kModeExactCount;
    subject_.claims.push_back({.namespace_ = "default",
                               .name = std::string(kName),
                               .spec = &spec_,
                               .state = ClaimState::NotCreated});
  }
  Request(const Request&) = delete;  // its parts point to each other
  Request& operator=(const Request&) = delete;

  void ask_for(std::int64_t count) { spec_.devices.requests.front().exactly->demand.count = count; }
  const Subject& subject() const { return subject_; }

 private:
  api::ClaimSpec spec_;
  Subject subject_;
};

}  // namespace

MaxRequests max_requests(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                         const Nodes& nodes, const api::DeviceClass& device_class) {
  Request request(device_class);
  request.ask_for(1);
  const Demands demands(snapshot, inventory, request.subject(),
                        {{device_class.meta.name, &device_class}});
  MaxRequests fits;
  std::vector<const api::Node*> left;
  for (const api::Node& node : nodes.nodes) {
    if (is_ready(node) && !node.spec.unschedulable) left.push_back(&node);
  }
  for (std::int64_t count = 1; count <= api::kMaxResults && !left.empty(); ++count) {
    request.ask_for(count);
    SearchBudget budget;
    const NodeContext context{inventory, snapshot.coverage(), demands, budget};
    NodeEvaluator evaluator(snapshot, context, request.subject(), Depth::Answer);
    std::erase_if(left, [&](const api::Node* node) {
      const NodeResult result = evaluator.evaluate(*node);
      if (result.fits()) {
        fits[node->meta.name].count = count;
      } else if (!result.is_ruled_out()) {
        fits[node->meta.name].known = false;
      }
      return !result.fits();
    });
  }
  return fits;
}

api::DeviceClass class_of_driver(std::string_view driver, std::string& text) {
  text = base::format("device.driver == {}",
                      json::write_json(json::Value(driver), json::Style::Compact));
  api::DeviceClass device_class;
  device_class.meta.name = driver;
  device_class.spec.selectors.push_back({.cel = api::CelSelector{.expression = text}});
  return device_class;
}

}  // namespace dra::engine
