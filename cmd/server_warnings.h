// cmd/server_warnings.h
//
// Prints the Warning headers of the server's responses: each text once, on standard error, as
// kubectl (client-go's rest.NewWarningWriter with Deduplicate).

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
  // For --warnings-as-errors: an error if any warning was printed.
  Result<Done> none() const;

 private:
  std::ostream& err_;
  bool colour_;
  std::set<std::string, std::less<>> printed_;
};

}  // namespace dra::cmd
