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
