// include/dra/api/release.h
//
// The numbers in a version of Kubernetes 1, of an API server or a kubelet.

#pragma once

#include <optional>
#include <string_view>

namespace dra::api {

struct Release {
  int minor = 0;
  std::optional<int> patch = {};  // no value: the version names none
};

// {36, 2} for "v1.36.2-gke.100", {36} for "1.36". No value: the text is no version of Kubernetes 1.
std::optional<Release> release_of(std::string_view version);

}  // namespace dra::api
