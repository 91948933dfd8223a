package draft

import (
	"context"
	"encoding/json"
	"time"

	"billfold/ledger"
	"billfold/walletcore/build"
)

// Draft is a transfer as a person typed it.
type Draft struct {
	Number  int64 // in the order of saving, from 1
	Saved   time.Time
	Request build.TransferParams
}

// Save saves req for an account of this wallet and returns its number, or the number of an identical draft if there is
// one. Errors: fault.Locked, fault.KeyNotInWallet if the wallet has no key at all, fault.LimitExceeded, fault.File.
func (d *Drafts) Save(ctx context.Context, account ledger.AccountID, req build.TransferParams) (int64, error) {
	kept, err := d.List(ctx, account)
	if err != nil {
		return 0, err
	}
	for _, k := range kept {
		if k.Request == req {
			return k.Number, nil
		}
	}
	return d.save(ctx, account, typedTransfer(req))
}

// typedTransfer is a transfer as stored, independent of the names of the operation's parameters.
type typedTransfer struct {
	From, To, Amount, Asset, Memo string
	Plain                         bool
}

// List returns the drafts of an account, newest first. Those whose key the wallet no longer holds are
// left out. Errors: fault.Locked, fault.File.
func (d *Drafts) List(ctx context.Context, account ledger.AccountID) (out []Draft, err error) {
	err = d.forEach(ctx, account, func(number int64, saved time.Time, text string) {
		made := Draft{Number: number, Saved: saved}
		if _, is := messageIn(text); !is && json.Unmarshal([]byte(text), (*typedTransfer)(&made.Request)) == nil {
			out = append(out, made)
		}
	})
	return out, err
}
