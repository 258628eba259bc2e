// include/dra/api/device_models.h
//
// What devices of a snapshot have in common. A fleet has tens of thousands of devices of a few
// makes, which differ in their names and in a few attributes, such as a serial number. Of each make
// one stands as the model for all, so that what is asked of a device is asked of its model once,
// and comparing devices is a matter of pointers.

#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "dra/api/slice.h"

namespace dra::api {

// Must live as long as the slices that were given to it.
class DeviceModels {
 public:
  // Finds the models of a slice's devices, and lets their texts be the model's where they are the
  // same.
  void add(ResourceSlice& slice);

 private:
  const Device* model_of(Device& device);
  const Device* make(const Device& device);

  std::deque<Device> models_;
  std::vector<const Device*> recent_;    // models, the last used first
  std::vector<std::string_view> names_;  // by place in a slice: those of the last slices
  std::string_view driver_;              // of the last slice
};

}  // namespace dra::api
