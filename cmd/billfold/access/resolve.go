package access

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is the number of links followed before they count as a loop.
const maxLinks = 64

// step is one name of a path, and the link that it comes from; "" = the user's path.
type step struct{ name, link string }

// resolve follows a path as the system does, link by link. It refuses folders on the way in
// which others could replace the next name, links of others, and dangling links. It returns
// the real path, "" if the path does not exist.
func (t Trust) resolve(path string) (real string, err error) {
	if !filepath.IsAbs(path) {
		here, err := os.Getwd()
		if err != nil {
			return "", err
		}
		path = here + string(filepath.Separator) + path // not cleaned, since ".." after a link is not the link's folder
	}
	at, ahead := rootOf(path), steps(path, "")
	for links := 0; len(ahead) > 0; {
		next := ahead[0]
		ahead = ahead[1:]
		if next.name == ".." {
			at = filepath.Dir(at)
			continue
		}
		info, err := t.checkStep(path, at, next)
		if info == nil || err != nil {
			return "", err
		}
		found := filepath.Join(at, next.name)
		if info.Mode()&fs.ModeSymlink == 0 {
			at = found
			continue
		}
		target, err := os.Readlink(found)
		if links++; err != nil || links > maxLinks {
			return "", fmt.Errorf("the link %s leads nowhere; fix it, or remove it", path)
		}
		if filepath.IsAbs(target) {
			at = rootOf(target)
		}
		ahead = slices.Concat(steps(target, found), ahead)
	}
	return at, nil
}

// checkStep checks and returns the next step of path in the folder at. It returns neither
// info nor an error if the step does not exist.
func (t Trust) checkStep(path, at string, next step) (fs.FileInfo, error) {
	if folder, err := os.Stat(at); err == nil {
		if err := t.checkParent(path, at, folder); err != nil {
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
