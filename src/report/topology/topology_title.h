// src/report/topology/topology_title.h: what several drawings come to, for the title of a page.

#pragma once

#include <string>

#include "dra/report/topology/topology.h"

namespace dra::report {

// "12 of 30 devices in use, 5 missing". A partitioned accelerator is one device, in use if one of
// its partitions is.
std::string title_of(const Topology& topology, const Scene& scene);

}  // namespace dra::report
