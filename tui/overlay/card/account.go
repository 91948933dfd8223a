package card

import (
	"context"
	"fmt"
	"math/big"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Ledger reads accounts.
type Ledger interface {
	Get(ctx context.Context, nameOrID string) (*ledger.Account, error)
}

// Dealer adds up the payments between an account and others; the bool reports whether they are of the whole history.
type Dealer interface {
	Dealings(ctx context.Context, id ledger.AccountID, with []ledger.AccountID) (map[ledger.AccountID]history.Dealings, bool, error)
}

// Core is the part of the wallet from which the cards of accounts and assets are read.
type Core struct {
	Ledger Ledger
	Dealer Dealer
	Assets AssetLedger
}

// account holds the facts that were read of an account.
type account struct {
	who      ledgerview.AccountRef
	read     *ledger.Account
	problem  error // why there is no account
	dealings history.Dealings
	all      bool // dealings are of the whole history
}

// Reader reads a card, with what the account own has to do with the thing.
type Reader func(ctx context.Context, core Core, own ledger.AccountID) Card

// OfAccount returns what reads the card of an account, with the payments to and from own. A card whose account cannot be read shows the error.
func OfAccount(who ledger.AccountID) Reader {
	return func(ctx context.Context, core Core, own ledger.AccountID) Card {
		return readAccount(ctx, core, own, who)
	}
}

func readAccount(ctx context.Context, core Core, own, who ledger.AccountID) Card {
	a := account{who: ledgerview.AccountRef{ID: who}}
	if a.read, a.problem = core.Ledger.Get(ctx, who.String()); a.problem == nil {
		a.who.Name = a.read.Name
	}
	if with, all, err := core.Dealer.Dealings(ctx, own, []ledger.AccountID{who}); err == nil {
		a.dealings, a.all = with[who], all
	}
	return Card{Title: "Account card", Rows: a.rows, Can: a.offers, Copies: a.copies()}
}

func (a account) offers(env screen.Env) []Offer {
	off, save := "", ""
	switch {
	case a.problem != nil:
		off = "the account could not be read"
	case a.who.ID == env.Account.ID:
		off = "it is the account in focus"
	}
	_, listed := env.Listed(a.who.ID)
	if save = off; save == "" && (listed || isContact(env, a.who.ID)) {
		save = "it is yours, or a contact already"
	}
	own := ""
	if !listed {
		own = "it is no account of this wallet"
	}
	return append(ToAccount(a.who, off),
		Offer{Do: Save, Off: save, Then: screen.Navigate{To: screen.Contacts, With: screen.NewContact{Account: a.who}}},
		Offer{Do: Keys, Off: own, Then: screen.UseAccount{ID: a.who.ID, Then: screen.Keys}},
		Offer{Do: Assets, Off: own, Then: screen.UseAccount{ID: a.who.ID, Then: screen.Assets}})
}

// ToAccount returns what can be done with any account: pay it, write to it, and list the history with it; off is why not now.
func ToAccount(who ledgerview.AccountRef, off string) []Offer {
	return []Offer{
		{Do: Pay, Off: off, Then: screen.Navigate{To: screen.Send, With: screen.Payment{To: who, Asset: ledgerview.DCT()}}},
		{Do: Message, Off: off, Then: screen.Navigate{To: screen.Messages, With: screen.Recipient{Account: who}}},
		{Do: History, Off: off, Then: screen.Navigate{To: screen.History, With: screen.Filter("with:" + who.Name)}},
	}
}

func (a account) copies() []screen.Value {
	out := []screen.Value{{Name: "Account", Text: a.who.Name}, {Name: "Account id", Text: a.who.ID.String()}}
	if a.problem == nil {
		out = append(out, screen.Value{Name: "Memo key", Text: a.read.Options.MemoKey.String()})
	}
	return out
}

// Named returns a row with an account that has a card.
func Named(label string, who ledgerview.AccountRef) Row {
	return Row{Label: label, Line: format.Account(who), Opens: screen.ShowAccount{Account: who}}
}

func (a account) rows(env screen.Env) []Row {
	s := sheet{}
	s.put("Account", canvas.Join(format.Account(a.who), a.relation(env)))
	if a.problem != nil {
		s.put("", canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(advice.Sentence(a.problem))))
	} else {
		s.authority("Owner", a.read.Owner)
		s.authority("Active", a.read.Active)
		s.put("Memo key", canvas.Text(a.read.Options.MemoKey.String()))
	}
	s.dealings(env, a)
	return s.rows
}

// relation returns what the account is to the person: an own account, a contact, or a look-alike of a known account.
func (a account) relation(env screen.Env) canvas.Line {
	switch like := ledgerview.LookAlikes(a.who.Name, env.KnownExcept(a.who.ID)); {
	case env.Owns(a.who.ID):
		return canvas.In(theme.OK, "  yours")
	case isContact(env, a.who.ID):
		return canvas.In(theme.OK, "  "+theme.SignDone+" contact")
	case len(like) > 0:
		return canvas.Join(canvas.In(theme.Warn, "  "+theme.SignCareful+" looks like "), format.Account(like[0]))
	}
	return canvas.In(theme.Muted, "  no contact")
}

func isContact(env screen.Env, id ledger.AccountID) bool {
	_, ok := env.Contact(id)
	return ok
}

// sheet collects rows.
type sheet struct{ rows []Row }

func (s *sheet) put(label string, text canvas.Line) {
	s.rows = append(s.rows, Row{Label: label, Line: text})
}

// maxSigners is the maximum number of signers of a role that are named.
const maxSigners = 4

// authority adds the signers of a role, with their weights unless one signer alone suffices.
func (s *sheet) authority(role string, a ledger.Authority) {
	n, all := len(a.KeyAuths)+len(a.AccountAuths), totalWeight(a)
	alone := n == 1 && all >= uint64(a.WeightThreshold)
	needs := fmt.Sprintf("needs weight %d of %d, %s", a.WeightThreshold, all, format.Many(n, "signer"))
	if alone {
		needs = "one signer alone"
	}
	s.put(role, canvas.Text(needs))
	left := maxSigners // below zero: how many are not named
	signer := func(name string, weight uint16, opens tea.Msg) {
		if !alone {
			name += fmt.Sprintf("  weight %d", weight)
		}
		if left > 0 {
			s.rows = append(s.rows, Row{Line: canvas.Text(name), Opens: opens})
		}
		left--
	}
	for _, k := range a.KeyAuths {
		signer(k.Key.String(), k.Weight, nil)
	}
	for _, other := range a.AccountAuths {
		signer(other.Account.String(), other.Weight, screen.ShowAccount{Account: ledgerview.AccountRef{ID: other.Account}})
	}
	if left < 0 {
		s.put("", canvas.In(theme.Muted, fmt.Sprintf("and %d more", -left)))
	}
}

// totalWeight returns the weights of all signers, added up.
func totalWeight(a ledger.Authority) (all uint64) {
	for _, k := range a.KeyAuths {
		all += uint64(k.Weight)
	}
	for _, other := range a.AccountAuths {
		all += uint64(other.Weight)
	}
	return all
}

// dealings adds how many payments went between the two accounts, and their sums in each asset.
func (s *sheet) dealings(env screen.Env, a account) {
	where := "your newest rows"
	if a.all {
		where = "your whole history"
	}
	s.put("With you", canvas.Join(canvas.Text(fmt.Sprintf("%s out, %d in", format.Many(int(a.dealings.Out), "payment"), a.dealings.In)),
		canvas.In(theme.Muted, ", in "+where)))
	for _, one := range a.dealings.Sums {
		s.sum(env, "out", one.Asset, one.Out)
		s.sum(env, "in", one.Asset, one.In)
	}
}

func (s *sheet) sum(env screen.Env, way string, asset ledgerview.AssetRef, n *big.Int) {
	if n.Sign() != 0 && n.IsInt64() {
		s.put("", canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-4s", way)), env.Money().Amount(asset, n.Int64())))
	}
}
