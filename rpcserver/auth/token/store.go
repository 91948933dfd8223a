package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"billfold/walletcore/walletapi"
)

// fileVersion is the format's; a file of a later one is refused. In the first,
// groups were written that meant all of their operations, and nothing bounded the
// sum that was paid unasked.
const fileVersion = 2

// longestName bounds what a token is called, in bytes.
const longestName = 60

// ErrNoToken means that there is no token of this id or name.
var ErrNoToken = errors.New("there is no such token; billfold token list shows them")

type content struct {
	Version int     `json:"version"`
	Tokens  []Token `json:"tokens"`
}

// Store is the file of tokens. Several programs may use one file at a time:
// each change is seen by all of them with the next look.
type Store struct {
	path string
	now  func() time.Time

	mu     sync.RWMutex
	seen   fs.FileInfo // the file that known was read from; nil = none yet
	known  map[string]Token
	ranked []Token
	notes  []string // see Notes
}

// OpenStore reads the tokens at path; a missing file holds none.
func OpenStore(path string) (*Store, error) {
	s := &Store{path: path, now: time.Now}
	return s, s.refresh()
}

// New makes a token and gives its credential, which is not stored and cannot be
// shown again. If it returns an error, the file is unchanged.
func (s *Store) New(name string, scope Scope) (Token, string, error) {
	scope = scope.sorted(walletapi.Methods()).bounded()
	if err := s.checkNew(name, scope); err != nil {
		return Token{}, "", err
	}
	t, credential := mint(name, scope, s.now())
	err := s.change(func(list []Token) ([]Token, error) {
		if slices.ContainsFunc(list, func(old Token) bool { return old.Name == name || old.ID == t.ID }) {
			return nil, fmt.Errorf("there is a token %q already; choose another name, or revoke it", name)
		}
		return append(list, t), nil
	})
	return t, credential, err
}

func (s *Store) checkNew(name string, scope Scope) error {
	if name == "" || len(name) > longestName || strings.ContainsFunc(name, func(r rune) bool { return r < '!' || r == 0x7f || r > '~' }) {
		return fmt.Errorf("%q is not a name for a token; use up to %d letters, digits and signs without spaces", name, longestName)
	}
	if !scope.Expires.IsZero() && !scope.Expires.After(s.now()) {
		return errors.New("the token would have expired already; give a time in the future")
	}
	return scope.check(walletapi.Methods())
}

// SetScope replaces what the token of an id permits, from its next call on. Error: ErrNoToken, or the file's; it is
// unchanged then.
func (s *Store) SetScope(id string, scope Scope) (Token, error) {
	scope = scope.sorted(walletapi.Methods()).bounded()
	var changed Token
	err := s.change(func(list []Token) ([]Token, error) {
		i := slices.IndexFunc(list, func(t Token) bool { return t.ID == id })
		if i < 0 {
			return nil, ErrNoToken
		}
		if err := s.checkNew(list[i].Name, scope); err != nil {
			return nil, err
		}
		list[i].Scope = scope
		changed = list[i]
		return list, nil
	})
	return changed, err
}

// Revoke removes the token of this id or name. Error: ErrNoToken, or the
// file's; it is unchanged then.
func (s *Store) Revoke(idOrName string) (Token, error) {
	var gone Token
	err := s.change(func(list []Token) ([]Token, error) {
		i := slices.IndexFunc(list, func(t Token) bool { return t.ID == idOrName || t.Name == idOrName })
		if i < 0 {
			return nil, ErrNoToken
		}
		gone = list[i]
		return slices.Delete(list, i, i+1), nil
	})
	return gone, err
}

// List returns the tokens, oldest first.
func (s *Store) List() ([]Token, error) {
	if err := s.refresh(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.ranked), nil
}

// Notes say what tokens of a file of an earlier format may no longer do.
func (s *Store) Notes() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.notes)
}

// find returns the token of an id as the file has it now.
func (s *Store) find(id string) (Token, bool) {
	if s.refresh() != nil {
		return Token{}, false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.known[id]
	return t, ok
}

// refresh reads the file again if it is another one than was read. When it
// cannot be read, no token is known.
func (s *Store) refresh() error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		s.set(nil, content{})
		return nil
	}
	s.mu.RLock()
	same := err == nil && s.seen != nil && os.SameFile(info, s.seen) && info.ModTime().Equal(s.seen.ModTime()) &&
		info.Size() == s.seen.Size() && info.Mode() == s.seen.Mode()
	s.mu.RUnlock()
	if same {
		return nil
	}
	c, err := s.read()
	if err != nil {
		s.set(nil, content{})
		return err
	}
	s.set(info, c)
	return nil
}

func (s *Store) set(info fs.FileInfo, c content) {
	notes := c.renew(walletapi.Methods())
	known := make(map[string]Token, len(c.Tokens))
	for _, t := range c.Tokens {
		known[t.ID] = t
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen, s.known, s.ranked, s.notes = info, known, c.Tokens, notes
}

// renew reads tokens of an earlier format with the safe meaning, and returns what
// that removes.
func (c *content) renew(methods []*walletapi.Method) (notes []string) {
	if c.Version >= fileVersion {
		return nil
	}
	for i := range c.Tokens {
		t := &c.Tokens[i]
		if lost := t.Scope.lost(methods); len(lost) > 0 {
			notes = append(notes, fmt.Sprintf("token %s: a group means what only reads now, so it may no longer call %s; "+
				"make another with --methods if it should call it", t.Name, strings.Join(lost, ", ")))
		}
		bounded := t.Scope.bounded()
		if len(bounded.AskAboveDay) > len(t.Scope.AskAboveDay) {
			notes = append(notes, fmt.Sprintf("token %s: you are asked as well once it has paid %s unasked within 24 hours; "+
				"make another with --ask-above-per-day for another sum", t.Name, strings.Join(limitTexts(bounded.AskAboveDay), ", ")))
		}
		t.Scope = bounded
	}
	return notes
}

func (s *Store) read() (c content, err error) {
	f, err := os.Open(s.path)
	if err != nil {
		return c, fmt.Errorf("the token file cannot be read: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return c, fmt.Errorf("the token file cannot be read: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return c, fmt.Errorf(
			"the token file %s can be used by others (mode %v); check who changed it, then run: chmod 600 %s",
			s.path,
			info.Mode().Perm(),
			s.path,
		)
	}
	if err := json.NewDecoder(f).Decode(&c); err != nil {
		return c, fmt.Errorf("the token file %s is damaged: %w; move it away and make new tokens", s.path, err)
	}
	if c.Version > fileVersion {
		return c, fmt.Errorf("the token file %s was written by a newer Billfold (format %d); use that one", s.path, c.Version)
	}
	return c, nil
}

// change replaces the list while no other program may.
func (s *Store) change(do func([]Token) ([]Token, error)) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("no folder for the token file can be made: %w", err)
	}
	lock, err := os.OpenFile(s.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the token file cannot be changed: %w", err)
	}
	defer lock.Close() // which ends the lock
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("the token file cannot be changed: %w", err)
	}
	if err := s.refresh(); err != nil {
		return err
	}
	s.mu.RLock()
	list := slices.Clone(s.ranked)
	s.mu.RUnlock()
	if list, err = do(list); err != nil {
		return err
	}
	if err := s.save(list); err != nil {
		return fmt.Errorf("the token file cannot be written, it is as it was: %w", err)
	}
	return s.refresh()
}

// save replaces the file in one step: another program sees the old or the new one.
func (s *Store) save(list []Token) error {
	text, err := json.MarshalIndent(content{fileVersion, list}, "", "  ")
	if err != nil {
		return err
	}
	err = renameio.WriteFile(
		s.path,
		append(text, '\n'),
		0o600,
		renameio.WithStaticPermissions(0o600),
		renameio.WithTempDir(filepath.Dir(s.path)),
	)
	if err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(s.path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
