// include/dra/checks/convert/device_plugin.h
//
// Converts pods that request devices of a device plugin (`nvidia.com/gpu: 1` among their limits) to
// pods with a claim for the same devices.
//
// A device plugin gives each container its own devices, so the claim has one request per container
// that requests some, and the container names it. Init containers use devices of the containers
// that run after them, as they do with a plugin. Each pod and each pod template uses a
// ResourceClaimTemplate, which is inserted before the object; pods with equal requests share one.

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::checks {

// Why something was not converted, or what the user has to check.
struct PluginRemark {
  json::Position position;
  std::string text;
};

struct FromDevicePlugin {
  std::string text;      // unchanged if no pod was converted
  std::size_t pods = 0;  // converted pods and pod templates
  // True if an object could not be edited in place: the whole text was printed, without comments.
  bool comments_lost = false;
  std::vector<PluginRemark> remarks = {};  // by position
  std::set<std::string> notes = {};        // facts about drivers, each once
};

// Converts pods and pod templates, alone or in lists. Everything else stays as it is, with
// comments, order and quotes. Fails with BadInput and the parser's message for text that is not
// YAML.
Result<FromDevicePlugin> from_device_plugin(std::string_view text);

}  // namespace dra::checks
