// include/dra/report/phrases/words.h
//
// Common wording of reports: ages, folded lists of names, requests; and small builders of cells.

#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/slice.h"
#include "dra/base/time.h"
#include "dra/diag/severity.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

inline constexpr std::string_view kNone = "<none>";
inline constexpr std::string_view kUnknown = "<unknown>";
inline constexpr std::string_view kError = "<error>";  // of a selector that does not compile

std::string age_of(const api::Time& since, base::Instant now);  // "<unknown>" without a time
std::string ago(const api::Time& when, base::Instant now);      // "5m ago", "in 30s", "<unknown>"
std::string or_none(std::string_view text);

// "gpu-0", "gpu-1", "gpu-2" -> "gpu-0…2"; runs of three or more, the rest joined by commas.
std::string fold_names(const std::vector<std::string_view>& names);

// The same with a common prefix written once: "gpu-0-mig-1g10gb-19-{0…3,6}".
std::string fold_devices(const std::vector<std::string_view>& names);

// As many names as fit into `width` cells, at least one, then ",+2".
std::string fold_devices_within(const std::vector<std::string_view>& names, std::size_t width);

// The same within a sentence: "devices 0…3" where the names are only numbers.
std::string name_devices_within(const std::vector<std::string_view>& names, std::size_t width);

// Names of nodes with their common prefix written once: "pool-a-{cg6n,t5wd}"; at most `limit`, then
// "+2".
std::string fold_nodes(const std::vector<std::string_view>& names, std::size_t limit);

// The scheduler's message without the suffix about preemption and the release of claims, which is
// the same for every pod with claims.
std::string without_preemption(std::string_view message);

// "1 x gpu.nvidia.com" or "all x tpu.google.com".
std::string describe_demand(const api::DeviceDemand& demand);
// All requests of a claim: "1 x gpu.nvidia.com or 2 x gpu.nvidia.com, all x nic"; "<none>".
std::string describe_requests(const api::ClaimSpec& spec);

// Joins the lines of an expression: a line break and the indentation around it become a space.
std::string one_line(std::string_view expression);

// "DeviceLost: it fell off the bus"; only the reason if there is no message.
std::string why(const api::Condition& condition);

// Adds a full stop unless the text ends with punctuation.
std::string sentence(std::string text);

// The consumers that have reserved a claim: pods by name, others as "resource/name"; at most
// `limit`, then "+2".
std::string consumers_of(const api::ResourceClaim& claim, std::size_t limit);

view::Tone tone_of(diag::Severity severity);

view::Span span(std::string text, view::Tone tone = view::Tone::Plain);
view::Cell cell(std::string_view text, view::Tone tone = view::Tone::Plain);
view::Cell cell(std::int64_t number);
view::Cell cell_if_known(const std::optional<std::int64_t>& number);   // else "<unknown>"
json::Value json_if_known(const std::optional<std::int64_t>& number);  // else null

// "and 2 more reasons: -o wide".
view::Rest rest_of(std::string_view what);

using Titles = std::initializer_list<const char*>;
view::Table table_of(Titles titles, Titles wide_titles = {});

}  // namespace dra::report
