// src/report/phrases/remedy.cpp: see remedy.h.

#include "dra/report/phrases/remedy.h"

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

Remedy against(const diag::RefusalEvidence& refusal, std::string_view ns) {
  switch (refusal.by) {
    case diag::RefusalEvidence::By::Quota:
      return {
          "Delete claims that are not needed any more in that namespace, or have the quota raised. "
          "The "
          "controller tries again by itself.",
          diag::kubectl("describe resourcequota").name(refusal.name).in(ns).text()};
    case diag::RefusalEvidence::By::Webhook:
      return {"Change the claim template as the webhook wants it, or ask the owner of the webhook.",
              diag::kubectl("get validatingwebhookconfigurations,mutatingwebhookconfigurations")
                  .text()};
    case diag::RefusalEvidence::By::Policy:
      return {"Change the claim template as the policy wants it, or ask the owner of the policy.",
              diag::kubectl("describe validatingadmissionpolicy").name(refusal.name).text()};
    case diag::RefusalEvidence::By::Queue:
      return {
          "Act on what Kueue says: its queues, quotas and configuration decide. It removes the "
          "gate when it admits the workload.",
          diag::kubectl("describe workloads.kueue.x-k8s.io").name(refusal.name).in(ns).text()};
  }
  return {};
}

}  // namespace

Remedy remedy_of(const diag::Reason& reason, std::string_view ns) {
  if (reason.evidence && reason.evidence->refusal) return against(*reason.evidence->refusal, ns);
  return {std::string(diag::info_of(reason.code).remedy)};
}

void add_remedy(view::Document& document, const Remedy& remedy, std::string_view flags) {
  document.add(view::Paragraph{
      .spans = {span("-> ", view::Tone::Strong), span(remedy.text)}, .indent = 2, .hang = 3});
  if (remedy.command.empty()) return;
  const bool ours = remedy.command.starts_with("kubectl dra ");
  add_command(document, ours ? base::format("{}{}", remedy.command, flags) : remedy.command, 5);
}

void add_command(view::Document& document, std::string command, int indent) {
  document.add(view::Verbatim{
      .lines = {{span(std::move(command), view::Tone::Dim)}}, .indent = indent, .unbroken = true});
}

void add_command(view::Document& document, std::string_view words, std::string command) {
  document.add(view::Verbatim{
      .lines = {{span(std::string(words)), span(std::move(command), view::Tone::Dim)}},
      .indent = 2,
      .unbroken = true});
}

}  // namespace dra::report
