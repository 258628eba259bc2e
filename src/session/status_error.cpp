// src/session/status_error.cpp: first the Status is completed as client-go completes it, then each
// reason has kubectl's form.

#include "src/session/status_error.h"

#include <algorithm>
#include <string>
#include <vector>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/session/redact.h"
#include "src/session/status.h"
#include "src/session/transport_error.h"

namespace dra::session {
namespace {

constexpr std::size_t kExcerpt = 60;  // bytes of a foreign answer that a message quotes
constexpr std::string_view kNoHandler = "404 page not found";  // of Go's server

// A refusal with the parts of its message.
struct Refusal {
  const Connection& connection;
  const Secrets& secrets;
  std::string_view method;
  std::string_view path;  // without the query
  const Response& response;
  int code = 0;
  Status status = {};
};

std::string excerpt(const Secrets& secrets, std::string_view text) {
  text = base::trim(text);
  if (text.empty()) return "nothing";
  // Masked before it is cut: half a token would not be found.
  const std::string masked = secrets.masked(std::string(text.substr(0, kMaxStatus)));
  std::string shown = base::printable(masked.substr(0, kExcerpt));
  if (masked.size() > kExcerpt) shown += "...";
  return base::format("\"{}\"", shown);
}

std::string status_line(int status) {
  return std::string(base::trim(base::format("{} {}", status, status_text(status))));
}

// " (get pods)", " (get deviceclasses.resource.k8s.io gpu)", which client-go adds to its own words
// for paths of resources. Empty for other paths.
std::string subject_of(std::string_view method, std::string_view path) {
  const std::vector<std::string_view> parts = base::split(path.substr(1), '/');
  const bool group = parts.front() == "apis";
  std::size_t at = group ? 3 : 2;
  if (at + 2 < parts.size() && parts[at] == "namespaces") at += 2;
  if (at >= parts.size() || (!group && parts.front() != "api")) return {};
  std::string subject = base::format(" ({} {}", base::lower(method), parts[at]);
  if (group) subject += base::format(".{}", parts[1]);
  if (at + 1 < parts.size()) subject += base::format(" {}", parts[at + 1]);
  return subject + ")";
}

// The meaning of a code without an explanation.
struct Generic {
  int code;
  std::string_view reason;
  std::string_view message;  // empty: the beginning of the body
};
constexpr Generic kGeneric[] = {
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "the server has asked for the client to provide credentials"},
    {403, "Forbidden", ""},
    {404, "NotFound", "the server could not find the requested resource"},
    {405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    {406, "NotAcceptable",
     "the server was unable to respond with a content type that the client supports"},
    {410, "Gone", ""},
    {422, "Invalid", "the server rejected our request due to an error in our request"},
    {429, "TooManyRequests",
     "the server has received too many requests and has asked us to try again later"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout",
     "the server was unable to return a response in the time allotted, but may still be "
     "processing the request"},
};

// Adds reason and message if there is no Status, or one without them.
void complete(Refusal& refusal) {
  Status& status = refusal.status;
  if (!status.message.empty()) return;
  const std::string body = excerpt(refusal.secrets, refusal.response.body.text());
  const auto* known = std::ranges::find(kGeneric, refusal.code, &Generic::code);
  std::string_view reason = "InternalError";
  if (known != std::end(kGeneric)) {
    reason = known->reason;
    status.message = known->message.empty() ? body : std::string(known->message);
  } else if (refusal.code >= 500) {
    status.message =
        base::format("an error on the server ({}) has prevented the request from succeeding", body);
  } else {
    reason = "Unknown";
    status.message = base::format(
        "the server responded with the status code {} but did not return more information",
        refusal.code);
  }
  status.message += subject_of(refusal.method, refusal.path);
  if (status.reason.empty()) status.reason = reason;
}

ErrorKind kind_of(const Refusal& refusal) {
  switch (refusal.code) {
    case 401:
      return ErrorKind::Unauthorized;
    case 403:
      return ErrorKind::Denied;
    case 404:
      return refusal.status.name.empty() ? ErrorKind::NotServed : ErrorKind::NotFound;
    case 410:
      return ErrorKind::Gone;
    default:
      return ErrorKind::Server;
  }
}

std::string hint_for(const Refusal& refusal, ErrorKind kind) {
  const Connection& connection = refusal.connection;
  switch (kind) {
    case ErrorKind::Unauthorized:
      return base::format("check the credentials of {}{}",
                          connection.context.empty()
                              ? connection.origin
                              : base::format("context {}", connection.context),
                          !connection.server.tls && !connection.token.empty()
                              ? "; its token is not sent, as the address is not https"
                              : "");
    case ErrorKind::Denied:
      return "`kubectl dra rbac` shows which rights are needed";
    case ErrorKind::NotServed:
      return base::format("there is nothing at {}; `kubectl api-versions` lists what is served",
                          refusal.path);
    case ErrorKind::Gone:
      return "ask again from the start";
    default:
      return refusal.code == 429 || refusal.code >= 500 ? "try again later" : "";
  }
}

// kubectl's form for objects that break rules. It writes several causes on lines of their own.
Error invalid(const Refusal& refusal) {
  const Status& status = refusal.status;
  std::vector<std::string> causes;
  for (const StatusCause& one : status.causes) {
    std::string cause = base::format("{}: {}", one.field, one.message);
    if (std::ranges::find(causes, cause) == causes.end()) causes.push_back(std::move(cause));
  }
  Error error{ErrorKind::Server, base::join(causes, "; "), {}, "The request is invalid"};
  if (!status.kind.empty() || !status.name.empty()) {
    error.title = base::format("The {} \"{}\" is invalid", status.kind, status.name);
  }
  if (status.causes.empty()) error.message = status.message;
  return error;
}

// False for answers that no API server gives.
bool is_kubernetes(const Refusal& refusal) {
  if (refusal.status.present) return true;
  const int code = refusal.code;
  if (code == 404) return base::trim(refusal.response.body.text()) == kNoHandler;
  return code == 401 || code == 403 || code == 410 || code == 429 || code >= 500;
}

Error words_for(Refusal& refusal) {
  if (refusal.code == 407 && !refusal.connection.proxy_url.empty()) {
    return proxy_refusal(refusal.connection, refusal.code);
  }
  if (!is_kubernetes(refusal)) {
    return not_kubernetes(refusal.connection, refusal.secrets, refusal.path, refusal.response);
  }
  if (refusal.status.present && refusal.status.reason == "Invalid") return invalid(refusal);
  complete(refusal);
  const Status& status = refusal.status;
  const ErrorKind kind = kind_of(refusal);
  Error error{kind, status.message, hint_for(refusal, kind)};
  if (kind == ErrorKind::Unauthorized) {
    error.message = base::format("You must be logged in to the server ({})", status.message);
  } else {
    error.title = status.reason.empty() ? "Error from server"
                                        : base::format("Error from server ({})", status.reason);
  }
  return error;
}

}  // namespace

Error not_kubernetes(const Connection& connection, const Secrets& secrets,
                     std::string_view path_and_query, const Response& response) {
  const std::string_view text = response.body.text();
  std::string hint = base::format("is {} the address of a Kubernetes API server? It comes from {}",
                                  connection.server.url(), connection.origin);
  // The answer of Go's server on a TLS port.
  if (text.find("HTTP request to an HTTPS server") != std::string_view::npos) {
    hint = base::format("the address in {} must begin with https://", connection.origin);
  }
  const std::string place = request_name(connection, path_and_query);
  if (response.status >= 300 && response.status < 400) {
    const std::string location =
        secrets.masked(response.location.substr(0, response.location.find('?')));
    return {ErrorKind::BadAnswer,
            base::format("the server redirects {} to {}, which is not followed", place,
                         shown_url(location)),
            hint};
  }
  return {ErrorKind::BadAnswer,
          base::format("the answer to {} is not JSON: {}, beginning with {}", place,
                       status_line(response.status), excerpt(secrets, text)),
          hint};
}

Error status_error(const Connection& connection, const Secrets& secrets,
                   std::string_view path_and_query, const Response& response,
                   std::string_view method) {
  Refusal refusal{connection, secrets, method, path_and_query.substr(0, path_and_query.find('?')),
                  response};
  refusal.status = read_status(response);
  const bool refused = response.status < 200 || response.status > 299;
  refusal.code = refused || refusal.status.code == 0 ? response.status : refusal.status.code;
  Error error = words_for(refusal);
  error.message = secrets.masked(std::move(error.message));
  error.title = secrets.masked(std::move(error.title));
  return error;
}

}  // namespace dra::session
