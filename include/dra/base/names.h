// include/dra/base/names.h
//
// The forms of names that Kubernetes accepts. Lengths are in bytes.
//
// Upstream: k8s.io/apimachinery/pkg/api/validate/content (dns.go, kube.go, identifier.go).

#pragma once

#include <cstddef>
#include <string_view>

namespace dra::base {

inline constexpr std::size_t kMaxDnsLabel = 63;       // and a label's value, and its key's name
inline constexpr std::size_t kMaxDnsSubdomain = 253;  // and a label key's prefix

// The form alone, of any length: "gpu-0"; "gpu.example.com"; "MyName", "my.name", "123-abc".
bool has_dns_label_form(std::string_view text);
bool has_dns_subdomain_form(std::string_view text);
bool has_label_name_form(std::string_view text);

// Form and length.
bool is_dns_label(std::string_view text);
bool is_dns_subdomain(std::string_view text);
bool is_label_name(std::string_view text);   // a label key without its prefix
bool is_label_key(std::string_view text);    // "name" or "example.com/name"
bool is_label_value(std::string_view text);  // a label name, or empty
bool is_c_identifier(std::string_view text);
// A text that means itself in the path of a URL (IsValidPathSegmentName). Every object's name is
// one.
bool is_path_segment(std::string_view text);

}  // namespace dra::base
