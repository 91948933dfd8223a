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

// Table is where several servers have their tokens together.
type Table interface {
	Revision(ctx context.Context) (int64, error)
	All(ctx context.Context) (list []store.TokenRow, rev int64, err error)
	Replace(ctx context.Context, rev int64, list []store.TokenRow) error // store.ErrTokensMoved when somebody was faster
	SubscribeHints(see func(store.Hint)) (stop func())
}

const (
	// lookAgain is how old what is known may be: a token that is revoked at one server is refused by all of them after that.
	lookAgain = 500 * time.Millisecond

	// answerTime is how long the store may take to answer.
	answerTime = time.Second

	// blindFor is how long tokens are known while the store does not answer.
	blindFor = 5 * time.Second
)

// tablePlace has the tokens in a table. What it read is good for a moment; then it looks whether there is a later revision.
type tablePlace struct {
	table Table
	now   func() time.Time

	moved atomic.Bool // somebody says so, or may have and was not heard

	mu   sync.Mutex
	seen time.Time // when what is known was known to be the latest; zero = nothing was read
	rev  int64

	failed time.Time // when the store did not answer, the last time; zero = it does
	why    error
}

// OpenTable reads the tokens of a table.
func OpenTable(table Table) (*Store, error) {
	p := &tablePlace{table: table, now: time.Now}
	table.SubscribeHints(func(h store.Hint) { // until the table is closed
		if h.Tokens || h.Missed {
			p.moved.Store(true)
		}
	})
	s := &Store{place: p, now: time.Now}
	_, err := s.look()
	return s, err
}

// load reads the table unless it was looked at a moment ago, or has no later revision.
func (p *tablePlace) load() (c content, changed bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	began := p.now()
	if moved := p.moved.Swap(false); !moved && !p.seen.IsZero() && began.Sub(p.seen) < lookAgain {
		return c, false, nil
	}
	if !p.failed.IsZero() && began.Sub(p.failed) < lookAgain { // not every call waits for a store that is away
		return p.blind()
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	rev, err := p.table.Revision(ctx)
	if err == nil && !p.seen.IsZero() && rev == p.rev {
		p.seen, p.failed = began, time.Time{}
		return c, false, nil
	}
	var list []Token
	if err == nil {
		list, rev, err = p.read(ctx)
	}
	if err != nil {
		p.failed, p.why = p.now(), fmt.Errorf("the tokens cannot be read: %w", err)
		return p.blind()
	}
	p.seen, p.rev, p.failed = began, rev, time.Time{}
	return content{fileVersion, list}, true, nil
}

// blind goes on with what is known, for a few seconds.
func (p *tablePlace) blind() (c content, changed bool, err error) {
	if !p.seen.IsZero() && p.now().Sub(p.seen) < blindFor {
		return c, false, nil
	}
	p.seen = time.Time{}
	return c, true, p.why
}

func (p *tablePlace) read(ctx context.Context) (list []Token, rev int64, err error) {
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

// changeTries is how often a change is tried that others are faster than.
const changeTries = 20

// change replaces the list that is there.
func (p *tablePlace) change(do func([]Token) ([]Token, error)) error {
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
		p.seen, p.failed = time.Time{}, time.Time{} // whatever became of it
		p.mu.Unlock()
		if err != nil {
			return fmt.Errorf("the tokens cannot be changed: %w", err)
		}
		return nil
	}
}

// Rows are tokens as a table has them.
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

// Copy writes the tokens of one place into another that has none.
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
