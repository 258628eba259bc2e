// This file has a terminal of its own for programs that draw on one.

package agree_test

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal opens a pseudo terminal of that size. What is written to `theirs` can be read from `ours`.
func openTerminal(t *testing.T, rows, columns uint16) (ours, theirs *os.File) {
	t.Helper()
	fail := func(err error) {
		if err != nil {
			t.Fatalf("no pseudo terminal: %v", err)
		}
	}
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	fail(err)
	t.Cleanup(func() { ours.Close() })
	number, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	fail(err)
	fail(unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0))
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	fail(err)
	t.Cleanup(func() { theirs.Close() })
	fail(unix.IoctlSetWinsize(int(theirs.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}))
	return ours, theirs
}
