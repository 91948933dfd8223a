package archive

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"billfold/content/deflate"
	"billfold/ledger"

	//lint:ignore SA1019 The ledger names a package by its RIPEMD-160, which has to withstand a second preimage.
	"golang.org/x/crypto/ripemd160"
)

// Source is a folder or a file to be packed.
type Source struct {
	// Files are packed in this order. Scan sorts them by name, so that the same folder makes the same package.
	Files Listing

	root   *os.Root
	folder string // in root
}

// Scan lists what would be packed of a folder, or of a single file, in root. Whatever a buyer could not extract, or would not get whole, is
// refused: links, devices and pipes, empty files, files of 2 GiB or more, names that some system does not allow, and two that are one on some
// system. Errors: ErrSource.
func Scan(ctx context.Context, root *os.Root, name string) (*Source, error) {
	name = path.Clean(name)
	info, err := root.Lstat(name)
	if err != nil {
		return nil, fileError("read", name, err)
	}
	if !info.IsDir() {
		source := &Source{root: root, folder: path.Dir(name)}
		return source, source.add(path.Base(name), info)
	}
	source := &Source{root: root, folder: name}
	err = fs.WalkDir(root.FS(), name, func(at string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || entry.IsDir() {
			return fileError("read", at, err)
		}
		info, err := entry.Info()
		if err != nil {
			return fileError("read", at, err)
		}
		if name != "." {
			at = strings.TrimPrefix(at, name+"/")
		}
		return source.add(at, info)
	})
	if err != nil {
		return nil, err
	}
	if len(source.Files) == 0 {
		return nil, sourceError(name, "has no files", "put what is to be sold into it")
	}
	slices.SortFunc(source.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return source, source.checkTwins()
}

func (s *Source) add(name string, info fs.FileInfo) error {
	problem := cmp.Or(checkName(name), checkPortable(name), checkShown(name))
	switch {
	case problem != "":
		return sourceError(name, "cannot be packed, because its name "+problem, "rename it")
	case info.Mode()&fs.ModeSymlink != 0:
		return sourceError(name, "is a link", "put a copy of the file in its place, or remove it")
	case !info.Mode().IsRegular():
		return sourceError(name, "is not a regular file", "remove it")
	case info.Size() == 0:
		return sourceError(name, "is empty, and the reference wallet loses every file behind an empty one", "remove it, or put something into it")
	case info.Size() > MaxFile:
		return sourceError(name, "has 2 GiB or more, and no package can hold such a file", "split it")
	}
	s.Files = append(s.Files, File{Name: name, Size: info.Size(), modified: info.ModTime()})
	return nil
}

// checkTwins refuses names, of files or of the folders they are in, that are one on some systems.
func (s *Source) checkTwins() error {
	seen := twins{}
	for _, file := range s.Files {
		if err := seen.add(file.Name); err != nil {
			return err
		}
	}
	return nil
}

// Sum reads all files, for Digest. Errors: ErrSource for a file that has changed since Scan or that holds a wallet, ErrFile, the context's.
func (s *Source) Sum(ctx context.Context) error { return s.Files.sumUp(ctx, s.root, s.folder) }

// Encrypt writes the encrypted archive of the source and returns its hash and size. The same files, in the same order, with the same key make the
// same bytes. Errors: ErrSource if a file has changed since Scan, ErrFile, the context's.
func (s *Source) Encrypt(ctx context.Context, key *Key, to io.Writer, report Progress) (ledger.Hash160, int64, error) {
	sum := ripemd160.New()
	out := &counter{to: io.MultiWriter(sum, to)}
	encrypted := newEncrypter(key, out)
	archive := deflate.NewWriter(encrypted)
	done := &progress{ctx: ctx, report: report, total: s.Files.Size()}
	buffer := make([]byte, chunkSize)
	for i := range s.Files {
		if err := s.encryptFile(&s.Files[i], archive, done, buffer); err != nil {
			return ledger.Hash160{}, 0, err
		}
	}
	var end header
	if _, err := archive.Write(end[:]); err != nil {
		return ledger.Hash160{}, 0, fileError("write", EncryptedName, err)
	}
	if err := archive.Close(); err != nil {
		return ledger.Hash160{}, 0, fileError("write", EncryptedName, err)
	}
	if err := encrypted.Close(); err != nil {
		return ledger.Hash160{}, 0, fileError("write", EncryptedName, err)
	}
	return ledger.Hash160(sum.Sum(nil)), out.count, nil
}

func (s *Source) encryptFile(file *File, archive io.Writer, done *progress, buffer []byte) error {
	h := headerOf(*file)
	if _, err := archive.Write(h[:]); err != nil {
		return fileError("write", EncryptedName, err)
	}
	return file.copyTo(done, archive, s.root, s.folder, buffer)
}

// openRegular opens a regular file for reading. A link, a pipe or a device is not opened, even if it takes the place of the file in between.
func openRegular(root *os.Root, name string) (*os.File, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, fileError("read", name, err)
	}
	if !before.Mode().IsRegular() {
		return nil, sourceError(name, "is not a regular file", "remove it")
	}
	f, err := root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, fileError("read", name, err)
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = sourceError(name, "was replaced while it was opened", "wait until nothing writes to it, then try again")
	}
	if err != nil {
		_ = f.Close()
		return nil, fileError("read", name, err)
	}
	return f, nil
}

// counter counts what is written.
type counter struct {
	to    io.Writer
	count int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.count += int64(n)
	return n, err
}
