// include/dra/api/device_models.h
//
// Shared models of devices that are alike. A fleet has tens of thousands of devices of a few makes,
// which differ in their names and in a few attributes, such as a serial number; and most of its
// slices have the same makes at the same places. Such slices share one model, so a question about
// thousands of slices is answered once, for their model. In slices that are like few others each
// device has a model of its own make.

#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "dra/api/slice.h"

namespace dra::api {

// The bit of one of a model's attributes in `differs`; 0 for nullptr.
std::uint64_t place_of(const Map<DeviceAttribute>& attributes, const DeviceAttribute* one);

// How a device differs from its model: the bits of Device::differs.
struct Likeness {
  const Device* model = nullptr;
  std::uint64_t differs = 0;
};

// The models that devices were like last. They must live as long as this.
class RecentModels {
 public:
  // No model: the device is like none of them in the names of its attributes, the kinds and half of
  // the values, and its capacity.
  Likeness likeness_of(const Device& device);
  // nullptr: it has more attributes than `differs` has bits, and so is no model.
  const Device* remember(const Device& model);

 private:
  std::vector<const Device*> recent_;  // the last used first
};

// Must live as long as the slices that were given to it.
class DeviceModels {
 public:
  // Finds the models of a slice and its devices, and replaces equal texts by the model's.
  void add(ResourceSlice& slice);

 private:
  bool follow(SliceSpec& slice, const SliceModel& model);
  const SliceModel* slice_model_of(SliceSpec& slice);
  bool make_model_of(SliceSpec& slice);
  const Device* model_of(Device& device);
  const Device* make(const Device& device);

  std::deque<SliceModel> slice_models_;
  std::vector<const SliceModel*> recent_slices_;  // models, the last used first
  std::size_t modelled_ = 0;                      // devices in models of slices
  std::vector<std::uint64_t> differs_;            // of one slice, reused
  std::deque<Device> models_;
  RecentModels recent_;
  std::vector<std::string_view> names_;  // of devices of the last slices, by place in a slice
  std::string_view driver_;              // of the last slice
};

}  // namespace dra::api
