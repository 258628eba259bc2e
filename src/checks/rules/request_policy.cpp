// src/checks/rules/request_policy.cpp: how much of a capacity a request may ask for. Upstream:
// k8s.io/kubernetes/pkg/apis/resource/validation, validateRequestPolicy and what it calls.

#include "dra/checks/rules/rules.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "dra/base/text.h"
#include "src/checks/rules/names.h"

namespace dra::checks {
namespace {

using base::format;
using base::Quantity;

constexpr std::size_t kMaxPolicyValues = 10;

bool has_fraction(const Quantity& quantity) {
  Quantity rest = quantity;
  const auto whole = quantity.value();
  if (!whole) return false;  // exceeds 64 bits, so it has no fraction
  rest.sub(Quantity(*whole));
  return !rest.is_zero();
}

// An invalid quantity counts as 0.
Quantity amount_of(const Field& field) { return field.quantity().value_or(Quantity()); }

// A quantity as written: the digits before and after the point, and the suffix.
struct QuantityText {
  std::size_t whole = 0;
  std::size_t fraction = 0;
  std::string_view suffix = {};
};

QuantityText written_text(const Field& field) {
  if (field.value() == nullptr) return {};
  const std::string_view text = base::trim(field.value()->text());
  const std::size_t end = std::min(text.find_first_not_of("+-.0123456789"), text.size());
  const std::string_view number = text.substr(0, end);
  const std::size_t first = std::min(number.find_first_of("123456789."), number.size());
  const std::size_t point = std::min(number.find('.'), number.size());
  return {.whole = point > first ? point - first : 0,
          .fraction = number.size() - std::min(point + 1, number.size()),
          .suffix = text.substr(end)};
}

// True if upstream uses inf.Dec for a quantity written so; a number compared with such a quantity
// becomes one as well (ParseQuantity, Cmp, AsDec).
bool is_decimal(const Field& field) {
  const auto [whole, fraction, suffix] = written_text(field);
  constexpr std::string_view binary = "KMGTPE";
  if (!suffix.ends_with('i')) return std::max<std::size_t>(whole, 1) + fraction > 18;
  const std::size_t power = 10 * (std::min(binary.find(suffix[0]), binary.size()) + 1);
  return fraction > 0 || whole + power * 3 / 10 + 1 > 15;
}

// The decimal places that upstream keeps: those that are written, but nine with inf.Dec. Upstream
// considers 1.5 and 1500m different values.
std::size_t places_of(const Field& field) {
  if (is_decimal(field)) return 9;
  const auto [whole, fraction, suffix] = written_text(field);
  constexpr std::string_view small = "num";
  constexpr std::string_view large = "kMGTPE";
  std::int64_t exponent = 0;
  if (!suffix.empty()) {
    const std::size_t below = small.find(suffix[0]);
    const std::size_t above = large.find(suffix[0]);
    if (below != std::string_view::npos) exponent = 3 * (static_cast<std::int64_t>(below) - 3);
    if (above != std::string_view::npos) exponent = 3 * (static_cast<std::int64_t>(above) + 1);
  }
  return static_cast<std::size_t>(
      std::max<std::int64_t>(static_cast<std::int64_t>(fraction) - exponent, 0));
}

class ValuesRule {
 public:
  ValuesRule(const Quantity& capacity, const Field& policy)
      : capacity_(capacity), list_(policy.child("validValues")), chosen_(policy.child("default")) {}

  void check() const {
    const auto chosen = chosen_.quantity();
    const std::vector<Field> items = list_.items();
    for (std::size_t i = 1; i < items.size(); ++i) {
      if (amount_of(items[i]) < amount_of(items[i - 1]))
        items[i].error(ErrorType::Invalid, "values must stand in ascending order");
    }
    // If there are too many, upstream checks none and does not look for the default among them.
    const bool looks = check_size(list_, kMaxPolicyValues, Rule::Written);
    bool found = false;
    const bool fractions = list_.checking().features.on(engine::Gate::DRAFractionalCapacityRange);
    std::set<std::pair<Quantity, std::size_t>> seen;
    for (std::size_t i = 0; looks && i < items.size(); ++i) {
      const Field& item = items[i];
      const Quantity value = amount_of(item);
      // Upstream has compared the value with the next one by now, which may have made it an
      // inf.Dec.
      const bool decimal = is_decimal(item) || (i + 1 < items.size() && is_decimal(items[i + 1]));
      if (value > capacity_)
        item.error(ErrorType::Invalid, format("is more than there is: {}", capacity_.to_string()));
      found |= chosen && value == *chosen;
      if (!seen.emplace(key_of(value, decimal), fractions ? places_of(item) : 0).second)
        item.error(ErrorType::Duplicate, "this value is there already");
    }
    if (chosen && !found)
      list_.error(ErrorType::Invalid,
                  format("the default {} is not among them", chosen->to_string()));
  }

 private:
  // Upstream compares whole numbers, unless the gate allows fractions.
  Quantity key_of(const Quantity& value, bool decimal) const {
    if (list_.checking().features.on(engine::Gate::DRAFractionalCapacityRange)) return value;
    // Upstream truncates an inf.Dec with a fraction and adds one, also below zero.
    const bool up = decimal && value.sign() < 0 && has_fraction(value);
    return Quantity(value.wrapped_value() + (up ? 2 : 0));
  }

  const Quantity& capacity_;
  const Field list_;
  const Field chosen_;
};

class RangeRule {
 public:
  RangeRule(const Quantity& capacity, const Field& policy)
      : capacity_(capacity),
        range_(policy.child("validRange")),
        default_(amount_of(policy.child("default"))),
        min_(range_.child("min").quantity()),
        max_(range_.child("max").quantity()),
        step_(range_.child("step").quantity()) {}

  void check() {
    if (!range_.child("min").present()) {
      range_.child("min").error(ErrorType::Required, "is needed in validRange");
      return;
    }
    if (!min_) return;  // reported already: it is no quantity
    check_bounds();
    const bool fractions = range_.checking().features.on(engine::Gate::DRAFractionalCapacityRange);
    by_milli_ = fractions && std::ranges::any_of(bounds(), [](const Bound& bound) {
                  return bound.value && has_fraction(*bound.value);
                });
    if (by_milli_ && !all_in_milli()) return;
    if (step_) check_step();
  }

 private:
  struct Bound {
    std::string_view name;
    std::optional<Quantity> value;
  };
  std::array<Bound, 4> bounds() const {
    return {Bound{"default", default_}, {"min", min_}, {"max", max_}, {"step", step_}};
  }

  void check_bounds() const {
    const Field min = range_.child("min");
    const Field max = range_.child("max");
    const Field chosen = range_.child("default");  // the path that the server reports
    if (*min_ > capacity_)
      min.error(ErrorType::Invalid, format("is more than there is: {}", capacity_.to_string()));
    if (default_ < *min_)
      chosen.error(ErrorType::Invalid,
                   format("the default {} is less than min", default_.to_string()));
    if (!max_) return;
    if (*min_ > *max_) max.error(ErrorType::Invalid, "is less than min");
    if (*max_ > capacity_)
      max.error(ErrorType::Invalid, format("is more than there is: {}", capacity_.to_string()));
    if (default_ > *max_)
      chosen.error(ErrorType::Invalid,
                   format("the default {} is more than max", default_.to_string()));
  }

  bool all_in_milli() const {
    bool all = true;
    for (const Bound& bound : bounds()) {
      if (!bound.value) continue;
      const auto milli = bound.value->milli_value();
      if (milli && Quantity::milli(*milli, bound.value->format()) == *bound.value) continue;
      range_.child(bound.name)
          .error(ErrorType::Invalid, "is finer than a thousandth, or too large");
      all = false;
    }
    return all;
  }

  bool all_in_int64() const {
    bool all = true;
    const Quantity most(std::numeric_limits<std::int64_t>::max());
    for (const Bound& bound : bounds()) {
      if (!bound.value || (bound.value->sign() >= 0 && *bound.value <= most)) continue;
      range_.child(bound.name)
          .error(ErrorType::Invalid,
                 bound.value->sign() < 0 ? "must not be negative" : "must fit into 64 bits");
      all = false;
    }
    return all;
  }

  void check_step() const {
    const Field step = range_.child("step");
    if (step_->sign() <= 0) {
      step.error(ErrorType::Invalid, "must be more than 0");
      return;
    }
    Quantity first = *min_;
    first.add(*step_);
    if (first > capacity_)
      step.error(ErrorType::Invalid, format("one step above min is {}, and there is {}",
                                            first.to_string(), capacity_.to_string()));
    if (!by_milli_ && !all_in_int64()) return;
    check_multiple(step, default_, "the default");
    if (max_) check_multiple(step, *max_, "max");
  }

  void check_multiple(const Field& step, const Quantity& value, std::string_view what) const {
    const auto number = [this](const Quantity& quantity) {
      return by_milli_ ? quantity.milli_value().value_or(0) : quantity.value().value_or(0);
    };
    const std::int64_t size = number(*step_);
    // Integers in Go wrap around.
    const auto above = static_cast<std::int64_t>(static_cast<std::uint64_t>(number(value)) -
                                                 static_cast<std::uint64_t>(number(*min_)));
    if (size > 0 && above % size != 0)
      step.error(ErrorType::Invalid, format("{} is not a whole number of steps above min", what));
  }

  const Quantity& capacity_;
  const Field range_;
  const Quantity default_;
  const std::optional<Quantity> min_;
  const std::optional<Quantity> max_;
  const std::optional<Quantity> step_;
  bool by_milli_ = false;
};

}  // namespace

void check_request_policy(const Quantity& capacity, const Field& policy) {
  const bool values = policy.child("validValues").size() > 0;
  const bool range = policy.child("validRange").present();
  if (values && range) {
    policy.error(ErrorType::Forbidden, "validValues and validRange exclude each other");
  } else if ((values || range) && !policy.child("default").present()) {
    policy.child("default").error(
        ErrorType::Required,
        format("is required together with {}", values ? "validValues" : "validRange"));
  } else if (values) {
    ValuesRule(capacity, policy).check();
  } else if (range) {
    RangeRule(capacity, policy).check();
  }
}

}  // namespace dra::checks
