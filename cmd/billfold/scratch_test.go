//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"billfold/internal/stories"
)

// A killed sandbox leaves its folder; the next start removes it, but not the folder of
// a running one.
func TestKilledSandboxesLeaveNoFolders(t *testing.T) {
	stories.Long(t)
	t.Setenv("TMPDIR", t.TempDir())
	folders := func() []string {
		list, err := filepath.Glob(filepath.Join(os.TempDir(), scratchPrefix+"*"))
		must(t, err)
		return list
	}
	killed := start(t, "--sandbox", "--rpc-http=127.0.0.1:0")
	killed.line(`^(sandbox: play money)`)
	if len(folders()) != 1 {
		t.Fatalf("there are %v", folders())
	}
	killed.dumped = true // it does not end normally
	must(t, killed.cmd.Process.Signal(syscall.SIGKILL))
	for range killed.seen { // until it has ended
	}
	running := start(t, "--sandbox", "--rpc-http=127.0.0.1:0")
	running.line(`^(sandbox: play money)`)
	own := folders()
	if len(own) != 1 {
		t.Fatalf("there are %v", own)
	}
	path, end, err := newScratch() // as another process does at its start
	must(t, err)
	if now := folders(); len(now) != 2 {
		t.Errorf("there are %v", now)
	}
	end()
	if now := folders(); len(now) != 1 || now[0] != own[0] || now[0] == path {
		t.Errorf("there are %v", now)
	}
	running.stop()
	if now := folders(); len(now) != 0 {
		t.Errorf("%v are left", now)
	}
}

// A folder that is just being made has no lock yet, and is left alone.
func TestYoungFoldersAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, scratchPrefix+"x")
	must(t, os.Mkdir(folder, 0o700))
	removeStaleScratch(dir, time.Now())
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
	removeStaleScratch(dir, time.Now().Add(2*scratchGrace))
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Error("it is still there")
	}
}
