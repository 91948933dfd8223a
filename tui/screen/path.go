package screen

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

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

// maxPaths is the maximum number of entries of a folder that Complete looks at.
const maxPaths = 10_000

// Complete completes the last part of a typed path as far as only one name fits, and returns the names that fit so far, folders with a
// slash behind them. What it returns is typed as it was, so ~/ stays.
func Complete(typed string) (text string, names []string) {
	at := strings.LastIndexByte(typed, '/') + 1
	if runtime.GOOS == "windows" {
		at = strings.LastIndexAny(typed, `/\`) + 1
	}
	folder, begin := typed[:at], typed[at:]
	if typed == "~" {
		return "~/", nil
	}
	dir, err := os.Open(Path(cmp.Or(folder, ".")))
	if err != nil {
		return typed, nil
	}
	defer func() { _ = dir.Close() }()
	entries, _ := dir.ReadDir(maxPaths)
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begin) || begin == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if info, err := os.Stat(filepath.Join(dir.Name(), name)); err == nil && info.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return typed, nil
	}
	slices.Sort(names)
	common := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	return folder + common, names
}
