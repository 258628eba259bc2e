package program

import (
	"debug/elf"
	"testing"
)

// ExpectProtected fails if the linker was not asked for what keeps an attacker from the memory of the program.
func ExpectProtected(t *testing.T, file *elf.File) {
	t.Helper()
	if file.Type != elf.ET_DYN {
		t.Error("not at a random address (PIE)")
	}
	relro := false
	for _, part := range file.Progs {
		relro = relro || part.Type == elf.PT_GNU_RELRO
		if part.Type == elf.PT_GNU_STACK && part.Flags&elf.PF_X != 0 {
			t.Error("the stack is executable")
		}
		if part.Type == elf.PT_LOAD && part.Flags&elf.PF_X != 0 && part.Flags&elf.PF_W != 0 {
			t.Error("a segment can be written and executed")
		}
	}
	flags, err := file.DynValue(elf.DT_FLAGS_1)
	if err != nil || len(flags) == 0 || elf.DynFlag1(flags[0])&elf.DF_1_NOW == 0 || !relro {
		t.Error("the table of functions can be written (no full RELRO)")
	}
}
