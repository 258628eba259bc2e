// include/dra/checks/convert/conversion.h
//
// Converts manifests from older versions of the DRA API to the newest.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/engine/facts/features.h"
#include "dra/json/value.h"

namespace dra::checks {

// An object that has no counterpart in the newest version.
struct Hopeless {
  json::Position position;  // line 0: not known
  std::string object;       // "ResourceClaim card of resource.k8s.io/v1alpha2"
  bool is_classic;          // of the DRA before structured parameters
  std::string advice = {};  // what to do; empty: nothing special
};

struct Converted {
  std::string text;
  std::size_t objects = 0;  // of an older version
  // True if an object could not be edited in place: the whole text was printed, without comments.
  bool comments_lost = false;
  std::vector<Hopeless> hopeless = {};  // these are left as they are
};

// Which objects are converted: those of older versions; or also those of the newest version that
// have their requests in the flat shape of v1beta1.
enum class Shape { OfVersion, AlsoOfNewest };

// Converts all objects of the DRA API, alone or in lists. Everything else stays as it is: a text
// without such an object comes back unchanged. Comments, order and quotes stay. Objects of kinds
// that are not in v1 in that minor release of Kubernetes stay, too. Fails with BadInput and the
// parser's message for text that is not YAML.
Result<Converted> to_newest(std::string_view text, Shape shape = Shape::OfVersion,
                            int release = engine::kNewestRelease);

}  // namespace dra::checks
