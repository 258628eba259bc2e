// cmd/commands/describe.cpp: `kubectl dra describe`: one object, or several, each on one screen.

#include <algorithm>
#include <type_traits>
#include <utility>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/find_by_name.h"
#include "cmd/find_device.h"
#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "cmd/nouns.h"
#include "cmd/output.h"
#include "cmd/repeat_flags.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/running/kubelet_words.h"
#include "dra/report/describe/describe.h"
#include "dra/snapshot/select.h"

namespace dra::cmd {
namespace {

using snapshot::Need;

template <class T>
std::vector<const T*> pointers_to(const std::vector<T>& all) {
  std::vector<const T*> pointers;
  pointers.reserve(all.size());
  for (const T& one : all)
    pointers.push_back(&one);
  return pointers;
}

template <class T>
struct Chosen {
  std::vector<const T*> things;
  std::vector<std::string> missing;
  bool by_prefix = false;
};

// Finds objects by whole name, else by unique short name. As in kubectl, a single name that is not
// found is a prefix of names.
template <class T>
Result<Chosen<T>> choose_by_names(const std::vector<const T*>& all,
                                  const std::vector<std::string>& wanted) {
  Chosen<T> chosen;
  for (const std::string& name : wanted) {
    const T* thing = DRA_TRY(find_by_name(all, name));
    if (thing == nullptr) {
      chosen.missing.push_back(name);
    } else {
      chosen.things.push_back(thing);
    }
  }
  if (wanted.size() > 1 || chosen.missing.empty()) return chosen;
  for (const T* thing : all) {
    const Names names = names_of(*thing);
    const bool begins =
        names.whole.starts_with(wanted.front()) || names.brief.starts_with(wanted.front());
    if (begins) chosen.things.push_back(thing);
  }
  chosen.by_prefix = !chosen.things.empty();
  if (chosen.by_prefix) chosen.missing.clear();
  return chosen;
}

// The other kinds that a description of the noun reads. Pods of one namespace suffice where only
// these can use the object.
std::vector<Need> needs_of(Noun noun, const std::string& ns) {
  using api::Kind;
  const Need claims{.kind = Kind::Claim};
  const Need classes{.kind = Kind::Class};
  const Need slices{.kind = Kind::Slice};
  const Need rules{.kind = Kind::TaintRule};
  const Need nodes{.kind = Kind::Node};
  const Need pods{.kind = Kind::Pod, .namespace_ = ns};
  switch (noun) {
    case Noun::Claims:
      // The events of its pod tell why the devices of a claim cannot be prepared.
      return {classes,
              slices,
              rules,
              nodes,
              pods,
              {.kind = Kind::Event,
               .namespace_ = ns,
               .field_selector = base::format("reason={}", engine::kFailedPrepare)}};
    case Noun::Classes:
      return {claims, {.kind = Kind::Template}, slices, rules};
    case Noun::Nodes:
    case Noun::Slices:
      return {claims, slices, rules, nodes, pods};
    case Noun::Pools:
    case Noun::Devices:
      return {claims, {.kind = Kind::Slice, .essential = true}, rules, nodes, pods};
    case Noun::Pods:
      return {claims, classes, slices, rules, nodes, {.kind = Kind::Template, .namespace_ = ns}};
    case Noun::TaintRules:
      return {claims, slices, pods};
    case Noun::Templates:
      return {{.kind = Kind::Claim, .namespace_ = ns},
              classes,
              slices,
              pods,
              {.kind = Kind::Event,
               .namespace_ = ns,
               .field_selector = "reason=FailedResourceClaimCreation"}};
    case Noun::Drivers:
      break;
  }
  return {};
}

class Describe final : public Command {
 public:
  Info info() const override {
    return {
        .name = "describe",
        .usage = "KIND [NAME ...] | KIND/NAME ...",
        .summary = "Show details of one resource, anomalies first.",
        .description =
            "On one screen what one asks about such a thing: what is odd about it first, then its "
            "state, who uses it, what it asks for and what it got, with the names of what is "
            "connected to it. Kinds are claim, template, class, slice, pool, device, node, pod and "
            "taintrule. Without a name everything of that kind is described. A name that nothing "
            "has is taken for the beginning of names, as kubectl does. A device is named by "
            "driver/pool/device, a pool by driver/pool; their last parts will do if there is only "
            "one such.\n\n-o json has the same and what the screen has no room for, under the "
            "API's "
            "names of fields: one description of a single object that is named whole, else a "
            "DescriptionList.",
        .examples = {{"describe claim train-gpus -n ml",
                      "what it requests, what it got, who uses it"},
                     {"describe device gpu.nvidia.com/node-1/gpu-0",
                      "one device, and who is using it"},
                     {"describe taintrule drain-rack-1", "which devices, and who is evicted when"},
                     {"describe classes", "every class, and who uses it"},
                     {"describe node node-1 -o jsonpath='{.pools[*].devices[*].state}'",
                      "one part of it, for a script"}},
        .min_args = 1,
        .max_args = kAnyArgs,
        .arguments = ArgumentKind::Objects};
  }

  std::vector<Flag> flags() override {
    return {
        {"all-namespaces", 'A', "", "Look into all namespaces.", &all_namespaces_},
        allow_missing_keys_flag(templates_),
        {.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .help = "Write another format than text; jsonpath, go-template and custom-columns take "
                 "an expression after `=`.",
         .target = &output_,
         .choices = output_formats_of_report({}),
         .open = true},
        {"selector", 'l', "SELECTOR", "Describe only what has such labels: a=b,c!=d,e in (f,g).",
         &selector_},
        {"show-events",
         '\0',
         "BOOL",
         "Show events; the default for a single object that is named whole.",
         &show_events_,
         {"true", "false"}},
        template_flag(templates_)};
  }

  Result<ExitCode> run(Context& context) override {
    const Subjects subjects = DRA_TRY(read_subjects(context.args(), "describe"));
    DRA_TRY(check_subjects(subjects));
    const Output output = DRA_TRY(read_output(output_, false, templates_));
    if (output.format == Format::Name)
      return Error{ErrorKind::BadInput, "--output=name cannot be used with describe",
                   "the lists have names: `kubectl dra claims -o name`"};
    const std::string ns = DRA_TRY(namespace_for(context, subjects.noun));
    const auto snapshot = DRA_TRY(context.load(needs(subjects, ns)));
    const engine::Inventory inventory(snapshot);
    engine::Answers answers = engine::answers_for(inventory, snapshot.server());
    const Job job{context,
                  subjects,
                  output,
                  ns,
                  {.snapshot = snapshot,
                   .inventory = inventory,
                   .now = context.now(snapshot),
                   .flags = repeat_flags(context.globals()),
                   .answers = &answers}};
    return run(job);
  }

 private:
  struct Job {
    Context& context;
    const Subjects& subjects;
    const Output& output;
    const std::string& ns;
    report::Scene scene;
  };

  Result<ExitCode> run(const Job& job) const {
    switch (job.subjects.noun) {
      case Noun::Claims:
        return objects(job, report::describe_claim);
      case Noun::Classes:
        return objects(job, report::describe_class);
      case Noun::Devices:
        return things(job, pointers_to(job.scene.inventory.devices()), report::describe_device);
      case Noun::Nodes:
        return objects(job, report::describe_node);
      case Noun::Pods:
        return objects(job, report::describe_pod);
      case Noun::Pools:
        return things(job, pointers_to(job.scene.inventory.pools()), report::describe_pool);
      case Noun::Slices:
        return objects(job, report::describe_slice);
      case Noun::TaintRules:
        return objects(job, report::describe_taint_rule);
      case Noun::Templates:
        return objects(job, report::describe_template);
      case Noun::Drivers:
        break;  // refused before anything was read
    }
    return ExitCode::Failed;
  }

  Result<Done> check_subjects(const Subjects& subjects) const {
    const NounInfo& noun = info_of(subjects.noun);
    if (subjects.noun == Noun::Drivers) {
      return Error{ErrorKind::BadInput, "describe: a driver is not an object of the cluster",
                   "see `kubectl dra drivers`, or describe one of its pools, devices or classes"};
    }
    if (!noun.kind && !selector_.empty()) {
      return Error{
          ErrorKind::BadInput, base::format("describe: {} have no labels", noun.plural), {}};
    }
    if (subjects.names.empty()) return Done{};
    if (all_namespaces_ && is_namespaced(subjects.noun)) return across_all_namespaces();
    if (!selector_.empty()) {
      return Error{ErrorKind::BadInput, "name cannot be provided when a selector is specified", {}};
    }
    return Done{};
  }

  static bool is_namespaced(Noun noun) {
    const auto kind = info_of(noun).kind;
    return kind && api::info_of(*kind).namespaced;
  }

  Result<std::string> namespace_for(const Context& context, Noun noun) const {
    if (all_namespaces_ || !is_namespaced(noun)) return std::string();
    return snapshot::default_namespace(context.source());
  }

  // As in kubectl, events are shown for a single object with a whole name, unless the flag decides.
  bool shows_events(std::size_t objects) const {
    return show_events_ ? *show_events_ != "false" : objects == 1;
  }

  std::vector<Need> needs(const Subjects& subjects, const std::string& ns) const {
    std::vector<Need> needs = needs_of(subjects.noun, ns);
    const auto kind = info_of(subjects.noun).kind;
    if (!kind) return needs;
    // Other holders of a device are in the claims of all namespaces. A user who may read only one
    // namespace still gets a description of its claims.
    const bool everywhere = subjects.noun == Noun::Claims;
    std::erase_if(needs, [&kind](const Need& need) { return need.kind == *kind; });
    if (everywhere) needs.push_back({.kind = *kind});
    needs.push_back({.kind = *kind, .namespace_ = ns, .essential = true});
    if (!shows_events(subjects.names.size()) || subjects.noun == Noun::Templates) return needs;
    // With --show-events a prefix shows the events of every object that it matches.
    const std::string about = subjects.names.size() == 1 && !show_events_
                                  ? "involvedObject.name=" + subjects.names.front()
                                  : "";
    needs.push_back({.kind = api::Kind::Event, .namespace_ = ns, .field_selector = about});
    return needs;
  }

  template <class T>
  Result<ExitCode> objects(const Job& job,
                           report::Described (*describe)(const report::Scene&, const T&)) const {
    const snapshot::Snapshot& snapshot = job.scene.snapshot;
    const auto objects =
        DRA_TRY(snapshot::select(snapshot, {.kind = *info_of(job.subjects.noun).kind,
                                            .namespace_ = job.ns,
                                            .label_selector = selector_}));
    return things(job, snapshot::typed<T>(snapshot, objects), describe);
  }

  template <class T>
  Result<ExitCode> things(const Job& job, const std::vector<const T*>& all,
                          report::Described (*describe)(const report::Scene&, const T&)) const {
    Chosen<T> chosen{.things = all, .missing = {}};
    if constexpr (std::is_same_v<T, api::Pod>) {
      if (job.subjects.names.empty())
        std::erase_if(chosen.things, [](const T* pod) { return !engine::uses_claims(*pod); });
    }
    if (!job.subjects.names.empty()) chosen = DRA_TRY(choose_by_names(all, job.subjects.names));
    report::Scene scene = job.scene;
    scene.show_events = shows_events(chosen.by_prefix ? 0 : chosen.things.size());
    std::vector<json::Value> reports;
    for (const T* thing : chosen.things) {
      report::Described described = describe(scene, *thing);
      if (!job.output.table()) {
        reports.push_back(std::move(described.report));
        continue;
      }
      if (thing != chosen.things.front()) job.context.print_text("\n\n");
      job.context.print(described.document, {.wide = job.output.format == Format::Wide});
    }
    const bool single = job.subjects.names.size() == 1 && !chosen.by_prefix;
    if (!job.output.table()) DRA_TRY(print_reports(job, std::move(reports), single));
    if (!chosen.missing.empty()) return missing_error(job, chosen.missing);
    if (chosen.things.empty() && job.output.table()) job.context.print_not_found(job.ns);
    return ExitCode::Done;
  }

  // A single object that is not found has no report.
  static Result<Done> print_reports(const Job& job, std::vector<json::Value> reports, bool single) {
    if (single && reports.empty()) return Done{};
    const json::Value report = single ? std::move(reports.front())
                                      : report::descriptions_json(job.scene, std::move(reports));
    return print_structured(job.context, report, job.output, Printed::Report);
  }

  // Called after the objects that were found are described.
  static Error missing_error(const Job& job, const std::vector<std::string>& names) {
    const NounInfo& noun = info_of(job.subjects.noun);
    const std::string what =
        noun.kind ? api::qualified_resource(api::info_of(*noun.kind)) : std::string(noun.singular);
    std::vector<std::string> messages;
    messages.reserve(names.size());
    for (const std::string& name : names)
      messages.push_back(base::format("{} \"{}\" not found", what, name));
    return {ErrorKind::NotFound, base::join(messages, "; "), hint(job, names.front())};
  }

  static std::string hint(const Job& job, const std::string& name) {
    if (const auto kind = info_of(job.subjects.noun).kind)
      return hint_about(job.scene.snapshot, *kind, job.ns, name);
    if (job.subjects.noun == Noun::Devices) return no_such_device(job.scene.inventory, name).hint;
    const bool whole = name.find('/') != std::string::npos;
    std::vector<std::string> known;
    for (const engine::Pool& pool : job.scene.inventory.pools())
      known.push_back(whole ? names_of(pool).whole : names_of(pool).brief);
    return did_you_mean(name, known);
  }

  bool all_namespaces_ = false;
  std::string selector_;
  std::optional<std::string> show_events_;
  std::string output_;
  TemplateFlags templates_;
};

}  // namespace

std::unique_ptr<Command> make_describe() { return std::make_unique<Describe>(); }

}  // namespace dra::cmd
