// include/dra/render/columns.h
//
// Output formats that the user writes: `-o jsonpath=`, `jsonpath-as-json=`, `custom-columns=` and
// the same from a file. A format is parsed before the first request, so a mistake in it costs
// nothing.
//
// All take the JSON of `kubectl get`: one API object, or a List of several. They print byte for
// byte as kubectl does (k8s.io/cli-runtime/pkg/printers, JSONPathPrinter, and
// k8s.io/kubectl/pkg/cmd/get, CustomColumnsPrinter). On a terminal, text of the cluster is escaped
// as everywhere; only the user's own text stays as it is. Where kubectl fails it may have printed
// something before; here nothing is printed then.
//
//   -o jsonpath=T            render_path(Path::parse(T), object, {}, terminal)
//   -o jsonpath-as-json=T    the same with PathOptions::as_json
//   -o jsonpath-file=F       T is the content of F, with the line break at its end
//   -o custom-columns=S      Columns::from_spec(S, no_headers)
//   -o custom-columns-file=F Columns::from_file(content of F); --no-headers has no effect there

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/path.h"
#include "dra/json/value.h"

namespace dra::render {

// No line break is added. Fails as json::Path::print().
Result<std::string> render_path(const json::Path& path, const json::Value& object,
                                const json::PathOptions& options, bool for_terminal);

class Columns {
 public:
  // `NAME:.metadata.name,NODE:{.spec.nodeName}`. Fails with BadInput.
  static Result<Columns> from_spec(std::string_view spec, bool no_headers);
  // A line of headers and a line of paths, separated by white space; further lines are ignored.
  static Result<Columns> from_file(std::string_view text);

  // What is known of the lines before, where they are printed bit by bit.
  struct Before {
    bool has_headers = false;
    std::vector<std::size_t> widths = {};
  };

  // A line for each object, below a line of headers unless they are off. A missing value is <none>,
  // several values are joined by commas. Ends with a line break. With `before` headers are printed
  // once, and no column becomes narrower, as in `kubectl get -w`.
  Result<std::string> print(const json::Value& object, bool for_terminal,
                            Before* before = nullptr) const;

 private:
  struct Column {
    std::string header;
    json::Path path;
  };
  static Result<Column> column(std::string_view header, std::string_view path);

  std::vector<Column> columns_;
  bool headers_ = true;
};

}  // namespace dra::render
