// include/dra/api/device_class.h
//
// DeviceClass: a named selection of devices by CEL, with configuration for their drivers. An empty
// class is legal and matches every device.

#pragma once

#include "dra/api/claim.h"

namespace dra::api {

struct ClassConfig {
  DeviceConfig config;
};
struct DeviceClassSpec {
  std::vector<DeviceSelector> selectors;
  std::vector<ClassConfig> config;
  std::string_view extended_resource;
};
struct DeviceClass {
  ObjectMeta meta;
  DeviceClassSpec spec;
  Origin origin;
};

}  // namespace dra::api
