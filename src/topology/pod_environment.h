// src/topology/pod_environment.h
//
// Environment variables of containers, from the text of their pod: only pods that hold TPUs are
// asked, so that decoding the environment of all pods would be for them alone.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/json/value.h"

namespace dra::topology {

// What a container's `env` says. What `envFrom` brings stands in other objects, which are not read.
struct ContainerVariable {
  // As it is written, $(references) included. No value: it comes from elsewhere, or a recording has
  // left it out.
  std::optional<std::string> value = {};
  std::string from = {};  // where it comes from: "a field", "a Secret"; empty: that is not said
};

// Of a name that is there several times the last one counts. No value: the container does not say.
std::optional<ContainerVariable> variable_of(const json::Value& container, std::string_view name);

}  // namespace dra::topology
