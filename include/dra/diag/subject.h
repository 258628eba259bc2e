// include/dra/diag/subject.h
//
// The name of the subject of a report or finding: an object of the API, or a pool or device, which
// are named driver/pool and driver/pool/device.

#pragma once

#include <string>

namespace dra::diag {

struct SubjectName {
  std::string kind;  // "Pod", "ResourceClaim", "Pool", "Device"
  std::string namespace_;
  std::string name;  // empty: all objects of the kind

  friend bool operator==(const SubjectName&, const SubjectName&) = default;
};

}  // namespace dra::diag
