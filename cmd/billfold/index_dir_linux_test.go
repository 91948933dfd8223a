package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"
)

// The index is on a disk of its own and fills it as far as it may, without a word from the disk of the payments: the wallet pays on, and
// is ready. A disk that can only be read stops the next start.
func TestTheIndexHasADiskOfItsOwn(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	folder := testwallet.Folder(t)
	dir, disk := filepath.Join(folder, "wallet"), filepath.Join(folder, "index")
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.Mkdir(disk, 0o700))
	if err := syscall.Mount("small", disk, "tmpfs", 0, "size=8m,mode=700"); err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	must(t, os.WriteFile(filepath.Join(dir, configName), []byte("index-dir: "+disk+"\n"), 0o600))

	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	node, wif := box.line(`^websocket +(ws://\S+)$`), box.line(`^demo key +alice +(\w+)$`)
	w := startOn(t, dir, node)
	w.ok("set_password", "soak")
	w.unlock()
	w.ok("import_single_key", "alice", wif)
	grown := func(name string) bool {
		info, err := os.Stat(filepath.Join(disk, name))
		return err == nil && info.Size() > 0
	}
	for begin := time.Now(); !grown("history.db"); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatal("no index is written there")
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "history.db")); err == nil {
		t.Error("an index is in the wallet's folder too")
	}
	must(t, os.WriteFile(filepath.Join(disk, "films"), make([]byte, 7<<20), 0o600)) // a quarter of it was to stay free
	w.ok("transfer", "alice", "bobby", "1", "DCT", "", "true")
	w.process.line(`history index: it cannot be used.*(the disk that holds .*/index has \d MiB left, and 2 are kept for other files; free some space)`)
	w.isReady("ok")
	w.ok("transfer", "alice", "bobby", "2", "DCT", "", "true")
	must(t, os.Remove(filepath.Join(disk, "films")))
	w.process.line(`(history index: it is used again)`)
	w.stop()

	must(t, syscall.Mount("small", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	out, err := runBeside(t, "", "--data-dir="+dir, "--daemon-url="+node, "call", "is_new")
	if want := "the folder " + disk + " of the history index cannot be written: read-only file system; make it writable, or name another with --index-dir"; err == nil ||
		!strings.Contains(out, want) {
		t.Errorf("a disk that is only read ends with %v: %s", err, out)
	}
	if out, err := runBeside(t, "sealing-tram-kettle\n", "--data-dir="+dir, "backup", filepath.Join(folder, "monday")); err != nil {
		t.Errorf("and no backup is made: %s", out)
	}
}
