// include/dra/diag/reason.h
//
// One reason why something does not happen, folded over the devices that it applies to. It holds
// facts only: the demand, the devices, their holders. The message is one sentence, made of these
// facts by the code that finds them; layout and colour belong to renderers.

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
  Proven,          // follows from objects that were read
  AsFarAsVisible,  // may change with objects that could not be read
  Heuristic,       // parsed from a message of another component
};
std::string_view name_of(Certainty certainty);

struct Holder {
  std::string claim;   // namespace/name
  std::string pod;     // namespace/name; empty if no pod has reserved the claim
  std::string device;  // driver/pool/device
};

struct Reason {
  Code code;
  std::string claim = {};    // namespace/name, or the pod's name for a claim that does not exist
  std::string request = {};  // "req" or "req/sub"
  std::int64_t devices = 0;  // number of devices that it applies to
  std::vector<std::string> examples = {};  // some of the devices, as driver/pool/device
  std::vector<Holder> holders = {};
  // Set for reasons about a selector.
  std::string_view source = {};              // "class" or "request"
  std::optional<std::size_t> selector = {};  // index of the selector
  std::string expression = {};
  // The deciding part of the expression as a range of bytes, and the first example's values in it.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> span = {};
  std::vector<std::pair<std::string, std::string>> values = {};
  Certainty certainty = Certainty::Proven;
  std::string message = {};
  std::shared_ptr<const Evidence> evidence = {};  // set if evidence was requested and exists
};

}  // namespace dra::diag
