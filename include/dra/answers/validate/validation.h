// include/dra/answers/validate/validation.h
//
// The findings of `kubectl dra validate` about the objects of files: checked without a cluster,
// compared with a cluster, or compared with a server's dry run.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/checks/manifest/documents.h"
#include "dra/checks/manifest/manifest.h"
#include "dra/session/dry_run.h"
#include "dra/snapshot/load.h"

namespace dra::answers {

// A file, read and parsed once.
struct Manifest {
  std::string file;  // path as the user gave it
  std::string text;
  std::vector<checks::Document> documents;
};

// How the server's answer relates to an error: both report it (Same), only the local checks do
// (Nothing), or only the server does (Only).
enum class ServerSays { Same, Nothing, Only };

struct FileFinding {
  std::size_t number = 0;  // number of the file, in the order of the files
  std::string file;        // path as the user gave it
  std::string object;      // "ResourceClaim default/x"; empty if the file is no YAML
  checks::ManifestFinding finding;
  std::string source;  // the line of the file, or a part of a long one; empty if there is none
  std::size_t seen = static_cast<std::size_t>(-1);  // index of the object in Validation::seen
  // Set for errors, if a dry run ran and the server's checks reached this rule.
  std::optional<ServerSays> server = {};
  std::size_t cut = 0;  // bytes of the line in front of `source`
};

struct FileObject {
  std::size_t number = 0;  // number of the file
  std::string file;
  checks::CheckedObject object;  // without its findings, which are in Validation::findings
};

// The result of a dry run.
struct DryRun {
  std::size_t asked = 0;        // objects
  std::size_t refused = 0;      // refused objects
  std::size_t differences = 0;  // findings of only one side, the server or the local checks
};

// The devices of a cluster that match a request, or an alternative of one.
struct RequestMatch {
  std::string path;
  std::string request;  // "gpu", or "gpu/large" for an alternative
  std::string device_class;
  std::int64_t devices = 0;               // devices of the cluster, of any class
  std::int64_t matched = 0;               // devices that the selectors of class and request match
  std::optional<std::int64_t> free = {};  // matched and free now; no value: not known
  // Matching devices with a taint that the request does not tolerate; no value: some taints are not
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
  // Kept for checks across files.
  std::vector<FileObject> seen = {};
  std::map<std::string, std::string, std::less<>> texts = {};  // text by file

  std::size_t count(checks::Severity severity) const;
  std::vector<checks::ObjectName> defined() const;  // the objects that the files define
};

Manifest read_manifest(std::string file, std::string text);

// The reads that find out which objects of the files exist on the server, apart from kinds that are
// read as a whole anyway. `ns` is the namespace of objects without one.
std::vector<snapshot::Need> update_target_needs(std::span<const Manifest> manifests,
                                                const std::string& ns);

// Runs the checks of each object, and adds the objects and findings to the validation.
void validate(Manifest manifest, const checks::ManifestChecker& checker, Validation& validation);

// Checks references between the objects of all files. `knows_namespaces`: a cluster or a server
// tells what namespaces that are not among the files allow.
void check_references(Validation& validation, bool knows_namespaces = false);
// Compares the objects with a cluster. `ns` is the namespace of objects without one; `flags` of
// proposed commands ask about the same cluster, each with a leading space: " --snapshot FILE".
void check_cluster(const snapshot::Snapshot& snapshot, const std::string& ns,
                   std::string_view flags, Validation& validation);

// A dry-run request about one object. The checker must have kept the object as it was written
// (ManifestChecker::keep_written).
struct Question {
  std::size_t seen;  // index of the object in Validation::seen
  session::Proposal proposal;
};
// `ns` is the namespace of objects without one.
std::vector<Question> questions_of(const Validation& validation, const std::string& ns);
// Adds errors that only the server reports, and marks each local error as confirmed or not.
void check_verdicts(std::span<const Question> questions, std::span<const session::Verdict> verdicts,
                    Validation& validation);

// Drops findings below that severity.
void drop_below(checks::Severity least, Validation& validation);

}  // namespace dra::answers
