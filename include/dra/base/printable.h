// include/dra/base/printable.h
//
// The only way by which text that we did not write reaches a terminal.
//
// Condition messages, attribute values, annotations, server errors: anyone who can create an object
// in the cluster chooses them. Sent to a terminal as they are, they can move the cursor, set the
// title or the clipboard, retype a prompt (CVE-2021-25743), or, with bidirectional and invisible
// characters, show a name that is not the name. kubectl escapes ESC and CR only; here every
// character that does something instead of showing something is replaced by a visible escape:
//
//   ESC            ^[            other C0, DEL   ^G ^@ ^?
//   LF CR TAB      \n \r \t      C1, bidi, invisible, noncharacters   \u{202e}
//   bytes that are not UTF-8     \x9b
//
// Escaped text is only made of characters that stay as they are, so escaping twice changes nothing.
// A backslash stays a backslash: the escapes are for eyes, not for reading back.
//
// width() and fit() count terminal cells and expect text that has been through here.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dra::base {

// The text is printable ASCII on one line, as nearly all text of a cluster is. printable() would
// return it unchanged, so a caller in a hot loop can avoid the copy.
bool is_plain(std::string_view text);

// Safe text on one line.
std::string printable(std::string_view untrusted);

// The same for messages of several lines: line feeds stay. The caller must prefix or indent each
// line, or a message could pass a line of its own off as one of ours.
std::string printable_block(std::string_view untrusted);

// Terminal cells: East Asian wide characters and emoji take two, combining marks none.
std::size_t width(std::string_view printable_text);

// Shortens the text to at most `cells`; the cut part becomes `…`. The result is one cell narrower
// where a wide character is on the edge.
std::string fit(std::string_view printable_text, std::size_t cells);

}  // namespace dra::base
