// src/session/status_error.cpp: see status_error.h.

#include "src/session/status_error.h"

#include <string>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/session/redact.h"
#include "src/session/transport_error.h"

namespace dra::session {
namespace {

constexpr std::size_t kExcerpt = 60;  // bytes of a foreign answer that a message quotes
constexpr std::size_t kMaxStatus = 1U << 20U;

// metav1.Status, as far as we use it.
struct Status {
  bool present = false;
  std::string message = {};
  std::string name = {};  // of the object that the refusal is about
};

Status read_status(const Response& response) {
  Status status;
  if (!looks_like_json(response) || response.body.text().size() > kMaxStatus) return status;
  const Result<json::Value> parsed = json::parse_json(response.body.text());
  if (!parsed.ok()) return status;
  const auto text_at = [&](std::initializer_list<std::string_view> path) {
    const json::Value* value = parsed.value().at(path);
    return value != nullptr && value->is(json::Kind::String) ? value->text() : std::string();
  };
  status.present = text_at({"kind"}) == "Status";
  if (!status.present) return status;
  status.message = text_at({"message"});
  status.name = text_at({"details", "name"});
  return status;
}

std::string excerpt(std::string_view text) {
  text = base::trim(text);
  if (text.empty()) return "nothing";
  std::string shown = base::printable(text.substr(0, kExcerpt));
  if (text.size() > kExcerpt) shown += "...";
  return base::format("\"{}\"", shown);
}

// The server's own words, for people: the Status's, else how the body begins.
std::string words_of(const Status& status, const Response& response) {
  return status.message.empty() ? excerpt(response.body.text()) : status.message;
}

std::string status_line(int status) {
  return std::string(base::trim(base::format("{} {}", status, status_text(status))));
}

Error not_found(const Connection& connection, std::string_view path, const Response& response,
                const Status& status) {
  if (!status.name.empty()) return {ErrorKind::NotFound, status.message, {}};
  // A path without any handler is answered in plain text by Go's server.
  const bool no_handler = base::trim(response.body.text()) == "404 page not found";
  if (!status.present && !no_handler) return not_kubernetes(connection, path, response);
  return {ErrorKind::NotServed,
          base::format("the server does not serve {}", path.substr(0, path.find('?'))),
          "`kubectl api-versions` lists what it serves"};
}

Error refusal(const Connection& connection, std::string_view path, const Response& response) {
  const Status status = read_status(response);
  const std::string words = words_of(status, response);
  const std::string who = connection.context.empty()
                              ? connection.origin
                              : base::format("context {}", connection.context);
  switch (response.status) {
    case 401:
      return {ErrorKind::Unauthorized,
              base::format("You must be logged in to the server (the server said: {})", words),
              base::format("check the credentials of {}{}", who,
                           !connection.server.tls && !connection.token.empty()
                               ? "; its token is not sent, as the address is not https"
                               : "")};
    case 403:
      return {ErrorKind::Denied, words, {}};
    case 404:
      return not_found(connection, path, response, status);
    case 410:
      return {ErrorKind::Gone, words, "ask again from the start"};
    default:
      break;
  }
  if (response.status == 429 || response.status >= 500 || status.present) {
    return {ErrorKind::Server,
            base::format("the server answered {} to {}: {}", status_line(response.status),
                         request_name(connection, path), words),
            response.status == 429 || response.status >= 500 ? "try again later" : ""};
  }
  return not_kubernetes(connection, path, response);
}

}  // namespace

bool looks_like_json(const Response& response) {
  return base::trim(response.body.text().substr(0, kExcerpt)).starts_with('{');
}

Error not_kubernetes(const Connection& connection, std::string_view path_and_query,
                     const Response& response) {
  const std::string_view text = response.body.text();
  std::string hint = base::format("is {} the address of a Kubernetes API server? It comes from {}",
                                  connection.server.url(), connection.origin);
  // What Go's server says on a TLS port.
  if (text.find("HTTP request to an HTTPS server") != std::string_view::npos) {
    hint = base::format("the address in {} must begin with https://", connection.origin);
  }
  const std::string place = request_name(connection, path_and_query);
  if (response.status >= 300 && response.status < 400) {
    return {ErrorKind::BadAnswer,
            base::format("the server redirects {} to {}, which is not followed", place,
                         shown_url(response.location.substr(0, response.location.find('?')))),
            hint};
  }
  return {ErrorKind::BadAnswer,
          base::format("the answer to {} is not JSON: {}, beginning with {}", place,
                       status_line(response.status), excerpt(text)),
          hint};
}

Error status_error(const Connection& connection, std::string_view path_and_query,
                   const Response& response) {
  Error error = refusal(connection, path_and_query, response);
  error.message = without_secret(std::move(error.message), connection.token);
  return error;
}

}  // namespace dra::session
