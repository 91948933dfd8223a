package testwallet

import (
	"os"
	"testing"
)

// Folder returns a folder that is removed when the test ends, in memory where the machine has room for it:
// wallets write to disk with each key, payment and block, and a test that is not about the disk need not wait
// for it. One that counts or times what is written takes t.TempDir.
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

// SocketFolder is a folder whose name leaves room for that of a socket, however long that of the temporary files is: the system
// takes a little over 100 bytes.
func SocketFolder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	if len(folder) < 80 {
		return folder
	}
	folder, err := os.MkdirTemp("/tmp", "socket")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}
