package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

// AccountOptions are the settings of an account, in the reference's order.
type AccountOptions struct {
	MemoKey            PublicKey   `json:"memo_key"`
	VotingAccount      AccountID   `json:"voting_account"`
	NumMiner           uint16      `json:"num_miner"`
	Votes              []VoteID    `json:"votes" fc:"set"`
	Extensions         Extensions  `json:"extensions"`
	AllowSubscription  bool        `json:"allow_subscription"`
	PricePerSubscribe  AssetAmount `json:"price_per_subscribe"`
	SubscriptionPeriod uint32      `json:"subscription_period"` // days
}

// NewAccountOptions returns the options of a new account: no proxy votes with its
// stake, and it votes for nobody yet.
func NewAccountOptions(memoKey PublicKey) AccountOptions {
	return AccountOptions{MemoKey: memoKey, VotingAccount: ProxyToSelf}
}

// SetDefaults sets the members whose default is not zero.
func (o *AccountOptions) SetDefaults() { o.VotingAccount = ProxyToSelf }

// PublishingRights are the rights to publish content that an account received from managers, and those that it granted as a manager.
type PublishingRights struct {
	IsPublishingManager bool        `json:"is_publishing_manager"`
	Received            []AccountID `json:"publishing_rights_received" fc:"set"`
	Forwarded           []AccountID `json:"publishing_rights_forwarded" fc:"set"`
}

// Account is the object 1.2.N (docs/protocol/interface.md, Account).
type Account struct {
	ID               AccountID           `json:"id"`
	Registrar        AccountID           `json:"registrar"`
	Name             string              `json:"name"`
	Owner            Authority           `json:"owner"`
	Active           Authority           `json:"active"`
	Options          AccountOptions      `json:"options"`
	RightsToPublish  PublishingRights    `json:"rights_to_publish"`
	Statistics       AccountStatisticsID `json:"statistics"`
	TopNControlFlags uint8               `json:"top_n_control_flags"`
}

// MarshalJSON writes the object as the node does.
func (a Account) MarshalJSON() ([]byte, error) { return codec.Marshal(a) }

// UnmarshalJSON reads the object.
func (a *Account) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, a) }

// Codes of the operations on accounts.
const (
	CodeAccountCreate OpCode = 1 // account_create
	CodeAccountUpdate OpCode = 2 // account_update
)

// longestSubscription is in days.
const longestSubscription = 365

func (o *AccountOptions) valid() error {
	if len(o.Votes) < int(o.NumMiner) {
		return errors.New("an account cannot want more miners than it votes for")
	}
	if !o.AllowSubscription {
		return nil
	}
	if o.SubscriptionPeriod < 1 || o.SubscriptionPeriod > longestSubscription || o.PricePerSubscribe.Amount <= 0 {
		return errors.New("a subscription lasts 1 to 365 days and costs more than zero")
	}
	return nil
}

// AccountCreateOp registers an account.
type AccountCreateOp struct {
	Fee        AssetAmount      `json:"fee,omitempty"`
	Registrar  AccountID        `json:"registrar"`
	Name       string           `json:"name"`
	Owner      Authority        `json:"owner"`
	Active     Authority        `json:"active"`
	Options    AccountOptions   `json:"options"`
	Extensions StructExtensions `json:"extensions"`
}

// FeePayer returns the registrar.
func (op *AccountCreateOp) FeePayer() AccountID { return op.Registrar }

func (*AccountCreateOp) declared() *declaration { return &accountCreateDeclaration }

var accountCreateDeclaration = declaration{
	code: CodeAccountCreate, name: "account_create", new: empty[AccountCreateOp],
	fee:   feeRule{fixed: 100_000, basic: true, base: fixedFee},
	rules: rules((*AccountCreateOp).valid),
	signs: payerSigns,
	touches: func(op Body, result OperationResult) []AccountID {
		create := op.(*AccountCreateOp)
		accounts := membersOf(&create.Owner, &create.Active)
		if result.Object != nil {
			accounts = append(accounts, AccountID(result.Object.Instance()))
		}
		return accounts
	},
	moves:    movesNothing,
	sentence: template("{registrar} registered the account {name}"),
	told:     true,
}

// effects names who may act for the new account, and what of its options is not as that of every new account.
func (op *AccountCreateOp) effects(before Before, n Namer) []Effect {
	created := changedAccount{id: NullAccount, name: op.Name, owner: &op.Owner, active: &op.Active, lookup: accountsAfter(before)}
	out := []Effect{created.ownerEffect("", false, n), created.activeEffect("", n)}
	usual := NewAccountOptions(PublicKey{})
	return append(out, op.Options.effects(" of "+op.Name, &usual, before, n)...)
}

func (op *AccountCreateOp) valid() error {
	if err := ValidAccountName(op.Name); err != nil {
		return err
	}
	if err := validAuthority("owner", op.Owner); err != nil {
		return err
	}
	if err := validAuthority("active", op.Active); err != nil {
		return err
	}
	return op.Options.valid()
}

// AccountUpdateOp changes the authorities or options of an account.
type AccountUpdateOp struct {
	Fee        AssetAmount      `json:"fee,omitempty"`
	Account    AccountID        `json:"account"`
	Owner      *Authority       `json:"owner,omitempty"`
	Active     *Authority       `json:"active,omitempty"`
	NewOptions *AccountOptions  `json:"new_options,omitempty"`
	Extensions StructExtensions `json:"extensions"`
}

// FeePayer returns the account that is changed.
func (op *AccountUpdateOp) FeePayer() AccountID { return op.Account }

func (*AccountUpdateOp) declared() *declaration { return &accountUpdateDeclaration }

var accountUpdateDeclaration = declaration{
	code: CodeAccountUpdate, name: "account_update", new: empty[AccountUpdateOp],
	fee:      flatFee(100_000),
	rules:    rules((*AccountUpdateOp).valid),
	signs:    signers((*AccountUpdateOp).needs),
	touches:  touches(func(op *AccountUpdateOp) []AccountID { return membersOf(op.Owner, op.Active) }),
	moves:    movesNothing,
	sentence: words((*AccountUpdateOp).sentence),
}

// needs adds the owner authority if it changes, otherwise the active one.
func (op *AccountUpdateOp) needs(n *Needs) {
	if op.Owner != nil {
		n.Owner = append(n.Owner, op.Account)
		return
	}
	n.Active = append(n.Active, op.Account)
}

// newAuthorities implements authoritySetter.
func (op *AccountUpdateOp) newAuthorities() (of AccountID, owner, active *Authority) {
	return op.Account, op.Owner, op.Active
}

func (op *AccountUpdateOp) sentence(n Namer) string {
	var what []string
	if op.Owner != nil {
		what = append(what, "owner authority")
	}
	if op.Active != nil {
		what = append(what, "active authority")
	}
	if op.NewOptions != nil {
		what = append(what, "options")
	}
	return n.AccountName(op.Account) + " changed its " + strings.Join(what, ", ")
}

// effects compares the account's new settings with its present ones.
func (op *AccountUpdateOp) effects(before Before, n Namer) (out []Effect) {
	then := changedAccount{id: op.Account, name: withID(op.Account, n), owner: op.Owner, active: op.Active, lookup: accountsAfter(before)}
	if account := then.lookup(op.Account); account != nil {
		then.owner, then.active = &account.Owner, &account.Active
	}
	wasOwner, wasActive := notKnown, notKnown
	var options *AccountOptions
	if current := before.Account(op.Account); current != nil {
		options, wasOwner, wasActive = &current.Options, current.Owner.words(n), current.Active.words(n)
	}
	if op.Owner != nil {
		then.owner = op.Owner
		out = append(out, then.ownerEffect(wasOwner, op.Active == nil, n))
	}
	if op.Active != nil {
		then.active = op.Active
		out = append(out, then.activeEffect(wasActive, n))
	}
	if op.NewOptions != nil {
		out = append(out, op.NewOptions.effects(" of "+then.name, options, before, n)...)
	}
	return out
}

// effects compares the options with the present ones; was is nil if those are not known.
func (o *AccountOptions) effects(of string, was *AccountOptions, before Before, n Namer) []Effect {
	change := func(what string, word func(*AccountOptions) string) []Effect {
		if was == nil {
			return []Effect{{What: what, Was: notKnown, Now: word(o)}}
		}
		return changeOf(what, word(was), word(o))
	}
	out := change("memo key"+of, func(o *AccountOptions) string { return keyWord(o.MemoKey) })
	proxy := change("who votes with the stake"+of, func(o *AccountOptions) string { return proxyWord(o.VotingAccount, n) })
	out = append(out, o.warnOfProxy(proxy, of, n)...)
	out = append(out, change("number of miners wanted"+of, func(o *AccountOptions) string { return strconv.Itoa(int(o.NumMiner)) })...)
	out = append(out, o.voteEffects(of, was, before)...)
	subscription := func(o *AccountOptions) string { return o.subscriptionWord(n) }
	return append(out, change("subscription to"+strings.TrimPrefix(of, " of"), subscription)...)
}

// voteEffects returns the votes that are added and removed.
func (o *AccountOptions) voteEffects(of string, was *AccountOptions, before Before) (out []Effect) {
	present, votes := "no", []VoteID(nil)
	if was == nil {
		present = notKnown
	} else {
		votes = was.Votes
	}
	for _, vote := range o.Votes {
		if !slices.Contains(votes, vote) {
			out = append(out, Effect{What: "vote" + of + " for " + before.VoteName(vote), Was: present, Now: "yes"})
		}
	}
	for _, vote := range votes {
		if !slices.Contains(o.Votes, vote) {
			out = append(out, Effect{What: "vote" + of + " for " + before.VoteName(vote), Was: "yes", Now: "no"})
		}
	}
	if was == nil {
		out = append(out, Effect{What: "all other votes" + of, Was: present, Now: "no"})
	}
	return out
}

// warnOfProxy adds to proxy, the effect of a changed proxy, a warning that somebody else will vote.
func (o *AccountOptions) warnOfProxy(proxy []Effect, of string, n Namer) []Effect {
	if len(proxy) > 0 && o.VotingAccount != ProxyToSelf {
		proxy[0].Whom = []AccountID{o.VotingAccount}
		proxy[0].Careful = withID(o.VotingAccount, n) + " votes with the whole stake" + of + " until that is taken back"
	}
	return proxy
}

func (o *AccountOptions) subscriptionWord(n Namer) string {
	price := grouped(n.AmountText(o.PricePerSubscribe))
	if !o.AllowSubscription {
		return "not offered"
	}
	return price + " for " + printable.Many(o.SubscriptionPeriod, "day")
}

func proxyWord(id AccountID, n Namer) string {
	if id == ProxyToSelf {
		return "the account itself"
	}
	return withID(id, n)
}

func keyWord(key PublicKey) string {
	if key == (PublicKey{}) {
		return ""
	}
	return key.String()
}

func (op *AccountUpdateOp) valid() error {
	switch {
	case op.Account == MinerAccount || op.Account == TempAccount:
		return fmt.Errorf("account %s cannot be changed", op.Account)
	case op.Owner == nil && op.Active == nil && op.NewOptions == nil:
		return errors.New("an account update must change something: owner, active or options")
	}
	if op.Owner != nil {
		if err := validAuthority("owner", *op.Owner); err != nil {
			return err
		}
	}
	if op.Active != nil {
		if err := validAuthority("active", *op.Active); err != nil {
			return err
		}
	}
	if op.NewOptions != nil {
		return op.NewOptions.valid()
	}
	return nil
}

func validAuthority(name string, a Authority) error {
	if a.Members() == 0 {
		return fmt.Errorf("the %s authority names nobody", name)
	}
	if a.Impossible() {
		return fmt.Errorf("the %s authority can never be satisfied: its weights stay below the threshold", name)
	}
	return nil
}
