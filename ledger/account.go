package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
}

// effects names who may act for the new account.
func (op *AccountCreateOp) effects(_ Before, n Namer) []Effect {
	out := authorityEffect("owner authority of "+op.Name, nil, op.Owner, n)
	out = append(out, activeEffect(" of "+op.Name, nil, op.Active, &op.Owner, n)...)
	return append(out, changeOf("memo key of "+op.Name, "", op.Options.MemoKey.String())...)
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

// effects compares the account with how it is.
func (op *AccountUpdateOp) effects(before Before, n Namer) (out []Effect) {
	of := " of " + withID(op.Account, n)
	var owner, active *Authority
	var options AccountOptions
	if is := before.Account(op.Account); is != nil {
		owner, active, options = &is.Owner, &is.Active, is.Options
	}
	if op.Owner != nil {
		out = append(out, authorityEffect("owner authority"+of, owner, *op.Owner, n)...)
		owner = op.Owner
	}
	if op.Active != nil {
		out = append(out, activeEffect(of, active, *op.Active, owner, n)...)
	}
	if op.NewOptions != nil {
		out = append(out, op.NewOptions.effects(of, &options, before, n)...)
	}
	return out
}

func (o *AccountOptions) effects(of string, was *AccountOptions, before Before, n Namer) []Effect {
	out := changeOf("memo key"+of, keyWord(was.MemoKey), keyWord(o.MemoKey))
	out = append(out, o.proxyEffect(of, was, n)...)
	out = append(out, changeOf("number of miners wanted"+of, strconv.Itoa(int(was.NumMiner)), strconv.Itoa(int(o.NumMiner)))...)
	for _, vote := range o.Votes {
		if !slices.Contains(was.Votes, vote) {
			out = append(out, Effect{What: "vote" + of + " for " + before.VoteName(vote), Was: "no", Now: "yes"})
		}
	}
	for _, vote := range was.Votes {
		if !slices.Contains(o.Votes, vote) {
			out = append(out, Effect{What: "vote" + of + " for " + before.VoteName(vote), Was: "yes", Now: "no"})
		}
	}
	return append(out, changeOf("subscription to"+strings.TrimPrefix(of, " of"), was.subscriptionWord(n), o.subscriptionWord(n))...)
}

// proxyEffect warns that somebody else votes from then on.
func (o *AccountOptions) proxyEffect(of string, was *AccountOptions, n Namer) []Effect {
	out := changeOf("who votes with the stake"+of, proxyWord(was.VotingAccount, n), proxyWord(o.VotingAccount, n))
	if len(out) > 0 && o.VotingAccount != ProxyToSelf {
		out[0].Whom = []AccountID{o.VotingAccount}
		out[0].Careful = withID(o.VotingAccount, n) + " votes with the whole stake" + of + " until that is taken back"
	}
	return out
}

func (o *AccountOptions) subscriptionWord(n Namer) string {
	price := grouped(n.AmountText(o.PricePerSubscribe))
	if !o.AllowSubscription {
		return "not offered"
	}
	return fmt.Sprintf("%s for %d days", price, o.SubscriptionPeriod)
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
