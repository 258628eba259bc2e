// This file is about the directory of a plane: where it is, and how the directories of planes whose
// process died without Stop get removed.

package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const (
	dirPrefix = "kubectl-dra-plane-"
	lockName  = "lock"
)

// newDir makes the directory of a plane, and a lock in it that the kernel releases when this process
// dies. It also removes the directories whose locks were released that way.
func newDir() (string, *os.File, error) {
	sweep(os.TempDir())
	dir, err := os.MkdirTemp("", dirPrefix)
	if err != nil {
		return "", nil, err
	}
	// The lock gets its name only once it is held: whoever sweeps can never find it free.
	path := filepath.Join(dir, lockName)
	lock, err := os.Create(path + ".new")
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return "", nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	return dir, lock, nil
}

func sweep(dir string) {
	locks, _ := filepath.Glob(filepath.Join(dir, dirPrefix+"*", lockName))
	for _, path := range locks {
		lock, err := os.Open(path)
		if err != nil {
			continue // someone else swept it
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			os.RemoveAll(filepath.Dir(path))
		}
		lock.Close()
	}
}

func closeOnce(file **os.File) error {
	if *file == nil {
		return nil
	}
	err := (*file).Close()
	*file = nil
	return err
}
