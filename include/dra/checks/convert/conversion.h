// include/dra/checks/convert/conversion.h
//
// Manifests of older API versions as the newest has them.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dra/base/result.h"

namespace dra::checks {

struct Converted {
  std::string text;
  std::size_t objects = 0;  // that were of an older version
  // Some object could not be changed where it stands, so all is written anew, without comments.
  bool comments_lost = false;
};

// Which objects are changed: those of older versions; or also those of the newest that have
// requests as v1beta1 has them, which then any version may name.
enum class Shape { OfVersion, AlsoOfNewest };

// All objects of the DRA API, alone or in lists, in the newest version; all else as it is: text
// without such an object comes back unchanged. Comments, order and quotes stay. BadInput for text
// that is no YAML, in the words of the reader.
Result<Converted> to_newest(std::string_view text, Shape shape = Shape::OfVersion);

}  // namespace dra::checks
