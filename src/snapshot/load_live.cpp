// src/snapshot/load_live.cpp: discovery first, then all lists at once, each page decoded as it
// arrives, then objects by name. Needs that were put back follow if the wider need was refused.

#include "src/snapshot/load_live.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/snapshot/object_stream.h"
#include "src/snapshot/list_items.h"
#include "src/snapshot/list_requests.h"

namespace dra::snapshot {
namespace {

// The server's words are not used: they name the user, and a recording passes the reason on.
std::string why_missing(const Need& need) {
  const api::KindInfo& kind = api::info_of(need.kind);
  std::string where;
  if (kind.namespaced) {
    where = need.namespace_.empty() ? " in all namespaces" : " in namespace " + need.namespace_;
  }
  return base::format("forbidden to {} {}{}", need.names.empty() ? "list" : "get", kind.resource,
                      where);
}

constexpr std::string_view kBadRequest = "Error from server (BadRequest)";

// Worded as in kubectl, if a server cannot apply the selectors: k8s.io/cli-runtime/pkg/resource,
// EnhanceListError.
Error with_selectors(const ListRequest& plan, Error refusal) {
  refusal.message = base::format(
      "Unable to find \"{}/{}, Resource={}\" that match label selector \"{}\", field "
      "selector \"{}\": {}",
      plan.kind().group, plan.version, plan.kind().resource, plan.need.label_selector,
      plan.need.field_selector, refusal.message);
  return refusal;
}

// The lists that are being read, for who waits.
class ReadingLists {
 public:
  explicit ReadingLists(const Source& source) : source_(source) {}
  ~ReadingLists() {
    if (source_.on_progress) source_.on_progress({});
  }
  ReadingLists(const ReadingLists&) = delete;
  ReadingLists& operator=(const ReadingLists&) = delete;

  session::ClientOptions options() {
    session::ClientOptions options = source_.client;
    if (source_.on_progress) options.http.on_wait = [this] { source_.on_progress(lists_); };
    return options;
  }
  void begin(std::vector<Reading> lists) { lists_ = std::move(lists); }
  void note(api::Kind kind, const session::ListPage& page) {
    const auto list = std::ranges::find(lists_, kind, &Reading::kind);
    if (list == lists_.end()) return;
    list->objects += page.objects;
    if (page.continue_token.empty()) lists_.erase(list);
  }

 private:
  const Source& source_;
  std::vector<Reading> lists_;
};

// Runs the requests and notes refusals.
class Loader {
 public:
  Loader(session::Client& client, Builder& builder, ReadingLists& reading,
         std::vector<LoadedList>* loaded)
      : client_(client), builder_(builder), reading_(reading), loaded_(loaded) {}

  Result<Done> run(std::span<const ListRequest> plans) {
    std::vector<const ListRequest*> lists;
    for (const ListRequest& plan : plans) {
      if (plan.need.names.empty()) lists.push_back(&plan);
    }
    DRA_TRY(read_lists(lists));
    for (const ListRequest& plan : plans) {
      for (const std::string& name : plan.need.names)
        DRA_TRY(read_object(plan, name));
    }
    return Done{};
  }

  // Needs that were refused and are not essential.
  const std::vector<Need>& refused() const { return refused_; }

 private:
  Result<Done> read_lists(const std::vector<const ListRequest*>& plans) {
    std::vector<session::ListTarget> targets;
    std::vector<Reading> lists;
    for (const ListRequest* plan : plans) {
      targets.push_back({plan->list_path(), plan->wire()});
      lists.push_back({plan->need.kind});
    }
    reading_.begin(std::move(lists));
    std::vector<Versions> versions(plans.size());
    const auto on_page = [&](std::size_t list, base::Page page) -> Result<session::ListPage> {
      const ListRequest& plan = *plans[list];
      const std::size_t before = builder_.count(plan.need.kind);
      auto read = builder_.add_page(std::move(page), plan.need.kind, plan.version);
      if (read.ok()) reading_.note(plan.need.kind, read.value());
      if (loaded_ != nullptr) versions[list].merge(versions_behind(before, plan.need.kind));
      return read;
    };
    const auto on_restart = [&](std::size_t list) {
      builder_.drop(plans[list]->need.kind);
      versions[list].clear();
    };
    const auto outcomes = client_.list(targets, on_page, on_restart);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      DRA_TRY(note_outcome(*plans[i], outcomes[i]));
      if (loaded_ == nullptr || !outcomes[i].ok()) continue;
      loaded_->push_back({.request = *plans[i],
                          .version = outcomes[i].value().resource_version,
                          .objects = std::move(versions[i])});
    }
    return Done{};
  }

  using Versions = std::map<std::string, std::string>;

  // Of the objects that were added last.
  Versions versions_behind(std::size_t before, api::Kind kind) const {
    Versions versions;
    builder_.for_each_behind(before, kind, [&versions](const api::ObjectMeta& meta) {
      versions.insert_or_assign(name_in_list(meta), std::string(meta.resource_version));
    });
    return versions;
  }

  // A refused list is a gap in the coverage; any other failure ends the command.
  Result<Done> note_outcome(const ListRequest& plan, const Result<session::ListPage>& outcome) {
    if (outcome.ok()) {
      builder_.set_resource_version(plan.need.kind, outcome.value().resource_version);
      if (plan.need.whole()) builder_.add_read(plan.need.kind, plan.need.namespace_);
      return Done{};
    }
    const Error& error = outcome.error();
    if (can_be_tried(plan.need) &&
        (error.kind == ErrorKind::NotServed || error.kind == ErrorKind::Denied))
      return Done{};
    if (error.kind == ErrorKind::NotServed && plan.kind().is_of_volumes()) return Done{};
    if (error.title == kBadRequest) return with_selectors(plan, error);
    if (error.kind != ErrorKind::Denied || plan.need.essential) return error;
    note_missing(plan.need);
    return Done{};
  }

  // A refusal of one name does not affect the other names.
  Result<Done> read_object(const ListRequest& plan, const std::string& name) {
    Result<base::Page> page = client_.get(plan.object_path(name));
    if (page.ok()) {
      const std::size_t before = builder_.count(plan.need.kind);
      DRA_TRY(builder_.add_item(std::move(page).take(), plan.need.kind, plan.version));
      note_object(plan, name, versions_behind(before, plan.need.kind));
      return Done{};
    }
    const Error& error = page.error();
    if (error.kind != ErrorKind::Denied && error.kind != ErrorKind::NotFound) return error;
    if (error.kind == ErrorKind::NotFound) note_object(plan, name, {});
    builder_.add_refusal({plan.need.kind, plan.need.namespace_, name, error});
    if (error.kind == ErrorKind::Denied && !plan.need.essential) note_missing(plan.need);
    return Done{};
  }

  void note_object(const ListRequest& plan, const std::string& name, Versions versions) const {
    if (loaded_ == nullptr) return;
    loaded_->push_back({.request = plan, .name = name, .objects = std::move(versions)});
  }

  void note_missing(const Need& need) {
    if (need.aside) {
      builder_.add_aside(need.kind);
    } else {
      builder_.add_missing(need.kind, why_missing(need));
    }
    refused_.push_back(need);
  }

  session::Client& client_;
  Builder& builder_;
  ReadingLists& reading_;
  std::vector<LoadedList>* loaded_;
  std::vector<Need> refused_;
};

// Of TrainJobs among the manifests. A runtime that the server refuses or does not have is missing.
Result<std::vector<base::Page>> read_runtimes(const Source& source, session::Client& client) {
  Builder planned;
  DRA_TRY(add_manifests(source, planned));
  std::vector<base::Page> runtimes;
  for (const api::RuntimeName& runtime : planned.missing_runtimes()) {
    Result<base::Page> page = client.get(runtime.path());
    if (page.ok()) {
      runtimes.push_back(std::move(page).take());
      continue;
    }
    const ErrorKind kind = page.error().kind;
    if (kind != ErrorKind::NotFound && kind != ErrorKind::Denied && kind != ErrorKind::NotServed)
      return page.error();
  }
  return runtimes;
}

Result<Done> lay_manifests_over(const Source& source, std::span<const base::Page> runtimes,
                                Builder& builder) {
  for (const base::Page& runtime : runtimes)
    DRA_TRY(builder.add_runtime(runtime.text()));
  DRA_TRY(add_manifests(source, builder));
  builder.add_train_jobs();
  return Done{};
}

// What a command means to create may be a pod with volumes or of a group, too.
Result<bool> some_wait(const Source& source, std::span<const base::Page> runtimes,
                       const Builder& builder, bool (Builder::*has_waiting)() const) {
  if ((builder.*has_waiting)()) return true;
  Builder planned;
  DRA_TRY(lay_manifests_over(source, runtimes, planned));
  return (planned.*has_waiting)();
}

// Leaves the needs for which a wider one was refused.
void keep_refused(const Loader& loader, std::vector<Need>& needs) {
  std::erase_if(needs, [&loader](const Need& need) {
    return std::ranges::none_of(loader.refused(),
                                [&need](const Need& refused) { return covers(refused, need); });
  });
}

// Kinds about volumes, and pod groups, that nothing asked for have not been seen; that is no gap.
void note_unseen(std::span<const ListRequest> read, Builder& builder) {
  for (const api::KindInfo& kind : api::all_kinds()) {
    const bool asked = std::ranges::any_of(read, [&kind](const ListRequest& one) {
      return one.need.kind == kind.kind && one.need.namespace_.empty() && one.need.whole();
    });
    if (is_read_behind(kind) && !asked) builder.add_aside(kind.kind);
  }
}

// Narrow needs are asked for where the wide one was refused.
Result<Done> read_groups(session::Client& client, std::span<const Need> needs, Loader& loader,
                         Builder& builder, std::vector<ListRequest>& read) {
  std::vector<Need> wide;
  std::vector<Need> narrow;
  for (const Need& need : needs)
    (need.namespace_.empty() ? wide : narrow).push_back(need);
  ListRequests groups = DRA_TRY(plan_requests(client, wide));
  if (groups.plans.empty())
    builder.add_missing(api::Kind::PodGroup, "the server does not serve podgroups");
  DRA_TRY(loader.run(groups.plans));
  std::ranges::move(groups.plans, std::back_inserter(read));
  keep_refused(loader, narrow);
  return loader.run(DRA_TRY(plan_requests(client, narrow)).plans);
}

// Version and gates that cannot be read are assumed.
Server server_of(session::Client& client, bool ask_for_gates) {
  Server server;
  auto version = client.server_version();
  if (version.ok()) {
    server.version = std::move(version).take();
    server.assumed = false;
  }
  if (!ask_for_gates) return server;
  auto gates = client.feature_gates();
  server.gates_known = gates.ok();
  if (gates.ok()) server.gates = std::move(gates).take();
  return server;
}

}  // namespace

Result<Done> stream_objects(const Source& source, const Need& need,
                            base::FunctionRef<void(const api::Origin&)> on_object) {
  ReadingLists reading(source);
  session::Client client(DRA_TRY(source.connection()), reading.options());
  const ListRequests planned = DRA_TRY(plan_requests(client, std::span(&need, 1)));
  DRA_CHECK(planned.plans.size() == 1);  // an essential need has one, or there is an error
  const ListRequest& plan = planned.plans.front();
  reading.begin({{need.kind}});
  const std::string api_version = api::api_version_of(plan.kind(), plan.version);
  bool restarted = false;
  const auto on_page = [&](std::size_t, const base::Page& page) -> Result<session::ListPage> {
    // What is printed cannot be read again.
    if (restarted)
      return Error{ErrorKind::Gone, "the server has forgotten the list before its end",
                   "run the command again, or ask for less with -n or -l"};
    base::Arena arena;
    auto read = read_list_page(page, arena, [&](json::Cursor& item) {
      if (!expect_object(item)) return;
      on_object({.raw = item.raw(), .api_version = api_version, .kind = plan.kind().name});
    });
    if (read.ok()) reading.note(need.kind, read.value());
    return read;
  };
  const std::vector<session::ListTarget> lists = {{.path = plan.list_path(), .passed_on = true}};
  const auto outcome = client.list(lists, on_page, [&restarted](std::size_t) { restarted = true; });
  const Result<session::ListPage>& whole = outcome.front();
  if (whole.ok()) return Done{};
  if (whole.error().title == kBadRequest) return with_selectors(plan, whole.error());
  return whole.error();
}

std::string name_in_list(const api::ObjectMeta& meta) {
  return base::format("{}/{}", meta.namespace_, meta.name);
}

Result<Snapshot> load_live(const Source& source, std::span<const Need> needs,
                           std::vector<LoadedList>* lists) {
  ReadingLists reading(source);
  session::Client client(DRA_TRY(source.connection()), reading.options());
  Builder builder;
  if (source.environment.clock) builder.set_read(source.environment.now());
  Loader loader(client, builder, reading, lists);
  Needs arranged = arrange(needs);
  ListRequests planned = DRA_TRY(plan_requests(client, arranged.first));
  client.ask_about_server(source.feature_gates);
  DRA_TRY(loader.run(planned.plans));
  keep_refused(loader, arranged.put_back);
  const ListRequests further = DRA_TRY(plan_requests(client, arranged.put_back));
  DRA_TRY(loader.run(further.plans));
  const auto runtimes = DRA_TRY(read_runtimes(source, client));
  if (!arranged.of_volumes.empty() &&
      DRA_TRY(some_wait(source, runtimes, builder, &Builder::has_waiting_volumes))) {
    ListRequests volumes = DRA_TRY(plan_requests(client, arranged.of_volumes));
    DRA_TRY(loader.run(volumes.plans));
    std::ranges::move(volumes.plans, std::back_inserter(planned.plans));
  }
  if (!arranged.of_groups.empty() &&
      DRA_TRY(some_wait(source, runtimes, builder, &Builder::has_waiting_groups)))
    DRA_TRY(read_groups(client, arranged.of_groups, loader, builder, planned.plans));
  note_unseen(planned.plans, builder);
  DRA_TRY(lay_manifests_over(source, runtimes, builder));
  Server server = server_of(client, source.feature_gates);
  server.dra_versions = std::move(planned.dra_versions);
  builder.set_server(std::move(server));
  return std::move(builder).build();
}

}  // namespace dra::snapshot
