// src/checks/convert/plugin_resources.h
//
// Which DRA driver and class have the devices that a device plugin offers under a resource name.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dra/json/value.h"

namespace dra::checks {

struct PluginResource {
  // The resource name; or its prefix if `value` parses the rest, which returns "" for an invalid
  // rest.
  std::string_view name;
  std::string (*value)(std::string_view rest) = nullptr;
  std::string_view example = {};  // of a name with this prefix

  std::string_view driver;
  std::string_view device_class;
  std::string_view noun;  // the name of requests and claims for it
  // CEL; {} stands for the value, or, for a driver of whole hosts, for the number of devices that
  // the host must have.
  std::string_view selector = {};
  // The class that the driver's chart installs serves the resource by itself.
  bool served_by_class = false;
  // Cloud providers taint nodes with the resource's name.
  bool taints = false;
  // The one of rayStartParams that KubeRay derives from the resource in a pod's limits.
  std::string_view ray_parameter = {};
};

std::span<const PluginResource> plugin_resources();

// The row for a resource, or why no row does the same as its device plugin.
struct Meaning {
  const PluginResource* resource = nullptr;
  std::string value = {};    // for the selector
  std::string variant = {};  // the rest of the name that gave the value
  std::string reason = {};
};

// `node_selector` of the pod, or nullptr: some labels tell which devices the plugin offers.
Meaning meaning_of(std::string_view resource, const json::Value* node_selector);

// k8s.io/kubernetes/pkg/apis/core/v1/helper, IsExtendedResourceName. False for the resources of
// classes (deviceclass.resource.kubernetes.io/...).
bool is_extended_resource(std::string_view name);

}  // namespace dra::checks
