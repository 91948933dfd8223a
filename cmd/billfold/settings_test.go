package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func TestDaemonAddressesFromEverySource(t *testing.T) {
	want := []string{"ws://a:1", "wss://b:2"}
	for name, source := range map[string]struct {
		flags     []string
		env, file string
	}{
		"one flag with a comma": {flags: []string{"--daemon-url=ws://a:1,wss://b:2"}},
		"two flags":             {flags: []string{"--daemon-url=ws://a:1", "--daemon-url", "wss://b:2"}, env: "ws://c:3"},
		"environment, comma":    {env: "ws://a:1, wss://b:2"},
		"environment, space":    {env: "ws://a:1 wss://b:2", file: "daemon-url: ws://c:3"},
		"file, text":            {file: "daemon-url: ws://a:1,wss://b:2"},
		"file, list":            {file: "daemon-url:\n  - ws://a:1\n  - wss://b:2"},
	} {
		t.Run(name, func(t *testing.T) {
			if source.env != "" {
				t.Setenv("BILLFOLD_DAEMON_URL", source.env)
			}
			s, err := readSettings(t, source.file, source.flags...)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.daemonURLs; !slices.Equal(got, want) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// readSettings reads flags and a config file, in a new folder.
func readSettings(t *testing.T, file string, flags ...string) (*settings, error) {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, configName), []byte(file), 0o600))
	s, cmd := newSettings(), &cobra.Command{}
	s.values.Define(cmd)
	if err := cmd.ParseFlags(append(flags, "--data-dir="+dir)); err != nil {
		return nil, err
	}
	return s, s.read()
}

func TestLockAfterFromEverySource(t *testing.T) {
	for name, source := range map[string]struct {
		flags     []string
		env, file string
		want      time.Duration
	}{
		"with the UI":             {want: 15 * time.Minute},
		"sandbox, with the UI":    {flags: []string{"--sandbox"}, want: 15 * time.Minute},
		"headless":                {flags: []string{"--rpc-http"}, want: 0},
		"sandbox, headless":       {flags: []string{"--sandbox", "--rpc-ws"}, want: 0},
		"headless, but set":       {flags: []string{"--rpc-http", "--lock-after=10m"}, want: 10 * time.Minute},
		"never":                   {flags: []string{"--lock-after=0"}, env: "5m", want: 0},
		"flag before environment": {flags: []string{"--lock-after", "1h30m"}, env: "5m", want: 90 * time.Minute},
		"environment before file": {env: "5m", file: "lock-after: 3m", want: 5 * time.Minute},
		"file":                    {file: "lock-after: 3m", want: 3 * time.Minute},
		"file, never":             {file: "lock-after: 0", want: 0},
		"shortest":                {env: "1s", want: time.Second},
		"longest":                 {env: "168h", want: 7 * 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			if source.env != "" {
				t.Setenv("BILLFOLD_LOCK_AFTER", source.env)
			}
			s, err := readSettings(t, source.file, source.flags...)
			if err != nil || s.lockAfter != source.want {
				t.Errorf("got %v, %v", s.lockAfter, err)
			}
		})
	}
}

func TestLockAfterMustBeATime(t *testing.T) {
	for _, text := range []string{"15", "soon", "-5m", "999ms", "169h", "1d", "1e9h", " "} {
		_, err := readSettings(t, "lock-after: "+strconv.Quote(text))
		if err == nil || !strings.Contains(err.Error(), strconv.Quote(text)+" is not a time between 1s and 168h; write it as 90s, 15m or 1h30m") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
