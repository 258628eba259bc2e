// cmd/list_objects.cpp: `kubectl dra claims`, `pods` and `slices`: lists of API objects.

#include <algorithm>

#include "cmd/commands.h"
#include "cmd/list_flags.h"
#include "dra/report/list_claims.h"
#include "dra/report/list_devices.h"
#include "dra/report/list_pods.h"

namespace dra::cmd {
namespace {

using snapshot::Need;

class Claims final : public Command {
 public:
  Info info() const override {
    return {
        .name = "claims",
        .aliases = {"claim", "resourceclaim", "resourceclaims"},
        .usage = "[NAME ...]",
        .summary = "List claims: what they ask for, what they got, and who uses it.",
        .description =
            "STATE is kubectl's: pending, allocated, reserved, deleted. Devices that a claim holds "
            "are "
            "folded, gpu-0…3; with -o wide also classes, selectors, pools and drivers.",
        .examples = {{"claims -A", "the claims of all namespaces"},
                     {"claims -l app=vllm -o wide", "those with a label, with their selectors"}},
        .max_args = kAnyArgs,
        .words = Words::Claims};
  }

  std::vector<Flag> flags() override { return flags_.for_namespaced(); }

  Result<ExitCode> run(Context& context) override {
    const std::string ns = DRA_TRY(chosen_namespace(context, flags_));
    const std::vector<Need> needs{{.kind = api::Kind::Claim, .namespace_ = ns, .essential = true},
                                  {.kind = api::Kind::Class}};
    const auto snapshot = DRA_TRY(context.load(needs));
    const auto claims =
        DRA_TRY(choose<api::ResourceClaim>(snapshot, context, flags_, ns, api::Kind::Claim));
    if (flags_.json()) {
      print_objects(context, claims);
      return ExitCode::Done;
    }
    if (claims.empty()) say_nothing_found(context, ns);
    std::vector<report::ClaimRow> rows;
    rows.reserve(claims.size());
    for (const api::ResourceClaim* claim : claims)
      rows.push_back(report::claim_row(snapshot, *claim));
    print_table(context, report::claims_view(rows, {context.now(snapshot), flags_.all_namespaces}),
                flags_);
    return ExitCode::Done;
  }

 private:
  ListFlags flags_;
};

class Pods final : public Command {
 public:
  Info info() const override {
    return {.name = "pods",
            .aliases = {"pod", "po"},
            .usage = "[NAME ...]",
            .summary = "List the pods that use claims, and how far their claims are.",
            .description =
                "CLAIMS counts allocated claims of all: 1/2 means that one still waits. Pods "
                "without claims are left out unless they are named.",
            .examples = {{"pods -A", "every pod that uses devices"}},
            .max_args = kAnyArgs,
            .words = Words::Pods};
  }

  std::vector<Flag> flags() override { return flags_.for_namespaced(); }

  Result<ExitCode> run(Context& context) override {
    const std::string ns = DRA_TRY(chosen_namespace(context, flags_));
    const std::vector<Need> needs{{.kind = api::Kind::Pod, .namespace_ = ns, .essential = true},
                                  {.kind = api::Kind::Claim, .namespace_ = ns}};
    const auto snapshot = DRA_TRY(context.load(needs));
    auto pods = DRA_TRY(choose<api::Pod>(snapshot, context, flags_, ns, api::Kind::Pod));
    if (context.args().empty()) {
      std::erase_if(pods, [](const api::Pod* pod) { return !report::uses_claims(*pod); });
    }
    if (flags_.json()) {
      print_objects(context, pods);
      return ExitCode::Done;
    }
    if (pods.empty()) say_nothing_found(context, ns);
    std::vector<report::PodRow> rows;
    rows.reserve(pods.size());
    for (const api::Pod* pod : pods)
      rows.push_back(report::pod_row(snapshot, *pod));
    print_table(context, report::pods_view(rows, {context.now(snapshot), flags_.all_namespaces}),
                flags_);
    return ExitCode::Done;
  }

 private:
  ListFlags flags_;
};

class Slices final : public Command {
 public:
  Info info() const override {
    return {
        .name = "slices",
        .aliases = {"resourceslice", "resourceslices", "slice"},
        .usage = "[NAME ...]",
        .summary = "List slices: what drivers publish, where, and whether it counts.",
        .description =
            "STATUS: Current; Stale (of an older generation, ignored); Incomplete or Invalid (the "
            "slice's pool is, so the scheduler passes over its devices).",
        .examples = {{"slices", "every slice with its free devices"}},
        .max_args = kAnyArgs,
        .words = Words::Slices};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = flags_.for_cluster();
    flags.push_back(
        {"selector", 'l', "SELECTOR", "Show only what has such labels.", &flags_.selector});
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    const std::vector<Need> needs{{.kind = api::Kind::Slice, .essential = true},
                                  {.kind = api::Kind::Claim},
                                  {.kind = api::Kind::TaintRule}};
    const auto snapshot = DRA_TRY(context.load(needs));
    const auto slices =
        DRA_TRY(choose<api::ResourceSlice>(snapshot, context, flags_, "", api::Kind::Slice));
    if (flags_.json()) {
      print_objects(context, slices);
      return ExitCode::Done;
    }
    if (slices.empty()) say_nothing_found(context, "");
    const engine::Inventory inventory(snapshot);
    std::vector<report::SliceRow> rows;
    rows.reserve(slices.size());
    for (const api::ResourceSlice* slice : slices)
      rows.push_back(report::slice_row(inventory, *slice));
    print_table(context, report::slices_view(rows, {.now = context.now(snapshot)}), flags_);
    return ExitCode::Done;
  }

 private:
  ListFlags flags_;
};

}  // namespace

std::unique_ptr<Command> make_claims() { return std::make_unique<Claims>(); }
std::unique_ptr<Command> make_pods() { return std::make_unique<Pods>(); }
std::unique_ptr<Command> make_slices() { return std::make_unique<Slices>(); }

}  // namespace dra::cmd
