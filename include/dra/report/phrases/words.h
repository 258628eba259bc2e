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
#include "dra/base/ages.h"
#include "dra/base/fold_names.h"
#include "dra/base/prose.h"
#include "dra/base/time.h"
#include "dra/diag/severity.h"
#include "dra/diag/subject.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

using base::age_of;
using base::ago;
using base::fold_devices;
using base::fold_devices_within;
using base::fold_names;
using base::fold_nodes;
using base::kUnknown;
using base::name_devices_within;
using base::one_line;
using base::sentence;
using diag::SubjectName;

inline constexpr std::string_view kNone = "<none>";
inline constexpr std::string_view kError = "<error>";  // of a selector that does not compile

std::string or_none(std::string_view text);

// The scheduler's message without the suffix about preemption and the release of claims, which is
// the same for every pod with claims.
std::string without_preemption(std::string_view message);

// "1 x gpu.nvidia.com" or "all x tpu.google.com".
std::string describe_demand(const api::DeviceDemand& demand);
// All requests of a claim: "1 x gpu.nvidia.com or 2 x gpu.nvidia.com, all x nic"; "<none>".
std::string describe_requests(const api::ClaimSpec& spec);

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
