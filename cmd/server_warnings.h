// cmd/server_warnings.h
//
// What the server has to say beside its answers: each text once, on standard error, as kubectl
// prints it (client-go's rest.NewWarningWriter with Deduplicate).

#pragma once

#include <cstddef>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include "dra/base/result.h"

namespace dra::cmd {

class ServerWarnings {
 public:
  ServerWarnings(std::ostream& err, bool colour) : err_(err), colour_(colour) {}

  void print(std::string_view text);
  // An error if there were any: --warnings-as-errors.
  Result<Done> none() const;

 private:
  std::ostream& err_;
  bool colour_;
  std::set<std::string, std::less<>> printed_;
};

}  // namespace dra::cmd
