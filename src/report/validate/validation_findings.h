// src/report/validate/validation_findings.h
//
// Findings of a validation, for whoever adds some after the files were read.

#pragma once

#include "dra/report/validate/validation.h"

namespace dra::report {

// `seen` must be one of the validation's.
void add_finding(const FileObject& seen, checks::ManifestFinding finding, Validation& validation);

// Findings get the lines that they are about, and come into order.
void arrange(Validation& validation);

}  // namespace dra::report
