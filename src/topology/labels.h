// src/topology/labels.h
//
// Values in labels and names of objects.

#pragma once

#include "dra/base/numbered.h"
#include "dra/engine/cluster/nodes.h"

namespace dra::topology {

using base::number_in;
using base::NumberedName;
using base::split_number;
using engine::label_of;

}  // namespace dra::topology
