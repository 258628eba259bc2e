// src/cel/library/library.cpp: looks up functions in the tables of all libraries.

#include "dra/cel/library/library.h"

#include <algorithm>

namespace dra::cel {

Code code_of_overload(std::string_view id) {
  for (const auto table : {conversion_codes(), string_codes(), format_codes(), list_codes(),
                           optional_codes(), time_codes(), ip_codes(), named_format_codes(),
                           quantity_codes(), semver_codes(), url_codes()}) {
    const auto found = std::ranges::lower_bound(table, id, {}, &OverloadCode::id);
    if (found != table.end() && found->id == id) return found->run;
  }
  return nullptr;
}

const FunctionCode* code_of_function(std::string_view function) {
  for (const auto table : {operator_codes(), conversion_functions(), string_functions(),
                           list_functions(), optional_functions()}) {
    const auto found = std::ranges::lower_bound(table, function, {}, &FunctionCode::function);
    if (found != table.end() && found->function == function) return &*found;
  }
  return nullptr;
}

}  // namespace dra::cel
