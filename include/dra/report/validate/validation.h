// include/dra/report/validate/validation.h
//
// `kubectl dra validate`: what is wrong in the objects of files.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/checks/manifest/documents.h"
#include "dra/checks/manifest/manifest.h"
#include "dra/json/value.h"
#include "dra/report/validate/validation_against.h"
#include "dra/session/dry_run.h"
#include "dra/snapshot/load.h"
#include "dra/view/document.h"

namespace dra::report {

// What a server says of an error that was found without it, or found that was not.
enum class ServerSays { Same, Nothing, Only };

// A file, read once for all questions about it.
struct Manifest {
  std::string file;  // as it was given
  std::string text;
  std::vector<checks::Document> documents;
};

struct FileFinding {
  std::size_t number = 0;  // of the file, in their order
  std::string file;        // as it was given
  std::string object;      // "ResourceClaim default/x"; empty where the file cannot be read as YAML
  checks::ManifestFinding finding;
  std::string source;  // the line that it is about; empty if there is none
  std::size_t seen = static_cast<std::size_t>(-1);  // the object's place in Validation::seen
  // Of errors, where a server was asked and came as far as that rule.
  std::optional<ServerSays> server = {};
};

struct FileObject {
  std::size_t number = 0;
  std::string file;
  checks::CheckedObject object;  // its findings are among those of the files
};

// What came of asking a server.
struct DryRun {
  std::size_t asked = 0;        // objects
  std::size_t refused = 0;      // of these
  std::size_t differences = 0;  // findings that only one of the two has
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
  std::optional<DryRun> dry_run = {};
  // For what is to be said once all files were read.
  std::vector<FileObject> seen = {};
  std::map<std::string, std::string, std::less<>> texts = {};  // of the files

  std::size_t count(checks::Severity severity) const;
};

std::string_view name_of(checks::Phase phase);

Manifest read_manifest(std::string file, std::string text);

// What to read from a server to know which objects of the files exist there, without the kinds that
// are read as a whole anyway. Objects that name no namespace are taken to be for `ns`.
std::vector<snapshot::Need> update_target_needs(std::span<const Manifest> manifests,
                                                const std::string& ns);

// Checks the objects of a file.
void validate(Manifest manifest, const checks::ManifestChecker& checker, Validation& validation);

// What can only be said of all files together.
void check_references(Validation& validation);
// What they meet in a cluster. Objects that name no namespace are taken to be for `ns`.
void check_against(const snapshot::Snapshot& snapshot, const std::string& ns,
                   Validation& validation);

// The objects that a server can be asked about, those that the checker has kept as they were
// written (ManifestChecker::keep_written). Objects that name no namespace are taken to be for `ns`.
struct Question {
  std::size_t seen;  // its place in Validation::seen
  session::Proposal proposal;
};
std::vector<Question> questions_of(const Validation& validation, const std::string& ns);
// Adds what the server refuses in them, and where it differs.
void check_verdicts(std::span<const Question> questions, std::span<const session::Verdict> verdicts,
                    Validation& validation);

// Leaves those out that are less than that.
void keep_from(checks::Severity least, Validation& validation);

json::Value to_json(const Validation& validation);
view::Document to_view(const Validation& validation);

}  // namespace dra::report
