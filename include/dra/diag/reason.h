// include/dra/diag/reason.h
//
// One reason why something does not happen, folded over the devices it applies to. Facts only: whom
// it concerns, how many devices and which, who holds them. The message is one sentence made of
// these facts by the code that found them; layout and colour are a renderer's.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/diag/codes.h"
#include "dra/diag/evidence.h"

namespace dra::diag {

enum class Certainty {
  Proven,          // follows from what was read
  AsFarAsVisible,  // would change if what we could not read said otherwise
  Heuristic,       // read out of somebody's words
};
std::string_view name_of(Certainty certainty);

struct Holder {
  std::string claim;   // namespace/name
  std::string pod;     // namespace/name, empty if nobody has reserved the claim
  std::string device;  // driver/pool/device
};

struct Reason {
  Code code;
  std::string claim = {};    // namespace/name, or the pod's own name for it if there is no claim
  std::string request = {};  // "req" or "req/sub"
  std::int64_t devices = 0;  // how many it applies to
  std::vector<std::string> examples = {};  // some of them, as driver/pool/device
  std::vector<Holder> holders = {};
  // Of reasons about a selector.
  std::string_view source = {};              // "class" or "request"
  std::optional<std::size_t> selector = {};  // its index
  std::string expression = {};
  // The part of it that decides, in bytes from and up to; and what the first example has in it.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> span = {};
  std::vector<std::pair<std::string, std::string>> values = {};
  Certainty certainty = Certainty::Proven;
  std::string message = {};
  std::shared_ptr<const Evidence> evidence = {};  // where somebody asked for it, and there is some
};

}  // namespace dra::diag
