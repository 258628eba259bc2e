// cmd/commands/explain/explain_subject.cpp: the words for each kind of subject, and the needs of
// each.

#include "cmd/commands/explain/explain_subject.h"

#include "cmd/needs.h"
#include "cmd/nouns.h"
#include "cmd/workload_words.h"
#include "dra/api/workload.h"
#include "dra/base/text.h"
#include "dra/engine/running/kubelet_words.h"

namespace dra::cmd {
namespace {

using snapshot::Need;

std::optional<ExplainedKind> kind_of_noun(Noun noun) {
  switch (noun) {
    case Noun::Claims:
      return ExplainedKind::Claim;
    case Noun::Devices:
      return ExplainedKind::Device;
    case Noun::Nodes:
      return ExplainedKind::Node;
    case Noun::Pods:
      return ExplainedKind::Pod;
    case Noun::Slices:
      return ExplainedKind::Slice;
    default:
      return std::nullopt;
  }
}

Result<ExplainedWords> kind_of_word(std::string_view word) {
  if (const auto workload = workload_of_word(word))
    return ExplainedWords{.kind = ExplainedKind::Workload, .workload = workload, .names = {}};
  const NounInfo* noun = find_noun(word);
  const auto kind = noun == nullptr ? std::nullopt : kind_of_noun(noun->noun);
  if (kind) return ExplainedWords{.kind = *kind, .names = {}};
  return Error{
      ErrorKind::BadInput, base::format("cannot explain \"{}\"", word),
      "usage: kubectl dra explain KIND NAME; KIND is pod, claim, node, device, slice, or a "
      "workload such as deployment or job"};
}

Result<Done> check_count(const ExplainedWords& explained, std::string_view word) {
  if (explained.names.empty() || explained.names.front().empty()) {
    return Error{ErrorKind::BadInput, base::format("explain {}: which one?", word),
                 base::format("say: kubectl dra explain {} NAME", word)};
  }
  if (explained.kind == ExplainedKind::Claim || explained.names.size() == 1) return Done{};
  return Error{ErrorKind::BadInput,
               base::format("one {} at a time can be explained; several claims can", word),
               {}};
}

void add_surroundings(std::vector<Need>& needs) {
  std::ranges::move(surroundings(), std::back_inserter(needs));
  std::ranges::move(failures_around(), std::back_inserter(needs));
}

// What decides about devices, for pods and claims alike.
std::vector<Need> needs_of_devices() {
  return {{.kind = api::Kind::Slice},        {.kind = api::Kind::Claim},
          {.kind = api::Kind::Class},        {.kind = api::Kind::Node},
          {.kind = api::Kind::ComputeClass}, {.kind = api::Kind::TaintRule}};
}

std::vector<Need> needs_of_claims(const std::string& ns) {
  std::vector<Need> needs = needs_of_devices();
  needs.push_back({.kind = api::Kind::Claim, .namespace_ = ns, .essential = true});
  needs.push_back({.kind = api::Kind::Pod});  // that use them; and the driver's, wherever
  needs.push_back({.kind = api::Kind::Pod, .namespace_ = ns});
  needs.push_back({.kind = api::Kind::Event,
                   .namespace_ = ns,
                   .field_selector = base::format("reason={}", engine::kFailedPrepare)});
  add_surroundings(needs);
  return needs;
}

// The workload's kind, and the kind between it and its pods, such as ReplicaSet; and the webhooks
// that may change its pods.
void add_workload(std::vector<Need>& needs, api::Kind kind, const std::string& ns,
                  const std::string& name) {
  needs.push_back({.kind = kind, .namespace_ = ns, .essential = true, .names = {name}});
  if (const auto between = api::kind_between(kind))
    needs.push_back({.kind = *between, .namespace_ = ns, .essential = true});
  needs.push_back({.kind = api::Kind::MutatingWebhooks, .aside = true});
}

}  // namespace

Result<ExplainedWords> read_explained(const std::vector<std::string>& words) {
  const auto first = base::split(words.front(), '/');
  auto kind = kind_of_word(first.front());
  // One word that is not a kind is the name of a pod.
  if (!kind.ok() && words.size() == 1 && first.size() == 1 && !words.front().empty())
    return ExplainedWords{.kind = ExplainedKind::Pod, .names = words};
  ExplainedWords explained = DRA_TRY(std::move(kind));
  if (first.size() == 1) {
    explained.names.assign(words.begin() + 1, words.end());
  } else {
    for (const std::string& word : words) {
      const std::size_t slash = word.find('/');
      if (word.substr(0, slash) != first.front() || slash == std::string::npos) {
        return Error{ErrorKind::BadInput,
                     base::format("\"{}\" is not of the form {}/NAME", word, first.front()),
                     {}};
      }
      explained.names.push_back(word.substr(slash + 1));
    }
  }
  DRA_TRY(check_count(explained, first.front()));
  return explained;
}

std::vector<Need> needs_of_pods(const std::string& ns) {
  std::vector<Need> needs = needs_of_devices();
  needs.push_back({.kind = api::Kind::Template, .namespace_ = ns});
  // All claims and pods, because they use devices and resources of nodes. The second need is for
  // users who may read one namespace only.
  needs.push_back({.kind = api::Kind::Claim, .namespace_ = ns});
  needs.push_back({.kind = api::Kind::Pod});
  needs.push_back({.kind = api::Kind::Pod, .namespace_ = ns, .essential = true});
  add_surroundings(needs);
  needs.push_back({.kind = api::Kind::PodGroup, .namespace_ = ns, .if_groups_wait = true});
  return needs;
}

std::vector<Need> needs_of(const ExplainedWords& words, const std::string& ns) {
  if (words.kind == ExplainedKind::Claim) return needs_of_claims(ns);
  std::vector<Need> needs = needs_of_pods(ns);
  if (words.kind == ExplainedKind::Pod) {
    needs.push_back({.kind = api::Kind::Event,
                     .namespace_ = ns,
                     .field_selector = "involvedObject.name=" + words.names.front()});
  }
  if (words.kind == ExplainedKind::Workload) {
    needs.push_back(
        {.kind = api::Kind::Event, .namespace_ = ns, .field_selector = "involvedObject.kind=Pod"});
    add_workload(needs, *words.workload, ns, words.names.front());
  }
  return needs;
}

}  // namespace dra::cmd
