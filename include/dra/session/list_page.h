// include/dra/session/list_page.h
//
// The metadata of one page of a list, and how many objects it has. The decoder of the page reads
// it, and the client asks for the next page with it.

#pragma once

#include <cstddef>
#include <string>

namespace dra::session {

struct ListPage {
  std::string continue_token = {};  // empty on the last page
  std::string resource_version = {};
  std::size_t objects = 0;
};

}  // namespace dra::session
