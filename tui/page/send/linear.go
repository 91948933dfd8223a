package send

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// KnownRecipients holds what is known about recipients, for a UI that asks questions instead of showing a form.
type KnownRecipients struct{ recipients recipients }

// KnownRecipientsFrom returns what the newest rows of the paying account show; most is how many rows were asked for.
func KnownRecipientsFrom(entries []history.Entry, most int) *KnownRecipients {
	k := &KnownRecipients{}
	k.recipients.countPaid(entries, most)
	return k
}

// Read reads what was paid to some accounts before the newest rows. The function that it returns adds that to k.
func (k *KnownRecipients) Read(ctx context.Context, past History, from ledger.AccountID, to []ledgerview.AccountRef) (learn func()) {
	read := readOlderPayments(ctx, past, from, k.recipients.unreadOlder(to))
	return func() { k.recipients.addOlder(read) }
}

// Relation returns what an account is to this wallet: own, a contact, and how often it was paid.
func (k *KnownRecipients) Relation(env screen.Env, a ledgerview.AccountRef) string {
	return k.recipients.relationText(env, a)
}

// LookAlike returns an account whose name a person could mistake for that of a.
func (k *KnownRecipients) LookAlike(env screen.Env, a ledgerview.AccountRef) (ledgerview.AccountRef, bool) {
	return k.recipients.lookAlike(env, a)
}

// Suggestions returns the accounts that a text may mean; found are those that the ledger found.
func (k *KnownRecipients) Suggestions(env screen.Env, text string, found []ledgerview.AccountRef) []ledgerview.AccountRef {
	k.recipients.found = found
	return k.recipients.suggestions(env, text)
}

// Differs returns the number of the first letter in which two names differ, from 1.
func Differs(a, b string) int { return firstDifference(a, b) }

// RecipientProblem returns what is wrong with the text of a recipient, as far as the text itself shows; empty if nothing is.
func RecipientProblem(text string) string { return recipientProblem(text) }

// Unable returns why no payment can be built now; empty if one can.
func Unable(env screen.Env) string { return whyUnable(env) }

// MemoProblem returns what is wrong with a memo; empty if nothing is.
func MemoProblem(text string) string {
	if wrong := field.InvalidCharacter(text); wrong != "" {
		return wrong
	}
	return memoProblem(text)
}
