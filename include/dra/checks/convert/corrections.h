// include/dra/checks/convert/corrections.h
//
// What can be corrected in a manifest without asking anybody.

#pragma once

#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/checks/manifest/manifest.h"

namespace dra::checks {

struct Corrected {
  std::string text;  // as it was, if there is nothing to correct
  // Some object could not be changed where it stands, so all is written anew, without comments.
  bool comments_lost = false;
};

// Older versions become the newest; in objects of the newest what stands beside a request's name as
// in v1beta1 goes below `exactly`; names with capital letters become what the server takes,
// wherever they stand. BadInput for text that is no YAML.
Result<Corrected> correct(std::string_view text, const ManifestChecker& checker);

}  // namespace dra::checks
