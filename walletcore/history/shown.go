package history

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// shownRows keeps the newest rows that were answered, worded and with their memos opened, so that
// asking again costs a comparison each. It holds memos in the clear, so it is emptied
// whenever the wallet locks.
type shownRows struct {
	seed maphash.Seed

	mu   sync.Mutex
	keys uint64 // counts the locks: what was opened before one is not kept after it
	by   *lru.Cache[uint64, Detail]
}

const (
	mostShown    = 4096    // rows
	mostShownRow = 4 << 10 // bytes of a record; larger ones are worded each time
)

func newShownRows() *shownRows {
	by, err := lru.New[uint64, Detail](mostShown)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &shownRows{seed: maphash.MakeSeed(), by: by}
}

// find fills in the rows that are kept, and returns the places of those that are not, with what keep
// wants to know of this moment.
func (s *shownRows) find(rows []json.RawMessage, out []Detail) (missing []int, keys uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, raw := range rows {
		kept, found := s.by.Get(maphash.Bytes(s.seed, raw))
		if !found || !bytes.Equal(kept.Op, raw) {
			missing = append(missing, i)
			continue
		}
		out[i] = kept
	}
	return missing, s.keys
}

// keep keeps rows that were worded after find, unless the wallet was locked since.
func (s *shownRows) keep(keys uint64, rows []Detail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if keys != s.keys {
		return
	}
	for _, row := range rows {
		if len(row.Op) <= mostShownRow {
			s.by.Add(maphash.Bytes(s.seed, row.Op), row)
		}
	}
}

// wipe forgets every row.
func (s *shownRows) wipe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys++
	s.by.Purge()
}
