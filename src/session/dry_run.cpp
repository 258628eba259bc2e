// src/session/dry_run.cpp: two rounds of requests: which objects exist, then the dry runs.

#include "dra/session/dry_run.h"

#include <utility>

#include "dra/base/names.h"
#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "src/session/status.h"
#include "src/session/status_error.h"

namespace dra::session {
namespace {

constexpr std::string_view kAsked = "?dryRun=All&fieldValidation=Strict&fieldManager=kubectl-dra";

std::string path_of(const Proposal& proposal) {
  return base::format("{}/{}", proposal.collection, base::url_escape(proposal.name));
}

// The refusal is about the user and not about the object. Missing rights and admission have the
// same code and differ in their words (k8s.io/apiserver/pkg/endpoints/handlers/responsewriters,
// forbiddenMessage).
bool is_about_rights(const Status& status) {
  return status.reason == "Forbidden" && status.causes.empty() &&
         status.message.find(": User \"") != std::string::npos &&
         status.message.find("\" cannot ") != std::string::npos;
}

bool is_about_the_object(const Response& response, const Status& status) {
  switch (response.status) {
    case 401:
    case 429:
    case 503:
    case 504:
      return false;
    default:
      return status.present && !is_about_rights(status);
  }
}

class DryRun {
 public:
  DryRun(Client& client, std::vector<Proposal> proposals)
      : client_(client),
        proposals_(std::move(proposals)),
        verdicts_(proposals_.size(), Verdict()) {}

  std::vector<Result<Verdict>> run() {
    find_existing();
    propose();
    return std::move(verdicts_);
  }

 private:
  // A server that denies the look-up may still answer the dry run.
  void find_existing() {
    std::vector<Exchange> exchanges;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < proposals_.size(); ++i) {
      if (!base::is_path_segment(proposals_[i].name)) continue;
      exchanges.push_back({.path = path_of(proposals_[i])});
      of.push_back(i);
    }
    auto answers = client_.exchange(exchanges);
    for (std::size_t k = 0; k < of.size(); ++k) {
      if (!answers[k].ok()) {
        verdicts_[of[k]] = std::move(answers[k]).take_error();
      } else if (answers[k].value().status == 200) {
        note_existing(of[k], answers[k].value());
      }
    }
  }

  void note_existing(std::size_t number, const Response& response) {
    const auto object = json::parse_json(response.body.text());
    const json::Value* version =
        object.ok() ? object.value().at({"metadata", "resourceVersion"}) : nullptr;
    if (version == nullptr) {
      verdicts_[number] = not_kubernetes(client_.connection(), client_.secrets(),
                                         path_of(proposals_[number]), response);
      return;
    }
    verdicts_[number].value().update = true;
    json::Value* metadata = proposals_[number].object.find("metadata");
    if (metadata == nullptr || !metadata->is(json::Kind::Object)) return;
    const json::Value* own = metadata->find("resourceVersion");
    if (own == nullptr || own->text().empty()) metadata->set("resourceVersion", version->text());
  }

  void propose() {
    std::vector<Exchange> exchanges;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < proposals_.size(); ++i) {
      if (!verdicts_[i].ok()) continue;
      const bool update = verdicts_[i].value().update;
      std::string path = update ? path_of(proposals_[i]) : proposals_[i].collection;
      path += kAsked;
      exchanges.push_back(
          {.path = std::move(path),
           .sent = Sent{update ? "PUT" : "POST",
                        json::go_json(proposals_[i].object, json::Style::KubectlLine)}});
      of.push_back(i);
    }
    const auto answers = client_.exchange(exchanges);
    for (std::size_t k = 0; k < of.size(); ++k)
      verdicts_[of[k]] = answers[k].ok()
                             ? verdict(exchanges[k], answers[k].value(), verdicts_[of[k]].value())
                             : Result<Verdict>(answers[k].error());
  }

  Result<Verdict> verdict(const Exchange& asked, const Response& response, Verdict verdict) const {
    const bool done = (response.status == 200 || response.status == 201) && !is_failure(response);
    if (done && looks_like_json(response)) return verdict;
    const Connection& connection = client_.connection();
    const Status status = read_status(response);
    if (done) return not_kubernetes(connection, client_.secrets(), asked.path, response);
    // For a version that it does not serve the server answers in plain text.
    const bool unserved = response.status == 404 && !status.present;
    if (!unserved && !is_about_the_object(response, status))
      return status_error(connection, client_.secrets(), asked.path, response, asked.sent->method);
    Refusal refusal{unserved ? "NotFound" : status.reason,
                    unserved ? "the server does not serve this version of the kind"
                             : client_.secrets().masked(status.message)};
    for (const StatusCause& cause : status.causes) {
      constexpr std::string_view before = "FieldValue";
      refusal.causes.push_back(
          {cause.type.starts_with(before) ? cause.type.substr(before.size()) : cause.type,
           client_.secrets().masked(cause.field), client_.secrets().masked(cause.message)});
    }
    verdict.refusal = std::move(refusal);
    return verdict;
  }

  Client& client_;
  std::vector<Proposal> proposals_;
  std::vector<Result<Verdict>> verdicts_;
};

}  // namespace

std::vector<Result<Verdict>> dry_run(Client& client, std::vector<Proposal> proposals) {
  return DryRun(client, std::move(proposals)).run();
}

}  // namespace dra::session
