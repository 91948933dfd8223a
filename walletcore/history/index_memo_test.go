package history_test

import (
	"fmt"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/testwallet"
)

// write makes payments to bobby with memos, twenty to a transaction; every third memo is plain.
func (s *historyFixture) write(texts ...string) {
	s.T.Helper()
	from, to := keyOf("alice").Public(), keyOf("bobby").Public()
	secret, err := keyOf("alice").SharedSecret(to)
	testwallet.Must(s.T, err)
	var ops []ledger.Operation
	for i, text := range texts {
		memo := ledger.PlainMemo(text)
		if i%3 != 0 {
			memo, err = ledger.EncryptMemoWith(secret, from, to, 0, text)
			testwallet.Must(s.T, err)
		}
		pay := &ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: 1}, Memo: &memo}
		ops = append(ops, ledger.NewOperation(pay))
		if len(ops) == 20 || i == len(texts)-1 {
			_, err := s.Box.PushUnsigned(ops...)
			testwallet.Must(s.T, err)
			ops = nil
		}
	}
}

// searched returns the results of searching for a text to the end.
func (s *historyFixture) searched(text string) history.MemoSearch {
	s.T.Helper()
	found, err := s.History.SearchMemos(s.Ctx, 16, text, 0)
	testwallet.Must(s.T, err)
	return found
}

func (s *historyFixture) expect(text string, rows int) {
	s.T.Helper()
	found := s.searched(text)
	if len(found.IDs) != rows || found.More || found.Read != found.Total {
		s.T.Errorf("%q is found in %d rows, want %d: %+v", text, len(found.IDs), rows, found)
	}
}

func TestMemoSearchCoversReadableMemos(t *testing.T) {
	s := openFixture(t, "alice")
	s.push(3)
	for range 8 {
		s.block()
	}
	s.catchUp()
	s.expect("rent", 0) // only rows without memos are final
	var texts []string
	for i := range 1100 {
		texts = append(texts, fmt.Sprintf("Invoice %04d, thank you", i))
	}
	s.write(texts...)
	s.block()
	s.catchUp()
	s.expect("invoice 0", 1000)
	s.expect("INVOICE 1099,", 1)
	for range 8 {
		s.block()
	}
	s.write("rent for May")
	s.block()
	s.catchUp()
	s.expect("invoice 0", 1000)
	s.expect("rent", 1)
	s.expect("you\x00invoice", 0)

	s.Vault.Lock()
	if found := s.searched("invoice"); len(found.IDs) != 367 || !found.Locked {
		t.Errorf("locked: %d rows, locked %v", len(found.IDs), found.Locked)
	}
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	s.expect("invoice", 1100)

	s.reopen()
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	for read := uint64(0); ; {
		found, err := s.History.SearchMemos(s.Ctx, 16, "invoice", time.Nanosecond)
		testwallet.Must(t, err)
		if !found.More {
			break
		}
		if found.Read <= read || found.Read >= found.Total {
			t.Fatalf("after %d rows of %d: %d", read, found.Total, found.Read)
		}
		read = found.Read
	}
	s.expect("invoice", 1100)
}
