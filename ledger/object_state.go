package ledger

import (
	"maps"
	"reflect"
	"slices"

	"billfold/ledger/codec"
)

// ObjectState holds what operations can set of an object: its parts by name, each as the ledger's JSON. A state may lack
// parts that nobody knows.
type ObjectState map[string]string

// Differences returns the names of the parts of s that differ in now, in order.
func (s ObjectState) Differences(now ObjectState) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if s[name] != now[name] {
			names = append(names, name)
		}
	}
	return names
}

// With returns the state after a change that sets parts of it.
func (s ObjectState) With(set ObjectState) ObjectState {
	out := make(ObjectState, len(s)+len(set))
	maps.Copy(out, s)
	maps.Copy(out, set)
	return out
}

// put adds a part. Values of the ledger can always be written.
func (s ObjectState) put(name string, value any) {
	if text, err := codec.Marshal(value); err == nil {
		s[name] = string(text)
	}
}

// The parts of an account that account_update sets.
const (
	PartOwner   = "owner authority"
	PartActive  = "active authority"
	PartMemoKey = "memo key"
)

// State returns what operations can set of the account: its authorities and options.
func (a *Account) State() ObjectState {
	s := a.Options.state()
	s.put(PartOwner, a.Owner)
	s.put(PartActive, a.Active)
	return s
}

// WithState returns the account as it would be with the parts of a state. Error: a part that cannot be read.
func (a *Account) WithState(s ObjectState) (*Account, error) {
	out := *a
	o := &out.Options
	for name, into := range map[string]any{
		PartOwner: &out.Owner, PartActive: &out.Active, PartMemoKey: &o.MemoKey, "voting proxy": &o.VotingAccount,
		"number of miners wanted": &o.NumMiner, "votes": &o.Votes, "option extensions": &o.Extensions,
		"whether it can be subscribed to": &o.AllowSubscription, "price of a subscription": &o.PricePerSubscribe,
		"days of a subscription": &o.SubscriptionPeriod,
	} {
		part, known := s[name]
		if !known {
			continue
		}
		fresh := reflect.New(reflect.TypeOf(into).Elem()) // nothing of the account's own slices is written to
		if err := codec.Unmarshal([]byte(part), fresh.Interface()); err != nil {
			return nil, err
		}
		reflect.ValueOf(into).Elem().Set(fresh.Elem())
	}
	return &out, nil
}

func (o *AccountOptions) state() ObjectState {
	s := ObjectState{}
	s.put(PartMemoKey, o.MemoKey)
	s.put("voting proxy", o.VotingAccount)
	s.put("number of miners wanted", o.NumMiner)
	s.put("votes", append([]VoteID{}, slices.Sorted(slices.Values(o.Votes))...))
	s.put("option extensions", o.Extensions)
	s.put("whether it can be subscribed to", o.AllowSubscription)
	s.put("price of a subscription", o.PricePerSubscribe)
	s.put("days of a subscription", o.SubscriptionPeriod)
	return s
}

// State returns what operations can set of the asset.
func (a *Asset) State() ObjectState {
	s := ObjectState{}
	s.put("issuer", a.Issuer)
	s.put("description", a.Description)
	s.put("maximum supply", a.Options.MaxSupply)
	s.put("core exchange rate", a.Options.CoreExchangeRate)
	s.put("whether fees may be paid in it", a.Options.IsExchangeable)
	s.put("precision", a.Precision)
	if m := a.MonitoredAssetOpts; m != nil {
		s.put("lifetime of a feed", m.FeedLifetimeSec)
		s.put("minimum of feeds", m.MinimumFeeds)
	}
	return s
}

// State returns what operations can set of the kind of tokens.
func (n *NFT) State() ObjectState { return n.Options.state() }

func (o *NFTOptions) state() ObjectState {
	s := ObjectState{}
	s.put("issuer", o.Issuer)
	s.put("description", o.Description)
	s.put("maximum supply", o.MaxSupply)
	s.put("whether the supply is fixed", o.FixedMaxSupply)
	return s
}

// State returns what operations can set of the miner.
func (m *Miner) State() ObjectState {
	s := ObjectState{}
	s.put("link", m.URL)
	s.put("block signing key", m.SigningKey)
	return s
}

// Replaces returns the object of which an operation replaces parts that it had before, and those parts as they will be. It
// reports false for operations that only add, move, create or end something. What an operation proposes is not replaced
// before the proposal is executed.
func Replaces(op Operation) (object ObjectID, set ObjectState, replaces bool) {
	body, ok := op.Body.(interface {
		replaces() (ObjectID, ObjectState)
	})
	if !ok {
		return 0, nil, false
	}
	object, set = body.replaces()
	return object, set, true
}

func (op *AccountUpdateOp) replaces() (ObjectID, ObjectState) {
	s := ObjectState{}
	if op.NewOptions != nil {
		s = op.NewOptions.state()
	}
	if op.Owner != nil {
		s.put(PartOwner, *op.Owner)
	}
	if op.Active != nil {
		s.put(PartActive, *op.Active)
	}
	return op.Account.Object(), s
}

func (op *UpdateUserIssuedAssetOp) replaces() (ObjectID, ObjectState) {
	s := ObjectState{}
	s.put("description", op.NewDescription)
	s.put("maximum supply", int64(op.MaxSupply))
	s.put("core exchange rate", op.CoreExchangeRate)
	s.put("whether fees may be paid in it", op.IsExchangeable)
	if op.NewIssuer != nil {
		s.put("issuer", *op.NewIssuer)
	}
	return op.AssetToUpdate.Object(), s
}

func (op *UpdateMonitoredAssetOp) replaces() (ObjectID, ObjectState) {
	s := ObjectState{}
	s.put("description", op.NewDescription)
	s.put("lifetime of a feed", op.NewFeedLifetimeSec)
	s.put("minimum of feeds", op.NewMinimumFeeds)
	return op.AssetToUpdate.Object(), s
}

func (op *UpdateUserIssuedAssetAdvancedOp) replaces() (ObjectID, ObjectState) {
	s := ObjectState{}
	s.put("precision", op.NewPrecision)
	return op.AssetToUpdate.Object(), s
}

func (op *NFTUpdateDefinitionOp) replaces() (ObjectID, ObjectState) {
	return op.NFTID.Object(), op.Options.state()
}

func (op *MinerUpdateOp) replaces() (ObjectID, ObjectState) {
	s := ObjectState{}
	if op.NewURL != nil {
		s.put("link", *op.NewURL)
	}
	if op.NewSigningKey != nil {
		s.put("block signing key", *op.NewSigningKey)
	}
	return op.Miner.Object(), s
}
