// src/report/diff/diff_subjects.h
//
// Whom a diff asks about in two states of a cluster: what waits for devices in one of them, and
// pods that have their devices and whose trouble is not what it was. Those of which the same is to
// be said are asked about once.

#pragma once

#include <string_view>
#include <vector>

#include "dra/report/diff/diff.h"
#include "src/report/diff/decisive.h"

namespace dra::report {

// Pods that cannot differ, pods with the same troubles, or a claim.
struct Alike {
  engine::Wanted wanted;              // the first
  std::vector<SubjectName> subjects;  // all
  bool words_differ = false;          // what is said of the first names it, its node or its devices
};

// What waits in either state; those of most subjects first. `ns`: of that namespace alone, unless
// it is empty.
std::vector<Alike> waiting_subjects(const AskedState& before, const AskedState& after,
                                    std::string_view ns);

// Pods that have a node in both; `devices` are those that differ.
std::vector<Alike> settled_subjects(const AskedState& before, const AskedState& after,
                                    std::string_view ns, const std::vector<DeviceChange>& devices);

// The trouble of a pod with what it has on its node, if there is one. None where it is not there.
std::optional<engine::Trouble> trouble_in(const AskedState& state, const engine::Wanted& pod);

}  // namespace dra::report
