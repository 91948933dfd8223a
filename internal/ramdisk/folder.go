// Package ramdisk gives tests folders in memory. What keeps something safely waits for the disk with each change, and tests of it that
// are not about the disk need not.
package ramdisk

import (
	"os"
	"testing"
)

// Folder returns a folder that is removed when the test ends, in memory where the machine has room for it. A test that counts or
// times what is written takes t.TempDir.
func Folder(t testing.TB) string {
	t.Helper()
	if !roomInMemory() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "billfold-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
