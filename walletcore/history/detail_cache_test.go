package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A row whose memo was decrypted before the wallet locked is not cached after it.
func TestRowsDecryptedBeforeALockAreNotCached(t *testing.T) {
	s, raw := newDetailCache(), json.RawMessage(`{"id":"1.7.1"}`)
	out := make([]Detail, 1)
	missing, locks := s.find([]json.RawMessage{raw}, out)
	if len(missing) != 1 {
		t.Fatal("an empty cache has a row")
	}
	s.wipe()
	s.keep(locks, []Detail{{Memo: "secret", Op: raw}})
	if s.by.Len() != 0 {
		t.Error("the row is cached in a locked wallet")
	}
	_, locks = s.find([]json.RawMessage{raw}, out)
	s.keep(locks, []Detail{{Memo: "text", Op: raw}})
	if missing, _ = s.find([]json.RawMessage{raw}, out); len(missing) != 0 || out[0].Memo != "text" {
		t.Errorf("found %+v, %d are missing", out[0], len(missing))
	}
	if missing, _ = s.find([]json.RawMessage{json.RawMessage(`{"id":"1.7.2"}`)}, out); len(missing) != 1 {
		t.Error("another row was found")
	}
}

func TestDetailCacheIsBounded(t *testing.T) {
	s := newDetailCache()
	_, locks := s.find(nil, nil)
	for i := range maxDetails + 100 {
		s.keep(locks, []Detail{{Op: json.RawMessage(fmt.Sprintf(`{"id":"1.7.%d"}`, i))}})
	}
	s.keep(locks, []Detail{{Op: json.RawMessage(`"` + strings.Repeat("x", maxDetailBytes) + `"`)}})
	if n := s.by.Len(); n != maxDetails {
		t.Errorf("%d rows are cached, want %d", n, maxDetails)
	}
}
