package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"billfold/osfile"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/store/sqlite"
)

const (
	indexName      = "history.db" // the file of the history index
	indexOwnerName = "history.of" // in the folder of --index-dir, says which wallet has its index there
	indexProbe     = ".history-*" // a file by which is seen whether that folder can be written
)

// indexFolder returns the folder of the history index.
func (s *settings) indexFolder() string {
	if s.hasIndexDir() {
		return s.indexDir
	}
	return s.dataDir
}

// hasIndexDir reports whether the index is not in the wallet's folder.
func (s *settings) hasIndexDir() bool {
	return s.indexDir != "" && !s.sandbox && !isSame(s.indexDir, s.dataDir)
}

func (s *settings) indexPath() string { return filepath.Join(s.indexFolder(), indexName) }

// checkIndexDir refuses a folder for the index that others can write. Whether it is there and can be used is asked by whoever opens the index:
// commands that do without it run while its disk is away.
func (s *settings) checkIndexDir() error {
	if !s.hasIndexDir() {
		return nil
	}
	if err := s.trust.Folder(s.indexDir, "--index-dir"); err != nil {
		return err
	}
	return s.trust.Files(s.indexDir, []string{indexName + "*", indexOwnerName})
}

// openIndex opens the history index in folder.
func (p *program) openIndex(folder string) (*historyindex.Index, error) {
	if p.noHistory && p.box == nil {
		scratch, end, err := newScratch()
		if err != nil {
			return nil, err
		}
		p.removeScratch = end
		return historyindex.Open(filepath.Join(scratch, indexName))
	}
	advice := "make the wallet's folder writable"
	if p.box == nil && p.settings.hasIndexDir() {
		folder, advice = p.settings.indexDir, "make its folder writable"
		if err := p.settings.takeIndexDir(!p.aside); err != nil {
			return nil, err
		}
	}
	index, err := historyindex.Open(filepath.Join(folder, indexName))
	if err != nil {
		err = fmt.Errorf("%w; %s, or move that file away: it is rebuilt from the ledger", err, advice)
	}
	return index, err
}

// indexOwner is the content of indexOwnerName.
type indexOwner struct {
	Wallet string `json:"wallet_folder"`
}

// takeIndexDir refuses a folder for the index that is not there, cannot be written or is another wallet's, and with claim makes it this one's.
func (s *settings) takeIndexDir(claim bool) error {
	if _, err := os.Stat(s.indexDir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s for the history index; mount its disk, make the folder, or name another with --index-dir", s.indexDir)
	}
	for _, name := range []string{keystoreName, sqlite.Name} {
		if _, err := os.Lstat(filepath.Join(s.indexDir, name)); err == nil {
			return fmt.Errorf("%s is the folder of another wallet, with its own %s, and no place for the history index of this one; name another with --index-dir",
				s.indexDir, name)
		}
	}
	if info, err := os.Lstat(s.indexPath()); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is a link or no file, and what it leads to may be another wallet's; move it away, the index is rebuilt from the ledger", s.indexPath())
	}
	owned, err := s.ownsIndexDir()
	if err != nil {
		return err
	}
	home, err := filepath.Abs(s.dataDir)
	if err != nil {
		return err
	}
	text, err := json.Marshal(indexOwner{home})
	if err != nil {
		return err
	}
	probe, err := writtenProbe(s.indexDir, append(text, '\n'))
	if err != nil {
		advice := "make it writable"
		if osfile.IsFull(err) {
			advice = "make room on its disk"
		}
		if at, is := errors.AsType[*fs.PathError](err); is { // which names a file that is gone
			err = at.Err
		}
		return fmt.Errorf("the folder %s of the history index cannot be written: %w; %s, or name another with --index-dir", s.indexDir, err, advice)
	}
	defer os.Remove(probe) //nolint:errcheck // whoever opens the index next does without it, too
	if owned || !claim {
		return nil
	}
	path := filepath.Join(s.indexDir, indexOwnerName)
	if err = os.Link(probe, path); errors.Is(err, fs.ErrExist) { // another wallet was faster, or another program of this one
		_, err = s.ownsIndexDir()
	} else if err != nil { // a file system without links
		err = osfile.Rename(probe, path)
	}
	return err
}

// ownsIndexDir reports whether the folder of the index says that it is this wallet's. It refuses one that says that it is another's.
func (s *settings) ownsIndexDir() (bool, error) {
	path := filepath.Join(s.indexDir, indexOwnerName)
	text, err := s.trust.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var owner indexOwner
	if json.Unmarshal(text, &owner) != nil || owner.Wallet == "" {
		return false, fmt.Errorf("%s does not say which wallet has its history index there; if it is this one, remove that file, or name another folder with --index-dir", path)
	}
	if isSame(owner.Wallet, s.dataDir) {
		return true, nil
	}
	return false, fmt.Errorf("%s has the history index of the wallet in %s; name another folder with --index-dir, or, if this is that wallet, which was moved, remove %s",
		s.indexDir, owner.Wallet, path)
}

// writtenProbe writes a file of its own into a folder, and returns its path. It removes those that killed programs left there.
func writtenProbe(folder string, text []byte) (path string, err error) {
	left, _ := filepath.Glob(filepath.Join(folder, indexProbe)) // the pattern is good
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(path) // the next one tries again
		}
	}
	file, err := os.CreateTemp(folder, indexProbe)
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// isSame reports whether two paths lead to the same folder.
func isSame(a, b string) bool {
	whole, err := filepath.Abs(a)
	other, err2 := filepath.Abs(b)
	if err != nil || err2 != nil {
		return a == b
	}
	if whole == other {
		return true
	}
	is, err := os.Stat(whole)
	was, err2 := os.Stat(other)
	return err == nil && err2 == nil && os.SameFile(is, was)
}

// spareIndex returns the index that lies unused in the wallet's folder, "" if there is none.
func (s *settings) spareIndex() string {
	path := filepath.Join(s.dataDir, indexName)
	if _, err := os.Stat(path); err != nil || !s.hasIndexDir() {
		return ""
	}
	return path
}
