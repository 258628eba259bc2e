// What the sanitized program does unless ASAN_OPTIONS says otherwise: where a check of UBSan has
// failed it stops at an illegal instruction, and AddressSanitizer then says in which line.

extern "C" const char* __asan_default_options();

extern "C" const char* __asan_default_options() { return "handle_sigill=1"; }
