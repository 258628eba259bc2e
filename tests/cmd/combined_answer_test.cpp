// tests/cmd/combined_answer_test.cpp: tables and reports of several clusters as one.

#include "cmd/combined_answer.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "dra/render/text.h"

namespace dra::cmd::combined_answer_test {
namespace {

using Words = std::vector<std::string>;

view::Table table(const Words& titles, const std::vector<Words>& rows) {
  view::Table table;
  for (const std::string& title : titles)
    table.columns.push_back({.title = title});
  for (const Words& row : rows) {
    std::vector<view::Cell> cells;
    for (const std::string& text : row)
      cells.push_back({text});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ContextAnswer answer(const std::string& context, ExitCode exit,
                     const std::vector<view::Block>& blocks) {
  ContextAnswer answer;
  answer.kept.context = context;
  answer.kept.document.blocks = blocks;
  answer.exit = exit;
  return answer;
}

view::Block paragraph(const std::string& text) { return view::Paragraph{.spans = {{text}}}; }

std::string text_of(std::vector<ContextAnswer> answers, Combination combination,
                    const std::string& sort_by = "") {
  const auto document = combined_view(std::move(answers), combination, sort_by);
  return document.ok() ? render::render_text(document.value(), {}) : document.error().message;
}

report::SortKey key(const json::Value& value) { return {true, value}; }

TEST_CASE("tables become one, with the columns of all") {
  CHECK(text_of({answer("a", ExitCode::Done, {table({"NAME", "FREE"}, {{"x", "1"}})}),
                 answer("b", ExitCode::Failed, {}),
                 answer("c", ExitCode::Done,
                        {table({"NAME", "MISSING", "FREE"}, {{"y", "2", "3"}, {"z", "4", "5"}})})},
                Combination::Rows) ==
        "CONTEXT   NAME   MISSING   FREE\n"
        "a         x                1\n"
        "c         y      2         3\n"
        "c         z      4         5\n");
}

TEST_CASE("rows of all clusters are sorted as one list, equal ones by their cluster") {
  const auto answers = [](std::vector<report::SortKey> keys) {
    ContextAnswer b = answer("b", ExitCode::Done, {table({"NAME"}, {{"x"}, {"y"}, {"z"}})});
    b.kept.sort_keys = {std::move(keys)};
    ContextAnswer a = answer("a", ExitCode::Done, {table({"NAME"}, {{"v"}, {"w"}})});
    a.kept.sort_keys = {{key("80Gi"), key("9Gi")}};
    return std::vector{std::move(b), std::move(a), answer("c", ExitCode::Failed, {})};
  };
  CHECK(text_of(answers({key("9Gi"), {}, key("100Gi")}), Combination::Rows, ".memory") ==
        "CONTEXT   NAME\n"
        "b         y\n"
        "b         x\n"
        "a         w\n"
        "a         v\n"
        "b         z\n");
  CHECK(text_of(answers({key("9Gi"), {}, key(7)}), Combination::Rows, ".memory") ==
        "--sort-by: {.memory} cannot be sorted by: it is text here and a number there");
}

TEST_CASE("tables of different kinds stay apart") {
  const view::Table pods = table({"NAME", "NODE"}, {{"pod/x", "n"}});
  const view::Table claims = table({"NAME", "STATE"}, {{"claim/y", "free"}});
  CHECK(text_of({answer("a", ExitCode::Done, {claims, view::Blank{}, pods}),
                 answer("b", ExitCode::Done, {pods})},
                Combination::Rows) ==
        "CONTEXT   NAME      STATE\n"
        "a         claim/y   free\n"
        "\n"
        "CONTEXT   NAME    NODE\n"
        "a         pod/x   n\n"
        "b         pod/x   n\n");
}

TEST_CASE("reports stand below the names of their contexts") {
  CHECK(text_of({answer("a", ExitCode::Done, {paragraph("one")}), answer("b", ExitCode::Failed, {}),
                 answer("c", ExitCode::Found, {paragraph("two")})},
                Combination::Reports) == "Context a\n\none\n\nContext c\n\ntwo\n");
}

TEST_CASE("a first line says where it fits, and the shortest answer follows") {
  CHECK(
      text_of({answer("a", ExitCode::Found, {paragraph("no"), paragraph("why")}),
               answer("b", ExitCode::Done, {paragraph("yes")}), answer("c", ExitCode::Failed, {})},
              Combination::Verdicts) ==
      "Fits in b. Does not fit in a. No answer from c.\n\nContext b\n\nyes\n\n"
      "Context a\n\nno\nwhy\n");
  CHECK(text_of({answer("a", ExitCode::Undetermined, {paragraph("?")})}, Combination::Verdicts) ==
        "Fits in none of the clusters. Undetermined in a.\n\nContext a\n\n?\n");
}

TEST_CASE("the worst of the clusters is the exit code") {
  const auto worst = [](const std::vector<ExitCode>& codes) {
    std::vector<ContextAnswer> answers;
    for (const ExitCode code : codes)
      answers.push_back(answer("x", code, {}));
    return worst_of(answers);
  };
  CHECK(worst({ExitCode::Done, ExitCode::Done}) == ExitCode::Done);
  CHECK(worst({ExitCode::Done, ExitCode::Undetermined}) == ExitCode::Undetermined);
  CHECK(worst({ExitCode::Found, ExitCode::Undetermined}) == ExitCode::Found);
  CHECK(worst({ExitCode::Found, ExitCode::Failed}) == ExitCode::Failed);
}

TEST_CASE("JSON has an item for each context") {
  ContextAnswer read = answer("a", ExitCode::Done, {});
  read.kept.report = json::Value::object();
  ContextAnswer failed = answer("b", ExitCode::Failed, {});
  failed.kept.errors.push_back({ErrorKind::Unreachable, "no answer", "is it up?"});
  const json::Value list = combined_json({std::move(read), std::move(failed)});
  const auto& items = list.find("items")->items();
  REQUIRE(items.size() == 2);
  CHECK(items[0].find("context")->text() == "a");
  CHECK(items[0].find("report") != nullptr);
  CHECK(items[0].find("errors") == nullptr);
  CHECK(items[1].find("exitCode")->text() == "1");
  CHECK(items[1].find("errors")->items().front().find("hint")->text() == "is it up?");
}

}  // namespace
}  // namespace dra::cmd::combined_answer_test
