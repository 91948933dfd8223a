package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

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
			t.Setenv("BILLFOLD_DAEMON_URL", source.env)
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, configName), []byte(source.file), 0o600); err != nil {
				t.Fatal(err)
			}
			s, cmd := newSettings(), &cobra.Command{}
			s.define(cmd)
			if err := cmd.ParseFlags(append(source.flags, "--data-dir="+dir)); err != nil {
				t.Fatal(err)
			}
			if err := s.read(); err != nil {
				t.Fatal(err)
			}
			if got := s.daemonURLs(); !slices.Equal(got, want) {
				t.Errorf("got %q", got)
			}
		})
	}
}
