// Package accountcard is the pop-up that shows who an account is: name and id, which known accounts it may be mistaken for, who can act
// for it, its memo key, and the payments between it and the account in focus.
package accountcard

import (
	"context"
	"fmt"
	"math/big"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
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

// Core holds what the card is read from.
type Core struct {
	Ledger Ledger
	Dealer Dealer
}

// Card holds the facts about an account that were read.
type Card struct {
	Who ledgerview.AccountRef

	account  *ledger.Account
	fault    error // why there is no account
	dealings history.Dealings
	all      bool // dealings are of the whole history
}

// Read reads the card of the account who, with its payments to and from own. A card whose account cannot be read shows the error.
func Read(ctx context.Context, core Core, own, who ledger.AccountID) Card {
	card := Card{Who: ledgerview.AccountRef{ID: who}}
	if card.account, card.fault = core.Ledger.Get(ctx, who.String()); card.fault == nil {
		card.Who.Name = card.account.Name
	}
	if with, all, err := core.Dealer.Dealings(ctx, own, []ledger.AccountID{who}); err == nil {
		card.dealings, card.all = with[who], all
	}
	return card
}

// Model is the pop-up.
type Model struct {
	card Card
	dialog.Model
}

// New returns the pop-up of a card.
func New(card Card) *Model {
	return &Model{card, dialog.Model{Title: "Account card", Keys: place}}
}

// place is the card's place in the key table.
const place = "card"

const (
	doPay     action.ID = "card.pay"
	doMessage action.ID = "card.message"
	doSave    action.ID = "card.save"
	doHistory action.ID = "card.history"
	doKeys    action.ID = "card.keys"
)

// Places returns the card's keys.
func Places() []action.Place {
	return []action.Place{{ID: place, Title: "Account card", Modal: true, Actions: []action.Action{
		{ID: doPay, Keys: []string{"s"}, Word: "pay", Help: "pay the account", Hint: 1},
		{ID: doMessage, Keys: []string{"t"}, Word: "message", Help: "write a message to the account", Hint: 2},
		{ID: doHistory, Keys: []string{"h"}, Word: "history", Help: "the rows of the history that are with the account", Hint: 3},
		{ID: doSave, Keys: []string{"n"}, Word: "save", Help: "save the account as a contact", Hint: 4},
		{ID: doKeys, Keys: []string{"o"}, Word: "keys", Help: "put the account in focus and open Keys, if it is on the wallet's list", Hint: 5},
		{ID: "copy", Keys: []string{"y"}, Word: "copy", Help: "copy name, id or a key", Hint: 6},
		{ID: "up", Keys: []string{"up", "k"}, Help: "row up", Group: "↑↓|row up, down"},
		{ID: "down", Keys: []string{"down", "j"}, Help: "row down", Group: "↑↓|row up, down"},
		{ID: "enter", Keys: []string{"enter"}, Help: "close"},
		{ID: "esc", Keys: []string{"esc"}, Word: "close", Help: "close", Hint: 7, Typing: true},
	}}}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	_, listed := env.Listed(m.card.Who.ID)
	switch do {
	case doPay, doMessage, doSave, doHistory:
		switch {
		case m.card.fault != nil:
			return "the account could not be read"
		case m.card.Who.ID == env.Account.ID:
			return "it is the account in focus"
		case do == doSave && (listed || isContact(env, m.card.Who.ID)):
			return "it is yours, or a contact already"
		}
		return ""
	case doKeys:
		if !listed {
			return "it is no account of this wallet"
		}
		return ""
	case "enter":
		return ""
	}
	return m.Model.Off(env, do)
}

// Update implements screen.Screen: what is done with the account closes the card first.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	do, is := msg.(screen.Command)
	next := tea.Msg(nil)
	if is {
		next = m.next(do.ID)
	}
	switch {
	case next == nil:
		return m.Model.Update(env, msg)
	case m.Off(env, do.ID) != "":
		return screen.NotNow(m.Off(env, do.ID))
	}
	return screen.Request(dialog.Closed{Then: next})
}

// next returns what the root is asked for by a key; nil if the key does something on the card itself.
func (m *Model) next(do action.ID) tea.Msg {
	who := m.card.Who
	switch do {
	case doPay:
		return screen.Navigate{To: screen.Send, With: screen.Payment{To: who, Asset: ledgerview.DCT()}}
	case doMessage:
		return screen.Navigate{To: screen.Messages, With: screen.Recipient{Account: who}}
	case doSave:
		return screen.Navigate{To: screen.Contacts, With: screen.NewContact{Account: who}}
	case doHistory:
		return screen.Navigate{To: screen.History, With: screen.Filter("with:" + who.Name)}
	case doKeys:
		return screen.UseAccount{ID: who.ID, Then: screen.Keys}
	}
	return nil
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	out := []screen.Value{{Name: "Account", Text: m.card.Who.Name}, {Name: "Account id", Text: m.card.Who.ID.String()}}
	if m.card.fault == nil {
		out = append(out, screen.Value{Name: "Memo key", Text: m.card.account.Options.MemoKey.String()})
	}
	return out
}

// Size returns how much room the pop-up wants.
func (m *Model) Size(env screen.Env) (w, h int) {
	m.Rows = m.card.lines(env, max(min(env.W, 96)-8, 20))
	return m.Model.Size(env)
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	m.Rows = m.card.lines(env, a.W-6)
	m.Foot = ""
	for _, key := range []struct {
		do   action.ID
		hint string
	}{{doPay, "s pay"}, {doMessage, "t message"}, {doHistory, "h history"}, {doSave, "n save"}, {doKeys, "o keys"}, {"up", "↑↓ scroll"}} {
		if m.Off(env, key.do) == "" && canvas.Width(m.Foot)+len(key.hint)+3+len("esc close") <= a.W-6 {
			m.Foot += key.hint + " · "
		}
	}
	m.Foot += "esc close"
	m.Model.Draw(env, a)
}

// Row is one row of the card; a row without a label belongs to the one above it.
type Row struct {
	Label string
	Line  canvas.Line
}

// lines returns the rows with their labels, wrapped to w cells.
func (c Card) lines(env screen.Env, w int) (out []canvas.Line) {
	for _, row := range c.Rows(env) {
		label := row.Label
		for _, l := range row.Line.Wrap(w - labelW) {
			out = append(out, canvas.Join(canvas.In(theme.Muted, label).Pad(labelW), l))
			label = ""
		}
	}
	return out
}

// Rows returns everything on the card, for a UI that writes it row by row.
func (c Card) Rows(env screen.Env) []Row {
	s := sheet{}
	s.put("Account", canvas.Join(format.Account(c.Who), c.relation(env)))
	if c.fault != nil {
		s.put("", canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(advice.Sentence(c.fault))))
	} else {
		s.authority("Owner", c.account.Owner)
		s.authority("Active", c.account.Active)
		s.put("Memo key", canvas.Text(c.account.Options.MemoKey.String()))
	}
	s.dealings(env, c)
	return s.rows
}

// relation returns what the account is to the person: an own account, a contact, or a look-alike of a known account.
func (c Card) relation(env screen.Env) canvas.Line {
	switch like := ledgerview.LookAlikes(c.Who.Name, env.KnownExcept(c.Who.ID)); {
	case env.Owns(c.Who.ID):
		return canvas.In(theme.OK, "  yours")
	case isContact(env, c.Who.ID):
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

// labelW is the width of the labels.
const labelW = 10

// sheet collects rows.
type sheet struct{ rows []Row }

func (s *sheet) put(label string, text canvas.Line) { s.rows = append(s.rows, Row{label, text}) }

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
	signer := func(name string, weight uint16) {
		if !alone {
			name += fmt.Sprintf("  weight %d", weight)
		}
		if left > 0 {
			s.put("", canvas.Text(name))
		}
		left--
	}
	for _, k := range a.KeyAuths {
		signer(k.Key.String(), k.Weight)
	}
	for _, other := range a.AccountAuths {
		signer(other.Account.String(), other.Weight)
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
func (s *sheet) dealings(env screen.Env, c Card) {
	where := "your newest rows"
	if c.all {
		where = "your whole history"
	}
	s.put("With you", canvas.Join(canvas.Text(fmt.Sprintf("%s out, %d in", format.Many(int(c.dealings.Out), "payment"), c.dealings.In)),
		canvas.In(theme.Muted, ", in "+where)))
	for _, one := range c.dealings.Sums {
		s.sum(env, "out", one.Asset, one.Out)
		s.sum(env, "in", one.Asset, one.In)
	}
}

func (s *sheet) sum(env screen.Env, way string, asset ledgerview.AssetRef, n *big.Int) {
	if n.Sign() != 0 && n.IsInt64() {
		s.put("", canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-4s", way)), env.Money().Amount(asset, n.Int64())))
	}
}
