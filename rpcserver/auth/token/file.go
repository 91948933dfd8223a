package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"billfold/osfile"
	"billfold/walletcore/walletapi"
)

// fileBackend keeps tokens in a file.
type fileBackend struct {
	path   string
	shared func(fs.FileInfo) bool // whether the group of the file may use it, too; nil = no group may

	mu       sync.Mutex
	readInfo fs.FileInfo // of the file when it was last read; nil = not read, or missing
}

// OpenStore returns the tokens in the file at path. A missing file has none.
func OpenStore(path string) (*Store, error) { return OpenStoreFor(path, nil) }

// OpenStoreFor is OpenStore for a file whose group may use it, too, if shared accepts it.
func OpenStoreFor(path string, shared func(fs.FileInfo) bool) (*Store, error) {
	s := &Store{backend: &fileBackend{path: path, shared: shared}, now: time.Now}
	_, err := s.current()
	return s, err
}

// load reads the file if it has changed since it was last read.
func (s *fileBackend) load() (c content, changed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		s.readInfo = nil
		return content{}, true, nil
	}
	if os.SameFile(info, s.readInfo) && info.ModTime().Equal(s.readInfo.ModTime()) &&
		info.Size() == s.readInfo.Size() && info.Mode() == s.readInfo.Mode() {
		return content{}, false, nil
	}
	if c, err = s.read(); err != nil {
		s.readInfo = nil
		return content{}, true, err
	}
	s.readInfo = info
	return c, true, nil
}

func (s *fileBackend) read() (c content, err error) {
	f, err := os.Open(s.path)
	if err != nil {
		return c, fmt.Errorf("the token file cannot be read: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return c, fmt.Errorf("the token file cannot be read: %w", err)
	}
	if who := osfile.Exposure(s.path, info, s.shared); who != "" {
		return c, fmt.Errorf("the token file %s can be used by others (%s); check who changed it, then run: %s, or trust its group with --trust-group",
			s.path, who, osfile.Closing(s.path))
	}
	if err := json.NewDecoder(f).Decode(&c); err != nil {
		return c, fmt.Errorf("the token file %s is damaged: %w; move it away and make new tokens", s.path, err)
	}
	if c.Version > fileVersion {
		return c, fmt.Errorf("the token file %s was written by a newer Billfold (format %d); use that one", s.path, c.Version)
	}
	return c, nil
}

// lockWait is the longest wait of a change for that of another program.
const lockWait = 10 * time.Second

// change replaces the list under a lock against other programs.
func (s *fileBackend) change(do func([]Token) ([]Token, error)) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("the folder of the token file cannot be made: %w", err)
	}
	release, err := osfile.LockFile(s.path+".lock", lockWait)
	if err != nil {
		return fmt.Errorf("the token file cannot be changed: %s.lock: %w", s.path, err)
	}
	defer release()
	c, err := s.read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c.convert(walletapi.Methods())
	list, err := do(c.Tokens)
	if err != nil {
		return err
	}
	if err := s.save(list); errors.Is(err, syscall.EBUSY) {
		return fmt.Errorf("the token file %s is a mount point of its own, so it cannot be replaced, and is unchanged; mount its folder instead", s.path)
	} else if err != nil {
		return fmt.Errorf("the token file cannot be written and is unchanged: %w", err)
	}
	return nil
}

// save replaces the file atomically: other programs see either the old or the new one.
func (s *fileBackend) save(list []Token) error {
	text, err := json.MarshalIndent(content{fileVersion, list}, "", "  ")
	if err != nil {
		return err
	}
	return osfile.Replace(s.path, append(text, '\n'))
}
