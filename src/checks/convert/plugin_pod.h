// src/checks/convert/plugin_pod.h
//
// A pod that requests devices of device plugins, and the claim for the same devices.

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "dra/checks/convert/device_plugin.h"
#include "dra/json/value.h"
#include "src/checks/convert/plugin_resources.h"

namespace dra::checks {

class PluginPod {
 public:
  // Finds the pod's requests and changes nothing. `spec` must outlive this.
  PluginPod(json::Value& spec, FromDevicePlugin& out);

  // False: there is nothing to convert.
  bool asks() const { return !requests_.empty(); }
  // One word for all requested devices: "gpu".
  const std::string& noun() const { return noun_; }
  // The spec of the claim.
  json::Value claim() const;
  // The rayStartParams that KubeRay derives from the limits, which the conversion removes.
  std::set<std::string_view> ray_parameters() const;

  // Replaces the resources of all containers by the claim.
  void use_template(const std::string& name);

 private:
  struct Ask {
    std::string resource;
    Meaning meaning;
    std::int64_t count = 0;
  };
  // Containers and sidecars run at the same time, each with its own devices. Init containers run
  // before, one after the other, and use devices of containers, but not those of sidecars.
  enum class Runs { Before, Sidecar, Along };
  struct Container {
    json::Value* value;
    std::string name;
    Runs runs;
    std::vector<Ask> asks = {};
    std::vector<std::size_t> requests = {};  // used by the container
  };
  struct Request {
    std::string container;  // the container it is made for
    Ask ask;
    std::string name = {};
    bool for_init = true;  // init containers may use its devices
  };

  void find_containers(std::string_view list);
  void find_asks(Container& container);
  void add_ask(Container& container, const std::string& resource);
  bool may_change() const;
  void make_requests();
  void use_before(Container& container, const Ask& ask);
  std::size_t add_request(const Container& container, const Ask& ask);
  void name_requests();
  std::string why_no_claim() const;
  void remark_tpus();
  void remark(json::Position position, std::string text);
  std::int64_t devices_of(std::string_view driver) const;
  json::Value request_value(const Request& request) const;
  void claim_instead(Container& container, const std::string& claim);
  void tolerate_taints();

  json::Value& spec_;
  FromDevicePlugin& out_;
  std::vector<Container> containers_;
  std::vector<Request> requests_;
  std::string noun_;
};

// Lower-case letters, digits and hyphens, at most 63: turns any text into a DNS label.
std::string as_label(std::string_view text);

}  // namespace dra::checks
