// Package ipfs keeps content in a folder in place of IPFS, and serves the part of the HTTP interface of an IPFS daemon that wallets use to publish
// and fetch it: version, id, add, pin/add, pin/rm, ls, cat and bitswap/ledger.
//
// Nothing leaves the machine, and nothing is ever removed. Ids are SHA-256 of what they name; a real IPFS has others.
package ipfs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	idPrefix  = "Qm"
	unknown   = "nothing here has the id %q"
	folderEnd = ".folder"
	folder    = 1 // type of a link
	file      = 2
)

// Link is a row of a folder.
type Link struct {
	Name string
	Hash string
	Size int64
	Type int // 1 is a folder, 2 a file
}

// Folder is a folder on the disk in which files and listings of folders lie under their ids. It is safe for concurrent use.
type Folder struct{ path string }

// Open opens a folder, which it makes if need be.
func Open(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for content cannot be made: %w", err)
	}
	return &Folder{path}, nil
}

// File opens the file with an id. The caller closes it.
func (f *Folder) File(id string) (*os.File, error) {
	if !isID(id) {
		return nil, fmt.Errorf(unknown, id)
	}
	opened, err := os.Open(filepath.Join(f.path, id))
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf(unknown, id)
	}
	return opened, err
}

// Links lists the folder with an id.
func (f *Folder) Links(id string) (links []Link, err error) {
	if !isID(id) {
		return nil, fmt.Errorf(unknown, id)
	}
	text, err := os.ReadFile(filepath.Join(f.path, id+folderEnd))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf(unknown, id)
	}
	if err == nil {
		err = json.Unmarshal(text, &links)
	}
	return links, err
}

// isID reports whether a text has the form of an id, which is also a file name. That of a real IPFS is one, too: who copies files and listings from
// there into the folder has seeders prove them.
func isID(text string) bool {
	const most = 100
	return text != "" && len(text) <= most && strings.IndexFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}

// addFile keeps a file.
func (f *Folder) addFile(name string, from io.Reader) (Link, error) {
	sum := sha256.New()
	link := Link{Name: name, Type: file}
	id, err := f.keep("", func(to io.Writer) (id string, err error) {
		link.Size, err = io.Copy(io.MultiWriter(to, sum), from)
		return idPrefix + hex.EncodeToString(sum.Sum(nil)), err
	})
	link.Hash = id
	return link, err
}

// addFolder keeps the listing of a folder.
func (f *Folder) addFolder(name string, links []Link) (Link, error) {
	text, err := json.Marshal(links)
	if err != nil {
		return Link{}, err
	}
	sum := sha256.Sum256(text)
	id, err := f.keep(folderEnd, func(to io.Writer) (string, error) {
		_, err := to.Write(text)
		return idPrefix + hex.EncodeToString(sum[:]), err
	})
	return Link{Name: name, Hash: id, Type: folder}, err
}

// keep puts what write writes under the id that it returns, whole and synced or not at all.
func (f *Folder) keep(end string, write func(io.Writer) (id string, err error)) (string, error) {
	unfinished, err := os.CreateTemp(f.path, "unfinished-*")
	if err != nil {
		return "", err
	}
	id, err := write(unfinished)
	if err == nil {
		err = unfinished.Sync()
	}
	err = errors.Join(err, unfinished.Close())
	if err == nil {
		err = os.Rename(unfinished.Name(), filepath.Join(f.path, id+end))
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(unfinished.Name()))
	}
	return id, nil
}
