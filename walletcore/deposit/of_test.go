package deposit

import (
	"testing"

	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// A deposit is a transfer to the account, of something; its memo shows only where it was read.
func TestWhatADepositIs(t *testing.T) {
	base := history.Entry{Direction: history.In, Code: 0, Amount: 1, Memo: "order 7", MemoState: vault.MemoOpen}
	for what, c := range map[string]struct {
		change func(*history.Entry)
		is     bool
		memo   string
	}{
		"a transfer":            {func(*history.Entry) {}, true, "order 7"},
		"one by the newer code": {func(e *history.Entry) { e.Code = 39 }, true, "order 7"},
		"another operation":     {func(e *history.Entry) { e.Code = 38 }, false, ""},
		"what goes out":         {func(e *history.Entry) { e.Direction = history.Out }, false, ""},
		"nothing":               {func(e *history.Entry) { e.Amount = 0 }, false, ""},
		"less than nothing":     {func(e *history.Entry) { e.Amount = -1 }, false, ""},
		"with a plain memo":     {func(e *history.Entry) { e.MemoState = vault.MemoPlain }, true, "order 7"},
		"with a locked memo":    {func(e *history.Entry) { e.MemoState = vault.MemoLocked }, true, ""},
		"with somebody's memo":  {func(e *history.Entry) { e.MemoState = vault.MemoForeign }, true, ""},
		"with a damaged memo":   {func(e *history.Entry) { e.MemoState = vault.MemoNone }, true, ""},
	} {
		e := base
		c.change(&e)
		d, is := Of(ledgerview.AccountRef{ID: 7, Name: "bobby"}, e)
		if is != c.is || d.Memo != c.memo || is && (d.AccountID != 7 || d.Account != "bobby") {
			t.Errorf("%s: %t, %+v", what, is, d)
		}
	}
}
