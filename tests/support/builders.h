// tests/support/builders.h
//
// Small clusters in small words, so that a row of a table shows only what matters to it. Every word
// adds one object as YAML; what has no word is added as YAML text.
//
// A scene starts with the device class `gpu`, which matches every device. Slices are of the driver
// gpu.example.com, claims and pods in the namespace `default`, unless a word says otherwise.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::support {

// Requests, for Scene::claim(). The request has the name of its class. `more` are further fields of
// the demand as YAML: "adminAccess: true, selectors: []".
std::string exactly(std::string_view device_class, int count, std::string_view more = "");
std::string all(std::string_view device_class, std::string_view more = "");
// Of the class gpu, with a name of its own.
std::string request(std::string_view name, std::string_view demand = "");
// Alternatives "a", "b", ... of the request `name`, each as the fields of its demand.
std::string first_available(std::string_view name, std::initializer_list<std::string_view> demands);

struct SliceWords {
  std::string name;
  std::string driver = "gpu.example.com";
  std::string pool = "pool";
  int generation = 1;
  int count = 1;                         // slices of that generation
  std::string where = "allNodes: true";  // or "nodeName: n1", "perDeviceNodeSelection: true", ...
  std::string devices = {};              // "{name: gpu-0}, {name: gpu-1}"
  std::string more = {};                 // "sharedCounters: [...]"
};

class Scene {
 public:
  struct Empty {};

  Scene();
  explicit Scene(Empty) {}  // without the device class

  Scene& yaml(std::string_view document);
  // A class with one selector.
  Scene& device_class(std::string_view name, std::string_view expression);
  Scene& node(std::string_view name, std::string_view labels = "");
  // The only slice of the pool of that node.
  Scene& slice(std::string_view node, std::initializer_list<std::string_view> devices);
  Scene& slice(const SliceWords& words);
  Scene& claim(std::string_view name, std::string_view requests, std::string_view status = "");
  // A claim without a status, with these constraints.
  Scene& constrained(std::string_view name, std::string_view requests,
                     std::string_view constraints);
  // A claim `NODE-DEVICE` that a pod `user` has, for the device of the node's pool.
  Scene& held(std::string_view node, std::string_view device);
  Scene& taint_rule(std::string_view name, std::string_view selector, std::string_view taint);
  // With the uid of the same name.
  Scene& pod(std::string_view name, std::string_view claims, std::string_view spec = "",
             std::string_view status = "");
  Scene& cannot_read(api::Kind kind);
  Scene& server(std::string_view version);
  Scene& gate(std::string_view name, bool on = true);

  // A test whose scene cannot be read fails.
  snapshot::Snapshot build() const;

 private:
  std::string text_;
  std::vector<api::Kind> missing_;
  snapshot::Server server_;
};

// A claim's status with these results, "{device: gpu-0, pool: n1}, ..."; request and driver are
// added.
std::string allocated(std::string_view results, std::string_view more = "");
// The selector that the scheduler writes for devices of one node.
std::string on_node(std::string_view node);

inline Scene scene() { return {}; }

// A file of tests/fixtures, or any other source that `--snapshot` takes.
snapshot::Snapshot load(const std::string& path);
std::vector<std::string> fixtures();  // the scenes: every YAML file that is meant to be read whole

}  // namespace dra::support
