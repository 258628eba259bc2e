// include/dra/engine/cluster/device_numbers.h
//
// Numbers every device of every slice of a snapshot, so that facts about devices can be held in
// vectors: slices in the snapshot's order, devices as listed.

#pragma once

#include <cstddef>
#include <vector>

#include "dra/engine/cluster/pool.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

class DeviceNumbers {
 public:
  // The snapshot must outlive it.
  explicit DeviceNumbers(const snapshot::Snapshot& snapshot)
      : slices_(snapshot.all<api::ResourceSlice>().data()) {
    for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
      first_.push_back(size_);
      size_ += slice.spec.devices.size();
    }
  }

  std::size_t size() const { return size_; }
  // The device or slice must be of that snapshot.
  std::size_t of(const PoolDevice& device) const {
    return first_[of(*device.slice)] + in_slice(device);
  }
  std::size_t of(const api::ResourceSlice& slice) const {
    return static_cast<std::size_t>(&slice - slices_);
  }
  // The number of the slice's first device.
  std::size_t first_of(const api::ResourceSlice& slice) const { return first_[of(slice)]; }
  std::size_t slices() const { return first_.size(); }
  // The place of a device in its slice.
  static std::size_t in_slice(const PoolDevice& device) {
    return static_cast<std::size_t>(device.device - device.slice->spec.devices.data());
  }

 private:
  const api::ResourceSlice* slices_;
  std::vector<std::size_t> first_;  // by slice
  std::size_t size_ = 0;
};

}  // namespace dra::engine
