// include/dra/checks/convert/device_plugin.h
//
// Pods that ask for devices of a device plugin (`nvidia.com/gpu: 1` among their limits) as pods
// with a claim for the same devices.
//
// A device plugin gives each container devices of its own, so the claim has a request for each
// container that asks, and the container names it. Init containers use devices of the containers
// that run after them, as with a plugin. Each pod, and each template for pods, uses a
// ResourceClaimTemplate, which stands before the object; pods with one need use one.

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::checks {

// What stays as it is and why, or what somebody has to look at.
struct PluginRemark {
  json::Position position;
  std::string text;
};

struct FromDevicePlugin {
  std::string text;      // as it was, if no pod was changed
  std::size_t pods = 0;  // and templates for pods that were changed
  // Some object could not be changed where it stands, so all is written anew, without comments.
  bool comments_lost = false;
  std::vector<PluginRemark> remarks = {};  // by position
  std::set<std::string> notes = {};        // what is worth knowing once
};

// Pods and templates for pods, alone or in lists; all else stays as it is, with comments, order and
// quotes. BadInput for text that is no YAML, in the words of the reader.
Result<FromDevicePlugin> from_device_plugin(std::string_view text);

}  // namespace dra::checks
