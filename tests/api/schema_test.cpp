// tests/api/schema_test.cpp

#include "dra/api/schema.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace dra::api::schema_test {
namespace {

const SchemaType& type_at(const SchemaType& from, std::initializer_list<std::string_view> path) {
  const SchemaType* type = &from;
  for (const std::string_view name : path) {
    const SchemaField* field = find_field(*type, name);
    REQUIRE(field != nullptr);
    type = type_of(field->value);
    REQUIRE(type != nullptr);
  }
  return *type;
}

const SchemaType& kind(std::string_view api_version, std::string_view name) {
  const SchemaType* type = schema_of(api_version, name);
  REQUIRE(type != nullptr);
  return *type;
}

TEST_CASE("a request is flat in v1beta1 only") {
  for (const char* version : {"v1", "v1beta2", "v1beta1"}) {
    CAPTURE(version);
    const SchemaType& claim = kind(std::string("resource.k8s.io/") + version, "ResourceClaim");
    const SchemaType& request = type_at(claim, {"spec", "devices", "requests"});
    const bool flat = std::string_view(version) == "v1beta1";
    CHECK((find_field(request, "count") != nullptr) == flat);
    CHECK((find_field(request, "exactly") == nullptr) == flat);
  }
}

TEST_CASE("kinds are found by version and name") {
  CHECK(schema_of("v1", "Pod")->name == "core/v1.Pod");
  CHECK(schema_of("batch/v1", "CronJob")->name == "batch/v1.CronJob");
  CHECK(schema_of("resource.k8s.io/v1alpha3", "DeviceTaintRule") != nullptr);
  CHECK(schema_of("resource.k8s.io/v1alpha3", "ResourceClaim") == nullptr);
  CHECK(schema_of("v2", "Pod") == nullptr);
  CHECK(schema_of("v1", "PodList") == nullptr);
  CHECK(schema_type("core/v1.PodTemplateSpec") ==
        &type_at(kind("apps/v1", "Deployment"), {"spec", "template"}));
  CHECK(schema_type("core/v1.Nothing") == nullptr);
}

TEST_CASE("what a field may hold") {
  const SchemaType& exactly = type_at(kind("resource.k8s.io/v1", "ResourceClaim"),
                                      {"spec", "devices", "requests", "exactly"});
  CHECK(find_field(exactly, "count")->value.kind == ValueKind::Int64);
  CHECK(find_field(exactly, "adminAccess")->value.kind == ValueKind::Bool);
  CHECK(find_field(exactly, "deviceClassName")->value.kind == ValueKind::String);
  CHECK(find_field(exactly, "selectors")->value.kind == ValueKind::List);
  CHECK(element_of(find_field(exactly, "selectors")->value).kind == ValueKind::Object);

  const SchemaType& container = *schema_type("core/v1.Container");
  const SchemaValue& command = find_field(container, "command")->value;
  CHECK(command.kind == ValueKind::List);
  CHECK(element_of(command).kind == ValueKind::String);
  CHECK(type_of(command) == nullptr);
  const SchemaValue& limits = find_field(type_at(container, {"resources"}), "limits")->value;
  CHECK(limits.kind == ValueKind::Map);
  CHECK(element_of(limits).kind == ValueKind::Quantity);
  CHECK(find_field(type_at(container, {"livenessProbe", "httpGet"}), "port")->value.kind ==
        ValueKind::IntOrString);
}

TEST_CASE("what Go's types inline is among their fields") {
  const SchemaType& volume = *schema_type("core/v1.Volume");
  CHECK(find_field(volume, "name") != nullptr);
  CHECK(find_field(volume, "emptyDir") != nullptr);
  CHECK(find_field(kind("v1", "Pod"), "apiVersion") != nullptr);
}

TEST_CASE("fields are sorted, so that they are found") {
  const SchemaType& pod = *schema_type("core/v1.PodSpec");
  CHECK(std::ranges::is_sorted(fields_of(pod), {}, &SchemaField::name));
  for (const SchemaField& field : fields_of(pod))
    CHECK(find_field(pod, field.name) == &field);
  CHECK(find_field(pod, "Containers") == nullptr);
  CHECK(find_field(pod, "") == nullptr);
}

TEST_CASE("the nearest field") {
  const SchemaType& pod = *schema_type("core/v1.PodSpec");
  CHECK(nearest_field(pod, "resourceClaim") == "resourceClaims");
  CHECK(nearest_field(pod, "nodename") == "nodeName");
  CHECK(nearest_field(pod, "completelyElse") == "");
}

}  // namespace
}  // namespace dra::api::schema_test
