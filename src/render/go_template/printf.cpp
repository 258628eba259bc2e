// src/render/go_template/printf.cpp: see printf.h. Follows fmt's print.go and format.go.

#include "src/render/go_template/printf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/json/go_number.h"
#include "dra/json/parse.h"
#include "dra/json/unicode.h"
#include "src/render/go_template/quotes.h"

namespace dra::render::go_template {
namespace {

using Type = Operand::Type;

constexpr int kLargest = 1'000'000;  // a larger width or precision is none
constexpr std::uint32_t kReplacement = 0xFFFD;

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const std::string_view character = json::character_at(text, at);
    at += json::is_utf8(character) ? character.size() : 1;
  }
  return count;
}

std::string text_of_code(std::uint64_t code) {
  const bool valid = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return json::utf8_of(valid ? static_cast<std::uint32_t>(code) : kReplacement);
}

std::string in_base(std::uint64_t number, unsigned base, bool upper) {
  const std::string_view digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), digits[number % base]);
    number /= base;
  } while (number > 0);
  return text;
}

// 1p-52: the mantissa as an integer.
std::string in_powers_of_two(double number) {
  constexpr int bits = 53;
  int exponent = 0;
  const double mantissa = std::ldexp(std::frexp(number, &exponent), bits);
  if (number == 0) return "0p-1074";
  return base::format("{}p{}{}", static_cast<std::uint64_t>(mantissa), exponent < bits ? "-" : "+",
                      std::abs(exponent - bits));
}

// C's form of a float, except for exponents of hexadecimal ones: Go writes at least two digits.
std::string float_digits(double number, char verb, std::optional<int> precision) {
  if (verb == 'b' && std::isfinite(number)) return in_powers_of_two(number);
  const bool general = verb == 'v' || verb == 'g' || verb == 'G';
  if (general && !precision && std::isfinite(number)) {
    std::string text = json::float_as_text(number);
    if (verb == 'G') std::ranges::replace(text, 'e', 'E');
    return text;
  }
  const bool hexadecimal = verb == 'x' || verb == 'X';
  const char form = hexadecimal ? (verb == 'x' ? 'a' : 'A') : verb == 'v' ? 'g' : verb;
  const std::array<char, 5> with{'%', '.', '*', form == 'F' ? 'f' : form, '\0'};
  const std::array<char, 3> without{'%', form, '\0'};
  std::string text(static_cast<std::size_t>(precision.value_or(0)) + 400, '\0');
  const int length =
      hexadecimal && !precision
          ? std::snprintf(text.data(), text.size(), without.data(), number)
          : std::snprintf(text.data(), text.size(), with.data(), precision.value_or(6), number);
  text.resize(static_cast<std::size_t>(length));
  const std::size_t power = hexadecimal ? text.find_first_of("pP") : std::string::npos;
  if (power != std::string::npos && text.size() == power + 3) text.insert(power + 2, "0");
  return text;
}

class Formatter {
 public:
  Formatter(std::string_view format, std::span<const Operand> values)
      : format_(format), values_(values) {}

  Result<std::string> all() {
    while (at_ < format_.size()) {
      const std::size_t percent = std::min(format_.find('%', at_), format_.size());
      out_ += format_.substr(at_, percent - at_);
      at_ = percent;
      if (at_ < format_.size()) directive();
      if (refused_) return *refused_;
    }
    if (next_ < values_.size()) extra();
    return std::move(out_);
  }

 private:
  struct Flags {
    bool sharp = false;
    bool zero = false;
    bool plus = false;
    bool minus = false;
    bool space = false;
    std::optional<int> width = {};
    std::optional<int> precision = {};
  };

  void refuse(std::string_view what) {
    if (!refused_) {
      refused_ = Error{ErrorKind::BadInput, base::format("{} is not supported", what), {}};
    }
  }

  bool ahead(char c) const { return at_ < format_.size() && format_[at_] == c; }

  // From the percent sign to the verb.
  void directive() {
    ++at_;
    flags_ = Flags();
    for (; at_ < format_.size(); ++at_) {
      bool* const flag = flag_of(format_[at_]);
      if (flag == nullptr) break;
      *flag = true;
    }
    width();
    if (at_ + 1 < format_.size() && ahead('.')) precision();
    if (ahead('[')) return refuse("an argument index such as %[1]d");
    if (at_ >= format_.size()) {
      out_ += "%!(NOVERB)";
      return;
    }
    std::string_view verb = json::character_at(format_, at_);
    if (!json::is_utf8(verb)) verb = verb.substr(0, 1);
    at_ += verb.size();
    verb_ = json::is_utf8(verb) ? std::string(verb) : "\xef\xbf\xbd";
    if (verb_ == "%") {
      out_ += '%';
    } else if (next_ >= values_.size()) {
      out_ += "%!" + verb_ + "(MISSING)";
    } else {
      value(values_[next_++]);
    }
  }

  bool* flag_of(char c) {
    switch (c) {
      case '#':
        return &flags_.sharp;
      case '0':
        return &flags_.zero;
      case '+':
        return &flags_.plus;
      case '-':
        return &flags_.minus;
      case ' ':
        return &flags_.space;
      default:
        return nullptr;
    }
  }

  void width() {
    if (!ahead('*')) {
      flags_.width = number();
      return;
    }
    ++at_;
    flags_.width = argument();
    if (!flags_.width) out_ += "%!(BADWIDTH)";
    if (flags_.width.value_or(0) >= 0) return;
    flags_.width = -*flags_.width;
    flags_.minus = true;
    flags_.zero = false;
  }

  void precision() {
    ++at_;
    if (!ahead('*')) {
      flags_.precision = number().value_or(0);
      return;
    }
    ++at_;
    flags_.precision = argument();
    if (flags_.precision.value_or(0) < 0) flags_.precision.reset();
    if (!flags_.precision) out_ += "%!(BADPREC)";
  }

  // Digits. A number that is too large uses up the format, as in Go.
  std::optional<int> number() {
    std::optional<int> found;
    for (; at_ < format_.size() && base::is_digit(format_[at_]); ++at_) {
      if (found.value_or(0) > kLargest) {
        at_ = format_.size();
        return std::nullopt;
      }
      found = found.value_or(0) * 10 + (format_[at_] - '0');
    }
    return found;
  }

  std::optional<int> argument() {
    if (next_ >= values_.size()) return std::nullopt;
    const Operand& value = values_[next_++];
    if (!value.is_integer() || value.integer > kLargest || value.integer < -kLargest) {
      return std::nullopt;
    }
    return static_cast<int>(value.integer);
  }

  // Values that no verb was there for.
  void extra() {
    flags_ = Flags();
    verb_ = "v";
    out_ += "%!(EXTRA ";
    for (const Operand& left : values_.subspan(next_)) {
      if (&left != &values_[next_]) out_ += ", ";
      if (!left.is_nothing()) out_ += std::string(type_name(left)) + "=";
      item(left);
    }
    out_ += ")";
  }

  void value(const Operand& value) {
    if (verb_ == "v" || verb_ == "w") {
      if (flags_.sharp) return refuse("%#v");
      flags_.plus = false;
    }
    if (verb_ == "w") return bad_verb(value);
    if (value.is_nothing()) return verb_ == "v" || verb_ == "T" ? padded("<nil>") : bad_verb(value);
    verb_ == "T" ? padded(std::string(shortened(type_name(value)))) : item(value);
  }

  void bad_verb(const Operand& value) {
    const std::string verb = verb_;
    out_ += "%!" + verb + "(";
    if (value.is_nothing()) {
      out_ += "<nil>";
    } else {
      out_ += std::string(type_name(value)) + "=";
      verb_ = "v";
      item(value);
      verb_ = verb;
    }
    out_ += ")";
  }

  // A value, or one inside of a list or a map.
  void item(const Operand& value) {
    switch (value.type) {
      case Type::Nothing:
      case Type::Null:
        out_ += "<nil>";
        return;
      case Type::Bool:
        return verb_ == "t" || verb_ == "v" ? padded(value.flag ? "true" : "false")
                                            : bad_verb(value);
      case Type::Int:
      case Type::Int64:
      case Type::Byte:
        return integer(value);
      case Type::Float:
        return real(value);
      case Type::String:
        return text(value);
      case Type::List:
        return list(value);
      case Type::Map:
        return map(value);
    }
  }

  void list(const Operand& value) {
    if (verb_ == "p") return refuse("%p");
    out_ += '[';
    for (std::size_t i = 0; i < value.length; ++i) {
      if (i > 0) out_ += ' ';
      item(item_of(value, i));
    }
    out_ += ']';
  }

  void map(const Operand& value) {
    if (verb_ == "p") return refuse("%p");
    out_ += "map[";
    json::Value sorted = *value.data;
    json::sort_keys(sorted);
    bool first = true;
    for (const json::Member& member : sorted.members()) {
      if (sorted.find(member.key) != &member.value) continue;
      if (!std::exchange(first, false)) out_ += ' ';
      item(of_string(member.key));
      out_ += ':';
      item(operand_of(member.value));
    }
    out_ += ']';
  }

  void padded(std::string text, bool zeros = true) {
    const std::size_t length = count_characters(text);
    const auto width = static_cast<std::size_t>(flags_.width.value_or(0));
    if (length < width) {
      const bool zero = zeros && flags_.zero && !flags_.minus;
      text.insert(flags_.minus ? text.size() : 0, width - length, zero ? '0' : ' ');
    }
    out_ += text;
  }

  void integer(const Operand& value) {
    const char verb = verb_.size() == 1 ? verb_[0] : '\0';
    const bool negative = value.integer < 0;
    auto size = static_cast<std::uint64_t>(value.integer);
    switch (verb) {
      case 'c':
        return padded(text_of_code(size));
      case 'q':
        return padded("'" + quoted_character(valid(size), '\'', flags_.plus) + "'");
      case 'U':
        return code_point(size);
      default:
        break;
    }
    const unsigned base = base_of(verb);
    if (base == 0) return bad_verb(value);
    if (negative) size = 0 - size;
    if (flags_.precision == 0 && size == 0) {
      out_.append(static_cast<std::size_t>(flags_.width.value_or(0)), ' ');
      return;
    }
    std::string digits = in_base(size, base, verb == 'X');
    std::size_t least = static_cast<std::size_t>(flags_.precision.value_or(0));
    const bool sign = negative || flags_.plus || flags_.space;
    if (!flags_.precision && flags_.zero && !flags_.minus && flags_.width) {
      const auto width = static_cast<std::size_t>(*flags_.width);
      least = sign && width > 0 ? width - 1 : width;
    }
    if (digits.size() < least) digits.insert(0, least - digits.size(), '0');
    if (flags_.sharp && base == 2) digits.insert(0, "0b");
    if (flags_.sharp && base == 8 && !digits.starts_with('0')) digits.insert(0, "0");
    if (flags_.sharp && base == 16) digits.insert(0, verb == 'X' ? "0X" : "0x");
    if (verb == 'O') digits.insert(0, "0o");
    if (sign) digits.insert(0, negative ? "-" : flags_.plus ? "+" : " ");
    padded(std::move(digits), false);
  }

  static std::uint32_t valid(std::uint64_t code) {
    const bool good = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return good ? static_cast<std::uint32_t>(code) : kReplacement;
  }

  static unsigned base_of(char verb) {
    switch (verb) {
      case 'v':
      case 'd':
        return 10;
      case 'b':
        return 2;
      case 'o':
      case 'O':
        return 8;
      case 'x':
      case 'X':
        return 16;
      default:
        return 0;
    }
  }

  // U+0078, or U+0078 'x'.
  void code_point(std::uint64_t code) {
    std::string digits = in_base(code, 16, true);
    const auto least = static_cast<std::size_t>(std::max(flags_.precision.value_or(4), 4));
    if (digits.size() < least) digits.insert(0, least - digits.size(), '0');
    std::string text = "U+" + digits;
    if (flags_.sharp && code <= 0x10FFFF && json::is_printable(static_cast<std::uint32_t>(code))) {
      text += " '" + text_of_code(code) + "'";
    }
    padded(std::move(text), false);
  }

  void real(const Operand& value) {
    const char verb = verb_.size() == 1 ? verb_[0] : '\0';
    constexpr std::string_view known = "vgGfFeExXb";
    if (verb == '\0' || known.find(verb) == std::string_view::npos) return bad_verb(value);
    std::string digits = float_digits(std::fabs(value.number), verb, flags_.precision);
    const bool infinite = digits == "inf";
    if (infinite) digits = "Inf";
    if (flags_.sharp && verb != 'b' && !infinite) digits = with_point(digits, verb);
    const bool negative = std::signbit(value.number);
    const bool shows = negative || flags_.plus || flags_.space || infinite;
    const auto width = static_cast<std::size_t>(flags_.width.value_or(0));
    if (shows && flags_.zero && !flags_.minus && !infinite && width > digits.size() + 1) {
      digits.insert(0, width - digits.size() - 1, '0');
    }
    const bool space = flags_.space && !flags_.plus;
    if (shows) digits.insert(0, 1, negative ? '-' : space ? ' ' : '+');
    padded(std::move(digits), !infinite);
  }

  // # asks for a point, and for zeros up to the precision.
  std::string with_point(std::string digits, char verb) const {
    const bool hexadecimal = verb == 'x' || verb == 'X';
    int missing = 0;
    if (verb == 'v' || verb == 'g' || verb == 'G' || verb == 'x') {
      missing = flags_.precision.value_or(6);
    }
    const std::size_t end = digits.find_first_of(hexadecimal ? "pP" : "eE");
    const std::string tail = end == std::string::npos ? "" : digits.substr(end);
    digits.resize(std::min(end, digits.size()));
    bool significant = false;
    for (const char c : digits) {
      if (c == '.') continue;
      significant = significant || c != '0';
      missing -= significant ? 1 : 0;
    }
    if (digits.find('.') == std::string::npos) {
      if (digits == "0") --missing;
      digits += '.';
    }
    return digits + std::string(static_cast<std::size_t>(std::max(missing, 0)), '0') + tail;
  }

  void text(const Operand& value) {
    if (verb_ == "v" || verb_ == "s") return padded(std::string(shortened(value.text)));
    if (verb_ == "q") {
      const std::string_view part = shortened(value.text);
      const bool raw = flags_.sharp && is_raw(part);
      return padded(raw ? "`" + std::string(part) + "`" : quoted_text(part, flags_.plus));
    }
    if (verb_ == "x" || verb_ == "X") return hexadecimal(value.text, verb_ == "X");
    bad_verb(value);
  }

  // As many characters as the precision allows.
  std::string_view shortened(std::string_view text) const {
    if (!flags_.precision) return text;
    std::size_t at = 0;
    for (int i = 0; i < *flags_.precision && at < text.size(); ++i) {
      const std::string_view character = json::character_at(text, at);
      at += json::is_utf8(character) ? character.size() : 1;
    }
    return text.substr(0, at);
  }

  void hexadecimal(std::string_view bytes, bool upper) {
    if (flags_.precision) bytes = bytes.substr(0, static_cast<std::size_t>(*flags_.precision));
    const std::string prefix = flags_.sharp ? (upper ? "0X" : "0x") : "";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i > 0 && flags_.space) text += ' ';
      if (i == 0 || flags_.space) text += prefix;
      const auto byte = static_cast<unsigned char>(bytes[i]);
      text += in_base(byte >> 4U, 16, upper) + in_base(byte & 0xFU, 16, upper);
    }
    padded(std::move(text));
  }

  std::string_view format_;
  std::span<const Operand> values_;
  std::size_t at_ = 0;
  std::size_t next_ = 0;  // the value that the next verb takes
  Flags flags_;
  std::string verb_;
  std::string out_;
  std::optional<Error> refused_;
};

}  // namespace

Result<std::string> sprintf_go(std::string_view format, std::span<const Operand> values) {
  return Formatter(format, values).all();
}

}  // namespace dra::render::go_template
