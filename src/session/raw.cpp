// src/session/raw.cpp: see raw.h.

#include "dra/session/raw.h"

#include <utility>
#include <vector>

#include "src/session/status_error.h"

namespace dra::session {

Result<base::Page> get_text(Client& client, const std::string& path_and_query) {
  const std::vector<Exchange> requests = {{.path = path_and_query}};
  std::vector<Result<Response>> answers = client.exchange(requests);
  Response response = DRA_TRY(std::move(answers.front()));
  if (response.status != 200)
    return status_error(client.connection(), client.secrets(), path_and_query, response);
  return std::move(response.body);
}

}  // namespace dra::session
