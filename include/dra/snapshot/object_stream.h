// include/dra/snapshot/object_stream.h
//
// The objects of one list as a server sends them, for what prints them as they are: nothing of them
// is kept, so the memory is that of a page.

#pragma once

#include "dra/api/meta.h"
#include "dra/base/function_ref.h"
#include "dra/base/result.h"
#include "dra/snapshot/load.h"

namespace dra::snapshot {

// Reads the list of a need without names, and calls `on_object` for each object in the server's
// order, as soon as it is there. The origin is valid during the call. Errors are those of load();
// one that follows the first objects cannot take these back. Gone: the server has forgotten the
// list before its end.
Result<Done> stream_objects(const Source& source, const Need& need,
                            base::FunctionRef<void(const api::Origin&)> on_object);

}  // namespace dra::snapshot
