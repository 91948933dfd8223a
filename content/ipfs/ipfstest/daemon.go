// Package ipfstest starts a real IPFS daemon, which make ipfs installs, for tests.
package ipfstest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Start starts npm's ipfs, which is in the folder that IPFS_DAEMON names, until the test ends, and returns the address of its HTTP interface. The
// test is skipped if there is none.
func Start(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("IPFS_DAEMON")
	if folder == "" {
		t.Skip("make ipfs runs this")
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	daemon := exec.Command("node", filepath.Join(folder, "daemon.mjs"), t.TempDir())
	daemon.Stderr = os.Stderr
	stdin, err := daemon.StdinPipe()
	must(err)
	stdout, err := daemon.StdoutPipe()
	must(err)
	must(daemon.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = daemon.Wait()
	})
	address, err := bufio.NewReader(stdout).ReadString('\n')
	must(err)
	return strings.TrimSpace(address)
}
