// src/json/go_compare.h
//
// The comparisons of filters (client-go/third_party/forked/golang/template). Both sides must be of
// one kind; an integer is another kind than a float.

#pragma once

#include <string_view>

#include "dra/base/result.h"
#include "dra/json/path.h"

namespace dra::json {

// `op` is one of == != < <= > >=. Fails with BadInput.
Result<bool> go_compare(const PathMatch& left, std::string_view op, const PathMatch& right);

}  // namespace dra::json
