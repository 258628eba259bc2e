//go:build !linux

// This file is about programs of a plane not outliving the test that started them.

package harness

import "syscall"

// dieWithParent is nothing here: only Linux can tie a program's life to its parent's. A test that is
// killed leaves its plane running.
func dieWithParent() *syscall.SysProcAttr { return nil }
