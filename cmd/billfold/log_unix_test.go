//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"billfold/walletcore/testwallet"
)

// The level of a server's log follows the settings file at a SIGHUP, in JSON everything that the server writes is a record, and a file that cannot
// be read leaves the level as it was.
func TestTheLogLevelFollowsTheFile(t *testing.T) {
	folder := testwallet.Folder(t)
	config := filepath.Join(folder, configName)
	set := func(text string) {
		t.Helper()
		must(t, os.WriteFile(config, []byte(text), 0o600))
	}
	set("log-level: warn\nlog-format: json\n")
	s := startSupervised(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--data-dir="+folder)
	next := func(contains string) {
		t.Helper()
		for {
			line := s.line(`^(.*)$`)
			var record struct{ Time, Level, Msg string }
			if err := json.Unmarshal([]byte(line), &record); err != nil || record.Time == "" || record.Level == "" || record.Msg == "" {
				t.Fatalf("%q is no record: %v", line, err)
			}
			if record.Level == "DEBUG" && contains != "rpc: call" {
				t.Errorf("at this level it writes %q", line)
			}
			if strings.Contains(line, contains) {
				return
			}
		}
	}
	addr := s.line(`wallet API over HTTP on (http://[^"]+)`)
	api := remote{t, addr}
	api.ok("is_locked")
	s.until("READY=1")

	reload := func(want string) {
		t.Helper()
		must(t, s.cmd.Process.Signal(syscall.SIGHUP))
		next(want)
	}
	set("log-level: debug\nlog-format: json\n")
	reload("SIGHUP: the log level is debug")
	api.ok("is_locked")
	next("rpc: call")
	set("log-level: loud\n")
	reload("SIGHUP: the log level stays debug: ")
	set("log-format: json\n")
	reload("SIGHUP: the log level is info")
	api.ok("is_locked")
	must(t, s.cmd.Process.Signal(syscall.SIGTERM))
	next("rpc: closed")
	next("all calls are answered, the wallet is locked")
}

// A level that a flag sets is not changed by the file.
func TestALogLevelFromAFlagStays(t *testing.T) {
	folder := testwallet.Folder(t)
	must(t, os.WriteFile(filepath.Join(folder, configName), []byte("log-level: debug\n"), 0o600))
	s := startSupervised(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--data-dir="+folder, "--log-level=error")
	s.until("READY=1")
	must(t, s.cmd.Process.Signal(syscall.SIGHUP))
	s.line(`^SIGHUP: the log level (stays error, which a flag or the environment sets)$`)
}
