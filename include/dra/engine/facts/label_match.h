// include/dra/engine/facts/label_match.h
//
// Label selectors of objects, judged one object at a time.
// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1, LabelSelectorAsSelector.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/api/meta.h"

namespace dra::engine {

// A selector without conditions selects everything. No value: a condition cannot be read, which an
// API server does not store.
std::optional<bool> selects(const api::LabelSelector& selector,
                            const api::Map<std::string_view>& labels);
bool selects_all(const api::LabelSelector& selector);

// "app=web,tier in (a,b)"; empty for everything.
std::string describe(const api::LabelSelector& selector);

}  // namespace dra::engine
