// include/dra/render/redraw.h
//
// Text that is drawn in place on a terminal again and again. Each line is written over the one that
// stood there, so nothing flickers.

#pragma once

#include <string>
#include <string_view>

#include "dra/render/fit.h"

namespace dra::render {

// Moves what stands on the screen out of it, up to where a user can scroll to.
std::string room_to_draw(const Screen& screen);

// The text of render_text(), from the top of the screen on. What does not fit the height is left
// out, with a line that says so; what does not fit the width is cut by the terminal.
std::string drawn_over(std::string_view text, const Screen& screen);

}  // namespace dra::render
