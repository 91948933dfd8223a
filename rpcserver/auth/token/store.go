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

// fileVersion is the version of the format; files of later versions are refused. In
// version 1 a group permitted all of its operations, and nothing limited the sum that
// was paid without asking.
const fileVersion = 2

// maxName is the length limit of a token's name, in bytes.
const maxName = 60

// ErrNoToken means that there is no token with this id or name.
var ErrNoToken = errors.New("there is no such token; billfold token list shows them")

type content struct {
	Version int     `json:"version"`
	Tokens  []Token `json:"tokens"`
}

// backend is the place where tokens are kept.
type backend interface {
	// load reads the tokens if they may have changed since the last load. After an error with changed, no token is known.
	load() (c content, changed bool, err error)

	// change replaces the list by what do returns, with no other change in between.
	change(do func([]Token) ([]Token, error)) error
}

// Store is the tokens of a wallet. Several programs may share them: all of them see each change, at the next use of
// a file, and within a second in a shared table.
type Store struct {
	backend backend
	now     func() time.Time

	mu     sync.Mutex // held while loading and storing the result, so that an earlier load never replaces a later one
	loaded *tokens
}

// tokens are the tokens as loaded. They do not change.
type tokens struct {
	byID  map[string]Token // by id
	list  []Token          // oldest first
	notes []string         // see Notes
}

// New makes a token and returns it with its credential, which is not stored and cannot
// be shown again. If it returns an error, the tokens are unchanged.
func (s *Store) New(name string, scope Scope) (Token, string, error) {
	scope = scope.withGroups(walletapi.Methods()).withDayLimit()
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

// Check refuses a name or a scope that New would refuse regardless of the other tokens.
func (s *Store) Check(name string, scope Scope) error {
	return s.checkNew(name, scope.withGroups(walletapi.Methods()).withDayLimit())
}

func (s *Store) checkNew(name string, scope Scope) error {
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, func(r rune) bool { return r < '!' || r == 0x7f || r > '~' }) {
		return fmt.Errorf("%q is not a name for a token; use up to %d letters, digits and signs without spaces", name, maxName)
	}
	if !scope.Expires.IsZero() && !scope.Expires.After(s.now()) {
		return errors.New("the token would have expired already; give a time in the future")
	}
	return scope.check(walletapi.Methods())
}

// SetScope replaces what the token with an id permits, from its next call on. If it returns an error, such as ErrNoToken, the
// tokens are unchanged.
func (s *Store) SetScope(id string, scope Scope) (Token, error) {
	scope = scope.withGroups(walletapi.Methods()).withDayLimit()
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

// Revoke removes the token with this id or name. If it returns an error, such as
// ErrNoToken, the tokens are unchanged.
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
	seen, err := s.current()
	if err != nil {
		return nil, err
	}
	return slices.Clone(seen.list), nil
}

// Notes returns sentences about what tokens in a file of an earlier format may no longer do.
func (s *Store) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.loaded.notes)
}

// find returns the current token with an id. An error means that the tokens cannot be read, not that there is no such token.
func (s *Store) find(id string) (t Token, known bool, err error) {
	seen, err := s.current()
	if err != nil {
		return t, false, err
	}
	t, known = seen.byID[id]
	return t, known, nil
}

// current returns the tokens, loaded again if they may have changed. If they cannot be read, no token is known.
func (s *Store) current() (*tokens, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, changed, err := s.backend.load()
	if changed || s.loaded == nil {
		s.loaded = c.index()
	}
	return s.loaded, err
}

// change replaces the list and loads it. It is made even if it cannot be loaded now: whoever uses a token next loads it again.
func (s *Store) change(do func([]Token) ([]Token, error)) error {
	if err := s.backend.change(do); err != nil {
		return err
	}
	_, _ = s.current()
	return nil
}

// index converts the tokens from an earlier format and indexes them by id.
func (c *content) index() *tokens {
	notes := c.convert(walletapi.Methods())
	known := make(map[string]Token, len(c.Tokens))
	for _, t := range c.Tokens {
		known[t.ID] = t
	}
	return &tokens{known, c.Tokens, notes}
}

// convert reads tokens of an earlier format in their safe meaning, and returns sentences about
// what they may no longer do.
func (c *content) convert(methods []*walletapi.Method) (notes []string) {
	if c.Version >= fileVersion {
		return nil
	}
	for i := range c.Tokens {
		t := &c.Tokens[i]
		if lost := t.Scope.lostMethods(methods); len(lost) > 0 {
			notes = append(notes, fmt.Sprintf("token %s: a group now permits only operations that read, so it may no longer call %s; "+
				"make another with --methods if it should", t.Name, strings.Join(lost, ", ")))
		}
		bounded := t.Scope.withDayLimit()
		if len(bounded.AskAboveDay) > len(t.Scope.AskAboveDay) {
			notes = append(notes, fmt.Sprintf("token %s: you are also asked once it has paid %s unasked within 24 hours; "+
				"make another with --ask-above-per-day for another sum", t.Name, strings.Join(limitTexts(bounded.AskAboveDay), ", ")))
		}
		t.Scope = bounded
	}
	return notes
}
