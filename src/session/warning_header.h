// src/session/warning_header.h
//
// Warnings that API servers add to an answer: a version is deprecated, a field is ignored. They
// come in headers `Warning: 299 - "text"`, several of which may share a line.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dra::session {

// The texts of the warnings with code 299 in the value of one header, without empty ones. Reads as
// k8s.io/apimachinery/pkg/util/net.ParseWarningHeaders does, up to the first warning that is not
// well formed; texts with control characters or bytes that are not UTF-8 are not. Unlike there, RFC
// 2047 encoded words, which no API server writes, stay as they are.
std::vector<std::string> parse_warnings(std::string_view header);

}  // namespace dra::session
