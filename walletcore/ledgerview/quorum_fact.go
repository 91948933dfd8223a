package ledgerview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// found is a daemon's answer about something: its value, or in absent the reason why it has none.
type found[T any] struct {
	value  *T
	absent error
}

// readAgreed reads something of which all the daemons that a quorum asks have to say the same; meaning is what that is, nil for all
// of it. That there is none, by an error of these codes, is something to agree on as well. Errors: fault.DaemonsDisagree, and
// those of read.
func readAgreed[T any](
	ctx context.Context, q *Quorum, what string, none []fault.Code,
	read func(context.Context, daemonclient.Queries) (*T, error), meaning func(*T) any,
) (*T, error) {
	ask := func(ctx context.Context, of daemonclient.Queries) (found[T], error) {
		value, err := read(ctx, of)
		for _, code := range none {
			if fault.CodeOf(err) == code {
				return found[T]{absent: err}, nil
			}
		}
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Err != nil {
			err = e.Err // the daemon's own, by which it is judged
		}
		return found[T]{value: value}, err
	}
	got, err := daemonclient.AskQuorum(ctx, q.daemon, what, ask, func(f found[T]) string { return f.meaning(meaning) })
	if err != nil {
		return nil, fault.Daemon("reading "+what, err)
	}
	return got.value, got.absent
}

func (f found[T]) meaning(of func(*T) any) string {
	if f.value == nil {
		return "none"
	}
	var means any = *f.value
	if of != nil {
		means = of(f.value)
	}
	return textOf(means)
}

// readObject reads an object of the ledger; nil when there is none.
func readObject[T any](ctx context.Context, q *Quorum, what string, id ledger.ObjectID, meaning func(*T) any) (*T, error) {
	return readAgreed(ctx, q, what+" "+id.String(), nil, func(ctx context.Context, of daemonclient.Queries) (*T, error) {
		rows, err := of.GetObjects(ctx, []ledger.ObjectID{id})
		if err != nil || len(rows) != 1 || IsNull(rows[0]) {
			return nil, err
		}
		value := new(T)
		return value, codec.Unmarshal(rows[0], value)
	}, meaning)
}

// Proposal reads a proposal that waits for approvals, nil when there is none. Errors: fault.DaemonsDisagree, and the daemons'.
func (q *Quorum) Proposal(ctx context.Context, id ledger.ProposalID) (*ledger.Proposal, error) {
	return readObject[ledger.Proposal](ctx, q, "the proposal", id.Object(), nil)
}

// VestingOwner returns whose a vesting balance is, nil when there is none. Errors: those of Proposal.
func (q *Quorum) VestingOwner(ctx context.Context, id ledger.VestingBalanceID) (*ledger.AccountID, error) {
	balance, err := readObject(ctx, q, "the vesting balance", id.Object(), func(b *ledger.VestingBalance) any { return b.Owner })
	if balance == nil {
		return nil, err
	}
	return &balance.Owner, err
}

// Offer reads the content of a URI: who sells it, for how much, and until when. Errors: fault.NoSuchContent, and those of Proposal.
func (q *Quorum) Offer(ctx context.Context, uri string) (*ledger.Content, error) {
	read := func(ctx context.Context, of daemonclient.Queries) (*ledger.Content, error) {
		return (&Contents{of}).Get(ctx, uri)
	}
	return readAgreed(ctx, q, "the content "+fault.Quote(uri), []fault.Code{fault.NoSuchContent}, read, func(c *ledger.Content) any {
		return struct {
			Is      ledger.ContentID
			Author  ledger.AccountID
			Others  []ledger.CoAuthor
			Price   ledger.RegionalPrices
			Until   ledger.Time
			Blocked bool
			Hash    ledger.Hash160
		}{c.ID, c.Author, c.CoAuthors, c.Price, c.Expiration, c.IsBlocked, c.Hash}
	})
}

// Seeder returns what an account offers as a seeder: its key, its price, and until when. Errors: fault.NoSuchSeeder, and those of Proposal.
func (q *Quorum) Seeder(ctx context.Context, account ledger.AccountID) (*ledger.Seeder, error) {
	read := func(ctx context.Context, of daemonclient.Queries) (*ledger.Seeder, error) {
		return (&Contents{of}).Seeder(ctx, account)
	}
	return readAgreed(ctx, q, "the seeder "+account.String(), []fault.Code{fault.NoSuchSeeder}, read, func(s *ledger.Seeder) any {
		return ledger.Seeder{ID: s.ID, Seeder: s.Seeder, Price: s.Price, PubKey: s.PubKey, IPFSID: s.IPFSID}
	})
}

// SubscribedUntil is until when one account is subscribed to another; 0 where it is not. Errors: those of Proposal.
func (q *Quorum) SubscribedUntil(ctx context.Context, subscriber, author ledger.AccountID) (ledger.Time, error) {
	read := func(ctx context.Context, of daemonclient.Queries) (*ledger.Time, error) {
		rows, err := of.SubscriptionsBy(ctx, subscriber, true, maxSubscriptions)
		if err != nil {
			return nil, err
		}
		until := new(ledger.Time)
		for _, row := range rows {
			var subscription ledger.Subscription
			if err := codec.Unmarshal(row, &subscription); err != nil {
				return nil, err
			}
			if subscription.To == author {
				*until = subscription.Expiration
			}
		}
		return until, nil
	}
	until, err := readAgreed(ctx, q, "the subscription of "+subscriber.String()+" to "+author.String(), nil, read, nil)
	if err != nil {
		return 0, err
	}
	return *until, nil
}

// maxSubscriptions is the maximum number of a subscriber's subscriptions that a node lists at once.
const maxSubscriptions = 100

// Subscription reads a subscription. Errors: fault.NoSuchSubscription, and those of Proposal.
func (q *Quorum) Subscription(ctx context.Context, id ledger.SubscriptionID) (*ledger.Subscription, error) {
	read := func(ctx context.Context, of daemonclient.Queries) (*ledger.Subscription, error) {
		return (&Subscriptions{daemon: of}).Get(ctx, id)
	}
	return readAgreed(ctx, q, "the subscription "+id.String(), []fault.Code{fault.NoSuchSubscription}, read, nil)
}

// Kind finds a kind of tokens by symbol or id. Errors: fault.NoSuchNFT, and those of Proposal.
func (q *Quorum) Kind(ctx context.Context, symbolOrID string) (*ledger.NFT, error) {
	read := func(ctx context.Context, of daemonclient.Queries) (*ledger.NFT, error) {
		return (&NFTs{daemon: of}).Kind(ctx, symbolOrID)
	}
	return readAgreed(ctx, q, "the kind of tokens "+fault.Quote(symbolOrID), []fault.Code{fault.NoSuchNFT}, read, func(k *ledger.NFT) any {
		still := *k
		still.CurrentSupply = 0
		return still
	})
}

// Token reads a token. Errors: fault.NoSuchNFT, and those of Proposal.
func (q *Quorum) Token(ctx context.Context, id ledger.NFTDataID) (*ledger.NFTData, error) {
	read := func(ctx context.Context, of daemonclient.Queries) (*ledger.NFTData, error) {
		return (&NFTs{daemon: of}).Token(ctx, id)
	}
	return readAgreed(ctx, q, "the token "+id.String(), []fault.Code{fault.NoSuchNFT}, read, nil)
}

// Miner finds the miner of an account, by name or id, or by its own id: what it is voted for by, signs with and is paid to.
// Errors: fault.NoSuchMiner, those of Account, and those of Proposal.
func (q *Quorum) Miner(ctx context.Context, ref string) (*ledger.Miner, error) {
	read, err := q.readMiner(ctx, ref)
	if err != nil {
		return nil, err
	}
	return readAgreed(ctx, q, "the miner "+fault.Quote(ref), []fault.Code{fault.NoSuchMiner}, read, func(m *ledger.Miner) any {
		return ledger.Miner{ID: m.ID, MinerAccount: m.MinerAccount, SigningKey: m.SigningKey, PayVB: m.PayVB, VoteID: m.VoteID, URL: m.URL}
	})
}

// readMiner returns the query that reads a miner from a daemon.
func (q *Quorum) readMiner(ctx context.Context, ref string) (func(context.Context, daemonclient.Queries) (*ledger.Miner, error), error) {
	id, err := ledger.ParseObjectID(ref)
	if miner := ledger.MinerID(id.Instance()); err == nil && miner.Object() == id {
		return func(ctx context.Context, of daemonclient.Queries) (*ledger.Miner, error) {
			rows, err := of.GetMiners(ctx, []ledger.MinerID{miner})
			return minerOf(rows, err, ref)
		}, nil
	}
	account, err := q.Account(ctx, ref)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, of daemonclient.Queries) (*ledger.Miner, error) {
		raw, err := of.MinerByAccount(ctx, account.ID)
		return minerOf([]json.RawMessage{raw}, err, ref)
	}, nil
}

func minerOf(rows []json.RawMessage, err error, ref string) (*ledger.Miner, error) {
	raw, err := single(rows, err, "reading the miner", noMiner(ref))
	if err != nil {
		return nil, err
	}
	miner := new(ledger.Miner)
	return miner, codec.Unmarshal(raw, miner)
}

// ErrUnproven means that a block cannot currently be shown to be irreversible.
var ErrUnproven = errors.New("the miners' signatures do not show it")

// Block asks, with --daemon-quorum, several daemons for the id of a block
// that is proven irreversible; each has it in the next block's header. Without a
// quorum the signatures are enough, and nobody is asked. Errors:
// fault.DaemonsDisagree, fault.DaemonContradicts when they agree on another one than id,
// and the daemons'.
func (q *Quorum) Block(ctx context.Context, num uint32, id ledger.BlockID) error {
	if q.isSingle() {
		return nil
	}
	agreed, known := q.blocks.Get(num)
	if !known {
		header, err := daemonclient.AskQuorum(ctx, q.daemon, fmt.Sprintf("block %d", num),
			func(ctx context.Context, q daemonclient.Queries) (*ledger.BlockHeader, error) {
				return q.GetBlockHeader(ctx, num+1)
			},
			func(h *ledger.BlockHeader) string {
				if h == nil {
					return "there is none after it"
				}
				return h.Previous.String()
			})
		if err != nil {
			return fault.Daemon("asking for block "+fmt.Sprint(num), err)
		}
		if header == nil {
			return fault.Daemon("asking for block "+fmt.Sprint(num), ErrUnproven)
		}
		agreed = header.Previous
		q.blocks.Add(num, agreed)
	}
	if agreed != id {
		return &fault.Error{Code: fault.DaemonContradicts, Op: "finality",
			Message: fmt.Sprintf("block %d is %s by the miners' signatures, and %s by what the daemons agree on", num, id, agreed),
			Hint:    "do not rely on it; check the daemons that --daemon-url names"}
	}
	return nil
}

// ContentAuthor returns who the author of content is; nil when there is no such
// content. Errors: fault.DaemonsDisagree, and the daemons'.
func (q *Quorum) ContentAuthor(ctx context.Context, id ledger.ObjectID) (*ledger.AccountID, error) {
	by, err := daemonclient.AskQuorum(
		ctx,
		q.daemon,
		"content "+id.String(),
		func(ctx context.Context, q daemonclient.Queries) (*ledger.AccountID, error) {
			return authorOf(ctx, q, id)
		},
		func(by *ledger.AccountID) string {
			if by == nil {
				return "none"
			}
			return by.String()
		},
	)
	if err != nil {
		return nil, fault.Daemon("reading content "+id.String(), err)
	}
	return by, nil
}

func authorOf(ctx context.Context, q daemonclient.Queries, id ledger.ObjectID) (*ledger.AccountID, error) {
	found, err := q.GetObjects(ctx, []ledger.ObjectID{id})
	if err != nil || len(found) != 1 || IsNull(found[0]) {
		return nil, err
	}
	var content struct {
		Author ledger.AccountID `json:"author"`
	}
	err = codec.Unmarshal(found[0], &content)
	return &content.Author, err
}

// ConfirmNames has several daemons confirm who the accounts and what the assets and kinds of tokens are that something to be signed
// mentions: what one daemon alone then calls otherwise is a contradiction. Without a quorum nobody is asked. An asset
// that they say something else of than is pinned is named as one in doubt: see Certain. Errors:
// fault.DaemonsDisagree, fault.DaemonContradicts, and the daemons'.
func (q *Quorum) ConfirmNames(ctx context.Context, m *Mentions) error {
	if q.isSingle() {
		return nil
	}
	m.Distinct()
	for _, id := range m.Accounts {
		if _, err := q.Account(ctx, id.String()); err != nil && fault.CodeOf(err) != fault.NoSuchAccount {
			return err
		}
	}
	for _, id := range m.Assets {
		if id == ledger.CoreAsset {
			continue
		}
		_, err := q.WholeAsset(ctx, id)
		if code := fault.CodeOf(err); err != nil && code != fault.NoSuchAsset && code != fault.DaemonContradicts {
			return err
		}
	}
	for _, id := range m.Kinds {
		kind, err := q.Kind(ctx, id.String())
		if err != nil && fault.CodeOf(err) != fault.NoSuchNFT {
			return err
		}
		if kind != nil {
			q.kindSymbols.Add(id, kind.Symbol)
		}
	}
	return nil
}

// CheckCertain refuses assets that a daemon says something else of than is pinned: nobody confirms an amount whose decimals are in doubt.
// They are asked for once per head block; without a daemon nobody is asked. Errors: fault.DaemonContradicts,
// fault.DaemonsDisagree, and the daemons'.
func (q *Quorum) CheckCertain(ctx context.Context, assets []ledger.AssetID) error {
	if !q.chain.IsOnline() {
		return nil
	}
	for _, id := range assets {
		if id == ledger.CoreAsset {
			continue
		}
		if _, err := q.WholeAsset(ctx, id); err != nil && fault.CodeOf(err) != fault.NoSuchAsset {
			return err
		}
	}
	return nil
}
