package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// Recipe holds what a package is made of.
type Recipe struct {
	Content *Source
	Samples *Samples // may be nil
	Key     *Key     // must encrypt nothing else

	// Custody writes content.cus, the signatures of the encrypted archive, which has size bytes. It may be nil: a package without it
	// cannot be proven to be in a seeder's custody.
	Custody func(ctx context.Context, encrypted io.ReaderAt, size int64, signatures io.Writer) error

	// Check may refuse what was packed: the digests of Content and Samples are those of the bytes in the package by then. It may be nil.
	Check func() error

	// Replace has a package with the same hash replaced. Otherwise it is an error, since its content.cus would no longer be the one
	// that was published.
	Replace bool

	Progress Progress // of the content
}

// Create makes a package and puts it in its place, whole and on the disk. Errors: ErrSource, ErrRoom, ErrExists (with the package that exists),
// ErrFile, that of Custody, the context's; the store is unchanged then.
func (s *Store) Create(ctx context.Context, recipe Recipe) (*Package, error) {
	free, err := roomIn(s.root, ".")
	if err != nil {
		return nil, fileError("use", s.root.Name(), err)
	}
	need := recipe.Content.Files.Size()
	if recipe.Custody != nil {
		need += need / 8
	}
	if need > free {
		return nil, RoomError(s.root.Name(), need, free)
	}
	unfinished, err := newStaging(s.root, ".")
	if err != nil {
		return nil, err
	}
	made, err := s.create(ctx, recipe, unfinished)
	if err != nil {
		unfinished.Discard()
		return made, err
	}
	unfinished.Close()
	return made, nil
}

func (s *Store) create(ctx context.Context, recipe Recipe, unfinished *staging) (*Package, error) {
	made := &Package{root: s.root}
	err := unfinished.write(EncryptedName, func(to io.Writer) (err error) {
		made.Hash, made.Size, err = recipe.Content.Encrypt(ctx, recipe.Key, to, recipe.Progress)
		return err
	})
	if err != nil {
		return nil, fileError("write", EncryptedName, err)
	}
	place := made.Hash.String()
	if _, err := s.root.Lstat(place); err == nil && !recipe.Replace {
		return made, &Error{Kind: ErrExists, Message: fmt.Sprintf("The package %s exists already", place),
			Hint: "publish that one, or remove it first"}
	}
	if recipe.Samples != nil {
		if err := recipe.Samples.copyTo(ctx, unfinished); err != nil {
			return nil, err
		}
	}
	if recipe.Check != nil {
		if err := recipe.Check(); err != nil {
			return nil, err
		}
	}
	if recipe.Custody != nil {
		if err := unfinished.sign(ctx, made.Size, recipe.Custody); err != nil {
			return nil, err
		}
	}
	if err := unfinished.addState(); err != nil {
		return nil, err
	}
	if recipe.Replace {
		if err := s.Remove(made.Hash); err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
	}
	return made, unfinished.moveTo(place)
}

// addState adds the file that the reference has for a lock.
func (s *staging) addState() error {
	err := s.in.Mkdir(stateName, 0o700)
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = s.write(path.Join(stateName, lockName), func(io.Writer) error { return nil })
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return fileError("write", stateName, err)
}

func (s *staging) sign(ctx context.Context, size int64, custody func(context.Context, io.ReaderAt, int64, io.Writer) error) error {
	encrypted, err := s.in.Open(EncryptedName)
	if err != nil {
		return fileError("read", EncryptedName, err)
	}
	defer func() { _ = encrypted.Close() }()
	err = s.write(CustodyName, func(to io.Writer) error { return custody(ctx, encrypted, size, to) })
	return fileError("write", CustodyName, err)
}

// Samples are files that everybody gets to see.
type Samples struct {
	Files Listing

	root   *os.Root
	folder string
}

// ScanSamples lists the samples in a folder of root: its regular files. Folders in it are left out, as the reference does; a link is refused.
// Errors: ErrSource, ErrFile.
func ScanSamples(root *os.Root, folder string) (*Samples, error) {
	entries, err := fs.ReadDir(root.FS(), folder)
	if err != nil {
		return nil, fileError("list", folder, err)
	}
	samples, seen := &Samples{root: root, folder: folder}, twins{}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		name := entry.Name()
		switch {
		case !IsSampleName(name):
			return nil, sourceError(name, "cannot be the name of a sample, because some systems do not allow it", "rename it")
		case !entry.Type().IsRegular():
			return nil, sourceError(name, "is a link or no regular file", "put a copy of the file in its place, or remove it")
		case len(samples.Files) == MaxSamples:
			return nil, sourceError(folder, fmt.Sprintf("has more than %d samples", MaxSamples), "remove some")
		}
		if err := seen.add(name); err != nil {
			return nil, err
		}
		info, err := entry.Info()
		if err != nil {
			return nil, fileError("read", name, err)
		}
		samples.Files = append(samples.Files, File{Name: name, Size: info.Size(), modified: info.ModTime()})
	}
	return samples, nil
}

// Sum is Source.Sum.
func (s *Samples) Sum(ctx context.Context) error { return s.Files.sumUp(ctx, s.root, s.folder) }

func (s *Samples) copyTo(ctx context.Context, unfinished *staging) error {
	if err := unfinished.in.Mkdir(SamplesName, 0o700); err != nil {
		return fileError("create", SamplesName, err)
	}
	done := &progress{ctx: ctx}
	buffer := make([]byte, chunkSize)
	for i := range s.Files {
		file := &s.Files[i]
		err := unfinished.write(path.Join(SamplesName, file.Name), func(to io.Writer) error { return file.copyTo(done, to, s.root, s.folder, buffer) })
		if err != nil {
			return fileError("copy", file.Name, err)
		}
	}
	return nil
}
