package content

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"billfold/content/archive"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
)

// Source holds the files that a package is made of.
type Source struct {
	Content Folder // a folder, or a single file
	Samples Folder // files that anybody may read; an empty path = none
}

// scanned is a source whose files were listed.
type scanned struct {
	content *archive.Source
	samples *archive.Samples // nil: none
	places  []place
}

func (s scanned) close() {
	for _, p := range s.places {
		p.close()
	}
}

func (e *Engine) scan(ctx context.Context, op string, from Source) (s scanned, err error) {
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	at, err := e.open(op, from.Content)
	if err != nil {
		return s, err
	}
	s.places = append(s.places, at)
	if e.isOwn(at) {
		return s, ownFiles(op, from.Content.Path)
	}
	if s.content, err = archive.Scan(ctx, at.root, at.name); err != nil {
		return s, sourceFault(op, from.Content.Path, err)
	}
	if from.Samples.Path == "" {
		return s, nil
	}
	if at, err = e.open(op, from.Samples); err != nil {
		return s, err
	}
	s.places = append(s.places, at)
	if e.isOwn(at) {
		return s, ownFiles(op, from.Samples.Path)
	}
	s.samples, err = archive.ScanSamples(at.root, at.name)
	return s, sourceFault(op, from.Samples.Path, err)
}

func ownFiles(op, path string) error {
	return &fault.Error{Code: fault.BadValue, Op: op, Message: fault.Quote(path) + " has the wallet's own files in it, or is one of them", Hint: "put what is to be sold into a folder of its own; nothing was done"}
}

// sourceFault is packageFault for a folder that may not be there.
func sourceFault(op, path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return noFolder(op, path, fs.ErrNotExist)
	}
	return packageFault(op, err)
}

// sum reads all files, whose contents digest and effects are about. Errors: fault.BadValue for files of a wallet and those that change, fault.File,
// fault.Canceled.
func (s scanned) sum(ctx context.Context, op string) error {
	err := s.content.Sum(ctx)
	if err == nil && s.samples != nil {
		err = s.samples.Sum(ctx)
	}
	return packageFault(op, err)
}

// digest returns a hash of names and contents.
func (s scanned) digest() [sha256.Size]byte { return s.hash(archive.Listing.Digest) }

// state returns a hash of names, sizes and times of change.
func (s scanned) state() [sha256.Size]byte { return s.hash(archive.Listing.State) }

func (s scanned) hash(of func(archive.Listing) [sha256.Size]byte) [sha256.Size]byte {
	content, samples := of(s.content.Files), [sha256.Size]byte{}
	if s.samples != nil {
		samples = of(s.samples.Files)
	}
	return sha256.Sum256(append(content[:], samples[:]...))
}

// isOwn reports whether a place is a file of the wallet, or a folder in which such files are.
func (e *Engine) isOwn(at place) bool {
	inside := func(folder, path string) bool {
		rel, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(rel)
	}
	path, wallet := real(at.path()), real(filepath.Dir(e.TaskFolder))
	for _, own := range []string{real(e.TaskFolder), real(e.PackageFolder)} {
		if inside(own, path) || inside(path, own) {
			return true
		}
	}
	info, err := at.root.Stat(at.name)
	return inside(path, wallet) || filepath.Dir(path) == wallet && err == nil && !info.IsDir()
}

// real returns a whole path without links, as far as it is there.
func real(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if without, err := filepath.EvalSymlinks(path); err == nil {
		return without
	}
	return path
}

// effects returns which files are packed, and which of them anybody can read: operations name neither.
func (s scanned) effects() []ledger.Effect {
	out := []ledger.Effect{{What: "content", Now: s.places[0].listed(s.content.Files), Note: "nothing is published if one of them changes before it is packed"}}
	if s.samples == nil {
		return append(out, ledger.Effect{What: "preview", Now: "none"})
	}
	preview := ledger.Effect{What: "preview", Now: s.places[1].listed(s.samples.Files), Note: "anybody can read these files without paying"}
	if s.places[0].path() == s.places[1].path() {
		preview.Careful = "the preview is the folder that is for sale: nobody has to buy it"
	}
	return append(out, preview)
}

// listed returns files of a place in words, with the beginning of the hash of their names and contents.
func (p place) listed(files archive.Listing) string {
	const most = 3
	var names []string
	for _, file := range files[:min(len(files), most)] {
		names = append(names, fault.Quote(file.Name))
	}
	if more := len(files) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	digest := files.Digest()
	return fmt.Sprintf("%s of %s: %s; %s (hash %x)", printable.Many(len(files), "file"), fault.Quote(p.path()), strings.Join(names, ", "),
		printable.Many(files.Size(), "byte"), digest[:8])
}
