// include/dra/api/device_models.h
//
// What devices of a snapshot have in common. A fleet has tens of thousands of devices of a few
// makes, which differ in their names and in a few attributes, such as a serial number, and most of
// its slices have the same makes at the same places. Of each make of slice one stands as the model
// for all, so that what is asked of thousands of slices is asked of their model once; of slices
// that are like few others, each device has a model of its own make.

#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "dra/api/slice.h"

namespace dra::api {

// The bit of one of a model's attributes in `differs`; 0 for nullptr.
std::uint64_t place_of(const Map<DeviceAttribute>& attributes, const DeviceAttribute* one);

// Must live as long as the slices that were given to it.
class DeviceModels {
 public:
  // Finds the models of a slice and its devices, and lets their texts be the model's where they are
  // the same.
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
  std::vector<const Device*> recent_;    // models, the last used first
  std::vector<std::string_view> names_;  // by place in a slice: those of the last slices
  std::string_view driver_;              // of the last slice
};

}  // namespace dra::api
