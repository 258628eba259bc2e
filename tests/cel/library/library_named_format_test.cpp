// tests/cel/library/library_named_format_test.cpp

#include <doctest/doctest.h>

#include <string>

#include "src/cel/library/named_format.h"
#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_named_format_test {
namespace {

using test::evaluated;

struct Row {
  std::string format;
  std::string text;
  bool valid;
};

TEST_CASE("formats take some texts and refuse others") {
  const std::string long_label(64, 'a');
  for (const Row& row : {
           Row{"dns1123Label", "123-abc", true},
           Row{"dns1123Label", "a.b", false},
           Row{"dns1123Label", "a-", false},
           Row{"dns1123Label", long_label, false},
           Row{"dns1123LabelPrefix", "ab-", true},
           Row{"dns1123LabelPrefix", "a-", true},
           Row{"dns1123LabelPrefix", "-", false},
           Row{"dns1123Subdomain", "a.b-c.0", true},
           Row{"dns1123Subdomain", "a..b", false},
           Row{"dns1123SubdomainPrefix", "a.b-", true},
           Row{"dns1035Label", "a1", true},
           Row{"dns1035Label", "1a", false},
           Row{"dns1035LabelPrefix", "a1-", true},
           Row{"qualifiedName", "example.com/My_Name.1", true},
           Row{"qualifiedName", "/a", false},
           Row{"qualifiedName", "a/b/c", false},
           Row{"labelValue", "", true},
           Row{"labelValue", "a_b", true},
           Row{"labelValue", "_", false},
           Row{"uri", "/a", true},
           Row{"uri", "a", false},
           Row{"uuid", "123E4567-e89b12d3a456-426614174000", true},
           Row{"uuid", "123e4567-e89b-12d3-a456-42661417400", false},
           Row{"byte", "YQ==", true},
           Row{"byte", "YQ", false},
           Row{"byte", "", false},
           Row{"date", "2024-02-29", true},
           Row{"date", "2023-02-29", false},
           Row{"date", "2024-2-29", false},
           Row{"datetime", "2024-02-29T23:59:59.5Z", true},
           Row{"datetime", "2024-02-29t23:59:59é5-99:99", true},
           Row{"datetime", "2024-02-29T24:00:00Z", false},
           Row{"datetime", "2024-02-29 23:59:59Z", false},
       }) {
    CAPTURE(row.format);
    CAPTURE(row.text);
    CHECK(evaluated("format." + row.format + "().validate('" + row.text + "').hasValue()") ==
          (row.valid ? "false" : "true"));
    CHECK(evaluated("format.named('" + row.format + "').optMap(f, f.validate('" + row.text +
                    "').hasValue())") == (row.valid ? "optional false" : "optional true"));
  }
}

TEST_CASE("what is wrong is told in upstream's words, one for each rule") {
  const std::string long_name(64, '_');
  const std::string bad_name =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
      "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  CHECK(evaluated("format.dns1123Label().validate('a.b')") == "optional ['must not contain dots']");
  CHECK(evaluated("format.qualifiedName().validate('/" + long_name + "')") ==
        "optional ['prefix part must be non-empty','name part must be no more than 63 bytes',"
        "'name part " +
            bad_name + "']");
  CHECK(evaluated("format.uri().validate('a')") ==
        R"(optional ['parse "a": invalid URI for request'])");
  CHECK(evaluated("format.named('email')") == "none");
}

TEST_CASE("formats stand in the order of their functions") {
  for (const NamedFormat& format : named_formats()) {
    const std::string name(format.name());
    CAPTURE(name);
    CHECK(evaluated("format.named('" + name + "') == optional.of(format." + name + "())") ==
          "true");
  }
}

}  // namespace
}  // namespace dra::cel::library_named_format_test
