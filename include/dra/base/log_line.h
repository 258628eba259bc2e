// include/dra/base/log_line.h: what a program said, of what it has logged.

#pragma once

#include <string>
#include <string_view>

namespace dra::base {

// The text on one line, without the headers that klog writes ("E0717 23:59:33.262137       1
// node_state.go:68] "), and with a space for each line break, also for one that was escaped twice
// and reads `\n`. Upstream: k8s.io/klog/v2, internal/severity and internal/buffer, FormatHeader.
std::string plain_log(std::string_view text);

}  // namespace dra::base
