// src/checks/convert/conversion.cpp: for each object of an older version, the edits that turn its
// text into v1. One edit that is impossible gives up on edits, and the documents are printed.

#include "dra/checks/convert/conversion.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/api/schema.h"
#include "dra/api/taint_rule_versions.h"
#include "dra/api/upgrade.h"
#include "dra/api/version_history.h"
#include "dra/base/text.h"
#include "dra/checks/manifest/typed_lists.h"
#include "dra/json/yaml.h"
#include "dra/json/yaml_edit.h"
#include "src/checks/convert/yaml_output.h"

namespace dra::checks {
namespace {

using api::Kind;
using json::TextEdit;
using json::Value;
using json::YamlText;

// An object of the DRA API to convert.
struct Old {
  Value* object;
  Value* says;  // has its apiVersion: the object, or the list that it is in
  const api::KindInfo* kind;
  std::string version;  // the version of its shape
};

constexpr std::string_view kFlatVersion = "v1beta1";
constexpr std::string_view kClassicVersion = "v1alpha2";  // classic DRA, until Kubernetes 1.30

// Also where a spec within the spec is missing, or too many: the requests are converted as they
// stand.
const Value* requests_of(const Value& object, Kind kind) {
  if (kind != Kind::Claim && kind != Kind::Template) return nullptr;
  const Value* outer = object.at({"spec", "devices", "requests"});
  const Value* inner = object.at({"spec", "spec", "devices", "requests"});
  if (outer == nullptr || inner == nullptr) return outer == nullptr ? inner : outer;
  return kind == Kind::Claim ? outer : inner;
}

// True if the request has fields in the flat shape of v1beta1. Fields in `exactly` are of the
// newest.
bool is_flat(const Value& request) {
  return request.find("exactly") == nullptr && request.find("deviceClassName") != nullptr;
}

bool has_flat_request(const Value& object, Kind kind) {
  const Value* requests = requests_of(object, kind);
  return requests != nullptr && std::ranges::any_of(requests->items(), is_flat);
}

// What a text has to convert.
struct Found {
  std::vector<Old> old;
  std::vector<Hopeless> hopeless;
};

void add_hopeless(const Value& object, std::string_view kind, std::string_view api_version,
                  std::vector<Hopeless>& found) {
  const Value* name = object.at({"metadata", "name"});
  found.push_back(
      {object.position(),
       base::format("{}{} of {}", kind, name == nullptr ? "" : " " + name->text(), api_version),
       api::version_of(api_version) == kClassicVersion});
}

// An object of a kind and version that the program does not read. It is hopeless if it is one of
// DRA: its version has nothing in common with the newest, or does not exist.
void find_hopeless(const Value& object, std::string_view api_version, std::string_view kind,
                   std::vector<Hopeless>& found) {
  if (api::group_of(api_version) != api::kDraGroup || api::schema_of(api_version, kind) != nullptr)
    return;
  add_hopeless(object, kind, api_version, found);
}

// Finds the objects to convert.
class Finder {
 public:
  Finder(Shape shape, int release) : shape_(shape), release_(release) {}

  void look_at(Value& document) {
    const Value* kind = document.find("kind");
    Value* items = document.find("items");
    // A list whose beginning or end is cut off may have no kind.
    const bool is_list = kind == nullptr ? items != nullptr : kind->text().ends_with("List");
    if (!is_list || items == nullptr) return look_at_object(document, document, {});
    const std::string kind_of_all = kind_of_items(document);
    for (Value& item : items->items()) {
      const bool typed = !kind_of_all.empty() && takes_kind_of_list(item);
      look_at_object(item, typed ? document : item, typed ? kind_of_all : std::string());
    }
  }

  Found take() && { return std::move(found_); }

 private:
  // `says`: what has the object's apiVersion, and its kind unless that is given.
  void look_at_object(Value& object, Value& says, std::string kind_name) {
    const Value* api_version = says.find("apiVersion");
    const Value* name = says.find("kind");
    if (api_version == nullptr || (name == nullptr && kind_name.empty())) return;
    if (kind_name.empty()) kind_name = name->text();
    const api::KindInfo* kind = api::kind_of(api_version->text(), kind_name);
    if (kind == nullptr)
      return find_hopeless(object, api_version->text(), kind_name, found_.hopeless);
    const std::string_view newest = kind->versions.front();
    if (!kind->is_dra() || !api::has_version(*kind, newest, release_)) return;
    const std::string version(api::version_of(api_version->text()));
    if (kind->kind == Kind::TaintRule && version == api::kClassSelectorVersion &&
        api::selects_by_class(object)) {
      add_hopeless(object, kind_name, api_version->text(), found_.hopeless);
      found_.hopeless.back().advice =
          "only v1alpha3 of Kubernetes v1.33 and v1.34 chooses devices by deviceClassName and "
          "selectors, and without them the rule taints more devices: name driver, pool and device "
          "instead";
      return;
    }
    if (shape_ == Shape::AlsoOfNewest && has_flat_request(object, kind->kind)) {
      found_.old.push_back({&object, &says, kind, std::string(kFlatVersion)});
    } else if (version != newest) {
      found_.old.push_back({&object, &says, kind, version});
    }
  }

  Shape shape_;
  int release_;
  Found found_;
};

std::string newest_of(const api::KindInfo& kind) {
  return api::api_version_of(kind, kind.versions.front());
}

void convert_tree(const Old& old) {
  if (api::needs_upgrade(old.kind->kind, old.version))
    api::to_v1(old.kind->kind, old.version, *old.object);
  old.says->set("apiVersion", newest_of(*old.kind));
}

// Collects the edits of one text. After the first impossible edit there are none.
class Editor {
 public:
  explicit Editor(const YamlText& text) : text_(text) {}

  void convert(const Old& old) {
    if (replaced_.insert(old.says).second)
      add(text_.replace(*old.says->find("apiVersion"), newest_of(*old.kind)));
    if (!api::needs_upgrade(old.kind->kind, old.version)) return;
    switch (old.kind->kind) {
      case Kind::Claim:
      case Kind::Template:
        return requests(requests_of(*old.object, old.kind->kind));
      case Kind::Slice:
        return slice(old.object->find("spec"));
      default:
        return;
    }
  }

  // No value if an edit was impossible.
  std::optional<std::vector<TextEdit>> take() && {
    return possible_ ? std::optional(std::move(edits_)) : std::nullopt;
  }

 private:
  void add(std::optional<TextEdit> edit) {
    if (edit) {
      edits_.push_back(*std::move(edit));
    } else {
      possible_ = false;
    }
  }

  void requests(const Value* list) {
    constexpr std::array<std::string_view, 2> kept = {"name", "firstAvailable"};
    if (list == nullptr) return;
    for (const Value& request : list->items()) {
      const bool flat = std::ranges::any_of(request.members(), [&kept](const json::Member& member) {
        return std::ranges::find(kept, member.key) == kept.end();
      });
      if (flat && request.find("exactly") == nullptr) add(text_.nest(request, kept, "exactly"));
    }
  }

  void slice(const Value* spec) {
    if (spec == nullptr) return;
    const Value* node = spec->find("nodeName");
    const Value* all = spec->find("allNodes");
    // An edit of the parent would overlap with those of the devices.
    if ((node != nullptr && node->text().empty()) || (all != nullptr && all->text() == "false"))
      possible_ = false;
    const Value* devices = spec->find("devices");
    if (devices == nullptr) return;
    for (const Value& device : devices->items()) {
      if (device.find("basic") != nullptr) add(text_.unnest(device, "basic"));
    }
  }

  const YamlText& text_;
  std::set<const Value*> replaced_;  // whose apiVersion is the newest then
  std::vector<TextEdit> edits_;
  bool possible_ = true;
};

}  // namespace

Result<Converted> to_newest(std::string_view text, Shape shape, int release) {
  std::vector<Value> documents = DRA_TRY(read_objects(text));
  Finder finder(shape, release);
  for (Value& document : documents)
    finder.look_at(document);
  Found found = std::move(finder).take();
  Converted converted{.text = std::string(text),
                      .objects = found.old.size(),
                      .hopeless = std::move(found.hopeless)};
  if (found.old.empty()) return converted;

  const YamlText source(json::without_byte_order_mark(text));
  Editor editor(source);
  for (const Old& old : found.old)
    editor.convert(old);
  for (const Old& old : found.old)
    convert_tree(old);
  auto [changed, comments_lost] = yaml_output(text, std::move(editor).take(), documents);
  converted.text = std::move(changed);
  converted.comments_lost = comments_lost;
  return converted;
}

}  // namespace dra::checks
