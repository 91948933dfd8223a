package access

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostLinks is more than lead anywhere but in a circle.
const mostLinks = 64

// step is a name on the way to a file, and the link that says so; "" = the user does.
type step struct{ name, link string }

// way goes to a path as the system does, link by link, and refuses a folder on it where
// others could put something else in the next one's place, a link of others, and one that
// leads to nothing. It returns where the path ends, "" when it is not there.
func way(path string) (real string, err error) {
	if !filepath.IsAbs(path) {
		here, err := os.Getwd()
		if err != nil {
			return "", err
		}
		path = here + string(filepath.Separator) + path // not cleaned: ".." behind a link is not its folder
	}
	at, ahead := rootOf(path), steps(path, "")
	for links := 0; len(ahead) > 0; {
		next := ahead[0]
		ahead = ahead[1:]
		if next.name == ".." {
			at = filepath.Dir(at)
			continue
		}
		info, err := enter(path, at, next)
		if info == nil || err != nil {
			return "", err
		}
		found := filepath.Join(at, next.name)
		if info.Mode()&fs.ModeSymlink == 0 {
			at = found
			continue
		}
		target, err := os.Readlink(found)
		if links++; err != nil || links > mostLinks {
			return "", fmt.Errorf("the link %s leads nowhere; fix it, or remove it", path)
		}
		if filepath.IsAbs(target) {
			at = rootOf(target)
		}
		ahead = slices.Concat(steps(target, found), ahead)
	}
	return at, nil
}

// enter looks at the next step of the way to path, in the folder at. Without a step and an
// error there is nothing more.
func enter(path, at string, next step) (fs.FileInfo, error) {
	if folder, err := os.Stat(at); err == nil {
		if err := checkParent(path, at, folder); err != nil {
			return nil, err
		}
	}
	found := filepath.Join(at, next.name)
	info, err := os.Lstat(found)
	switch {
	case err != nil && next.link != "":
		return nil, fmt.Errorf("the link %s leads to %s, which does not exist; fix the link, or remove it", next.link, found)
	case err != nil:
		return nil, nil
	}
	return info, checkLink(found, info)
}

func rootOf(path string) string { return filepath.VolumeName(path) + string(filepath.Separator) }

func steps(path, link string) (list []step) {
	names := strings.FieldsFunc(path[len(filepath.VolumeName(path)):],
		func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
	for _, name := range names {
		if name != "." {
			list = append(list, step{name, link})
		}
	}
	return list
}
