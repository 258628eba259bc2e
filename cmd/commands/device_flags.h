// cmd/commands/device_flags.h
//
// The flags by which commands about devices choose some of them: what they take, and what they need
// to know of the cluster.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

// Flags with the values DRIVER, NODE, POOL and CLASS are completed from the cluster.
Flag class_flag(std::string& target);
Flag driver_flag(std::string& target);
Flag node_flag(std::string& target);
Flag pool_flag(std::string& target);

// The selectors of a class, none for no name. The class must have been asked for with class_need().
// Fails with NotFound, or as the server refused it.
snapshot::Need class_need(const std::string& name);
Result<std::vector<std::string_view>> selectors_of_class(const Context& context,
                                                         const snapshot::Snapshot& snapshot,
                                                         const std::string& name);

// Fails with BadInput for text that is not UTF-8, which no API object can hold.
Result<Done> check_text(std::string_view expression);

}  // namespace dra::cmd
