package testwallet

import (
	"os"
	"path/filepath"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore"
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

// KeepPackage puts a package of a few bytes on a wallet's machine, so that content with its hash needs not be fetched.
func KeepPackage(t testing.TB, w *walletcore.Wallet, hash ledger.Hash160) {
	t.Helper()
	folder := filepath.Join(w.Content.PackageFolder, hash.String())
	Must(t, os.MkdirAll(folder, 0o700))
	Must(t, os.WriteFile(filepath.Join(folder, "content.zip.aes"), []byte("sixteen bytes..."), 0o600))
}
