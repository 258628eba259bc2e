// include/dra/diag/subject.h
//
// The name of what a report or a finding is about: an object of the API, or a pool or device, whose
// names are driver/pool and driver/pool/device.

#pragma once

#include <string>

namespace dra::diag {

struct SubjectName {
  std::string kind;  // "Pod", "ResourceClaim", "Pool", "Device"
  std::string namespace_;
  std::string name;  // empty: the whole kind

  friend bool operator==(const SubjectName&, const SubjectName&) = default;
};

}  // namespace dra::diag
