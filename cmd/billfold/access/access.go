// Package access refuses files and folders that another user could have written,
// since their content might not come from the wallet's user. It trusts root, and a group that
// the user names, and does not check access control lists.
package access

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"billfold/ledger/usertext"
)

// Trust is the group that may write besides the user and root. The zero value trusts nobody.
type Trust struct {
	group uint32
	named bool // there is a group
}

// Covers reports whether info belongs to the trusted group.
func (t Trust) Covers(info fs.FileInfo) bool {
	_, gid := owner(info)
	return t.named && gid == t.group
}

// ParseTrust returns the trust in a group, given by name or number.
func ParseTrust(group string) (Trust, error) {
	id, err := ParseGroup(group)
	return Trust{group: id, named: err == nil}, err
}

// ParseGroup returns the number of a group, given by name or number.
func ParseGroup(group string) (uint32, error) {
	text := group
	if found, err := user.LookupGroup(group); err == nil {
		text = found.Gid
	}
	id, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("there is no group %q; write its name or its number, such as 2000", group)
	}
	return uint32(id), nil
}

// Read returns the text of a regular file of at most limit bytes that only its
// user can write. It returns fs.ErrNotExist if the file does not exist, and another error
// for a dangling link.
func (t Trust) Read(path string, limit int64) ([]byte, error) {
	if err := t.checkPath(path); err != nil {
		return nil, err
	}
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file; move it away", path)
	}
	if err := t.checkInfo(path, info); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		if own := usertext.OfWallet(text); own != nil {
			return nil, fmt.Errorf("%s: %w", path, own)
		}
		err = fmt.Errorf("%s is larger than %d bytes; move it away", path, limit)
	}
	return text, err
}

// File refuses a file that others can write or replace, links of others, and dangling links. It
// accepts a path at which there is no file, or no regular one, and leaves that to whoever opens
// it.
func (t Trust) File(path string) error {
	if path == "" {
		return nil
	}
	if err := t.checkPath(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return t.checkInfo(path, info)
}

// checkPath refuses a path that others can redirect. If it ends with a link, the folder that the
// link leads into must be as protected as the wallet's own.
func (t Trust) checkPath(path string) error {
	real, err := t.resolve(path)
	if err != nil || real == "" {
		return err
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	folder := filepath.Dir(real)
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	return t.checkInfo(folder, info)
}

// Files checks, like File, the files in a folder whose names match a pattern of
// filepath.Match.
func (t Trust) Files(folder string, patterns []string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the folder %s cannot be read: %w", folder, err)
	}
	for _, e := range entries {
		for _, pattern := range patterns {
			if ok, _ := filepath.Match(pattern, e.Name()); !ok {
				continue
			}
			if err := t.File(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// IsFolder refuses a path where there is something else than a folder, with what that is if it is a file of a wallet.
func IsFolder(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return nil
	}
	if f, err := os.Open(path); err == nil && info.Mode().IsRegular() {
		defer f.Close()
		start, _ := io.ReadAll(io.LimitReader(f, usertext.StartOfWallet))
		if own := usertext.OfWallet(start); own != nil {
			return fmt.Errorf("%s is not a folder: %w", path, own)
		}
	}
	return fmt.Errorf("%s is not a folder", path)
}

// Folder refuses a folder that others can write, or that they could replace because
// they can write a folder above it. For a folder that does not exist yet it checks
// only those above it. The flag that another folder can be named with is for the error.
func (t Trust) Folder(path, flag string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("the folder %s cannot be read: %w", path, err)
	case !info.IsDir():
		return fmt.Errorf("%w; name another with %s", IsFolder(path), flag)
	default:
		if err := t.checkInfo(path, info); err != nil {
			return err
		}
	}
	_, err = t.resolve(path)
	return err
}
