// src/report/describe/describe_json.h
//
// Parts of API objects in the JSON of descriptions, under the API's field names. As in the API, a
// field without a value is left out.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/slice.h"
#include "dra/engine/cluster/usage.h"
#include "dra/engine/selectors/selection.h"
#include "dra/json/value.h"
#include "dra/report/phrases/subject_json.h"

namespace dra::report {

// Sets a member, unless the value is null, an empty text, or a list or an object without content.
void set_if_any(json::Value& object, std::string key, json::Value value);

json::Value time_json(api::Time time);  // null: absent

template <class Texts>
json::Value texts_json(const Texts& texts) {
  json::Value list = json::Value::array();
  for (const auto& text : texts)
    list.push(std::string_view(text));
  return list;
}

json::Value pairs_json(const api::Map<std::string_view>& pairs);
json::Value quantities_json(const api::Map<api::Quantity>& quantities);
json::Value conditions_json(const std::vector<api::Condition>& conditions);
json::Value toleration_json(const api::Toleration& toleration);
json::Value tolerations_json(const std::vector<api::Toleration>& tolerations);
json::Value taint_json(const api::DeviceTaint& taint);
json::Value attribute_json(const api::DeviceAttribute& attribute);  // {"int": 5}
json::Value attributes_json(const api::Device& device);
json::Value opaque_json(const api::Opaque& opaque);
json::Value device_status_json(const api::DeviceStatus& status);

// {"namespace"?, "name"}
json::Value object_name_json(const api::ObjectMeta& meta);
// {"driver", "pool", "device"}, to add members to.
json::Value device_id_json(const engine::DeviceId& id);

// Selectors that all have to be true, with counts where these are known: `of_class` of them are of
// the class, the others of the request.
json::Value selectors_json(const std::vector<std::string_view>& expressions, std::size_t of_class,
                           const engine::Selection* selection, engine::Answers* answers);

}  // namespace dra::report
