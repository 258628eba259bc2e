// src/checks/convert/plugin_resources.h
//
// Which DRA driver and class has the devices that a device plugin offers under a resource's name.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dra/json/value.h"

namespace dra::checks {

struct PluginResource {
  // The resource; or how its name begins, if `value` reads the rest: empty if that is no value.
  std::string_view name;
  std::string (*value)(std::string_view rest) = nullptr;
  std::string_view example = {};  // of what begins so

  std::string_view driver;
  std::string_view device_class;
  std::string_view noun;  // what requests and claims for it are called
  // CEL; {} is the value, or for a driver of whole hosts the number of devices the host must have.
  std::string_view selector = {};
  // Its class serves the resource itself as the driver's chart installs it.
  bool served_by_class = false;
  // Providers of clusters taint nodes by the resource's name.
  bool taints = false;
  // What of rayStartParams KubeRay derives from the resource in the limits of a pod.
  std::string_view ray_parameter = {};
};

std::span<const PluginResource> plugin_resources();

// What a resource means to DRA: a row, or why it has none that would do the same.
struct Meaning {
  const PluginResource* resource = nullptr;
  std::string value = {};    // for its selector
  std::string variant = {};  // the rest of the name, of which the value was made
  std::string reason = {};
};

// `node_selector` of the pod, or nullptr: some say what the plugin's devices are.
Meaning meaning_of(std::string_view resource, const json::Value* node_selector);

// k8s.io/kubernetes/pkg/apis/core/v1/helper, IsExtendedResourceName. Those for classes
// (deviceclass.resource.kubernetes.io/...) are none.
bool is_extended_resource(std::string_view name);

}  // namespace dra::checks
