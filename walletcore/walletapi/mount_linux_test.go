package walletapi

import (
	"syscall"
	"testing"
)

// mountSmall mounts a disk of a megabyte until the test ends, where the system allows that.
func mountSmall(t *testing.T, folder string) error {
	err := syscall.Mount("small", folder, "tmpfs", 0, "size=1m")
	if err == nil {
		t.Cleanup(func() { must(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	}
	return err
}
