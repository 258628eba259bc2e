// tests/fuzz/quantity_fuzz.cpp
//
// Two quantities, one on each line. The canonical form is stable, adding and subtracting cancel,
// and the order agrees with the sign of the difference.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "dra/base/quantity.h"

namespace {

using dra::base::Quantity;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

void check_canonical(const Quantity& quantity) {
  const std::optional<std::int64_t> value = quantity.value();
  if (quantity.as_int64()) DRA_CHECK(quantity.as_int64() == value);
  // 2^63 and more in binary exist as sums only: parsed again they are capped.
  const bool beyond_cap = !value || *value == kLeast;
  if (quantity.format() == Quantity::Format::BinarySI && beyond_cap) return;

  const std::string text = quantity.to_string();
  const dra::Result<Quantity> again = Quantity::parse(text);
  if (!again.ok()) {  // sums and padded exponents may go beyond the limits of parsing
    const std::size_t e = text.find('e');
    const bool large = e != std::string::npos && std::abs(std::stol(text.substr(e + 1))) > 4000;
    DRA_CHECK(text.size() > 4000 || large);
    return;
  }
  // A binary value without a suffix, such as 1Ki + 1, is decimal when read again.
  if (again.value().format() == quantity.format()) DRA_CHECK(again.value().to_string() == text);
  DRA_CHECK(again.value().sign() == quantity.sign());
  // Beyond the suffix E the unit is lost, so there the text is not the value.
  const bool faithful = value || text.find('e') != std::string::npos;
  if (faithful) DRA_CHECK(again.value() == quantity);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer gives the name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  const dra::Result<Quantity> a = Quantity::parse(text.substr(0, end));
  if (!a.ok()) return 0;
  check_canonical(a.value());
  if (end == std::string_view::npos) return 0;
  const dra::Result<Quantity> b = Quantity::parse(text.substr(end + 1));
  if (!b.ok()) return 0;
  Quantity sum = a.value();
  sum.add(b.value());
  Quantity back = sum;
  back.sub(b.value());
  DRA_CHECK(back == a.value());
  Quantity difference = a.value();
  difference.sub(b.value());
  DRA_CHECK((difference.sign() < 0) == (a.value() < b.value()));
  DRA_CHECK((difference.sign() > 0) == (a.value() > b.value()));
  check_canonical(sum);
  check_canonical(difference);
  return 0;
}
