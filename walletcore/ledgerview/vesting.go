package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// vestingReader is the daemon as vesting balances are read from it.
type vestingReader interface {
	VestingBalances(ctx context.Context, owner ledger.AccountID) ([]json.RawMessage, error)
}

// Vesting reads vesting balances.
type Vesting struct {
	daemon   vestingReader
	accounts *Accounts
	objects  *Objects
	chain    *Chain
}

// VestingBalance is one with what may be withdrawn at a time.
type VestingBalance struct {
	ledger.VestingBalance
	Allowed   ledger.AssetAmount `json:"allowed_withdraw"`
	AllowedAt ledger.Time        `json:"allowed_withdraw_time"`
}

// List lists the vesting balances of an account, by name or id, or the one of an id 1.9.N, with what
// may be withdrawn as of the head block.
func (s *Vesting) List(ctx context.Context, ref string) ([]json.RawMessage, error) {
	found, err := s.find(ctx, ref)
	if err != nil {
		return nil, err
	}
	head, err := s.chain.Head(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(found))
	for i, raw := range found {
		var balance ledger.VestingBalance
		if err := codec.Unmarshal(raw, &balance); err != nil {
			return nil, fault.Daemon("reading a vesting balance", err)
		}
		free, err := balance.Free(head.Time)
		if err != nil {
			return nil, fault.Daemon("reading a vesting balance", err)
		}
		allowed := ledger.AssetAmount{Amount: free, AssetID: balance.Balance.AssetID}
		out[i], err = Annotate(raw, Annotation{"allowed_withdraw", &allowed}, Annotation{"allowed_withdraw_time", &head.Time})
		if err != nil {
			return nil, fault.Daemon("reading a vesting balance", err)
		}
	}
	return out, nil
}

func (s *Vesting) find(ctx context.Context, ref string) ([]json.RawMessage, error) {
	if id, err := ledger.ParseObjectID(ref); err == nil && ledger.VestingBalanceID(id.Instance()).Object() == id {
		found, err := s.objects.Get(ctx, []ledger.ObjectID{id})
		if err != nil {
			return nil, err
		}
		if IsNull(found[0]) {
			return []json.RawMessage{}, nil
		}
		return found, nil
	}
	account, err := s.accounts.Get(ctx, ref)
	if err != nil {
		return nil, err
	}
	found, err := s.daemon.VestingBalances(ctx, account.ID)
	return found, daemonFault("reading vesting balances", err)
}
