// include/dra/diag/evidence.h
//
// The figures behind a reason, to check it or to decide what to change: the values of devices for a
// constraint's attribute, the counters and their consumers, the parts of an amount of capacity, the
// shortage of each alternative, the refusing component. Amounts are written as in Kubernetes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dra/diag/codes.h"

namespace dra::diag {

struct ConstraintEvidence {
  // A demand that the constraint covers.
  struct Asked {
    std::string request;       // "req" or "req/sub"
    std::int64_t wanted = 0;   // devices
    std::int64_t without = 0;  // devices that could serve it and do not have the attribute
  };
  struct Value {
    std::string value;
    // Devices that could serve each of `requests`, in their order.
    std::vector<std::int64_t> devices;
  };
  std::size_t index = 0;  // index among the constraints of the claim
  bool matching = true;   // matchAttribute, not distinctAttribute
  std::string attribute;
  std::vector<Asked> requests;
  // Sorted. Each item of a list counts, so one device may count several times.
  std::vector<Value> values;
};

// Counters of a pool, for the candidate that is nearest to being allocated.
struct LedgerEvidence {
  struct Consumer {
    std::string device;  // driver/pool/device
    std::string takes;
    std::string claim;  // namespace/name
    std::string pod;    // namespace/name; empty if no pod has reserved the claim
  };
  struct Counter {
    std::string set;
    std::string name;
    std::string total;
    std::string used;
    std::string left;  // negative when overdrawn
    std::string takes;
    bool enough = true;
    std::vector<Consumer> consumers;
  };
  std::string candidate;          // driver/pool/device
  std::vector<Counter> counters;  // counters of all sets that the candidate draws on
};

struct CapacityEvidence {
  std::string device;  // driver/pool/device
  std::string capacity;
  std::optional<std::string> asked;  // none: the policy's default, or everything
  std::string takes;  // amount after rounding by the policy; empty if no rounding is possible
  std::string used;
  std::string left;
  std::string total;  // empty if the device does not have it
};

struct PoolEvidence {
  std::string driver;
  std::string pool;
  std::int64_t generation = 0;
  std::int64_t slices_seen = 0;
  std::int64_t slices_expected = 0;
};

// One alternative of a prioritized list.
struct AlternativeEvidence {
  std::string request;       // "req/sub"
  std::optional<Code> code;  // the reason against it; none if it would fit alone
  std::string message;
  std::int64_t matching = 0;  // devices
  std::int64_t in_use = 0;    // subset of the matching
  std::int64_t usable = 0;    // subset of the matching
};

// The component that refused to create or to admit an object, in its own or the API server's words.
struct RefusalEvidence {
  enum class By { Quota, Webhook, Policy, Queue };
  By by = By::Quota;
  std::string name;  // of the ResourceQuota, the webhook, the policy, or the queue's Workload
  std::string said;  // message of a webhook, a policy or a queue
  // Of a webhook that does not answer: its service as namespace/name, or its address.
  std::string unreachable;
  // Set for a quota: "RESOURCE=AMOUNT", several separated by commas.
  std::string requested;
  std::string used;
  std::string limited;
};

struct Evidence {
  std::vector<ConstraintEvidence> constraints = {};
  std::optional<LedgerEvidence> ledger = {};
  std::vector<CapacityEvidence> capacity = {};
  std::optional<PoolEvidence> pool = {};
  std::vector<AlternativeEvidence> alternatives = {};
  std::optional<RefusalEvidence> refusal = {};
};

}  // namespace dra::diag
