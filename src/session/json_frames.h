// src/session/json_frames.h
//
// The JSON objects of an answer that has no end, cut out of its bytes as they arrive. An API server
// writes each event of a watch as one object; where the network cuts the bytes means nothing.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dra/base/function_ref.h"
#include "dra/base/result.h"

namespace dra::session {

class JsonFrames {
 public:
  // `most` is the limit of one object, in bytes.
  explicit JsonFrames(std::size_t most) : most_(most) {}

  // Calls `on_object` with the text of each object that ends in these bytes. Only its brackets are
  // matched; what is between them is for a parser to check. BadAnswer for other text than objects
  // and white space, and for an object beyond the limit; its message has no place.
  Result<Done> read(std::string_view bytes,
                    base::FunctionRef<Result<Done>(std::string_view object)> on_object);

  // An object has begun and not ended.
  bool within() const { return depth_ > 0; }
  // Forgets an object that has begun: its rest never comes.
  void reset();

 private:
  // The number of bytes up to the end of the object, or all of them.
  std::size_t scan(std::string_view bytes);

  std::size_t most_;
  std::string begun_;  // of the object that the bytes so far have begun
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace dra::session
