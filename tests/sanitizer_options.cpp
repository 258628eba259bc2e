// What a sanitized program does unless ASAN_OPTIONS says otherwise. Where a check of UBSan has
// failed it stops at an illegal instruction, and AddressSanitizer then says in which line. Of each
// allocation it remembers four callers: to remember 30 took a fifth of the program's time.

extern "C" const char* __asan_default_options();

extern "C" const char* __asan_default_options() { return "handle_sigill=1:malloc_context_size=4"; }
