package testwallet

import (
	"os"
	"testing"

	"billfold/internal/ramdisk"
)

// Folder is ramdisk.Folder: wallets write to disk with each key, payment and block.
func Folder(t testing.TB) string {
	t.Helper()
	return ramdisk.Folder(t)
}

// SocketFolder returns a folder whose path leaves room for the name of a socket, however long that of the temporary
// folder is: the system allows a little over 100 bytes.
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
