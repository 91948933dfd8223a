package ledger

import (
	"errors"
	"fmt"
	"strings"

	"billfold/ledger/codec"
)

// Codes of the operations on accounts.
const (
	CodeAccountCreate OpCode = 1 // account_create
	CodeAccountUpdate OpCode = 2 // account_update
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

// NewAccountOptions returns the options of a new account: it votes for itself
// and for nobody yet.
func NewAccountOptions(memoKey PublicKey) AccountOptions {
	return AccountOptions{MemoKey: memoKey, VotingAccount: ProxyToSelf}
}

// SetDefaults sets the members that are not zero when the JSON lacks them.
func (o *AccountOptions) SetDefaults() { o.VotingAccount = ProxyToSelf }

// PublishingRights are who may publish content for whom.
type PublishingRights struct {
	IsPublishingManager bool        `json:"is_publishing_manager"`
	Received            []AccountID `json:"publishing_rights_received" fc:"set"`
	Forwarded           []AccountID `json:"publishing_rights_forwarded" fc:"set"`
}

// Account is the object 1.2.N (INTERFACE.md, Account).
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
	Fee        AssetAmount      `json:"fee"`
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
	Fee        AssetAmount      `json:"fee"`
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

// needs adds the owner authority where the owner changes, else the active one.
func (op *AccountUpdateOp) needs(n *Needs) {
	if op.Owner != nil {
		n.Owner = append(n.Owner, op.Account)
		return
	}
	n.Active = append(n.Active, op.Account)
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
