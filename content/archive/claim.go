package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// claimKind stands behind stagingPrefix, before what follows from the name of a claimed place.
const claimKind = "claim-"

// Claim is a place that nobody else on this machine claims. It ends with the process at the latest.
type Claim struct {
	held   *staging
	folder string
}

// ClaimPlace claims the place that a package is to be extracted to: a folder in root that does not exist or is empty, in one that can be written
// to and has room for so many bytes. Errors: ErrExists, ErrBusy if another program, or another caller, has claimed it, ErrRoom, ErrFile.
func ClaimPlace(root *os.Root, folder string, room int64) (*Claim, error) {
	above := path.Dir(folder)
	mark := sha256.Sum256([]byte(folded(path.Base(folder))))
	name := path.Join(above, stagingPrefix+claimKind+hex.EncodeToString(mark[:16]))
	for {
		if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) { // a killed program leaves it, without its lock
			return nil, fileError("create a folder in", above, err)
		}
		held, err := openStaging(root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // who had it is done
			continue
		case errors.Is(err, ErrBusy):
			return nil, &Error{Kind: ErrBusy, Message: fmt.Sprintf("Something else is being extracted to %q, or will be once it is bought", folder),
				Hint: "name another folder"}
		case err != nil:
			return nil, err
		}
		if there, err := root.Stat(name); err != nil || !held.is(there) {
			held.Close()
			continue
		}
		c := &Claim{held, folder}
		if err := c.Check(room); err != nil {
			c.Release()
			return nil, err
		}
		return c, nil
	}
}

// Check returns why nothing can be extracted to the place now. Errors: those of ClaimPlace.
func (c *Claim) Check(room int64) error {
	above := path.Dir(c.folder)
	if err := checkFree(c.held.above, c.folder); err != nil {
		return err
	}
	if free, err := roomIn(c.held.above, above); err != nil {
		return fileError("use", above, err)
	} else if free < room {
		return RoomError(filepath.Join(c.held.above.Name(), above), room, free)
	}
	tried, err := newStaging(c.held.above, above)
	if err != nil {
		return err
	}
	tried.Discard()
	return nil
}

// Release ends the claim.
func (c *Claim) Release() { c.held.Discard() }

// is reports whether the staging's folder is still the one at its name.
func (s *staging) is(there fs.FileInfo) bool {
	mine, err := s.in.Stat(".")
	return err == nil && os.SameFile(mine, there)
}
