package archive

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"billfold/ledger"

	//lint:ignore SA1019 The ledger names a package by its RIPEMD-160, which has to withstand a second preimage.
	"golang.org/x/crypto/ripemd160"
)

// The files of a package.
const (
	EncryptedName = "content.zip.aes" // the encrypted archive
	CustodyName   = "content.cus"     // signatures of its parts; may be missing
	SamplesName   = "Samples"         // a folder that may be missing
	stateName     = ".state"
	lockName      = "lock"

	// MaxSamples is the maximum number of samples of a package.
	MaxSamples = 1000
)

// Store is the folder that packages are kept in.
type Store struct{ root *os.Root }

// OpenStore opens the folder, which it makes if need be. The caller closes it.
func OpenStore(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fileError("create", folder, err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fileError("open", folder, err)
	}
	return &Store{root: root}, nil
}

// Close closes the folder. Its packages cannot be used any more.
func (s *Store) Close() { _ = s.root.Close() }

// RemoveLeftovers removes what was not finished when a program was killed, except downloads, and returns how many that were.
func (s *Store) RemoveLeftovers() (int, error) { return RemoveLeftovers(s.root, ".") }

// Packages returns the hashes of all packages, sorted, whole or not.
func (s *Store) Packages() ([]ledger.Hash160, error) {
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return nil, fileError("list", s.root.Name(), err)
	}
	var hashes []ledger.Hash160
	for _, entry := range entries {
		if hash, ok := packageHash(entry.Name()); ok && entry.IsDir() {
			hashes = append(hashes, hash)
		}
	}
	return hashes, nil
}

// packageHash reads the name of a package's folder.
func packageHash(name string) (hash ledger.Hash160, ok bool) {
	if len(name) != hex.EncodedLen(len(hash)) {
		return hash, false
	}
	_, err := hex.Decode(hash[:], []byte(name))
	return hash, err == nil && hash.String() == name
}

// Package returns the package with a hash. Error: ErrNotFound. It does not look into it; Verify does.
func (s *Store) Package(hash ledger.Hash160) (*Package, error) {
	info, err := s.root.Lstat(path.Join(hash.String(), EncryptedName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Kind: ErrNotFound, Message: fmt.Sprintf("The package %s is not in %s", hash, s.root.Name()),
			Hint: "check the hash, or download the package first"}
	case err != nil:
		return nil, fileError("read", hash.String(), err)
	case !info.Mode().IsRegular():
		return nil, damagedError(EncryptedName+" is not a regular file", nil)
	}
	return &Package{Hash: hash, Size: info.Size(), root: s.root}, nil
}

// Remove removes a package. Error: ErrNotFound. A program that is killed meanwhile leaves a leftover, never half a package.
func (s *Store) Remove(hash ledger.Hash160) error {
	unfinished, err := newStaging(s.root, ".")
	if err != nil {
		return err
	}
	defer unfinished.Discard()
	err = s.root.Rename(hash.String(), path.Join(unfinished.name, hash.String()))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = s.Package(hash)
	}
	if err != nil {
		return fileError("remove", hash.String(), err)
	}
	return fileError("sync", s.root.Name(), syncIn(s.root, "."))
}

// Package is a package in its place.
type Package struct {
	Hash ledger.Hash160
	Size int64 // of content.zip.aes, in bytes

	root *os.Root
}

// Open opens content.zip.aes for reading. The caller closes it.
func (p *Package) Open() (*os.File, error) { return p.open(EncryptedName) }

func (p *Package) open(name string) (*os.File, error) {
	return openRegular(p.root, path.Join(p.Hash.String(), name))
}

// Part is a file of a package as other programs name it.
type Part struct {
	Name string // content.zip.aes, content.cus, or the name of a sample behind Samples/
	Size int64
}

// Parts returns the files of the package that others get, sorted by name.
func (p *Package) Parts() ([]Part, error) {
	var parts []Part
	samples, err := fs.ReadDir(p.root.FS(), path.Join(p.Hash.String(), SamplesName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fileError("list", SamplesName, err)
	}
	names := make([]string, 0, len(samples)+2)
	for _, sample := range samples {
		if sample.Type().IsRegular() {
			names = append(names, path.Join(SamplesName, sample.Name()))
		}
	}
	for _, name := range append(names, CustodyName, EncryptedName) {
		info, err := p.root.Lstat(path.Join(p.Hash.String(), name))
		if errors.Is(err, fs.ErrNotExist) && name == CustodyName {
			continue
		}
		if err != nil {
			return nil, fileError("read", name, err)
		}
		parts = append(parts, Part{Name: name, Size: info.Size()})
	}
	return parts, nil
}

// OpenPart opens one of Parts for reading. The caller closes it.
func (p *Package) OpenPart(part Part) (*os.File, error) { return p.open(part.Name) }

// Megabytes returns the size of all parts as content_submit has it: in MiB, rounded up, at least 1.
func (p *Package) Megabytes() (int64, error) {
	parts, err := p.Parts()
	var bytes int64
	for _, part := range parts {
		bytes += part.Size
	}
	return max(1, (bytes+1<<20-1)>>20), err
}

// Verify reads all of content.zip.aes and compares its hash. Errors: ErrHash, ErrFile, the context's.
func (p *Package) Verify(ctx context.Context, report Progress) error {
	f, err := p.Open()
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return verify(ctx, f, p.Hash, &progress{ctx: ctx, report: report, total: p.Size})
}

// verify compares the hash of what from has from its position on.
func verify(ctx context.Context, from io.Reader, want ledger.Hash160, done *progress) error {
	sum := ripemd160.New()
	if _, err := done.copyCounted(sum, from, make([]byte, chunkSize)); err != nil {
		return fileError("read", EncryptedName, err)
	}
	if got := ledger.Hash160(sum.Sum(nil)); got != want {
		return hashError(want, got)
	}
	return ctx.Err()
}

// IsSampleName reports whether a sample may have a name: it is a plain one that every system allows.
func IsSampleName(name string) bool {
	return !strings.Contains(name, "/") && checkName(name) == "" && checkPortable(name) == ""
}

// CustodySize returns the size of content.cus for an encrypted archive of size bytes: 33 bytes for each 320.
func CustodySize(size int64) int64 { return (size + 319) / 320 * 33 }
