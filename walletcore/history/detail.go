package history

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Detail is one row as the reference returns it: the record as the
// daemon wrote it, an English description, and the memo if it can be opened.
type Detail struct {
	Memo        string          `json:"memo"`
	Description string          `json:"description"`
	Op          json.RawMessage `json:"op"`
}

// detailCache keeps the rows that were returned last, with description and decrypted memo, so
// that returning one again takes only a comparison. It holds memos in clear text and must be
// wiped whenever the wallet locks.
type detailCache struct {
	seed maphash.Seed

	mu    sync.Mutex
	locks uint64 // counts how often the wallet locked: a memo opened before a lock is not cached after it
	by    *lru.Cache[uint64, Detail]
}

const (
	maxDetails     = 4096    // rows
	maxDetailBytes = 4 << 10 // of a record; larger ones are not cached
)

func newDetailCache() *detailCache {
	by, err := lru.New[uint64, Detail](maxDetails)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &detailCache{seed: maphash.MakeSeed(), by: by}
}

// find fills in the rows that are cached, and returns the indexes of those that are not, with the
// count of locks to pass to keep.
func (s *detailCache) find(rows []json.RawMessage, out []Detail) (missing []int, locks uint64) {
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
	return missing, s.locks
}

// keep caches rows, unless the wallet was locked since the call of find that returned locks.
func (s *detailCache) keep(locks uint64, rows []Detail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if locks != s.locks {
		return
	}
	for _, row := range rows {
		if len(row.Op) <= maxDetailBytes {
			s.by.Add(maphash.Bytes(s.seed, row.Op), row)
		}
	}
}

// wipe forgets every row.
func (s *detailCache) wipe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locks++
	s.by.Purge()
}
