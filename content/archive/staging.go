package archive

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"billfold/osfile"
)

// stagingPrefix begins the name of every folder that is not finished. No file of a package may have such a name.
const stagingPrefix = ".billfold-unfinished-"

// downloadKind stands behind stagingPrefix, before the hash of a package.
const downloadKind = "download-"

// staging is a folder beside the place of what is being made. While it is open, no other program on this machine works in it or
// removes it.
type staging struct {
	above *os.Root // holds the folder and its place
	name  string   // in above
	in    *os.Root
	lock  *os.File
}

// newStaging makes a folder with a name of its own in folder, which exists in above.
func newStaging(above *os.Root, folder string) (*staging, error) {
	name := path.Join(folder, stagingPrefix+strings.ToLower(rand.Text()))
	if err := above.Mkdir(name, 0o700); err != nil {
		return nil, fileError("create a folder in", folder, err)
	}
	s, err := openStaging(above, name)
	if err != nil {
		return nil, errors.Join(err, above.RemoveAll(name))
	}
	return s, nil
}

// openStaging opens the folder at name. Error: ErrBusy.
func openStaging(above *os.Root, name string) (*staging, error) {
	lock, err := lockFolder(above, name)
	if errors.Is(err, osfile.ErrLocked) {
		err = &Error{Kind: ErrBusy, Message: "Another program works on this already", Hint: "wait until it is done"}
	}
	if err != nil {
		_ = lock.Close() // nil if it could not be opened
		return nil, fileError("lock", name, err)
	}
	in, err := above.OpenRoot(name)
	if err != nil {
		unlockFolder(above, name, lock)
		return nil, fileError("open", name, err)
	}
	return &staging{above: above, name: name, in: in, lock: lock}, nil
}

// folder returns the path of the folder that the staging, and its place, are in.
func (s *staging) folder() string { return filepath.Join(s.above.Name(), path.Dir(s.name)) }

// Close leaves the folder as it is, for another try or RemoveLeftovers.
func (s *staging) Close() {
	_ = s.in.Close()
	unlockFolder(s.above, s.name, s.lock)
}

// Discard removes the folder and closes it.
func (s *staging) Discard() {
	_ = s.above.RemoveAll(s.name)
	s.Close()
}

// write creates a file, has it written, and syncs it.
func (s *staging) write(name string, fill func(io.Writer) error) error {
	f, err := s.in.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// moveTo syncs all folders of the staging and moves it to place, where there is nothing, or an empty folder. The files are synced already. If it
// returns an error, nothing is at the place that was not there before, unless it was there and the disk could not sync it.
func (s *staging) moveTo(place string) error {
	err := fs.WalkDir(s.in.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return syncIn(s.in, name)
	})
	if err != nil {
		return fileError("sync", place, err)
	}
	if err := s.above.Rename(s.name, place); err != nil {
		// Rename takes no place of an empty folder. Remove removes no folder that has something in it.
		if info, found := s.above.Lstat(place); found == nil && info.IsDir() && s.above.Remove(place) == nil {
			err = s.above.Rename(s.name, place)
		}
		if err != nil {
			return fileError("create", place, err)
		}
	}
	return fileError("sync", place, syncIn(s.above, path.Dir(place)))
}

func syncIn(root *os.Root, name string) error {
	folder, err := root.Open(name)
	if err != nil {
		return err
	}
	err = osfile.SyncOpened(folder)
	if closed := folder.Close(); err == nil {
		err = closed
	}
	return err
}

// roomIn returns how many bytes the disk of a folder has left; what cannot be known is no limit.
func roomIn(root *os.Root, name string) (int64, error) {
	folder, err := root.Open(name)
	if err != nil {
		return 0, err
	}
	free, _, known := osfile.Room(folder.Name())
	if !known {
		free = math.MaxInt64
	}
	return int64(min(free, math.MaxInt64)), folder.Close() //nolint:gosec // limited here
}

// RemoveLeftovers removes what a program that was killed has left in a folder of root, and returns how many folders that were. It leaves what
// another program still works on, and downloads, which are resumed. Call it at the start, for every folder in which packages or their contents were to be.
func RemoveLeftovers(root *os.Root, folder string) (removed int, err error) {
	entries, err := fs.ReadDir(root.FS(), folder)
	if err != nil {
		return 0, fileError("list", folder, err)
	}
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		kind, isStaging := strings.CutPrefix(entry.Name(), stagingPrefix)
		if !isStaging || strings.HasPrefix(kind, downloadKind) || !entry.IsDir() {
			continue
		}
		leftover, err := openStaging(root, name)
		if errors.Is(err, ErrBusy) {
			continue
		}
		if err != nil {
			return removed, err
		}
		err = root.RemoveAll(name)
		leftover.Close()
		if err != nil {
			return removed, fileError("remove", name, err)
		}
		removed++
	}
	return removed, nil
}

// progress counts bytes and stops when the context ends.
type progress struct {
	ctx    context.Context
	report func(done, total int64)
	done   int64
	total  int64
}

// Progress is called with how many bytes are done, of how many in all, by the goroutine that works. It may be nil.
type Progress = func(done, total int64)

func (p *progress) add(n int) error {
	p.done += int64(n)
	if p.report != nil {
		p.report(p.done, p.total)
	}
	return p.ctx.Err()
}

// copyCounted copies what from has, counting.
func (p *progress) copyCounted(to io.Writer, from io.Reader, buffer []byte) (copied int64, err error) {
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return copied, err
			}
			copied += int64(n)
			if err := p.add(n); err != nil {
				return copied, err
			}
		}
		if errors.Is(err, io.EOF) {
			return copied, nil
		}
		if err != nil {
			return copied, err
		}
	}
}
