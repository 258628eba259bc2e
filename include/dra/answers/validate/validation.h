// include/dra/answers/validate/validation.h
//
// The findings of `kubectl dra validate` about the objects of files: without a cluster, compared
// with one, and compared with what a server says in a dry run.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/checks/manifest/documents.h"
#include "dra/checks/manifest/manifest.h"
#include "dra/session/dry_run.h"
#include "dra/snapshot/load.h"

namespace dra::answers {

// A file, read once for all questions about it.
struct Manifest {
  std::string file;  // as it was given
  std::string text;
  std::vector<checks::Document> documents;
};

// What a server says about an error that was found without it (Same, Nothing), or only by it.
enum class ServerSays { Same, Nothing, Only };

struct FileFinding {
  std::size_t number = 0;  // of the file, in the order of the files
  std::string file;        // as it was given
  std::string object;      // "ResourceClaim default/x"; empty if the file is no YAML
  checks::ManifestFinding finding;
  std::string source;  // the line that it is about; empty if there is none
  std::size_t seen = static_cast<std::size_t>(-1);  // index of the object in Validation::seen
  // For errors, if a server was asked and its checks got to this rule.
  std::optional<ServerSays> server = {};
};

struct FileObject {
  std::size_t number = 0;  // of the file
  std::string file;
  checks::CheckedObject object;  // without its findings, which are in Validation::findings
};

// The result of a dry run.
struct DryRun {
  std::size_t asked = 0;        // objects
  std::size_t refused = 0;      // objects of these
  std::size_t differences = 0;  // findings that only the server or only the checks have
};

// The devices of a cluster that match a request, or an alternative of one.
struct RequestMatch {
  std::string path;
  std::string request;  // "gpu", or "gpu/large" for an alternative
  std::string device_class;
  std::int64_t devices = 0;               // in all classes
  std::int64_t matched = 0;               // that the selectors of class and request match
  std::optional<std::int64_t> free = {};  // matched and free now; no value: not known
  // Matched, with a taint that the request does not tolerate; no value: some taints are not
  // visible.
  std::optional<std::int64_t> tainted = {};
};

struct FileRequest {
  std::string file;
  std::string object;
  RequestMatch match;
};

struct Validation {
  std::vector<FileFinding> findings;  // in the order of files and positions
  std::size_t files = 0;
  std::size_t objects = 0;  // checked objects
  std::size_t skipped = 0;  // objects of kinds without checks
  std::vector<FileRequest> requests = {};
  std::optional<DryRun> dry_run = {};
  // For checks that need all files.
  std::vector<FileObject> seen = {};
  std::map<std::string, std::string, std::less<>> texts = {};  // of the files

  std::size_t count(checks::Severity severity) const;
  std::vector<checks::ObjectName> defined() const;  // the objects that the files define
};

Manifest read_manifest(std::string file, std::string text);

// What to read from a server to know which objects of the files exist there, without the kinds that
// are read as a whole anyway. Objects without a namespace are in `ns`.
std::vector<snapshot::Need> update_target_needs(std::span<const Manifest> manifests,
                                                const std::string& ns);

// Checks the objects of a file.
void validate(Manifest manifest, const checks::ManifestChecker& checker, Validation& validation);

// Checks references between the objects of all files.
void check_references(Validation& validation);
// Compares the objects with a cluster. Objects without a namespace are in `ns`.
void check_cluster(const snapshot::Snapshot& snapshot, const std::string& ns,
                   Validation& validation);

// A question to a server about an object, which the checker must have kept as it was written
// (ManifestChecker::keep_written).
struct Question {
  std::size_t seen;  // index of the object in Validation::seen
  session::Proposal proposal;
};
// Objects without a namespace are in `ns`.
std::vector<Question> questions_of(const Validation& validation, const std::string& ns);
// Adds the errors that only the server has, and marks those that it has, too, or has not.
void check_verdicts(std::span<const Question> questions, std::span<const session::Verdict> verdicts,
                    Validation& validation);

// Drops findings below that severity.
void drop_below(checks::Severity least, Validation& validation);

}  // namespace dra::answers
