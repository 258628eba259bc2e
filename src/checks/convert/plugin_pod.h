// src/checks/convert/plugin_pod.h
//
// A pod that asks for devices of device plugins, and the claim that gives it the same devices.

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
  // Finds out what the pod asks for, and changes nothing. `spec` must outlive this.
  PluginPod(json::Value& spec, FromDevicePlugin& out);

  // Nothing: there is nothing to convert.
  bool asks() const { return !requests_.empty(); }
  // A word for all that it asks for: "gpu".
  const std::string& noun() const { return noun_; }
  // The spec of the claim.
  json::Value claim() const;
  // What of rayStartParams KubeRay derived from the limits that are gone then.
  std::set<std::string_view> ray_parameters() const;

  // Claims instead of resources, in all containers.
  void use_template(const std::string& name);

 private:
  struct Ask {
    std::string resource;
    Meaning meaning;
    std::int64_t count = 0;
  };
  // Containers and sidecars run at one time, each with its own devices. Init containers run before,
  // one after the other: they use devices of containers, but not those of sidecars.
  enum class Runs { Before, Sidecar, Along };
  struct Container {
    json::Value* value;
    std::string name;
    Runs runs;
    std::vector<Ask> asks = {};
    std::vector<std::size_t> requests = {};  // that it uses
  };
  struct Request {
    std::string container;  // for which it is made
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

// Small letters, digits and hyphens, at most 63: a DNS label, whatever the text holds.
std::string as_label(std::string_view text);

}  // namespace dra::checks
