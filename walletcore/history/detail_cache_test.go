package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A row that was opened before the wallet locked and comes to be kept after it is not.
func TestRowsOpenedBeforeALockAreNotKept(t *testing.T) {
	s, raw := newDetailCache(), json.RawMessage(`{"id":"1.7.1"}`)
	out := make([]Detail, 1)
	missing, keys := s.find([]json.RawMessage{raw}, out)
	if len(missing) != 1 {
		t.Fatal("an empty cache has a row")
	}
	s.wipe()
	s.keep(keys, []Detail{{Memo: "secret", Op: raw}})
	if s.by.Len() != 0 {
		t.Error("the row is kept in a locked wallet")
	}
	_, keys = s.find([]json.RawMessage{raw}, out)
	s.keep(keys, []Detail{{Memo: "text", Op: raw}})
	if missing, _ = s.find([]json.RawMessage{raw}, out); len(missing) != 0 || out[0].Memo != "text" {
		t.Errorf("found %+v, %d are missing", out[0], len(missing))
	}
	if missing, _ = s.find([]json.RawMessage{json.RawMessage(`{"id":"1.7.2"}`)}, out); len(missing) != 1 {
		t.Error("another row was found")
	}
}

func TestShownRowsAreBounded(t *testing.T) {
	s := newDetailCache()
	_, keys := s.find(nil, nil)
	for i := range mostDetails + 100 {
		s.keep(keys, []Detail{{Op: json.RawMessage(fmt.Sprintf(`{"id":"1.7.%d"}`, i))}})
	}
	s.keep(keys, []Detail{{Op: json.RawMessage(`"` + strings.Repeat("x", mostDetailBytes) + `"`)}})
	if n := s.by.Len(); n != mostDetails {
		t.Errorf("%d rows are kept, want %d", n, mostDetails)
	}
}
