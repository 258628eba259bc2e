// include/dra/diag/evidence.h
//
// The figures behind a reason, for whoever wants to check it or to decide what to change: what the
// devices have of what a constraint compares, what is left of counters and who has the rest, how an
// amount of capacity comes about, what each alternative lacks, who refused. Amounts are as
// Kubernetes writes them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dra/diag/codes.h"

namespace dra::diag {

struct ConstraintEvidence {
  // A demand that it speaks of.
  struct Asked {
    std::string request;       // "req" or "req/sub"
    std::int64_t wanted = 0;   // devices
    std::int64_t without = 0;  // devices that could serve it and have no such attribute
  };
  struct Value {
    std::string value;
    std::vector<std::int64_t> devices;  // that could serve each of `requests`, in their order
  };
  std::size_t index = 0;  // among those of the claim
  bool matching = true;   // matchAttribute, not distinctAttribute
  std::string attribute;
  std::vector<Asked> requests;
  std::vector<Value> values;  // sorted; of a list each item, so that a device may count several
                              // times
};

// Of a pool, what the candidate that comes nearest to being allocated would take.
struct LedgerEvidence {
  struct Consumer {
    std::string device;  // driver/pool/device
    std::string takes;
    std::string claim;  // namespace/name
    std::string pod;    // namespace/name, empty if nobody has reserved the claim
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
  std::vector<Counter> counters;  // of all sets that it draws on
};

struct CapacityEvidence {
  std::string device;  // driver/pool/device
  std::string capacity;
  std::optional<std::string> asked;  // none: the policy's default, or everything
  std::string takes;                 // rounded as the policy says; empty if that is not possible
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

// One of a prioritized list.
struct AlternativeEvidence {
  std::string request;       // "req/sub"
  std::optional<Code> code;  // what is against it; none where it could be had if it were alone
  std::string message;
  std::int64_t matching = 0;  // devices
  std::int64_t in_use = 0;    // of the matching
  std::int64_t usable = 0;    // of the matching
};

// Who refused to create an object, in the API server's words.
struct RefusalEvidence {
  enum class By { Quota, Webhook, Policy };
  By by = By::Quota;
  std::string name;  // of the ResourceQuota, the webhook or the policy
  std::string said;  // by a webhook or a policy, of its own
  // Of a quota: "RESOURCE=AMOUNT", several parted by commas.
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
