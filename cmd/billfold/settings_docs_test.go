package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of docs/settings.md")

const (
	tableBegins = "<!-- the table of settings; make docs writes it -->\n"
	tableEnds   = "<!-- end of the table -->\n"
)

// The documentation lists the current settings.
func TestSettingsDocsAreFresh(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "settings.md")
	old, err := os.ReadFile(path)
	must(t, err)
	before, rest, found := strings.Cut(string(old), tableBegins)
	_, after, closed := strings.Cut(rest, tableEnds)
	if !found || !closed {
		t.Fatalf("%s has no place for the table", path)
	}
	fresh := []byte(before + tableBegins + newSettings().values.Markdown() + tableEnds + after)
	if bytes.Equal(fresh, old) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the settings say; run make docs", path)
	}
	must(t, os.WriteFile(path, fresh, 0o644))
}
