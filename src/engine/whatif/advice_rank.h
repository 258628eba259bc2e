// src/engine/whatif/advice_rank.h
//
// Which advice comes first: what the person on call would do first. What costs nothing comes before
// what gives up a part of the request, and that before what ends the work of others. More hardware
// costs money, but ends nothing. Other hardware than was asked for comes late, however little it
// costs.

#pragma once

#include <cstdint>
#include <span>

#include "dra/engine/facts/change.h"

namespace dra::engine {

enum class AdviceRank : std::uint8_t {
  Wait,            // what is missing is on its way
  FreeUnused,      // nothing works with the devices: no pods, ended ones, ones that only crash
  Correct,         // a slip in a selector; the devices are those that were meant
  TolerateNode,    // the pod itself can be patched
  Align,           // less near to each other than was asked for, and still aligned
  AddNodeOfPool,   // one more of a node pool: a cloud makes it
  AskForLess,      // fewer devices, smaller ones, or without a condition
  TolerateDevice,  // its taint may mean that it does not work well
  OtherNodes,      // that the pod does not select, with devices of the same make
  FreeLower,       // pods whose priority says that they are to make room
  AddNode,         // of no pool: it takes hands to build it in
  FreeOthers,      // pods that work, and that are as important as this one
  OtherDevices,    // of another make than was asked for
  FreeOwn,         // pods of the own workload: their controller makes others, which compete
};

// What a change alone does not say.
struct RankFacts {
  bool works = true;            // of a release: some pod works with the devices
  bool lower_priority = false;  // of a release: than the subject's, each of its pods
  bool own_workload = false;    // of a release: some pod is of the subject's own workload
  bool of_node_pool = false;    // of an added node
};

AdviceRank rank_of(const Change& change, const RankFacts& facts = {});
// Of changes that are made together: that of the one that asks most.
AdviceRank rank_of(std::span<const Change> changes, const RankFacts& facts = {});

}  // namespace dra::engine
