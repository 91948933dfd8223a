package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/store/sqlite"
)

// Manifest says what is in a backup. It comes first in it.
type Manifest struct {
	Made     time.Time      `json:"made"`    // UTC, whole seconds
	Program  string         `json:"program"` // version of the program that made it
	Chain    ledger.ChainID `json:"chain_id"`
	Keys     int            `json:"keys"`
	Accounts int            `json:"accounts"`
	Changes  int64          `json:"changes"` // of the store
	Files    []File         `json:"files"`
}

// File is a file in a backup.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 []byte `json:"sha256"`
}

// keysName is the name of the key file.
const keysName = "wallet.keys"

// names returns the files of a wallet's folder that a backup may have, in their order in it. The key file is the last that is put back:
// a folder without one is no wallet yet.
func names() []string {
	return []string{sqlite.Name, "config.yaml", "keys.yaml", "rpc-tokens.json", "rpc-cert.pem", "rpc-key.pem", keysName}
}

// place returns the place of a file of that name among those of a backup, -1 for none. Archives, which are all at one, follow the store.
func place(name string) int {
	at := slices.Index(names(), name)
	switch {
	case sqlite.ArchiveName.MatchString(name):
		return 1
	case at > 0:
		return at + 1
	}
	return at
}

// maxManifest is more bytes than any manifest has.
const maxManifest = 64 << 10

// check refuses a manifest that this program would not write.
func (m Manifest) check() error {
	at, before := -1, ""
	for _, f := range m.Files {
		next := place(f.Name)
		if next < at || next == at && (next != 1 || f.Name <= before) || next < 0 || f.Size < 0 || len(f.SHA256) != sha256.Size {
			return damaged(fmt.Sprintf("it lists the file %q", f.Name))
		}
		at, before = next, f.Name
	}
	if len(m.Files) < 2 || m.Files[0].Name != sqlite.Name || m.Files[len(m.Files)-1].Name != keysName || m.Made.IsZero() {
		return damaged("it lacks the keys or the store")
	}
	return nil
}

func damaged(what string) error {
	return &keystore.Error{Kind: keystore.ErrDamaged, Message: "The backup is damaged: " + what, Hint: "use another one; nothing was restored from it"}
}

// write writes the length of the manifest in four bytes, the manifest as JSON, and the contents of its files, each from its source.
func write(to io.Writer, m Manifest, contents []io.Reader) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := to.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)); err != nil {
		return err
	}
	for i, f := range m.Files {
		sum := sha256.New()
		switch n, err := io.Copy(io.MultiWriter(to, sum), contents[i]); {
		case err != nil:
			return err
		case n != f.Size || !bytes.Equal(sum.Sum(nil), f.SHA256):
			return fmt.Errorf("%s changed while it was read; back up again", f.Name)
		}
	}
	return nil
}

// read reads what write wrote: the manifest is passed to begin, each file to take, which reads all of it. What take did with a file counts
// only if read returns nil: a file is proven by its end.
func read(from io.Reader, begin func(Manifest) error, take func(File, io.Reader) error) error {
	m, err := readManifest(from)
	if err == nil {
		err = begin(m)
	}
	if err != nil {
		return err
	}
	for _, f := range m.Files {
		sum := sha256.New()
		part := &io.LimitedReader{R: from, N: f.Size}
		if err := take(f, io.TeeReader(part, sum)); err != nil {
			return err
		}
		if part.N != 0 || !bytes.Equal(sum.Sum(nil), f.SHA256) {
			return damaged(f.Name + " is not as it was when the backup was made")
		}
	}
	switch n, err := io.CopyN(io.Discard, from, 1); { // the end is proven, too
	case n > 0:
		return damaged("it has more than its files")
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

func readManifest(from io.Reader) (m Manifest, err error) {
	var size [4]byte
	if _, err := io.ReadFull(from, size[:]); err != nil {
		return m, shortened(err)
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxManifest {
		return m, damaged("its list of files cannot be read")
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(from, text); err != nil {
		return m, shortened(err)
	}
	lines := json.NewDecoder(bytes.NewReader(text))
	lines.DisallowUnknownFields()
	if err := lines.Decode(&m); err != nil || lines.More() {
		return m, damaged("its list of files cannot be read")
	}
	return m, m.check()
}

// shortened returns the error for a stream that ends too early, or the one that its source gave.
func shortened(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return damaged("it was cut short")
	}
	return err
}
