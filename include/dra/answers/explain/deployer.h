// include/dra/answers/explain/deployer.h
//
// The tool that writes an object from files of its own, such as Helm. It writes the object again,
// so an edit by hand does not last.

#pragma once

#include <optional>
#include <string>

#include "dra/api/meta.h"

namespace dra::answers {

struct Deployer {
  std::string tool;   // "Helm release", before the name of what has the object in its files
  std::string name;   // empty: only the tool is known
  std::string until;  // "at the next upgrade": when the tool writes the object again
};

// By the labels and annotations that the tools set on their objects.
std::optional<Deployer> deployer_of(const api::ObjectMeta& meta);

// "Helm release vllm"
std::string words_of(const Deployer& deployer);

}  // namespace dra::answers
