package access

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	"billfold/osfile"

	"golang.org/x/sys/windows"
)

// On this system the access control lists say who may write, and groups are among those who are in them: there is none to trust apart.

func open(path string) (*os.File, error) { return os.Open(path) }

func (Trust) checkInfo(path string, _ fs.FileInfo) error {
	by, err := writers(path, osfile.Writing)
	if err == nil && by != "" {
		err = fmt.Errorf("%s can be written by others (%s); run: %s", path, by, osfile.Closing(path))
	}
	return err
}

func (Trust) checkParent(path, above string, _ fs.FileInfo) error {
	by, err := writers(above, osfile.Replacing)
	if err == nil && by != "" {
		err = fmt.Errorf("%s is in %s, where others (%s) could put something else in its place; use a folder below your own", path, above, by)
	}
	return err
}

// writers returns the names of others who may do what is in mask.
func writers(path string, mask windows.ACCESS_MASK) (string, error) {
	names, err := osfile.Others(path, mask)
	if err != nil {
		return "", fmt.Errorf("it cannot be known who may write there: %w; use a folder on a disk that has access control lists, such as NTFS", err)
	}
	return strings.Join(names, ", "), nil
}

func checkLink(path string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink != 0 && !osfile.IsOwn(path) {
		return fmt.Errorf("the link %s belongs to another user, who could redirect it; use its target", path)
	}
	return nil
}

func owner(fs.FileInfo) (uid, gid uint32) { return 0, 0 }

// SocketOwner returns the user of a socket, which here is nobody else than this one.
func SocketOwner(string) (uid int, err error) { return os.Getuid(), nil }
