// src/json/kyaml_keys.h: the keys that KYAML writes without quotes.

#pragma once

#include <string_view>

namespace dra::json {

// Without quotes the key is still text to every reader of YAML: it is a word, and looks like no
// number, date or truth value in any version of YAML (sigs.k8s.io/yaml/kyaml, needsQuotes).
bool is_plain_kyaml_key(std::string_view key);

}  // namespace dra::json
