package send

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// Known tells who an account is to the wallet, for a UI that asks instead of showing a form.
type Known struct{ who recipients }

// KnownFrom learns from the newest rows of the account that pays; most is how many were asked for.
func KnownFrom(entries []history.Entry, most int) *Known {
	k := &Known{}
	k.who.learn(entries, most)
	return k
}

// Read reads what went to some accounts before the newest rows, and returns what takes it up.
func (k *Known) Read(ctx context.Context, past History, from ledger.AccountID, to []ledgerview.AccountRef) (learn func()) {
	read := olderOf(ctx, past, from, k.who.unasked(to))
	return func() { k.who.learnOlder(read) }
}

// Relation is what an account is to this wallet, in words.
func (k *Known) Relation(env screen.Env, a ledgerview.AccountRef) string {
	return k.who.relation(env, a)
}

// LookAlike finds an account that a person could take a name for.
func (k *Known) LookAlike(env screen.Env, a ledgerview.AccountRef) (ledgerview.AccountRef, bool) {
	return k.who.lookAlike(env, a)
}

// Suggestions lists who may be meant by a text; found are those that the ledger has.
func (k *Known) Suggestions(env screen.Env, text string, found []ledgerview.AccountRef) []ledgerview.AccountRef {
	k.who.found = found
	return k.who.suggestions(env, text)
}

// Differs is the number of the first letter in which two names differ, from 1.
func Differs(a, b string) int { return differs(a, b) }

// RecipientProblem is what is wrong with a text for the recipient, as far as the text tells.
func RecipientProblem(text string) string { return recipientProblem(text) }

// Unable is why no payment can be built now; empty when one can.
func Unable(env screen.Env) string { return unable(env) }

// MemoProblem is what is wrong with a memo, as its field says it; empty is good.
func MemoProblem(text string) string {
	if wrong := field.Strange(text); wrong != "" {
		return wrong
	}
	return memoProblem(text)
}
