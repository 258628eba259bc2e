// tests/snapshot/builder_test.cpp: from bytes to objects.

#include "dra/snapshot/builder.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/wire.h"

namespace dra::snapshot::builder_test {
namespace {

// "Claim ns/a, Pod default/p": every object that was read, by kind.
template <class T>
void add_names(const Snapshot& snapshot, std::vector<std::string>& names) {
  for (const T& object : snapshot.all<T>()) {
    names.push_back(base::format("{} {}{}{}", object.origin.kind, object.meta.namespace_,
                                 object.meta.namespace_.empty() ? "" : "/", object.meta.name));
  }
}

std::string to_line(const Snapshot& snapshot) {
  std::vector<std::string> names;
  add_names<api::ResourceClaim>(snapshot, names);
  add_names<api::DeviceClass>(snapshot, names);
  add_names<api::Node>(snapshot, names);
  add_names<api::Pod>(snapshot, names);
  add_names<api::ResourceSlice>(snapshot, names);
  return base::join(names, ", ");
}

struct Case {
  const char* name;
  const char* text;
  const char* want;
};

const Case kTexts[] = {
    {"an empty file holds nothing", "", ""},
    {"a file of comments holds nothing", "# nothing\n---\n# at all\n", ""},
    {"one object as YAML", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", "Node a"},
    {"one object as JSON", R"({"kind": "Node", "apiVersion": "v1", "metadata": {"name": "a"}})",
     "Node a"},
    {"JSON documents one after another",
     "{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"}{\"}}\n"
     "{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"b\"}}",
     "Node b, Node }{"},
    {"YAML that begins with a brace",
     "{kind: Node, apiVersion: v1, metadata: {name: a}}\n---\n"
     "kind: Node\napiVersion: v1\nmetadata: {name: b}\n",
     "Node a, Node b"},
    {"a stream of documents",
     "---\napiVersion: v1\nkind: Node\nmetadata: {name: b}\n---\n---\napiVersion: v1\nkind: Node\n"
     "metadata: {name: a}\n",
     "Node a, Node b"},
    {"a List of mixed kinds",
     "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: p, "
     "namespace: "
     "ml}}\n- {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}}\n",
     "DeviceClass c, Pod ml/p"},
    {"a list of one kind, whose items say neither kind nor version",
     R"({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList",
         "items": [{"metadata": {"name": "s"}}]})",
     "ResourceSlice s"},
    {"a list whose items are no objects",
     R"({"apiVersion": "v1", "kind": "List", "items": [null, 1, [{}], "x"]})", ""},
    {"an empty list", R"({"apiVersion": "v1", "kind": "List", "items": []})", ""},
    {"a list without items", R"({"apiVersion": "v1", "kind": "List", "items": null})", ""},
    {"a namespaced object without a namespace is in default",
     "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}}",
     "ResourceClaim default/c"},
    {"a cluster-scoped object has no namespace, whatever it says",
     "---\n{apiVersion: v1, kind: Node, metadata: {name: a}}", "Node a"},
    {"kinds that are not read are passed over",
     "---\n{apiVersion: v1, kind: Secret, metadata: {name: s}, data: [not, a, secret]}\n---\n"
     "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}\n---\n"
     "{apiVersion: v1, kind: Node, metadata: {name: a}}",
     "Node a"},
    {"in JSON, too", R"({"apiVersion": "v1", "kind": "Secret", "data": {"a": {"b": []}}})", ""},
    {"a list of a kind that is not read is passed over",
     R"({"apiVersion": "v1", "kind": "SecretList", "items": [{"metadata": {"name": "s"}}]})", ""},
    {"objects of an older version are read",
     "---\n{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: {name: c}}",
     "ResourceClaim default/c"},
    {"objects are sorted by namespace, then name",
     "---\n{apiVersion: v1, kind: Pod, metadata: {name: b, namespace: z1}}\n---\n"
     "{apiVersion: v1, kind: Pod, metadata: {name: c, namespace: a1}}\n---\n"
     "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: z1}}",
     "Pod a1/c, Pod z1/a, Pod z1/b"},
};

TEST_CASE("what a file holds") {
  for (const Case& row : kTexts) {
    CAPTURE(row.name);
    Builder builder;
    const auto added = builder.add_text(row.text, "f.yaml");
    REQUIRE(added.ok());
    const auto built = std::move(builder).build();
    REQUIRE(built.ok());
    CHECK(to_line(built.value()) == row.want);
    CHECK(built.value().warnings().empty());
  }
}

const Case kErrors[] = {
    {"a document that is no object", "- a\n- b\n",
     "f.yaml: line 1, column 1: expected a Kubernetes object, found a list"},
    {"a kind without a version", "kind: Pod\n",
     "f.yaml: line 1, column 1: not a Kubernetes object: apiVersion or kind is missing"},
    {"a later document is told by its line",
     "---\n{apiVersion: v1, kind: Node, metadata: {name: a}}\n---\nmetadata: {}\n",
     "f.yaml: line 4, column 1: not a Kubernetes object: apiVersion or kind is missing"},
    {"a field of the wrong type",
     "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  resourceClaims:\n  - name: 7\n",
     "f.yaml: line 7, column 11: spec.resourceClaims[0].name: expected a string, found a number"},
    {"a field of an item of a List",
     "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: "
     "[]\n",
     "f.yaml: line 7, column 11: metadata.name: expected a string, found a list"},
    {"a report of our own", R"({"apiVersion": "dra.kubectl/v1", "kind": "Topology", "grids": []})",
     "f.yaml: byte 0: a Topology is what this program printed of a cluster, and not the "
     "cluster's objects: write these with the command snapshot"},
    {"a field of the wrong type in JSON", R"({"apiVersion": "v1", "kind": "Node", "metadata": []})",
     "f.yaml: byte 49: metadata: expected an object, found a list"},
};

TEST_CASE("errors name the file and the place") {
  for (const Case& row : kErrors) {
    CAPTURE(row.name);
    Builder builder;
    const auto added = builder.add_text(row.text, "f.yaml");
    REQUIRE_FALSE(added.ok());
    CHECK(added.error().kind == ErrorKind::BadInput);
    CHECK(added.error().message == row.want);
  }
}

const Case kBroken[] = {
    {"YAML that is none", "a: [1\nb: 2\n", ""},
    {"JSON that ends early", R"({"apiVersion": "v1", "kind": )", ""},
    {"JSON that goes on", R"({"apiVersion": "v1", "kind": "Node"} x)", ""},
};

TEST_CASE("what cannot be parsed names the file") {
  for (const Case& row : kBroken) {
    CAPTURE(row.name);
    Builder builder;
    const auto added = builder.add_text(row.text, "f.yaml");
    REQUIRE_FALSE(added.ok());
    CHECK(added.error().kind == ErrorKind::BadInput);
    CHECK(added.error().message.starts_with("f.yaml: "));
  }
}

TEST_CASE("of two objects with one name the later is used, and that is said") {
  Builder builder;
  REQUIRE(builder
              .add_text("---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml, uid: "
                        "first}}\n---\n"
                        "---\n{apiVersion: v1, kind: Node, metadata: {name: p, uid: node}}",
                        "a.yaml")
              .ok());
  REQUIRE(
      builder
          .add_text("---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml, uid: "
                    "second}}\n---\n"
                    "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, uid: other-namespace}}",
                    "b.yaml")
          .ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(to_line(built.value()) == "Node p, Pod default/p, Pod ml/p");
  CHECK(built.value().find<api::Pod>("ml", "p")->meta.uid == "second");
  CHECK(built.value().warnings() ==
        std::vector<std::string>{"Pod ml/p is there more than once; the last one is used"});
}

TEST_CASE("of snapshots that overlap one sentence tells") {
  std::string text;
  for (const char* name : {"a", "b", "c", "d", "e"})
    text += base::format("---\n{{apiVersion: v1, kind: Node, metadata: {{name: {}}}}}\n", name);
  Builder builder;
  for (const char* file : {"a.yaml", "b.yaml", "c.yaml"})
    REQUIRE(builder.add_text(text, file).ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(to_line(built.value()) == "Node a, Node b, Node c, Node d, Node e");
  CHECK(built.value().warnings() ==
        std::vector<std::string>{"5 objects are there more than once; the last one of each is "
                                 "used: Node a, Node b, Node c and 2 more"});
}

TEST_CASE("older shapes become v1, and the object keeps its own text") {
  Builder builder;
  REQUIRE(builder
              .add_text("---\n{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: "
                        "{name: c}, "
                        "spec: {devices: {requests: [{name: r, deviceClassName: gpu, count: 2}]}}}",
                        "f.yaml")
              .ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  const api::ResourceClaim& claim = built.value().all<api::ResourceClaim>().front();
  CHECK(claim.spec.devices.requests.front().exactly->demand.count == 2);
  CHECK(claim.origin.api_version == "resource.k8s.io/v1beta1");
  CHECK(claim.origin.raw.find("exactly") == std::string_view::npos);
}

TEST_CASE("the same file served in each version is the same") {
  const char* specs[] = {
      "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: "
      "{driver: "
      "d, "
      "nodeName: node-1, devices: [{name: gpu-0, attributes: {x: {int: 1}}}]}}",
      "---\n{apiVersion: resource.k8s.io/v1beta2, kind: ResourceSlice, metadata: {name: s}, spec: "
      "{driver: d, "
      "nodeName: node-1, devices: [{name: gpu-0, attributes: {x: {int: 1}}}]}}",
      "---\n{apiVersion: resource.k8s.io/v1beta1, kind: ResourceSlice, metadata: {name: s}, spec: "
      "{driver: d, "
      "nodeName: node-1, devices: [{name: gpu-0, basic: {attributes: {x: {int: 1}}}}]}}",
      "---\n{apiVersion: resource.k8s.io/v1alpha3, kind: ResourceSlice, metadata: {name: s}, spec: "
      "{driver: d, "
      "nodeName: node-1, devices: [{name: gpu-0, basic: {attributes: {x: {int: 1}}}}]}}",
  };
  for (const char* spec : specs) {
    CAPTURE(std::string(spec));
    Builder builder;
    REQUIRE(builder.add_text(spec, "f.yaml").ok());
    const auto built = std::move(builder).build();
    REQUIRE(built.ok());
    const api::SliceSpec& slice = built.value().all<api::ResourceSlice>().front().spec;
    CHECK(slice.node_name == "node-1");
    REQUIRE(slice.devices.size() == 1);
    CHECK(slice.devices.front().name == "gpu-0");
    CHECK(api::find(slice.devices.front().attributes, "x")->as_int() == 1);
  }
}

TEST_CASE("objects without a name are told apart by their place") {
  Builder builder;
  const auto added = builder.add_manifest(
      "---\n{apiVersion: v1, kind: Pod, metadata: {generateName: user-}}\n---\n"
      "{apiVersion: v1, kind: Pod, metadata: {generateName: user-}}\n---\n"
      "{apiVersion: v1, kind: Pod, metadata: {namespace: ml}}",
      "f.yaml", "default");
  REQUIRE(added.ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(to_line(built.value()) == "Pod default/user-<1>, Pod default/user-<2>, Pod ml/pod-<3>");
  CHECK(built.value().planned().size() == 3);
  REQUIRE(built.value().warnings().size() == 1);
  CHECK(built.value().warnings().front().find("neither metadata.name nor") != std::string::npos);
}

TEST_CASE("JSON and YAML may follow each other") {
  const char* texts[] = {
      R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
---
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "b"}}
)",
      R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "b"}})",
      R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
--- # the other one
{apiVersion: v1, kind: Node, metadata: {name: b}})",
      "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n---\r\n"
      "{\t\"apiVersion\": \"v1\", \"kind\": \"Node\",\n\t\"metadata\": {\"name\": \"b\"}}\n",
  };
  for (const char* text : texts) {
    CAPTURE(std::string(text));
    Builder builder;
    const auto added = builder.add_text(text, "f");
    REQUIRE(added.ok());
    const auto built = std::move(builder).build();
    REQUIRE(built.ok());
    CHECK(to_line(built.value()) == "Node a, Node b");
  }
}

TEST_CASE("an error behind JSON tells its line") {
  Builder builder;
  const auto added = builder.add_text(
      "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"a\"}}\n---\n"
      "apiVersion: v1\nkind: Node\nmetadata: []\n",
      "f.yaml");
  REQUIRE_FALSE(added.ok());
  CHECK(added.error().message ==
        "f.yaml: line 5, column 11: metadata: expected an object, found a list");
}

TEST_CASE("a list whose end is cut off is read, and that is said") {
  Builder builder;
  REQUIRE(builder
              .add_text("apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n"
                        "    name: a\n",
                        "f.yaml")
              .ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(to_line(built.value()) == "Node a");
  REQUIRE(built.value().warnings().size() == 1);
  CHECK(built.value().warnings().front().find("its end is cut off") != std::string::npos);
}

TEST_CASE("objects of versions that are not read are named") {
  Builder builder;
  REQUIRE(builder
              .add_text("apiVersion: v1\nkind: List\nitems:\n"
                        "- {apiVersion: resource.k8s.io/v1alpha2, kind: ResourceClaim, metadata: "
                        "{name: c}}\n"
                        "- {apiVersion: resource.k8s.io/v1alpha2, kind: ResourceClaim, metadata: "
                        "{name: d}}\n"
                        "- {apiVersion: resource.k8s.io/v7, kind: DeviceClass, metadata: {name: "
                        "e}}\n"
                        "- {apiVersion: example.com/v1, kind: Thing, metadata: {name: t}}\n",
                        "f.yaml")
              .ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(built.value().warnings() ==
        std::vector<std::string>{
            "DeviceClass e is omitted: resource.k8s.io/v7 is not a version that is read",
            "2 objects of kind ResourceClaim, such as c, are omitted: resource.k8s.io/v1alpha2 is "
            "not a version that is read"});
}

TEST_CASE("pages of a server's list") {
  Builder builder;
  auto first = builder.add_page(
      base::Page(R"({"kind": "PodList", "apiVersion": "v1", "metadata": {"continue": "more",
                     "resourceVersion": "7"}, "items": [{"metadata": {"name": "b", "namespace": "ml"}}]})"),
      api::Kind::Pod, "v1");
  REQUIRE(first.ok());
  CHECK(first.value().continue_token == "more");
  CHECK(first.value().resource_version == "7");
  auto last = builder.add_page(
      base::Page(R"({"metadata": {"resourceVersion": "7"}, "items": [{"metadata": {"name": "a",
                     "namespace": "ml"}}]})"),
      api::Kind::Pod, "v1");
  REQUIRE(last.ok());
  CHECK(last.value().continue_token == "");
  auto slices = builder.add_page(
      base::Page(
          R"({"items": [{"metadata": {"name": "s"}, "spec": {"devices": [{"name": "d", "basic":
                     {"attributes": {"x": {"int": 1}}}}]}}]})"),
      api::Kind::Slice, "v1beta1");
  REQUIRE(slices.ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(to_line(built.value()) == "Pod ml/a, Pod ml/b, ResourceSlice s");
  const auto& slice = built.value().all<api::ResourceSlice>().front();
  CHECK(slice.origin.api_version == "resource.k8s.io/v1beta1");
  CHECK(slice.spec.devices.front().attributes.size() == 1);
}

const Case kPages[] = {
    {"an empty list", R"({"items": []})", ""},
    {"a list that a server has none of", R"({"items": null})", ""},
    {"an answer that is no list", R"({"kind": "Status"})",
     "the answer is JSON, but not a Kubernetes list"},
    {"an answer that is no object", "[]", "the answer is JSON, but not a Kubernetes list"},
};

TEST_CASE("answers of servers") {
  for (const Case& row : kPages) {
    CAPTURE(row.name);
    Builder builder;
    const auto added = builder.add_page(base::Page(row.text), api::Kind::Pod, "v1");
    CHECK((added.ok() ? "" : added.error().message) == row.want);
    if (!added.ok()) CHECK(added.error().kind == ErrorKind::BadAnswer);
  }
}

TEST_CASE("a list that starts again forgets what it had") {
  Builder builder;
  const auto add = [&builder](const char* page, api::Kind kind) {
    REQUIRE(builder.add_page(base::Page(page), kind, "v1").ok());
  };
  add(R"({"items": [{"metadata": {"name": "old"}}]})", api::Kind::Node);
  add(R"({"items": [{"metadata": {"name": "c"}}]})", api::Kind::Class);
  builder.drop(api::Kind::Node);
  add(R"({"items": [{"metadata": {"name": "new"}}]})", api::Kind::Node);
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(to_line(built.value()) == "DeviceClass c, Node new");
}

TEST_CASE("what a snapshot knows of itself") {
  Builder builder;
  builder.add_missing(api::Kind::Slice, "second");
  builder.add_missing(api::Kind::Claim, "forbidden");
  builder.add_missing(api::Kind::Slice, "again");
  builder.set_resource_version(api::Kind::Slice, "9");
  builder.set_resource_version(api::Kind::Claim, "8");
  builder.set_server({"v1.34.0", false});
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  const Snapshot& snapshot = built.value();
  REQUIRE(snapshot.coverage().missing().size() == 2);
  CHECK(snapshot.coverage().missing()[0].kind == api::Kind::Claim);
  CHECK(snapshot.coverage().missing()[1].reason == "second");
  CHECK_FALSE(snapshot.coverage().saw(api::Kind::Claim));
  CHECK(snapshot.coverage().saw(api::Kind::Pod));
  CHECK_FALSE(snapshot.coverage().saw_all());
  CHECK(snapshot.server().version == "v1.34.0");
  CHECK(snapshot.resource_versions().front().second == "8");
  CHECK_FALSE(snapshot.taken());
}

TEST_CASE("look-ups by name") {
  Builder builder;
  REQUIRE(
      builder
          .add_text("---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml}}\n---\n"
                    "{apiVersion: v1, kind: Node, metadata: {name: a}}",
                    "f.yaml")
          .ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(built.value().find<api::Pod>("ml", "p") != nullptr);
  CHECK(built.value().find<api::Pod>("", "p") == nullptr);
  CHECK(built.value().find<api::Pod>("ml", "q") == nullptr);
  CHECK(built.value().find<api::Node>("a") != nullptr);
  CHECK(built.value().find<api::Node>("") == nullptr);
  CHECK(built.value().server().assumed);
}

TEST_CASE("events by what they are about") {
  Builder builder;
  std::string text;
  const auto add = [&text](const char* name, const char* about) {
    text += base::format(
        "---\n{{apiVersion: v1, kind: Event, metadata: {{name: {}, namespace: ml}}, "
        "involvedObject: {{{}}}}}\n",
        name, about);
  };
  add("d", "kind: Pod, name: p, namespace: ml");
  add("a", "kind: ResourceClaim, name: p, namespace: ml");
  add("c", "kind: Pod, name: p-1, namespace: ml");
  add("b", "kind: Pod, name: p, namespace: ml-2");
  add("e", "kind: Node, name: p");
  REQUIRE(builder.add_text(text, "f.yaml").ok());
  auto built = std::move(builder).build();
  REQUIRE(built.ok());
  const Snapshot snapshot = std::move(built).take();  // what points to events goes with them
  const auto names = [&snapshot](std::string_view ns, std::string_view name) {
    std::string all;
    for (const api::Event* event : snapshot.events_about(ns, name))
      all += event->meta.name;
    return all;
  };
  CHECK(names("ml", "p") == "ad");
  CHECK(names("ml", "p-1") == "c");
  CHECK(names("ml-2", "p") == "b");
  CHECK(names("", "p") == "e");
  CHECK(names("", "").empty());
  CHECK(names("ml", "q").empty());
}

using support::WireMessage;

WireMessage wire_node(const std::string& name) {
  return WireMessage().message(1, WireMessage().bytes(1, name).message(8, WireMessage()));
}

std::string read_wire_page(const std::string& text) {
  Builder builder;
  const auto page = builder.add_page(base::Page(text), api::Kind::Node, "v1");
  if (!page.ok()) return "error: " + page.error().message;
  auto built = std::move(builder).build();
  return base::format("{} [{} {} {}]", to_line(built.value()), page.value().continue_token,
                      page.value().resource_version, page.value().objects);
}

TEST_CASE("a page of protobuf") {
  const auto meta = WireMessage().bytes(2, "7").bytes(3, "t");
  const auto list =
      WireMessage().message(1, meta).message(2, wire_node("b")).message(2, wire_node("a\xff"));
  CHECK(read_wire_page(support::in_envelope("NodeList", list)) == "Node a\uFFFD, Node b [t 7 2]");
  CHECK(read_wire_page(support::in_envelope("NodeList", WireMessage())) == " [  0]");
}

TEST_CASE("a damaged page of protobuf is an error") {
  const auto list = WireMessage().message(2, WireMessage().bytes(1, "\x0a\x09x"));
  CHECK(read_wire_page(support::in_envelope("NodeList", list)) ==
        "error: a message of protobuf is damaged");
  const auto odd = WireMessage().message(2, WireMessage().number(1, 3));
  CHECK(read_wire_page(support::in_envelope("NodeList", odd)) ==
        "error: field 1 of a message of protobuf has the wrong type or is damaged");
  CHECK(read_wire_page(std::string("k8s\0\x12\x09", 6)) ==
        "error: the answer is protobuf, but damaged");
}

}  // namespace
}  // namespace dra::snapshot::builder_test
