// src/engine/selectors/fleet.cpp: one evaluation for each kind of device.
//
// The idea. An expression is a pure function of what it reads of a device. cel/check/reads lists
// the paths that it may read; parts_of() makes Parts of them: the driver, one attribute, one
// capacity, all attributes. A View holds the values that a device has for these parts. Devices with
// equal views are of one kind and share one answer, its error and its cost included. Kinds numbers
// them, and Grouping evaluates the selector for the first device of each kind.
//
// Why that is sound. The reads leave nothing out; a path that does not end at one attribute or
// capacity counts as all of them, together with the driver, which is the domain of bare names.
// Amounts are compared as written, because CEL can tell "1Gi" from "1024Mi". A device that cannot
// be read is a group of its own, because its error speaks of its own attributes. A property test
// holds grouped answers to single evaluations.
//
// What makes it fast. With a few dozen evaluations, looking at 40,000 devices is all that costs:
//  * Most slices follow a model and differ from it in a few attributes, by bits
//    (api/device_models). If the expression reads none of those, a slice gets the groups of its
//    model without a look at its devices (Grouping::OfModel), and a device by itself the kind of
//    its model (Kinds::OfModel).
//  * Neighbours are mostly of one kind, so the last kind is compared before the hash is computed.
//  * Attributes lie apart from their devices; those that are read are fetched some devices ahead.
// places_read() tells node signatures which bits an answer depends on.

#include "dra/engine/selectors/fleet.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "dra/api/device_models.h"
#include "dra/base/fetch.h"
#include "dra/base/same_text.h"
#include "dra/cel/check/reads.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMaxRemembered = 256;  // devices that others are looked for to be like

using api::DeviceAttribute;
using api::DeviceCapacity;

// One thing that an expression reads of a device. What is not a single attribute or capacity is
// taken to be all of them, with the driver that gives bare names their domain.
struct Part {
  enum class What : std::uint8_t {
    Driver,
    Shares,
    Attribute,
    Capacity,
    AllAttributes,
    AllCapacity,
    List,  // the first attribute that is one, by its name
  };
  What what;
  bool presence = false;  // only whether there is such an attribute or capacity
  std::string domain = {};
  std::string id = {};
};

Part part_of(const cel::Read& read, std::string_view field) {
  const bool attributes = field == "attributes";
  if (read.keys.size() < 3)
    return {attributes ? Part::What::AllAttributes : Part::What::AllCapacity};
  return {.what = attributes ? Part::What::Attribute : Part::What::Capacity,
          .presence = read.presence && read.keys.size() == 3,
          .domain = read.keys[1],
          .id = read.keys[2]};
}

std::vector<Part> parts_of(const Selector& selector) {
  std::vector<Part> parts;
  if (!selector.reads_lists()) parts.push_back({Part::What::List});
  for (const cel::Read& read : cel::reads_of(selector.program()->checked(), "device")) {
    const std::string field = read.keys.empty() ? "" : read.keys.front();
    const bool whole = read.keys.empty();
    if (whole || field == "driver") parts.push_back({Part::What::Driver});
    if (whole || field == "allowMultipleAllocations") parts.push_back({Part::What::Shares});
    if (whole || field == "attributes") parts.push_back(part_of(read, "attributes"));
    if (whole || field == "capacity") parts.push_back(part_of(read, "capacity"));
  }
  return parts;
}

bool same(const DeviceAttribute& a, const DeviceAttribute& b) { return a == b; }

// As written: equal amounts may differ in what CEL says of them.
bool same(const DeviceCapacity& a, const DeviceCapacity& b) { return a.value.text == b.value.text; }

template <class T>
bool same(const api::Map<T>& a, const api::Map<T>& b) {
  return std::ranges::equal(a, b, [](const auto& left, const auto& right) {
    return left.key == right.key && same(left.value, right.value);
  });
}

void mix(std::size_t& hash, std::size_t more) {
  hash = (hash ^ more) * 0x9E3779B97F4A7C15ULL;
  hash ^= hash >> 29;
}
void mix(std::size_t& hash, std::string_view text) {
  mix(hash, std::hash<std::string_view>()(text));
}

// Of what differs most often; the rest is compared.
void mix(std::size_t& hash, const DeviceAttribute& attribute) {
  using Kind = DeviceAttribute::Kind;
  mix(hash, static_cast<std::size_t>(attribute.kind()));
  if (attribute.kind() == Kind::String || attribute.kind() == Kind::Version) {
    mix(hash, attribute.text());
  } else if (!attribute.is_list()) {
    mix(hash, static_cast<std::size_t>(attribute.as_int()));
  }
}
void mix(std::size_t& hash, const DeviceCapacity& capacity) { mix(hash, capacity.value.text); }

template <class T>
void mix(std::size_t& hash, const api::Map<T>& map) {
  for (const auto& [name, value] : map) {
    mix(hash, name);
    mix(hash, value);
  }
}

// What a device has of one part.
struct Found {
  const DeviceAttribute* attribute = nullptr;
  const DeviceCapacity* capacity = nullptr;
  std::string_view list = {};
};

// A device as far as the expression can see it.
class View {
 public:
  explicit View(const std::vector<Part>& parts) : parts_(&parts), found_(parts.size()) {}

  // `finders` are of the parts, in their order.
  void look(const Candidate& candidate, std::vector<NameFinder>& finders) {
    candidate_ = candidate;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Part::What what = (*parts_)[i].what;
      if (what == Part::What::Attribute)
        found_[i].attribute = finders[i].find(candidate.device->attributes, candidate.driver);
      if (what == Part::What::Capacity)
        found_[i].capacity = finders[i].find(candidate.device->capacity, candidate.driver);
      if (what == Part::What::List) found_[i].list = first_list(candidate.device->attributes);
    }
  }

  bool same_as(const View& other) const {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!same_part((*parts_)[i], found_[i], other.found_[i], other.candidate_)) return false;
    }
    return true;
  }

  std::size_t hash() const {
    std::size_t hash = 0;
    for (std::size_t i = 0; i < found_.size(); ++i)
      mix_part(hash, (*parts_)[i], found_[i]);
    return hash;
  }

 private:
  bool same_part(const Part& part, const Found& a, const Found& b, const Candidate& other) const {
    const api::Device& device = *candidate_.device;
    switch (part.what) {
      case Part::What::Driver:
        return same_driver(other);
      case Part::What::Shares:
        return device.allow_multiple_allocations == other.device->allow_multiple_allocations;
      case Part::What::Attribute:
        if (a.attribute == nullptr || b.attribute == nullptr) return a.attribute == b.attribute;
        return part.presence || *a.attribute == *b.attribute;
      case Part::What::Capacity:
        if (a.capacity == nullptr || b.capacity == nullptr) return a.capacity == b.capacity;
        return part.presence || same(*a.capacity, *b.capacity);
      case Part::What::AllAttributes:
        return same_driver(other) && same(device.attributes, other.device->attributes);
      case Part::What::AllCapacity:
        return same_driver(other) && same(device.capacity, other.device->capacity);
      case Part::What::List:
        return a.list == b.list;
    }
    return false;
  }

  bool same_driver(const Candidate& other) const {
    return base::same_text(candidate_.driver, other.driver);
  }

  void mix_part(std::size_t& hash, const Part& part, const Found& found) const {
    mix(hash, 1);
    if (part.what == Part::What::Driver) mix(hash, candidate_.driver);
    if (part.what == Part::What::AllAttributes) mix(hash, candidate_.device->attributes);
    if (part.what == Part::What::AllCapacity) mix(hash, candidate_.device->capacity);
    if (found.attribute != nullptr && !part.presence) mix(hash, *found.attribute);
    if (found.capacity != nullptr && !part.presence) mix(hash, *found.capacity);
    mix(hash, found.list);
  }

  Candidate candidate_ = {};
  const std::vector<Part>* parts_;
  std::vector<Found> found_;
};

// The kinds of devices that an expression can tell from each other.
class Kinds {
 public:
  explicit Kinds(const std::vector<Part>& parts) : parts_(parts), view_(parts) {
    for (const Part& part : parts)
      finders_.emplace_back(part.domain, part.id);
  }

  // Fetches what of() looks at, if it looked at the last device: it mostly does so at the next.
  void fetch(std::span<const api::Device> devices, std::size_t place) const {
    if (!looked_ || place >= devices.size()) return;
    const api::Device& device = devices[place];
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part::What what = parts_[i].what;
      if (what == Part::What::Attribute) finders_[i].fetch(device.attributes);
      if (what == Part::What::Capacity) finders_[i].fetch(device.capacity);
    }
  }

  // The kind of a device, and whether it is a new one.
  std::pair<std::size_t, bool> of(const Candidate& candidate, const api::Likeness& likeness) {
    OfModel* known = likeness.model == nullptr ? nullptr : &of_model(*likeness.model, candidate);
    const bool as_model = known != nullptr && (likeness.differs & known->read) == 0;
    looked_ = !as_model || !known->kind;
    if (!looked_) return {*known->kind, false};
    const auto found = by_itself(candidate);
    if (as_model) known->kind = found.first;
    return found;
  }

 private:
  // Devices with one model and driver in which what is read is as in the model.
  struct OfModel {
    std::string_view driver;
    std::uint64_t read = 0;  // the places of the attributes
    std::optional<std::size_t> kind;
  };

  OfModel& of_model(const api::Device& model, const Candidate& candidate) {
    if (&model != last_model_) last_known_ = &models_[&model];
    last_model_ = &model;
    const std::string_view driver = candidate.driver;
    const bool same_driver =
        last_known_->driver.data() == driver.data() && last_known_->driver.size() == driver.size();
    if (!same_driver) *last_known_ = {driver, read_of(model, driver), {}};
    return *last_known_;
  }

 public:
  // The places of the attributes that are read.
  std::uint64_t read_of(const api::Device& model, std::string_view driver) {
    std::uint64_t read = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].what == Part::What::AllAttributes) return ~std::uint64_t{0};
      if (parts_[i].what != Part::What::Attribute) continue;
      read |= api::place_of(model.attributes, finders_[i].find(model.attributes, driver));
    }
    return read;
  }

 private:
  std::pair<std::size_t, bool> by_itself(const Candidate& candidate) {
    view_.look(candidate, finders_);
    // Neighbours are mostly of one kind.
    if (last_ < kinds_.size() && kinds_[last_].same_as(view_)) return {last_, false};
    const std::size_t hash = view_.hash();
    const auto [begin, end] = by_hash_.equal_range(hash);
    const auto known = std::find_if(
        begin, end, [this](const auto& entry) { return kinds_[entry.second].same_as(view_); });
    last_ = known != end ? known->second : kinds_.size();
    if (known != end) return {last_, false};
    by_hash_.emplace(hash, last_);
    kinds_.push_back(view_);
    return {last_, true};
  }

  const std::vector<Part>& parts_;
  std::vector<NameFinder> finders_;
  View view_;
  std::vector<View> kinds_;
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  std::size_t last_ = 0;
  std::unordered_map<const api::Device*, OfModel> models_;
  const api::Device* last_model_ = nullptr;
  OfModel* last_known_ = nullptr;  // of that model
  bool looked_ = true;             // at the last device
};

// Whether the device lies behind those of the part, and is of the same driver.
bool follows(const FleetPart& part, const Candidate& device) {
  return part.model == nullptr && part.devices.data() + part.devices.size() == device.device &&
         part.driver.data() == device.driver.data() && part.driver.size() == device.driver.size();
}

void fetch_attributes(const api::Device& device) {
  for (const auto& attribute : device.attributes)
    base::fetch(&attribute);
}

// Puts the devices of a fleet into groups.
class Grouping {
 public:
  Grouping(const Selector& selector, const Fleet& fleet, const std::vector<Part>& parts,
           std::vector<AnswerGroup>& groups)
      : selector_(selector), fleet_(fleet), kinds_(parts), groups_(groups) {}

  void add(const FleetPart& part, std::vector<std::uint32_t>& group_of) {
    OfModel* model = part.model == nullptr ? nullptr : &of_model(*part.model);
    const bool as_model = model != nullptr && part.readable && (part.differs & model->read) == 0;
    const bool known = as_model && !model->groups.empty();
    const std::size_t before = group_of.size();
    if (known) group_of.insert(group_of.end(), model->groups.begin(), model->groups.end());
    for (std::size_t i = 0; i < part.devices.size(); ++i) {
      if (!known) {
        kinds_.fetch(part.devices, i + base::kAhead);
        group_of.push_back(group_for(part, i));
      }
      ++groups_[group_of[before + i]].count;
    }
    if (as_model && !known)
      model->groups.assign(group_of.begin() + static_cast<std::ptrdiff_t>(before), group_of.end());
  }

  std::unordered_map<const api::SliceModel*, std::uint64_t> places_read() const {
    std::unordered_map<const api::SliceModel*, std::uint64_t> places;
    for (const auto& [model, known] : models_)
      places.emplace(model, known.read);
    return places;
  }

 private:
  // Slices in which what is read is as in the model.
  struct OfModel {
    std::uint64_t read = 0;             // the places of the attributes
    std::vector<std::uint32_t> groups;  // by the place of the device; empty: not known yet
  };

  OfModel& of_model(const api::SliceModel& model) {
    const auto [known, is_new] = models_.try_emplace(&model);
    for (std::size_t i = 0; is_new && i < model.devices.size(); ++i)
      known->second.read |= kinds_.read_of(model.devices[i], model.driver);
    return known->second;
  }

  std::uint32_t group_for(const FleetPart& part, std::size_t place) {
    const std::size_t index = part.first + place;
    // A device that cannot be read has an error of its own, so it is a group of its own.
    const bool alone = !fleet_.readable(index);
    const auto [kind, is_new] = alone ? std::pair(std::size_t{0}, true)
                                      : kinds_.of(part[place], fleet_.likeness_of(part, place));
    if (!is_new) return group_of_kind_[kind];
    value_.set(part.driver, part.devices[place]);
    const auto group = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({index, 0, selector_.evaluate(value_, run_)});
    if (!alone) group_of_kind_.push_back(group);
    return group;
  }

  const Selector& selector_;
  const Fleet& fleet_;
  Kinds kinds_;
  std::vector<AnswerGroup>& groups_;
  std::vector<std::uint32_t> group_of_kind_;
  std::unordered_map<const api::SliceModel*, OfModel> models_;
  DeviceValue value_;
  cel::Run run_;
};

}  // namespace

Fleet::Fleet(std::span<const Candidate> devices) {
  likenesses_.reserve(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (i + base::kAhead < devices.size()) fetch_attributes(*devices[i + base::kAhead].device);
    add(devices[i]);
  }
}

void Fleet::add(const Candidate& device) {
  const std::size_t index = size_++;
  if (parts_.empty() || !follows(parts_.back(), device)) {
    parts_.push_back({device.driver, {device.device, 1}, index, nullptr, 0});
    parts_.back().likeness = likenesses_.size();
  } else {
    parts_.back().devices = {parts_.back().devices.data(), parts_.back().devices.size() + 1};
  }
  look_at(parts_.back(), index);
}

void Fleet::add(const api::ResourceSlice& slice) {
  const api::SliceSpec& spec = slice.spec;
  if (spec.devices.empty()) return;
  parts_.push_back({spec.driver, spec.devices, size_, spec.model, spec.differs});
  parts_.back().likeness = likenesses_.size();
  size_ += spec.devices.size();
  look_at(parts_.back(), parts_.back().first);
}

void Fleet::look_at(FleetPart& part, std::size_t from) {
  if (!unreadable_.empty()) unreadable_.resize(size_);
  if (part.model != nullptr && flaws_.none_in(*part.model, part.differs)) return;
  for (std::size_t i = from - part.first; i < part.devices.size(); ++i) {
    if (part.model == nullptr) likenesses_.push_back(find_likeness(part.devices[i]));
    if (flaws_.find(part.devices[i], likeness_of(part, i)).empty()) continue;
    part.readable = false;
    unreadable_.resize(size_);
    unreadable_[part.first + i] = true;
  }
}

api::Likeness Fleet::likeness_of(const FleetPart& part, std::size_t place) const {
  if (part.model == nullptr) return likenesses_[part.likeness + place];
  return {part.devices[place].model, part.devices[place].differs};
}

api::Likeness Fleet::find_likeness(const api::Device& device) {
  if (device.model != nullptr) return {device.model, device.differs};
  const api::Likeness found = recent_.likeness_of(device);
  const bool shared = device.allow_multiple_allocations;
  if (found.model != nullptr && found.model->allow_multiple_allocations == shared) return found;
  if (remembered_ == kMaxRemembered) return {};
  const api::Device* model = recent_.remember(device);
  remembered_ += model == nullptr ? 0 : 1;
  return {model};
}

Candidate Fleet::operator[](std::size_t index) const {
  const auto behind = std::ranges::upper_bound(parts_, index, {}, &FleetPart::first);
  const FleetPart& part = *std::prev(behind);
  return part[index - part.first];
}

FleetAnswer::FleetAnswer(const Selector& selector, const Fleet& fleet) {
  group_of_.reserve(fleet.size());
  const std::vector<Part> parts = parts_of(selector);
  Grouping grouping(selector, fleet, parts, groups_);
  for (const FleetPart& part : fleet.parts())
    grouping.add(part, group_of_);
  places_read_ = grouping.places_read();
}

std::uint64_t FleetAnswer::places_read(const api::SliceModel& model) const {
  return places_read_.at(&model);
}

std::size_t FleetAnswer::matches() const {
  std::size_t count = 0;
  for (const AnswerGroup& group : groups_)
    count += group.answer.matches ? group.count : 0;
  return count;
}

std::size_t FleetAnswer::failures() const {
  std::size_t count = 0;
  for (const AnswerGroup& group : groups_)
    count += group.answer.failure ? group.count : 0;
  return count;
}

}  // namespace dra::engine
