// src/session/status.h
//
// The Status object by which an API server refuses (k8s.io/apimachinery/pkg/apis/meta/v1.Status).

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dra/session/http.h"

namespace dra::session {

// Bytes. A longer answer is no refusal.
inline constexpr std::size_t kMaxStatus = 1U << 20U;

struct StatusCause {
  std::string type;  // "FieldValueInvalid"
  std::string field;
  std::string message;
};

// The fields that we use.
struct Status {
  bool present = false;
  bool failure = false;
  int code = 0;
  std::string message = {};
  std::string reason = {};
  std::string kind = {};  // of the object that the refusal is about
  std::string name = {};
  std::vector<StatusCause> causes = {};
};

// Not `present` if the body is something else.
Status read_status(const Response& response);

// True if the body is a Status that reports a failure, with any status code.
bool is_failure(const Response& response);

// True if the body can be a JSON object.
bool looks_like_json(const Response& response);

}  // namespace dra::session
