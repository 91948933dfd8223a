package archive

import (
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"strings"
	"unicode"

	"billfold/ledger/printable"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxName is the maximum length of a name in a header, in bytes.
const maxName = 255

// checkName returns what is wrong with the name of a file in an archive, "" for nothing. A good one is relative, in UTF-8, with a slash
// between folders, and leads to a file below the folder it is joined to, on every system.
func checkName(name string) string {
	switch {
	case name == "" || name == ".":
		return "is empty"
	case len(name) > maxName:
		return "is longer than 255 bytes"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "has control characters"
	case strings.Contains(name, `\`):
		return `has a \, which separates folders on some systems`
	case !fs.ValidPath(name):
		return "is not a plain relative path in UTF-8"
	case strings.Contains("/"+name, "/"+stagingPrefix):
		return "is one of those that this program uses for what is not finished"
	}
	return ""
}

// checkPortable returns what keeps a name from being a file's name on some systems, "" for nothing: a buyer there could not extract it.
func checkPortable(name string) string {
	for part := range strings.SplitSeq(name, "/") {
		stem, _, _ := strings.Cut(part, ".")
		stem = strings.ToUpper(strings.TrimRight(stem, " "))
		switch {
		case strings.ContainsAny(part, `<>:"|?*`):
			return `has one of < > : " | ? *, which Windows does not allow in names`
		case strings.HasSuffix(part, " ") || strings.HasSuffix(part, "."):
			return "has a part that ends in a space or a dot, which Windows cuts off"
		case isDevice(stem):
			return "has a part that is the name of a device on Windows"
		}
	}
	return ""
}

// checkShown returns what makes a name look like another one, "" for nothing. It is no reason to lose what was bought.
func checkShown(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }) {
		return fmt.Sprintf("has a character that turns around what is behind it (%s), so that systems show another name", printable.Text(name))
	}
	return ""
}

// folded returns a name without what disks do not distinguish, or people do not see: capitals, the two ways in which Unicode writes a letter with
// its accent, and invisible characters.
func folded(name string) string {
	seen := strings.Map(func(r rune) rune {
		if printable.Invisible(r) {
			return -1
		}
		return r
	}, name)
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(seen)))
}

// twins has the names of files and folders, by what they are folded.
type twins map[string]string

// add adds a name and those of the folders it is in. Error: ErrSource if another one differs from one of them only in what folded drops.
func (t twins) add(name string) error {
	for at := name; at != "."; at = path.Dir(at) {
		key := folded(at)
		if other, known := t[key]; known && other != at {
			return sourceError(at, fmt.Sprintf("differs from %q only in capitals, how its accents are written, or what cannot be seen, and many systems cannot keep both", other), "rename one")
		}
		t[key] = at
	}
	return nil
}

// isDevice reports whether a name in capitals, without what follows its first dot, stands for a device on Windows.
func isDevice(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	rest, isPort := strings.CutPrefix(stem, "COM")
	if !isPort {
		rest, isPort = strings.CutPrefix(stem, "LPT")
	}
	return isPort && len([]rune(rest)) == 1 && strings.Contains("0123456789¹²³", rest)
}

// checkHere returns what keeps a name of an archive from being a file's on this system, "" for nothing.
func checkHere(name string) string {
	if runtime.GOOS == "windows" {
		return checkPortable(name)
	}
	return ""
}
