package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"billfold/tui/action"
)

func TestKeyBindingsAreReadAsWritten(t *testing.T) {
	keys, err := parseKeys([]byte("everywhere:\n  quit: y\n  go.home: [1, \"-\", f5]\n"))
	want := action.Bindings{"everywhere": {"quit": {"y"}, "go.home": {"1", "-", "f5"}}}
	if err != nil || !reflect.DeepEqual(keys, want) {
		t.Errorf("%v, %v", keys, err)
	}
	for _, bad := range []string{"home", "home: x", "home:\n  send: {a: b}", "home:\n  send: x\n  send: y", "home:\n\tsend: x", "- home"} {
		path := filepath.Join(t.TempDir(), keysName)
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if keys, fault := readKeys(path); keys != nil || !strings.HasPrefix(fault, "the file cannot be read: ") {
			t.Errorf("%q is read as %v, %q", bad, keys, fault)
		}
	}
	if keys, fault := readKeys(filepath.Join(t.TempDir(), "none")); keys != nil || fault != "" {
		t.Errorf("no file: %v, %q", keys, fault)
	}
}
