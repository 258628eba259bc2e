// src/answers/validate/validation_findings.h
//
// Adds findings to a validation after its files were read.

#pragma once

#include "dra/answers/validate/validation.h"

namespace dra::answers {

// `object` must be an element of `validation.seen`.
void add_finding(const FileObject& object, checks::ManifestFinding finding, Validation& validation);

// Sorts the findings, and adds to each the line of the file that it is about.
void sort_findings(Validation& validation);

}  // namespace dra::answers
