// cmd/commands/streamed_list.h
//
// `-o json` and `-o yaml` of one whole list of a server: each object is printed as it arrives, in
// the bytes of a List that was printed as a whole.

#pragma once

#include <cstddef>
#include <string>

#include "cmd/command.h"
#include "cmd/output.h"
#include "dra/api/meta.h"

namespace dra::cmd {

class StreamedList {
 public:
  StreamedList(const Context& context, const Output& output, bool managed_fields)
      : context_(context), output_(output), managed_fields_(managed_fields) {}

  static bool can_print(const Output& output) {
    return output.format == Format::Json || output.format == Format::Yaml;
  }

  void add(const api::Origin& origin);
  // Ends the List. An empty one is not printed if `only_found`.
  Result<Done> end(bool only_found);

 private:
  const Context& context_;
  const Output& output_;
  bool managed_fields_;
  std::size_t objects_ = 0;
};

}  // namespace dra::cmd
