// src/checks/lint/driver_parameters.cpp: checks parameters against the tables of known drivers.

#include "src/checks/lint/known_parameters.h"

#include <algorithm>
#include <vector>

#include "dra/base/text.h"

namespace dra::checks {
namespace {

using base::format;
using diag::Code;
using json::Kind;

constexpr std::string_view kRefuses = "and refuses to prepare the claim";

class Checker {
 public:
  explicit Checker(const KnownParameters& known) : known_(known) {}

  void run(const Field& parameters) {
    check_object(parameters, {});
    for (const Exclusive& pair : known_.exclusive)
      check_exclusive(parameters, pair);
    for (const Gated& gated : known_.gated)
      check_gate(parameters, gated);
  }

 private:
  const KnownField* find(std::string_view path) const {
    const auto found = std::ranges::find(known_.fields, path, &KnownField::path);
    return found == known_.fields.end() ? nullptr : &*found;
  }

  // The field names of the object at that path.
  std::vector<std::string_view> names_below(std::string_view path) const {
    std::vector<std::string_view> names;
    names.reserve(known_.fields.size());
    for (const KnownField& field : known_.fields) {
      const std::size_t dot = field.path.rfind('.');
      const std::string_view parent =
          dot == std::string_view::npos ? std::string_view() : field.path.substr(0, dot);
      if (parent == path)
        names.push_back(dot == std::string_view::npos ? field.path : field.path.substr(dot + 1));
    }
    return names;
  }

  static std::string below(std::string_view path, std::string_view name) {
    return path.empty() ? std::string(name) : format("{}.{}", path, name);
  }

  // "driver gpu.nvidia.com", the start of messages.
  std::string driver() const { return format("driver {}", known_.driver); }

  void check_object(const Field& object, std::string_view path) {
    for (const auto& [name, unused] : object.entries()) {
      const Field field = object.child(name);
      if (path.empty() && (name == "apiVersion" || name == "kind")) continue;
      const KnownField* known = find(below(path, name));
      if (known == nullptr) {
        warn_unknown(field, name, path);
      } else if (field.present()) {
        check_value(field, *known);
      }
    }
    for (const KnownField& field : known_.fields) {
      const bool here = path.empty() && field.path.find('.') == std::string_view::npos;
      if (here && field.required && object.child(field.path).is_blank())
        object.child(field.path)
            .warn(Code::OpaqueUnknown, format("{} wants {}, {}", driver(), field.path, kRefuses));
    }
  }

  // Later releases may have more fields, so only a misspelt field, or one that another kind has,
  // gets a warning.
  void warn_unknown(const Field& field, std::string_view name, std::string_view path) {
    const std::vector<std::string_view> names = names_below(path);
    const std::string_view near = base::nearest(name, names);
    const std::string where = path.empty()
                                  ? std::string(known_.kind.empty() ? "parameters" : known_.kind)
                                  : std::string(path);
    std::string message = format("{} knows no field {} of {}, {}", driver(), name, where, kRefuses);
    if (names.empty())
      field.warn(Code::OpaqueUnknown, std::move(message), "remove it: it has no fields");
    else if (!near.empty())
      field.warn(Code::OpaqueUnknown, std::move(message), format("did you mean {}?", near));
    else if (known_.kind.empty())
      field.hint(Code::OpaqueUnknown, std::move(message),
                 format("it has: {}", base::join(texts(names), ", ")));
    else
      field.warn(Code::OpaqueUnknown, std::move(message),
                 format("it has: {}", base::join(texts(names), ", ")));
  }

  static std::vector<std::string> texts(const std::vector<std::string_view>& names) {
    return {names.begin(), names.end()};
  }

  void wrong(const Field& field, std::string_view wanted) {
    field.warn(Code::OpaqueUnknown, format("{} wants {} here, {}", driver(), wanted, kRefuses));
  }

  void check_list(const Field& field, const KnownField& known) {
    if (!field.is_list()) return wrong(field, "a list");
    for (const Field& item : field.items()) {
      if (known.holds == Holds::Texts) {
        if (!item.is_text()) wrong(item, "text");
      } else if (item.present() && item.value()->is(Kind::Object)) {
        check_object(item, known.path);
      } else {
        wrong(item, "an object");
      }
    }
  }

  void check_text(const Field& field, const KnownField& known) {
    if (!field.is_text()) return wrong(field, "text");
    const auto words = base::split(known.words, ' ');
    if (!known.words.empty() && std::ranges::find(words, field.text()) == words.end())
      return wrong(field, format("one of {}", base::join(texts(words), ", ")));
    if (known.most > 0 && std::cmp_greater(field.text().size(), known.most))
      wrong(field, format("at most {} bytes", known.most));
  }

  void check_value(const Field& field, const KnownField& known) {
    const bool object = field.value()->is(Kind::Object);
    switch (known.holds) {
      case Holds::Anything:
        return;
      case Holds::Bool:
        if (!field.boolean()) wrong(field, "true or false");
        return;
      case Holds::Map:
        if (!object) wrong(field, "an object");
        return;
      case Holds::Number: {
        const auto number = field.integer();
        if (!number || *number < known.least || *number > known.most)
          wrong(field, format("a whole number from {} to {}", known.least, known.most));
        return;
      }
      case Holds::Object:
        return object ? check_object(field, known.path) : wrong(field, "an object");
      case Holds::Objects:
      case Holds::Texts:
        return check_list(field, known);
      case Holds::Quantity:
        if (!field.quantity()) wrong(field, "a quantity such as 8Gi");
        return;
      case Holds::Text:
        return check_text(field, known);
    }
  }

  static Field at(const Field& parameters, std::string_view path) {
    Field field = parameters;
    for (const std::string_view name : base::split(path, '.'))
      field = field.child(name);
    return field;
  }

  static bool is_set(const Field& parameters, std::string_view what) {
    const std::size_t colon = what.find(": ");
    const Field field = at(parameters, what.substr(0, colon));
    if (colon != std::string_view::npos) return field.text() == what.substr(colon + 2);
    return field.present() && field.boolean().value_or(true);
  }

  void check_exclusive(const Field& parameters, const Exclusive& pair) {
    if (is_set(parameters, pair.refused) && is_set(parameters, pair.beside))
      at(parameters, pair.refused)
          .warn(Code::OpaqueUnknown,
                format("{} refuses {} together with {}", driver(), pair.refused, pair.beside),
                "remove one of them");
  }

  // The gate may be on in the cluster, which a manifest does not show.
  void check_gate(const Field& parameters, const Gated& gated) {
    const bool whole = gated.what.empty();
    if (!whole && !is_set(parameters, gated.what)) return;
    const std::string_view path = whole ? "kind" : gated.what.substr(0, gated.what.find(": "));
    const std::string_view what = whole ? known_.kind : gated.what;
    at(parameters, path)
        .hint(Code::OpaqueUnknown,
              format("{} takes {} only with its feature gate {}, which is off by default, {} "
                     "otherwise",
                     driver(), what, gated.gate, kRefuses),
              format("see that the driver was installed with {}=true", gated.gate));
  }

  const KnownParameters& known_;
};

std::vector<const KnownParameters*> known_of(std::string_view driver) {
  std::vector<const KnownParameters*> known;
  for (const KnownParameters& one : known_parameters()) {
    if (one.driver == driver) known.push_back(&one);
  }
  return known;
}

std::string kinds_of(std::span<const KnownParameters* const> known) {
  std::vector<std::string> kinds;
  for (const KnownParameters* one : known)
    kinds.push_back(one->kind.empty() ? format("apiVersion {}", one->api_version)
                                      : format("{} {}", one->api_version, one->kind));
  return base::join(kinds, ", ");
}

}  // namespace

void check_driver_parameters(const Field& opaque) {
  const std::string_view driver = opaque.child("driver").text();
  const Field parameters = opaque.child("parameters");
  if (!parameters.present() || !parameters.value()->is(Kind::Object)) return;
  if (ignores_parameters(driver)) {
    opaque.warn(Code::OpaqueUnknown,
                format("driver {} takes no parameters, and ignores what stands here", driver),
                "remove the configuration");
    return;
  }
  const auto known = known_of(driver);
  if (known.empty()) return;
  const std::string_view version = parameters.child("apiVersion").text();
  const std::string_view kind = parameters.child("kind").text();
  const auto found = std::ranges::find_if(known, [&](const KnownParameters* one) {
    return (one->api_version == version && (one->kind.empty() || one->kind == kind)) ||
           one->api_version.empty();
  });
  if (found != known.end()) return Checker(**found).run(parameters);
  parameters.warn(
      Code::OpaqueUnknown,
      format("driver {} does not know parameters of {} {}, and refuses to prepare the claim",
             driver, version.empty() ? std::string_view("no apiVersion") : version,
             kind.empty() ? std::string_view("and no kind") : kind),
      format("it takes {}", kinds_of(known)));
}

}  // namespace dra::checks
