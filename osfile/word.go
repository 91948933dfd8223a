package osfile

import (
	"strings"
	"unicode"
)

// ShellWord quotes a path for a shell if necessary.
func ShellWord(path string) string {
	if strings.IndexFunc(path, needsQuotes) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func needsQuotes(r rune) bool {
	return !strings.ContainsRune("/._-+,:@%", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
