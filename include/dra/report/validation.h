// include/dra/report/validation.h
//
// `kubectl dra validate`: what is wrong in the objects of files.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dra/checks/manifest.h"
#include "dra/json/value.h"
#include "dra/report/validation_against.h"
#include "dra/snapshot/load.h"
#include "dra/view/document.h"

namespace dra::report {

struct FileFinding {
  std::size_t number = 0;  // of the file, in their order
  std::string file;        // as it was given
  std::string object;      // "ResourceClaim default/x"; empty where the file cannot be read as YAML
  checks::ManifestFinding finding;
  std::string source;  // the line that it is about; empty if there is none
};

struct FileObject {
  std::size_t number = 0;
  std::string file;
  checks::CheckedObject object;  // its findings are among those of the files
};

// What a request of an object finds in the cluster.
struct ObjectMet {
  std::string file;
  std::string object;
  RequestMet met;
};

struct Validation {
  std::vector<FileFinding> findings;  // in the order of files and positions
  std::size_t files = 0;
  std::size_t objects = 0;  // that were checked
  std::size_t skipped = 0;  // of kinds that nothing is known of
  std::vector<ObjectMet> met = {};
  // For what is to be said once all files were read.
  std::vector<FileObject> seen = {};
  std::map<std::string, std::string, std::less<>> texts = {};  // of the files

  std::size_t count(checks::Severity severity) const;
};

std::string_view name_of(checks::Phase phase);

// The objects of one file, of which `text` is the content.
void validate(std::string_view file, std::string_view text, const checks::ManifestChecker& checker,
              Validation& validation);

// What of a server is needed to know which of them exist there; what is read of whole kinds anyway
// is not among it. Objects that name no namespace are taken to be for `ns`.
std::vector<snapshot::Need> existing_needs(const Validation& validation, const std::string& ns);

// What can only be said of all files together.
void check_references(Validation& validation);
// What they meet in a cluster. Objects that name no namespace are taken to be for `ns`.
void check_against(const snapshot::Snapshot& snapshot, const std::string& ns,
                   Validation& validation);

// Leaves those out that are less than that.
void keep_from(checks::Severity least, Validation& validation);

json::Value to_json(const Validation& validation);
view::Document to_view(const Validation& validation);

}  // namespace dra::report
