// src/session/request_log.cpp: see request_log.h.

#include "src/session/request_log.h"

#include "dra/base/text.h"
#include "dra/session/redact.h"

namespace dra::session {
namespace {

constexpr int kRetries = 4;
constexpr int kRequests = 6;
constexpr int kSentHeaders = 7;
constexpr int kReceivedHeaders = 8;

bool wants(const Log& log, int level) { return log.verbosity >= level && log.write; }

void write_headers(const Log& log, const Secrets& secrets, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const std::size_t colon = line.find_first_of(":;");  // `Name;` has no value
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, colon);
    // Masked before it is made printable, which may change a secret's characters.
    const std::string value = secrets.masked(line.substr(colon + 1));
    log.write(base::format("    {}: {}", shown_header("", secrets.masked(name)),
                           shown_header(name, base::trim(value))));
  }
}

}  // namespace

void log_request(const Log& log, const Secrets& secrets, const LoggedRequest& request) {
  if (!wants(log, kRequests)) return;
  const std::string outcome =
      request.status == 0 ? "failed"
                          : base::format("{} {}", request.status, status_text(request.status));
  const std::string way =
      request.proxy.empty() ? std::string() : base::format(" through {}", request.proxy);
  log.write(base::format("{} {}{} {} in {} milliseconds", request.method,
                         shown_url(secrets.masked(request.url)), way, base::trim(outcome),
                         request.milliseconds));
  if (!wants(log, kSentHeaders)) return;
  log.write("Request Headers:");
  write_headers(log, secrets, {base::format("User-Agent: {}", request.user_agent)});
  write_headers(log, secrets, request.sent);
  if (!wants(log, kReceivedHeaders)) return;
  log.write("Response Headers:");
  write_headers(log, secrets, request.received);
}

void log_retry(const Log& log, const Secrets& secrets, std::string_view method,
               std::string_view url, std::string_view reason) {
  if (!wants(log, kRetries)) return;
  log.write(base::format("{} {} is sent again: {}", method,
                         shown_url(secrets.masked(std::string(url))), reason));
}

}  // namespace dra::session
