// This file is about the program file itself: what the compiler and the linker were asked for.

package hostile

import (
	"bytes"
	"debug/elf"
	"slices"
	"strings"
	"testing"

	"kubectl-dra/tests/program"
)

func TestHardening(t *testing.T) {
	t.Parallel()
	file, err := elf.Open(release(t))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	program.ExpectProtected(t, file)
	imported, err := file.ImportedSymbols()
	if err != nil {
		t.Fatal(err)
	}
	has := func(matches func(string) bool) bool {
		return slices.ContainsFunc(imported, func(s elf.ImportedSymbol) bool { return matches(s.Name) })
	}
	if !has(func(name string) bool { return name == "__stack_chk_fail" }) {
		t.Error("no stack protector")
	}
	if !has(func(name string) bool { return strings.HasSuffix(name, "_chk") }) {
		t.Error("no checks of buffers (_FORTIFY_SOURCE)")
	}
	if file.Machine == elf.EM_X86_64 && !bytes.HasPrefix(code(t, file, "main"), []byte{0xf3, 0x0f, 0x1e, 0xfa}) {
		t.Error("main does not begin with endbr64 (CET)")
	}
}

// code is the beginning of a function.
func code(t *testing.T, file *elf.File, name string) []byte {
	t.Helper()
	symbols, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, symbol := range symbols {
		if symbol.Name != name || elf.ST_TYPE(symbol.Info) != elf.STT_FUNC {
			continue
		}
		section := file.Sections[symbol.Section]
		bytes := make([]byte, 4)
		if _, err := section.ReadAt(bytes, int64(symbol.Value-section.Addr)); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	t.Fatalf("no function %s", name)
	return nil
}
