package content

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"billfold/content/archive"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
)

// Source is what a package is made of.
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
	s.samples, err = archive.ScanSamples(at.root, at.name)
	return s, sourceFault(op, from.Samples.Path, err)
}

// sourceFault is packageFault for a folder that may not be there.
func sourceFault(op, path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return noFolder(op, path, fs.ErrNotExist)
	}
	return packageFault(op, err)
}

// digest returns a hash of what the files are called, how large they are and when they changed.
func (s scanned) digest() [sha256.Size]byte {
	content, samples := s.content.Files.Digest(), [sha256.Size]byte{}
	if s.samples != nil {
		samples = s.samples.Files.Digest()
	}
	return sha256.Sum256(append(content[:], samples[:]...))
}

// effects returns which files are packed, and which of them anybody can read: operations name neither.
func (s scanned) effects() []ledger.Effect {
	out := []ledger.Effect{{What: "content", Now: s.places[0].listed(s.content.Files), Note: "nothing is published if one of them changes before it is packed"}}
	if s.samples == nil {
		return append(out, ledger.Effect{What: "preview", Now: "none"})
	}
	return append(out, ledger.Effect{What: "preview", Now: s.places[1].listed(s.samples.Files), Note: "anybody can read these files without paying"})
}

// listed returns files of a place in words, with a number that is another one once they changed.
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
	return fmt.Sprintf("%s of %s: %s; %s (listing %x)", printable.Many(len(files), "file"), fault.Quote(p.path()), strings.Join(names, ", "),
		printable.Many(files.Size(), "byte"), digest[:8])
}
