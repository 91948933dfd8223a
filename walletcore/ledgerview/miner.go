package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// minerReader is the part of the daemon that miners are read from.
type minerReader interface {
	LookupMinerAccounts(ctx context.Context, lower string, limit uint32) (json.RawMessage, error)
	MinerByAccount(ctx context.Context, account ledger.AccountID) (json.RawMessage, error)
	GetMiners(ctx context.Context, ids []ledger.MinerID) ([]json.RawMessage, error)
	SearchMinerVoting(ctx context.Context, s daemonclient.MinerSearch) ([]json.RawMessage, error)
}

// Miners reads miners, and who votes for them.
type Miners struct {
	daemon   minerReader
	accounts *Accounts
}

// MinerSearch selects miners.
type MinerSearch struct {
	Voter string // name or id of an account; "" = nobody
	Term  string // a part of the name
	Voted bool   // only those that Voter votes for
	Order string // "+name", "-name", "+link", "-link", "+votes", "-votes"
	From  string // id of the miner to start at; "" = the first
	Count uint32 // at most 1000
}

// List lists [account name, miner id] pairs sorted by name, starting at lower, at most limit (1000).
func (s *Miners) List(ctx context.Context, lower string, limit uint32) (json.RawMessage, error) {
	raw, err := s.daemon.LookupMinerAccounts(ctx, lower, limit)
	return raw, daemonFault("listing miners", err)
}

// Get finds a miner by its own id, or by the name or id of its account. Errors:
// fault.NoSuchMiner, fault.NoSuchAccount, or the daemon's.
func (s *Miners) Get(ctx context.Context, ref string) (json.RawMessage, error) {
	if id, err := ledger.ParseObjectID(ref); err == nil && ledger.MinerID(id.Instance()).Object() == id {
		found, err := s.daemon.GetMiners(ctx, []ledger.MinerID{ledger.MinerID(id.Instance())})
		return single(found, err, "reading the miner", noMiner(ref))
	}
	account, err := s.accounts.Get(ctx, ref)
	if err != nil {
		return nil, err
	}
	raw, err := s.daemon.MinerByAccount(ctx, account.ID)
	return single([]json.RawMessage{raw}, err, "reading the miner", noMiner(ref))
}

// SigningKey returns the key that the miner of an account signs blocks with. Errors: those of Get.
func (s *Miners) SigningKey(ctx context.Context, account string) (ledger.PublicKey, error) {
	raw, err := s.Get(ctx, account)
	if err != nil {
		return ledger.PublicKey{}, err
	}
	var miner ledger.Miner
	if err := codec.Unmarshal(raw, &miner); err != nil {
		return ledger.PublicKey{}, daemonFault("reading the miner", err)
	}
	return miner.SigningKey, nil
}

func noMiner(ref string) *fault.Error {
	return &fault.Error{Code: fault.NoSuchMiner, Op: "get_miner",
		Message: fault.Quote(ref) + " is not a miner", Hint: "list_miners shows all of them"}
}

// Search finds miners by a part of their name, and includes whether an account votes for them.
func (s *Miners) Search(ctx context.Context, search MinerSearch) ([]json.RawMessage, error) {
	if search.Count > maxFound {
		return nil, tooMany("search_miner_voting")
	}
	found, err := s.daemon.SearchMinerVoting(ctx, daemonclient.MinerSearch(search))
	return found, daemonFault("searching miners", err)
}
