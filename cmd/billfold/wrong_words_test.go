package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
)

// A word that is always invalid ends with the exit code for wrong use, whatever the state of wallet and daemon, and the error shows what
// to write instead.
func TestAWrongWordEndsAsWrongUse(t *testing.T) {
	folder := t.TempDir()
	inFolder := " is a folder; name the "
	for want, args := range map[string][]string{
		"is not a name for a token":                   {"token", "new", "a b"},
		"did you mean Transfers?":                     {"token", "new", "x", "--groups", "Transfer:spends"},
		"did you mean transfer?":                      {"token", "new", "x", "--methods", "transfr"},
		"did you mean Deposits?":                      {"token", "new", "x", "--methods", "Deposit"},
		"did you mean get_account?":                   {"token", "new", "x", "--methods", "getacount"},
		"the token would have expired already":        {"token", "new", "x", "--expires", "2001-01-01"},
		"--http: \"x\" is not an address with a port": {"doctor", "--attack", "--http", "x"},
		"--ws: \"x\" is not an address with a port":   {"doctor", "--attack", "--ws", "x"},
		"use https":                          {"call", "--to", "http://192.0.2.1:8093", "info"},
		"is not the address of a wallet":     {"call", "--to", "ftp://127.0.0.1", "info"},
		"is not a socket; name that":         {"call", "--to", folder, "info"},
		folder + inFolder + "command file":   {"console", folder},
		folder + inFolder + "file in it":     {"pay", folder, "--from", "alice"},
		folder + inFolder + "receipt":        {"pay", "--verify", folder},
		folder + inFolder + "transaction":    {"tx", "inspect", folder},
		"--state: " + folder + inFolder:      {"sandbox", "--state", folder, "--listen", "127.0.0.1:0"},
		"--state: there is no folder":        {"sandbox", "--state", filepath.Join(folder, "no", "state"), "--listen", "127.0.0.1:0"},
		folder + inFolder + "genesis file":   {"sandbox", "--genesis", folder, "--listen", "127.0.0.1:0"},
		folder + inFolder + "permission map": {"sandbox", "--api-access", folder, "--listen", "127.0.0.1:0"},
		"\"yesterday\" is not a day":         {"reconcile", "--from", "yesterday"},
		"is after the last day":              {"reconcile", "--from", "2026-02-02", "--until", "2026-02-01"},
		"did you mean billfold version?":     {"--version"},
		"--versio; did you mean billfold v":  {"--versio"},
		"unknown flag: --Version; did you":   {"call", "--Version"},
	} {
		w := walker{t.TempDir()}
		must(t, os.Chmod(w.dir, 0o700))
		err := w.attempt(t, nil, args...)
		if code := shell.ExitCode(err); err == nil || code != shell.Misused || !strings.Contains(err.Error(), want) {
			t.Errorf("billfold %q ends with %d: %v, want %q", args, code, err, want)
		}
	}
}

// Listeners that cannot both be open, or that other machines would reach without a token, are wrong use, found before anything is opened.
func TestImpossibleListenersAreWrongUse(t *testing.T) {
	const clash, beyond = "cannot both have the port", "other machines would reach this port"
	for _, c := range []struct{ http, ws, want string }{
		{"127.0.0.1:39095", "127.0.0.1:39095", clash},
		{"127.0.0.1:39095", "LOCALHOST:39095", clash},
		{"0.0.0.0:39095", "127.0.0.1:39095", clash},
		{"[::1]:39095", ":39095", clash},
		{"0.0.0.0:39095", "127.0.0.1:0", beyond},
	} {
		err := walker{t.TempDir()}.attempt(t, nil, "--rpc-http="+c.http, "--rpc-ws="+c.ws)
		if code := shell.ExitCode(err); err == nil || code != shell.Misused || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s and %s end with %d: %v, want %q", c.http, c.ws, code, err, c.want)
		}
	}
	for _, line := range []string{"--rpc-ws=127.0.0.1:39095 --metrics=127.0.0.1:39095", "--rpc-http=127.0.0.1:39095 --metrics=:39095"} {
		if err := (walker{t.TempDir()}).attempt(t, nil, strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), clash) {
			t.Errorf("%s ends with %v", line, err)
		}
	}
	if err := (walker{t.TempDir()}).attempt(t, nil, "--rpc-socket", "--metrics=0.0.0.0:0"); shell.ExitCode(err) != shell.Misused || !strings.Contains(err.Error(), beyond) {
		t.Errorf("metrics for other machines: %v", err)
	}
	for _, free := range [][2]string{
		{"127.0.0.1:0", "127.0.0.1:0"}, {"127.0.0.1:39095", "[::1]:39095"}, {"127.0.0.1:39095", "127.0.0.1:39096"}, {"127.0.0.1:39095", ""},
	} {
		if err := checkApart("rpc-http", free[0], "rpc-ws", free[1]); err != nil {
			t.Errorf("%s and %s: %v", free[0], free[1], err)
		}
	}
}

// A list of daemons is checked as a whole in its source, so that the error names the place.
func TestDaemonListIsCheckedInItsSource(t *testing.T) {
	w := walker{t.TempDir()}
	const twice, empty = "names one daemon twice", "before or after one of the commas"
	for file, want := range map[string]string{
		"theme: dark\ndaemon-url: ws://127.0.0.1:1,ws://localhost:1\n":         configName + ":2:13: ",
		"daemon-url:\n  - ws://127.0.0.1:1\n  - ws://localhost:1/x\n":          configName + ":2:3: ",
		"daemon-url: 'ws://127.0.0.1:1,'\n":                                    configName + ":1:13: ",
		"rpc-allow-host: 'a.example,,b.example'\n":                             configName + ":1:17: ",
		"rpc-allow-origin:\n  - https://a.example\n  - 'https://b.example,'\n": configName + ":",
	} {
		err := w.attempt(t, []byte(file))
		silent := err == nil || !strings.Contains(err.Error(), twice) && !strings.Contains(err.Error(), empty)
		if silent || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
	for _, list := range []string{"ws://127.0.0.1:1,", ",ws://127.0.0.1:1", "ws://127.0.0.1:1,,ws://127.0.0.1:2"} {
		stopped(t, list, w.attempt(t, nil, "--daemon-url="+list), "--daemon-url", empty)
	}
	stopped(t, "two flags", w.attempt(t, nil, "--daemon-url=ws://127.0.0.1:1", "--daemon-url=ws://localhost:1"), "--daemon-url", twice)
	t.Setenv("BILLFOLD_DAEMON_URL", "ws://127.0.0.1:1,ws://localhost:1")
	stopped(t, "environment", w.attempt(t, nil), "BILLFOLD_DAEMON_URL in the environment", twice)
}
