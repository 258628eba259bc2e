// tests/support/random_cel.h
//
// Expressions about a device, and devices, made by chance: few names and few values, so that they
// meet often, fail in all the ways there are and match now and then. Some expressions do not
// compile.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>

#include "dra/base/text.h"
#include "tests/support/device_value.h"

namespace dra::test {

class RandomCel {
 public:
  explicit RandomCel(std::uint64_t seed) : random_(seed) {}

  static constexpr std::string_view kDomains[] = {"a.io", "b.io"};
  static constexpr std::string_view kIds[] = {"p", "q", "r"};

  // Something that a selector may be.
  std::string condition(int depth = 3) {
    if (depth <= 0) return term(0);
    switch (below(10)) {
      case 0:
      case 1:
        return base::format("{} && {}", operand(depth), operand(depth));
      case 2:
        return base::format("{} || {}", operand(depth), operand(depth));
      case 3:
        return base::format("!({})", condition(depth - 1));
      case 4:
        return base::format("({}) ? ({}) : ({})", condition(depth - 1), condition(depth - 1),
                            condition(depth - 1));
      case 5:
        return bind(depth);
      case 6:
        return fold(depth);
      default:
        return term(depth);
    }
  }

  DeviceFacts device() {
    DeviceFacts out{.driver = std::string(domain()), .allow_multiple = chance(2)};
    for (const std::string_view domain : kDomains) {
      for (const std::string_view id : kIds) {
        if (chance(2)) out.attributes[std::string(domain)][std::string(id)] = attribute();
        if (chance(3)) out.capacity[std::string(domain)][std::string(id)] = amount();
      }
    }
    return out;
  }

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

 private:
  template <std::size_t kCount>
  std::string_view pick(const std::string_view (&from)[kCount]) {
    return from[below(kCount)];
  }
  std::string pick(std::initializer_list<std::string> from) {
    return *(from.begin() + below(from.size()));
  }
  std::string_view domain() { return pick(kDomains); }
  std::string_view id() { return pick(kIds); }
  std::string amount() { return pick({"1Gi", "1024Mi", "1500m", "3"}); }

  AttributeValue attribute() {
    switch (below(5)) {
      case 0:
        return static_cast<std::int64_t>(below(3));
      case 1:
        return chance(2);
      case 2:
        return Version{pick({"1.0.0", "2.1.0"})};
      default:
        return pick({"p", "a.io", "x"});
    }
  }

  std::string literal() {
    return pick({"0", "1", "true", "\"p\"", "\"a.io\"", "\"x\"", "\"1.0.0\""});
  }

  std::string operand(int depth) {
    const std::string inner = condition(depth - 1);
    return inner.find('?') == std::string::npos && chance(2) ? inner : "(" + inner + ")";
  }

  // The attributes or capacities of one domain.
  std::string in_domain(std::string_view of) {
    switch (below(8)) {
      case 0:
        return base::format("device.{}[device.driver]", of);
      case 1:
        return base::format("device.{}[cel.bind(d, \"{}\", d)]", of, domain());
      case 2:
        return base::format("({} ? device : device).{}[\"{}\"]", term(0), of, domain());
      case 3:
        return base::format("cel.bind(m, device.{}, m[\"{}\"])", of, domain());
      case 4:
        return base::format("device.{}.?nowhere.orValue(device.{}[\"{}\"])", of, of, domain());
      default:
        return base::format("device.{}[\"{}\"]", of, domain());
    }
  }

  std::string read() {
    const std::string from = in_domain("attributes");
    switch (below(6)) {
      case 0:
        return base::format("{}[\"{}\"]", from, id());
      case 1:
        return base::format("{}.?{}.orValue({})", from, id(), literal());
      case 2:
        return base::format("{}[{}]", from, read_text());
      default:
        return base::format("{}.{}", from, id());
    }
  }
  std::string read_text() { return pick({"device.driver", "\"p\"", "\"q\""}); }

  std::string term(int depth) {
    switch (below(16)) {
      case 0:
        return base::format("has({}.{})", in_domain("attributes"), id());
      case 1:
        return base::format("\"{}\" in device.attributes", domain());
      case 2:
        return base::format("{} in {}", pick({"\"p\"", "device.driver"}), in_domain("attributes"));
      case 3:
        return base::format("{}.{}.compareTo(quantity(\"{}\")) >= 0", in_domain("capacity"), id(),
                            amount());
      case 4:
        return base::format("{}.{} == quantity(\"{}\")", in_domain("capacity"), id(), amount());
      case 5:
        return base::format("device.driver {} \"{}\"", pick({"==", "!=", "<"}), domain());
      case 6:
        return base::format("{} in [{}, \"q\"]", read(), pick({"\"p\"", "device.driver"}));
      case 7:
        return base::format("{}.{}.isGreaterThan(semver(\"1.0.1\"))", in_domain("attributes"),
                            id());
      case 8:
        return base::format("size({}) > {}", in_domain("attributes"), below(3));
      case 9:
        return base::format("{}.?{}.optMap(v, v == {}).orValue({})", in_domain("attributes"), id(),
                            literal(), depth > 0 ? "(" + condition(depth - 1) + ")" : "true");
      case 10:
        return base::format("{}.?{}.hasValue()", in_domain("attributes"), id());
      case 11:
        return pick({"device.allowMultipleAllocations", "true", "false",
                     "device.attributes == device.attributes", "has(device.attributes.nowhere)",
                     "device.attributes[\"a.io\"].p.string == \"p\""});
      case 12:
        return base::format("{}.startsWith({})", read(), read_text());
      default:
        return base::format("{} {} {}", read(), pick({"==", "!=", "<", ">="}), literal());
    }
  }

  std::string bind(int depth) {
    switch (below(3)) {
      case 0:
        return base::format("cel.bind(m, {}, m.{} == {} && {})", in_domain("attributes"), id(),
                            literal(), operand(depth));
      case 1:
        return base::format("cel.bind(t, {}, t == {} || t == {})", read(), literal(), literal());
      default:
        return base::format("cel.bind(b, {}, {})", condition(depth - 1),
                            pick({"b", "!b && device.driver != \"\"", "b || b", "true"}));
    }
  }

  std::string fold(int depth) {
    const std::string quantifier = pick({"all", "exists", "exists_one"});
    switch (below(5)) {
      case 0:
        return base::format("[\"p\", \"q\", \"r\"].{}(k, k in {})", quantifier,
                            in_domain("attributes"));
      case 1:
        return base::format("{}.{}(k, k == \"p\" || {})", in_domain("attributes"), quantifier,
                            operand(depth));
      case 2:
        return base::format("[1, 2].{}(n, n == {})", quantifier, read());
      case 3:
        return base::format("device.attributes.exists(d, m, d == \"{}\" && m.{} == {})", domain(),
                            id(), literal());
      default:
        return base::format("[0, 1, 2].filter(n, n > {}).map(n, n * 2).size() {} 1", read(),
                            pick({"==", ">"}));
    }
  }

  std::mt19937_64 random_;
};

}  // namespace dra::test
