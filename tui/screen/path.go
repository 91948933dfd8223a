package screen

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"billfold/ledger/usertext"
)

// Path returns the path that was typed, or pasted by a terminal on which a file was dropped: without blanks and quotes around it, without
// file://, with its escaped characters as they are, and with the home folder for ~/.
func Path(typed string) string {
	path := unquoted(usertext.Trim(typed))
	if at, err := url.Parse(path); err == nil && strings.EqualFold(at.Scheme, "file") && (at.Host == "" || at.Host == "localhost") && at.Path != "" {
		path = at.Path
		if runtime.GOOS == "windows" { // file:///C:/folder
			path = strings.TrimPrefix(path, "/")
		}
	}
	if rest, home := strings.CutPrefix(path, "~/"); home {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, rest)
		}
	}
	return path
}

// unquoted returns a path without the quotes or backslashes of a shell. A backslash before a letter or digit stays: it is one of Windows.
func unquoted(path string) string {
	for _, quote := range []string{`'`, `"`} {
		if len(path) > 1 && strings.HasPrefix(path, quote) && strings.HasSuffix(path, quote) {
			inside := path[1 : len(path)-1]
			if quote == `'` {
				return strings.ReplaceAll(inside, `'\''`, `'`)
			}
			return regexp.MustCompile("\\\\([\"$`])").ReplaceAllString(inside, "$1")
		}
	}
	if runtime.GOOS == "windows" {
		return path
	}
	return regexp.MustCompile(`\\([^\pL\pN])`).ReplaceAllString(path, "$1")
}
