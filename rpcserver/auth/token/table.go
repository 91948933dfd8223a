package token

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"billfold/walletcore/store"
)

// Table holds the tokens that several servers share.
type Table interface {
	Revision(ctx context.Context) (int64, error)
	All(ctx context.Context) (list []store.TokenRow, rev int64, err error)
	Replace(ctx context.Context, rev int64, list []store.TokenRow) error // store.ErrTokensMoved if rev is not the latest
	SubscribeHints(see func(store.Hint)) (stop func())
}

const (
	// maxAge is the longest use of tokens that were read. A token that is revoked at one server is refused by all after that time.
	maxAge = 500 * time.Millisecond

	// queryTimeout is the time that the store has to answer.
	queryTimeout = time.Second

	// firstTimeout is the time that it has when a server starts: it connects, and there are no tokens to be used meanwhile.
	firstTimeout = 10 * time.Second

	// staleFor is the time for which tokens are used while the store does not answer.
	staleFor = 5 * time.Second
)

// tableBackend keeps tokens in a table. It uses what it read for maxAge, and then checks whether there is a later revision.
type tableBackend struct {
	table   Table
	now     func() time.Time
	timeout time.Duration

	changed atomic.Bool // a hint said that the tokens changed, or hints were missed

	mu        sync.Mutex
	checkedAt time.Time // when the tokens were last known to be current; zero = not read
	rev       int64

	failedAt time.Time // when the store last failed to answer; zero = it answers
	failure  error
}

// OpenTable returns the tokens in a table.
func OpenTable(table Table) (*Store, error) {
	p := &tableBackend{table: table, now: time.Now, timeout: firstTimeout}
	table.SubscribeHints(func(h store.Hint) { // until the table is closed
		if h.Tokens || h.Missed {
			p.changed.Store(true)
		}
	})
	s := &Store{backend: p, now: time.Now}
	_, err := s.current()
	p.timeout = queryTimeout
	return s, err
}

// load reads the table, unless it was checked within maxAge or has no later revision.
func (p *tableBackend) load() (c content, changed bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	began := p.now()
	if moved := p.changed.Swap(false); !moved && !p.checkedAt.IsZero() && began.Sub(p.checkedAt) < maxAge {
		return c, false, nil
	}
	if !p.failedAt.IsZero() && began.Sub(p.failedAt) < maxAge { // so that not every call waits for a store that does not answer
		return p.loadStale()
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	rev, err := p.table.Revision(ctx)
	if err == nil && !p.checkedAt.IsZero() && rev == p.rev {
		p.checkedAt, p.failedAt = began, time.Time{}
		return c, false, nil
	}
	var list []Token
	if err == nil {
		list, rev, err = p.read(ctx)
	}
	if err != nil {
		p.failedAt, p.failure = p.now(), fmt.Errorf("the tokens cannot be read: %w", err)
		return p.loadStale()
	}
	p.checkedAt, p.rev, p.failedAt = began, rev, time.Time{}
	return content{fileVersion, list}, true, nil
}

// loadStale keeps the tokens that were read for staleFor. After that it fails.
func (p *tableBackend) loadStale() (c content, changed bool, err error) {
	if !p.checkedAt.IsZero() && p.now().Sub(p.checkedAt) < staleFor {
		return c, false, nil
	}
	p.checkedAt = time.Time{}
	return c, true, p.failure
}

func (p *tableBackend) read(ctx context.Context) (list []Token, rev int64, err error) {
	rows, rev, err := p.table.All(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, r := range rows {
		t := Token{ID: r.ID, Name: r.Name, Hash: r.Hash, Created: time.Unix(r.Made, 0).UTC(), row: r}
		if err := json.Unmarshal([]byte(r.Scope), &t.Scope); err != nil {
			return nil, 0, fmt.Errorf("token %s cannot be read: %w", r.ID, err)
		}
		list = append(list, t)
	}
	return list, rev, nil
}

// changeTries is the number of times a change is tried if other servers are faster.
const changeTries = 20

// change replaces the list, if no other server does at the same time.
func (p *tableBackend) change(do func([]Token) ([]Token, error)) error {
	ctx := context.Background()
	for tries := 1; ; tries++ {
		list, rev, err := p.read(ctx)
		if err == nil {
			list, err = do(list)
		}
		if err != nil {
			return err
		}
		rows, err := Rows(list)
		if err == nil {
			err = p.table.Replace(ctx, rev, rows)
		}
		if errors.Is(err, store.ErrTokensMoved) && tries < changeTries {
			continue
		}
		p.mu.Lock()
		p.checkedAt, p.failedAt = time.Time{}, time.Time{} // read again, whether or not the change succeeded
		p.mu.Unlock()
		if err != nil {
			return fmt.Errorf("the tokens cannot be changed: %w", err)
		}
		return nil
	}
}

// Rows returns tokens as rows of a table.
func Rows(list []Token) (rows []store.TokenRow, err error) {
	for _, t := range list {
		scope, err := json.Marshal(t.Scope)
		if err != nil {
			return nil, err
		}
		rows = append(rows, store.TokenRow{ID: t.ID, Name: t.Name, Hash: t.Hash, Made: t.Created.Unix(), Scope: string(scope)})
	}
	return rows, nil
}

// Copy copies all tokens of one store to another, which must have none, and returns their number.
func Copy(from, to *Store) (n int, err error) {
	list, err := from.List()
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return len(list), to.change(func(there []Token) ([]Token, error) {
		if len(there) > 0 {
			return nil, errors.New("there are tokens already")
		}
		return list, nil
	})
}
