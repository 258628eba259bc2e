// tests/cel/library/library_strings_test.cpp

#include <doctest/doctest.h>

#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_strings_test {
namespace {

using test::expect;
using test::expect_refused;
using test::Row;

TEST_CASE("strings count in code points") {
  expect({
      Row{"size", "'é日本'.size() + size('')", "3"},
      Row{"octets of bytes", "size(b'é')", "2"},
      Row{"a character", "'é日本'.charAt(1)", "'日'"},
      Row{"the one behind the last", "'é日本'.charAt(3)", "''"},
      Row{"one beyond it", "'é日本'.charAt(4)", "error index out of range: 4"},
      Row{"a place", "'é日本日'.indexOf('日')", "1"},
      Row{"a place from another", "'é日本日'.indexOf('日', 2)", "3"},
      Row{"a place from far away", "'abc'.indexOf('c', 5)", "-1"},
      Row{"nothing is everywhere", "'abc'.indexOf('', 9)", "3"},
      Row{"a negative place", "'abc'.indexOf('c', -1)", "error index out of range: -1"},
      Row{"the last place", "'é日本日'.lastIndexOf('日')", "3"},
      Row{"the last place up to another", "'é日本日'.lastIndexOf('日', 2)", "1"},
      Row{"of nothing, the end", "'é日'.lastIndexOf('')", "2"},
      Row{"the rest", "'é日本'.substring(1)", "'日本'"},
      Row{"a part", "'é日本'.substring(1, 2)", "'日'"},
      Row{"an end before the start", "'abc'.substring(2, 1)",
          "error invalid substring range. start: 2, end: 1"},
      Row{"an end beyond the text", "'abc'.substring(1, 4)", "error index out of range: 4"},
  });
}

TEST_CASE("strings are tested and changed") {
  expect({
      Row{"a part of it", "'gpu-a100'.contains('a1') && !'gpu'.contains('x')", "true"},
      Row{"both ends", "'gpu-a100'.startsWith('gpu') && 'gpu-a100'.endsWith('100')", "true"},
      Row{"not of a number", "dyn(1).startsWith('a')", "error no such overload"},
      Row{"only ASCII gets small", "'ÄBc'.lowerAscii()", "'Äbc'"},
      Row{"only ASCII gets large", "'äbC'.upperAscii()", "'äBC'"},
      Row{"all kinds of space go", "' \\t\\u00a0x y\\u2003\\n'.trim()", "'x y'"},
      Row{"nothing but space", "' \\n'.trim()", "''"},
      Row{"all are replaced", "'aXbXc'.replace('X', '--')", "'a--b--c'"},
      Row{"some are replaced", "'aXbXc'.replace('X', '', 1)", "'abXc'"},
      Row{"nothing is around all", "'é日'.replace('', '-')", "'-é-日-'"},
      Row{"all parts", "'a,b,,c'.split(',')", "['a','b','','c']"},
      Row{"at most two parts", "'a,b,,c'.split(',', 2)", "['a','b,,c']"},
      Row{"no parts", "'a,b'.split(',', 0)", "[]"},
      Row{"characters", "'é日'.split('')", "['é','日']"},
      Row{"joined", "['a', 'b'].join('-') + ['c', 'd'].join()", "'a-bcd'"},
      Row{"joined to a number", "[dyn('a'), dyn(1)].join()", "error join: invalid input: 1"},
      Row{"quoted", "strings.quote('a\"\\n')", "'\"a\\\"\\n\"'"},
  });
}

TEST_CASE("regular expressions are Go's") {
  expect({
      Row{"anywhere", "'xay'.matches('a') && matches('xay', '^x')", "true"},
      Row{"the leftmost", "'abc 123'.find('[0-9]+')", "'123'"},
      Row{"none", "'abc'.find('x')", "''"},
      Row{"all", "'1 22 3'.findAll('[0-9]+')", "['1','22','3']"},
      Row{"two", "'1 22 3'.findAll('[0-9]+', 2)", "['1','22']"},
      Row{"empty ones, but not behind another", "'baac'.findAll('a*')", "['','aa','']"},
      Row{"in nothing", "''.findAll('a*')", "['']"},
      Row{"named in two ways", "'ab'.matches('(?<x>a)(?P<y>b)')", "true"},
      Row{"not a group within a class", "'<'.matches('[(?<x>]')", "true"},
      Row{"an optional number of matches", "'aaa'.findAll('a', dyn(optional.of(2)))", "['a','a']"},
      Row{"a computed pattern is no optional", "'a'.matches(dyn(optional.of('a')))",
          "error no such overload"},
      Row{"a computed pattern", "'a'.matches('[' + '')",
          "error error parsing regexp: missing closing ]: `[`"},
      Row{"a computed one to find", "'a'.find('(' + '')",
          "error Illegal regex: error parsing regexp: missing closing ): `(`"},
  });
  expect_refused({
      Row{"a literal", "'a'.matches('[')", "invalid matches argument"},
      Row{"RE2's any byte", "'a'.find('\\\\C')",
          "error parsing regexp: invalid escape sequence: `\\C`"},
      Row{"Perl's", "'a'.find('(?=a)')",
          "error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
      Row{"a repetition of one", "'a'.find('a**')",
          "error parsing regexp: invalid nested repetition operator: `**`"},
      Row{"too many", "'a'.find('a{1001}')",
          "error parsing regexp: invalid repeat count: `{1001}`"},
  });
}

}  // namespace
}  // namespace dra::cel::library_strings_test
