// src/engine/whatif/what_if.cpp: see what_if.h.

#include "dra/engine/whatif/what_if.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"
#include "dra/snapshot/builder.h"
#include "dra/snapshot/pretend.h"

namespace dra::engine {
namespace {

using snapshot::Builder;

// The texts of a spec that is supposed live as long as that; here they become the snapshot's.
class Keeper {
 public:
  explicit Keeper(snapshot::Snapshot& snapshot) : snapshot_(snapshot) {}

  void keep(api::ClaimSpec& spec) {
    for (api::DeviceRequest& request : spec.devices.requests) {
      if (request.exactly) keep(request.exactly->demand);
      for (api::Alternative& alternative : request.alternatives)
        keep(alternative.demand);
    }
  }
  void keep(std::vector<api::DeviceSelector>& selectors) {
    for (api::DeviceSelector& selector : selectors) {
      if (selector.cel) keep(selector.cel->expression);
    }
  }
  void keep(std::vector<api::Toleration>& tolerations) {
    for (api::Toleration& toleration : tolerations) {
      keep(toleration.key);
      keep(toleration.effect);
    }
  }

 private:
  void keep(std::string_view& text) { text = Builder::keep(snapshot_, text); }
  void keep(api::DeviceDemand& demand) {
    keep(demand.selectors);
    keep(demand.tolerations);
  }

  snapshot::Snapshot& snapshot_;
};

template <class T>
T* find_in(snapshot::Snapshot& snapshot, std::string_view ns, std::string_view name) {
  const T* found = snapshot.find<T>(ns, name);
  if (found == nullptr) return nullptr;
  auto& objects = Builder::objects<T>(snapshot);
  return &objects[static_cast<std::size_t>(found - objects.data())];
}

// What is supposed of the subject, written into the snapshot.
class Writer {
 public:
  Writer(snapshot::Snapshot& snapshot, const Wanted& wanted)
      : snapshot_(snapshot), wanted_(wanted), keeper_(snapshot) {}

  bool make(const Change& change) {
    Supposed supposed(snapshot_, wanted_);
    if (!supposed.apply(change)) return false;
    write_subject(supposed);
    return true;
  }

 private:
  void write_subject(const Supposed& supposed);
  void write_claim(const SubjectClaim& claim);

  snapshot::Snapshot& snapshot_;
  const Wanted& wanted_;
  Keeper keeper_;
};

void Writer::write_claim(const SubjectClaim& claim) {
  api::ClaimSpec spec = *claim.spec;
  keeper_.keep(spec);
  if (claim.claim != nullptr) {
    find_in<api::ResourceClaim>(snapshot_, claim.namespace_, claim.name)->spec = std::move(spec);
    return;
  }
  auto* made_from =
      find_in<api::ResourceClaimTemplate>(snapshot_, claim.namespace_, claim.template_name);
  if (made_from != nullptr) made_from->spec.spec = std::move(spec);
}

void Writer::write_subject(const Supposed& supposed) {
  for (const auto& [name, device_class] : supposed.classes()) {
    auto selectors = device_class->spec.selectors;
    keeper_.keep(selectors);
    find_in<api::DeviceClass>(snapshot_, {}, name)->spec.selectors = std::move(selectors);
  }
  for (const SubjectClaim& claim : supposed.subject().claims) {
    if (claim.unmet() != nullptr && claim.extended == nullptr) write_claim(claim);
  }
  if (supposed.subject().pod == nullptr) return;
  auto tolerations = supposed.subject().pod->spec.tolerations;
  keeper_.keep(tolerations);
  find_in<api::Pod>(snapshot_, wanted_.namespace_, wanted_.pod)->spec.tolerations =
      std::move(tolerations);
}

Error missing(std::string what, std::string hint = {}) {
  return {.kind = ErrorKind::NotFound, .message = std::move(what), .hint = std::move(hint)};
}

Result<Done> make(snapshot::Snapshot& snapshot, const Release& change) {
  for (const std::string& name : change.claims) {
    const auto* claim = find_by_full_name<api::ResourceClaim>(snapshot, name);
    if (claim == nullptr)
      return missing(base::format("claim {} not found", name), "see `kubectl dra claims -A`");
    snapshot::remove_claim(snapshot, claim->meta.namespace_, claim->meta.name);
  }
  for (const std::string& name : change.pods) {
    const auto* pod = find_by_full_name<api::Pod>(snapshot, name);
    if (pod == nullptr)
      return missing(base::format("pod {} not found", name), "see `kubectl dra pods -A`");
    snapshot::remove_pod(snapshot, pod->meta.namespace_, pod->meta.name);
  }
  return Done{};
}

Result<Done> make(snapshot::Snapshot& snapshot, const AddNode& change) {
  if (snapshot.find<api::Node>(change.like) == nullptr)
    return missing(base::format("nodes \"{}\" not found", change.like), "see `kubectl dra nodes`");
  snapshot::add_nodes_like(snapshot, change.like, change.count);
  return Done{};
}

Result<Done> make(snapshot::Snapshot& snapshot, const Wait& change) {
  if (!snapshot::complete_pool(snapshot, change.driver, change.pool))
    return missing(base::format("pool {} of driver {} not found", change.pool, change.driver),
                   "see `kubectl dra pools`");
  return Done{};
}

}  // namespace

Result<Done> make_so(snapshot::Snapshot& snapshot, const Wanted& wanted,
                     std::span<const Change> changes) {
  for (const Change& change : changes) {
    if (const auto* release = std::get_if<Release>(&change)) {
      DRA_TRY(make(snapshot, *release));
    } else if (const auto* add = std::get_if<AddNode>(&change)) {
      DRA_TRY(make(snapshot, *add));
    } else if (const auto* wait = std::get_if<Wait>(&change)) {
      DRA_TRY(make(snapshot, *wait));
    } else if (!Writer(snapshot, wanted).make(change)) {
      return missing("what is to be changed is not there, or has its devices already");
    }
  }
  return Done{};
}

}  // namespace dra::engine
