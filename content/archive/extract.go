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

// Limits hold while a package is extracted, whatever it claims.
type Limits struct {
	Bytes int64 // of all files
	Files int   // files and folders
}

// DefaultLimits are those of a caller who has no reason for others.
func DefaultLimits() Limits { return Limits{Bytes: 64 << 30, Files: 100_000} }

// Extracted is the result of an extraction.
type Extracted struct {
	Files int
	Bytes int64
	// Cut is set if the package ends behind an empty file: what its publisher put behind that file was lost by the program that made it.
	Cut bool
}

// Extract writes the content of a package to a folder in root, which must not exist or be empty; the folder that it is in must exist. Nothing is written
// before the whole package has the right hash, and nothing is in place before everything is on the disk. Progress counts the package twice: first it is
// verified, then extracted. Errors: ErrHash, ErrKey, ErrDamaged, ErrName, ErrLimit, ErrRoom, ErrExists, ErrFile, the context's; the folder is unchanged then.
func (p *Package) Extract(ctx context.Context, key *Key, root *os.Root, folder string, limits Limits, report Progress) (Extracted, error) {
	if err := checkFree(root, folder); err != nil {
		return Extracted{}, err
	}
	f, err := p.Open()
	if err != nil {
		return Extracted{}, err
	}
	defer func() { _ = f.Close() }()
	done := &progress{ctx: ctx, report: report, total: 2 * p.Size}
	if err := verify(ctx, f, p.Hash, done); err != nil {
		return Extracted{}, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Extracted{}, fileError("read", EncryptedName, err)
	}
	plain, err := newDecrypter(key, &counted{from: f, done: done}, p.Size)
	if err != nil {
		return Extracted{}, err
	}
	reader, err := NewReader(plain)
	if err != nil {
		return Extracted{}, err
	}
	unfinished, err := newStaging(root, path.Dir(folder))
	if err != nil {
		return Extracted{}, err
	}
	extraction := extraction{reader: reader, to: unfinished, limits: limits, buffer: make([]byte, chunkSize)}
	err = extraction.run()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = unfinished.moveTo(folder)
	}
	if err != nil {
		unfinished.Discard()
		return Extracted{}, err
	}
	unfinished.Close()
	return extraction.result, nil
}

// checkFree refuses a place that has something in it, or is a link.
func checkFree(root *os.Root, folder string) error {
	taken := func(what string) error {
		return &Error{Kind: ErrExists, Message: fmt.Sprintf("%q %s", folder, what), Hint: "name a new folder; nothing was extracted"}
	}
	info, err := root.Lstat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fileError("use", folder, err)
	case !info.IsDir():
		return taken("is not a folder")
	}
	f, err := root.Open(folder)
	if err != nil {
		return fileError("use", folder, err)
	}
	_, err = f.ReadDir(1)
	_ = f.Close()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return fileError("use", folder, err)
	}
	return taken("has files already")
}

// counted counts what is read and stops when the context ends.
type counted struct {
	from io.Reader
	done *progress
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if stopped := c.done.add(n); stopped != nil {
		return n, stopped
	}
	return n, err
}

// extraction writes the files of an archive to a staging folder.
type extraction struct {
	reader  *Reader
	to      *staging
	limits  Limits
	folders int
	result  Extracted
	buffer  []byte
}

func (e *extraction) run() error {
	for {
		file, err := e.reader.Next()
		if errors.Is(err, io.EOF) {
			e.result.Cut = e.reader.Cut()
			return nil
		}
		if err != nil {
			return err
		}
		if err := e.extract(file); err != nil {
			return err
		}
	}
}

func (e *extraction) extract(file File) error {
	if problem := checkHere(file.Name); problem != "" {
		return nameError(file.Name, problem)
	}
	e.result.Files++
	e.result.Bytes += file.Size
	if e.result.Bytes > e.limits.Bytes {
		return limitError(fmt.Sprintf("The content has more than the %d bytes that are allowed", e.limits.Bytes))
	}
	if free, err := roomIn(e.to.in, "."); err != nil {
		return fileError("use", file.Name, err)
	} else if file.Size > free {
		return RoomError(e.to.folder(), file.Size, free)
	}
	if err := e.makeFolders(path.Dir(file.Name)); err != nil {
		return err
	}
	if e.result.Files+e.folders > e.limits.Files {
		return limitError(fmt.Sprintf("The content has more than the %d files and folders that are allowed", e.limits.Files))
	}
	err := e.to.write(file.Name, func(to io.Writer) error {
		_, err := io.CopyBuffer(onlyWriter{to}, e.reader, e.buffer)
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return takenError(e.to.in, file.Name)
	}
	return fileError("write", file.Name, err)
}

// takenError returns why a name of an archive is taken: it occurs twice, or the disk of in takes it for another one, which is named.
func takenError(in *os.Root, name string) error {
	entries, _ := fs.ReadDir(in.FS(), path.Dir(name))
	for _, entry := range entries {
		if other := entry.Name(); other != path.Base(name) && folded(other) == folded(path.Base(name)) {
			return nameError(name, fmt.Sprintf("and %q are one on this disk; extract them to one that distinguishes capitals and accents", path.Join(path.Dir(name), other)))
		}
	}
	return nameError(name, "occurs twice")
}

// onlyWriter hides that a file can read by itself, with a buffer of its own.
type onlyWriter struct{ io.Writer }

// makeFolders makes a folder and those above it, and counts the new ones.
func (e *extraction) makeFolders(name string) error {
	if name == "." {
		return nil
	}
	info, err := e.to.in.Lstat(name)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return nameError(name, "is that of a file and that of a folder, or of another one on this disk")
	case !errors.Is(err, fs.ErrNotExist):
		return fileError("create", name, err)
	}
	if err := e.makeFolders(path.Dir(name)); err != nil {
		return err
	}
	e.folders++
	return fileError("create", name, e.to.in.Mkdir(name, 0o700))
}
