package token

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

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

// place is where tokens are kept.
type place interface {
	// load reads the tokens, if they may have changed since the last time. After an error no token is known.
	load() (c content, changed bool, err error)

	// change replaces the list while nobody else may.
	change(do func([]Token) ([]Token, error)) error
}

// Store is the tokens of a wallet. Several programs may have them in one place at a time: each change is seen
// by all of them, with the next look at a file, and within a second in a shared table.
type Store struct {
	place place
	now   func() time.Time

	mu   sync.Mutex // held from a look at the place until what it found is known: a later look is never undone by an earlier one
	seen *tokens
}

// tokens are what a look at the place found. They do not change.
type tokens struct {
	known  map[string]Token
	ranked []Token  // oldest first
	notes  []string // see Notes
}

// New makes a token and gives its credential, which is not stored and cannot be
// shown again. If it returns an error, the tokens are unchanged.
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

// Check refuses a name and a scope that New would not take, whatever the store holds.
func (s *Store) Check(name string, scope Scope) error {
	return s.checkNew(name, scope.sorted(walletapi.Methods()).bounded())
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

// SetScope replaces what the token of an id permits, from its next call on. Error: ErrNoToken, or the place's;
// they are unchanged then.
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
// place's; they are unchanged then.
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
	seen, err := s.look()
	if err != nil {
		return nil, err
	}
	return slices.Clone(seen.ranked), nil
}

// Notes say what tokens of a file of an earlier format may no longer do.
func (s *Store) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen.notes)
}

// find returns the token of an id as it is now. An error says nothing of the token: the tokens cannot be read.
func (s *Store) find(id string) (t Token, known bool, err error) {
	seen, err := s.look()
	if err != nil {
		return t, false, err
	}
	t, known = seen.known[id]
	return t, known, nil
}

// look returns the tokens, read again if they may be others than were read. When they cannot be read, no token is known.
func (s *Store) look() (*tokens, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, changed, err := s.place.load()
	if changed || s.seen == nil {
		s.seen = c.index()
	}
	return s.seen, err
}

// change replaces the list.
func (s *Store) change(do func([]Token) ([]Token, error)) error {
	if err := s.place.change(do); err != nil {
		return err
	}
	_, err := s.look()
	return err
}

// index renews the tokens and makes them easy to find.
func (c *content) index() *tokens {
	notes := c.renew(walletapi.Methods())
	known := make(map[string]Token, len(c.Tokens))
	for _, t := range c.Tokens {
		known[t.ID] = t
	}
	return &tokens{known, c.Tokens, notes}
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
