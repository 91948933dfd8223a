package content

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"billfold/walletcore/fault"
)

// Folder is a path that a caller named. Anywhere is set for the owner at this machine's console, who may name any.
type Folder struct {
	Path     string
	Anywhere bool
}

// place is a folder or file below a root that no link leads out of.
type place struct {
	root *os.Root
	name string
}

func (p place) close() { _ = p.root.Close() }

// open opens what a caller named: below the folder that the operator named, or anywhere for the owner. Errors: fault.Denied,
// fault.BadValue, fault.NoSuchFile. The caller closes the place.
func (e *Engine) open(op string, f Folder) (place, error) {
	if f.Path == "" {
		return place{}, &fault.Error{Code: fault.BadValue, Op: op, Message: "no folder is named", Hint: "name one; nothing was done"}
	}
	above, name, err := e.split(op, f)
	if err != nil {
		return place{}, err
	}
	root, err := os.OpenRoot(above)
	if err != nil {
		return place{}, noFolder(op, above, err)
	}
	return place{root, filepath.ToSlash(name)}, nil
}

func noFolder(op, path string, err error) error {
	return &fault.Error{Code: fault.NoSuchFile, Op: op, Message: "the folder " + fault.Quote(path) + " cannot be used: " + cause(err),
		Hint: "check the path; nothing was done", Err: err}
}

// split returns the folder to be opened as a root, and the way from there.
func (e *Engine) split(op string, f Folder) (above, name string, err error) {
	if f.Anywhere {
		whole, err := filepath.Abs(f.Path)
		if err != nil {
			return "", "", noFolder(op, f.Path, err)
		}
		if above = filepath.Dir(whole); above == whole {
			return above, ".", nil
		}
		return above, filepath.Base(whole), nil
	}
	if e.ContentDir == "" {
		return "", "", &fault.Error{Code: fault.Denied, Op: op, Message: "programs may not name folders of this machine",
			Hint: "the operator allows those below one folder with --content-dir; nothing was done"}
	}
	if !filepath.IsAbs(f.Path) {
		if filepath.IsLocal(f.Path) {
			return e.ContentDir, filepath.Clean(f.Path), nil
		}
	} else if name, err := filepath.Rel(e.ContentDir, f.Path); err == nil && filepath.IsLocal(name) {
		return e.ContentDir, name, nil
	}
	return "", "", &fault.Error{Code: fault.Denied, Op: op, Message: "the folder " + fault.Quote(f.Path) + " is not below the one for content",
		Hint: "name one below " + e.ContentDir + ", or one relative to it; nothing was done"}
}

// cause returns what the system says of a file, without its path.
func cause(err error) string {
	if e, is := errors.AsType[*fs.PathError](err); is {
		return e.Err.Error()
	}
	return err.Error()
}
