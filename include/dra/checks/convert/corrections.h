// include/dra/checks/convert/corrections.h
//
// Corrects mistakes in a manifest that have exactly one remedy.

#pragma once

#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/checks/manifest/manifest.h"

namespace dra::checks {

struct Corrected {
  std::string text;  // unchanged if there is nothing to correct
  // True if an object could not be edited in place: the whole text was printed, without comments.
  bool comments_lost = false;
};

// Puts quotes around values that YAML does not read without them, and spaces and colons behind
// keys. Converts older versions to the newest. Moves the fields of a request in the flat shape of
// v1beta1 below `exactly`, also where the object is of the newest version. Replaces names with
// capital letters by the nearest valid ones, wherever they occur. Fails with BadInput for text that
// is not YAML even then.
Result<Corrected> correct(std::string_view text, const ManifestChecker& checker);

}  // namespace dra::checks
