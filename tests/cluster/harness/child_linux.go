// This file is about programs of a plane not outliving the test that started them.

package harness

import "syscall"

// dieWithParent makes the kernel kill the program when this process dies, however it dies.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
