package tui

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// houseRules returns words of the source, each with the only folders or files that may use it.
func houseRules() map[string][]string {
	return map[string][]string{
		".Decimals(":              {"format"},                  // amounts are written at one place
		"FormatAmount":            {},                          //
		"FormatDecimals":          {},                          //
		`charmbracelet/lipgloss"`: {"theme"},                   // styles live in the theme
		"Color(\"":                {"theme"},                   //
		"\"#":                     {"theme", "format/when.go"}, // so do colours; block numbers have a sign
		"time.Now":                {"options.go", "terminal/"}, // everything else is passed the time
		"os.Stdout":               {"terminal/"},               // nothing but frames reaches the terminal
		"fmt.Print":               {},                          //
		"func init()":             {},
		"panic(":                  {},
		"billfold/rpcserver":      {},
		"billfold/keystore":       {},
		"billfold/daemonclient":   {},
		"canvas.Text(e.Memo":      {},
		"float64":                 {"terminal/"},
		"in.Scroll(":              {"widget/list/"}, // whatever is cut shows how much is missing
		"strconv.ParseFloat":      {},
	}
}

func TestHouseRules(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if d.Name() == "uitest" { // drives the UI from outside
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for word, allowed := range houseRules() {
			if strings.Contains(string(text), word) && !startsWithOne(filepath.ToSlash(path), allowed) {
				t.Errorf("%s has %q, which belongs in %v", path, word, allowed)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func startsWithOne(path string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}
