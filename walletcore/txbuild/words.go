package txbuild

import (
	"context"
	"fmt"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// role is the part that an account plays in a request.
type role int

const (
	payer     role = iota // acts and pays
	recipient             // is paid
	named                 // neither
)

type (
	accountWord struct {
		text  string
		means *ledger.Account
		role  role
	}
	contentWord struct {
		id     ledger.ObjectID
		author *ledger.Account
	}
	assetWord struct {
		text  string
		means ledgerview.AssetRef
	}
	amountWord struct {
		text  string
		asset ledgerview.AssetRef
		means ledger.AssetAmount
		parse amountParser
	}
	memoWord struct {
		text  string
		to    ledger.PublicKey
		plain bool
	}
)

// words are the words of a request, with what each was taken to mean.
type words struct {
	accounts []accountWord
	contents []contentWord
	assets   []assetWord
	amounts  []amountWord
	memos    []memoWord
	votes    map[ledger.VoteID]string // the miners' names as the request gives them

	keptMemoKeys []*ledger.Account // accounts whose settings are rewritten with a memo key that is not in this wallet

	facts  []ledgerview.Fact // what the operations rest on besides the words
	priced pricedOps         // operations whose fees were set while they were built

	checks  []func([]ledger.Operation) error
	asGiven bool // the request is the operations themselves, with their fees: no other words describe what they do
}

// addVote records the name that the request uses for a miner.
func (w *words) addVote(id ledger.VoteID, name string) {
	if w.votes == nil {
		w.votes = map[ledger.VoteID]string{}
	}
	w.votes[id] = name
}

// recipients returns the accounts whose keys must not have changed unseen: those that are paid, and those whose
// memo key is rewritten.
func (w *words) recipients() (out []*ledger.Account) {
	for _, a := range w.accounts {
		if a.role == recipient {
			out = append(out, a.means)
		}
	}
	for _, c := range w.contents {
		out = append(out, c.author)
	}
	return append(out, w.keptMemoKeys...)
}

// memoOpener reads memos with the keys of the wallet.
type memoOpener interface {
	OpenMemo(m *ledger.Memo) (text string, state vault.MemoState)
}

// check compares operations with the words. It relies on pins and on the operations
// themselves, and on nothing else that a daemon said.
func (w *words) check(ctx context.Context, known *ledgerview.Pins, memos memoOpener, ops []ledger.Operation) error {
	if err := w.checkResolved(ctx, known); err != nil {
		return err
	}
	if !w.asGiven {
		if err := w.checkPayments(memos, ops); err != nil {
			return err
		}
	}
	for _, holds := range w.checks {
		if err := holds(ops); err != nil {
			return err
		}
	}
	return nil
}

// checkPayments compares payers, recipients, amounts and memos.
func (w *words) checkPayments(memos memoOpener, ops []ledger.Operation) error {
	moves := 0
	for _, op := range ops {
		if err := w.checkParties(op); err != nil {
			return err
		}
		moves += len(op.Moves())
	}
	if moves > len(w.amounts) {
		return notAsked("it makes more payments than requested")
	}
	return w.checkMemos(memos, ops)
}

// checkResolved compares what the words were taken to mean with what they mean
// according to the pins.
func (w *words) checkResolved(ctx context.Context, known *ledgerview.Pins) error {
	for _, word := range w.accounts {
		id, err := pinnedAccount(ctx, known, word.text)
		if err != nil {
			return err
		}
		if id != word.means.ID {
			return notAsked(fmt.Sprintf("it is about %s, and %s is %s", word.means.ID, fault.Quote(word.text), id))
		}
	}
	for _, word := range w.assets {
		a, err := pinnedAsset(ctx, known, word.text)
		if err != nil {
			return err
		}
		if a != word.means {
			return notAsked(fmt.Sprintf("it is about %s, and %s is %s", word.means.ID, fault.Quote(word.text), a.ID))
		}
	}
	for _, word := range w.amounts {
		value, err := word.parse(word.text, word.asset)
		if err != nil {
			return err
		}
		if value != word.means.Amount || word.asset.ID != word.means.AssetID {
			return notAsked(fmt.Sprintf("it moves %d of %s, and %s is %d of %s", word.means.Amount, word.means.AssetID,
				fault.Quote(word.text), value, word.asset.ID))
		}
	}
	return nil
}

func pinnedAccount(ctx context.Context, known *ledgerview.Pins, text string) (ledger.AccountID, error) {
	if text == "" {
		return 0, notAsked("no account was named")
	}
	id, found, err := known.AccountID(ctx, text)
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, notAsked("nothing is known of " + fault.Quote(text))
	}
	return id, nil
}

func pinnedAsset(ctx context.Context, known *ledgerview.Pins, text string) (ledgerview.AssetRef, error) {
	a, found, err := known.Asset(ctx, text)
	switch {
	case err != nil:
		return a, err
	case !found:
		return a, notAsked("nothing is known of " + fault.Quote(text))
	}
	return a, nil
}

// checkParties compares who pays and who is paid in an operation, and how much, with
// the words.
func (w *words) checkParties(op ledger.Operation) error {
	if op.Body == nil {
		return notAsked("it is an operation of a newer ledger")
	}
	if by := op.Body.FeePayer(); !w.names(by.Object(), payer) {
		return notAsked("it is paid by " + by.String() + ", who was not named")
	}
	nobody := ledger.ObjectID(0)
	for _, m := range op.Moves() {
		switch {
		case m.From != nobody && !w.names(m.From, payer, named):
			return notAsked("it pays from " + m.From.String() + ", who was not named")
		case m.To != nobody && !w.names(m.To, recipient) && (m.From != nobody || !w.names(m.To, payer)):
			return notAsked("it pays " + m.To.String() + ", who was not named")
		case !slices.ContainsFunc(w.amounts, func(a amountWord) bool { return a.means == m.Amount }):
			return notAsked(fmt.Sprintf("it pays %d of %s, which was not requested", m.Amount.Amount, m.Amount.AssetID))
		}
	}
	return nil
}

// names reports whether a word with one of these roles means id.
func (w *words) names(id ledger.ObjectID, as ...role) bool {
	for _, word := range w.accounts {
		if word.means.ID.Object() == id && slices.Contains(as, word.role) {
			return true
		}
	}
	return slices.Contains(as, recipient) && slices.ContainsFunc(w.contents, func(c contentWord) bool { return c.id == id })
}

// checkMemos compares the memos that operations carry with the requested ones, in
// order. Its errors never quote them.
func (w *words) checkMemos(opener memoOpener, ops []ledger.Operation) error {
	var memos []*ledger.Memo
	for _, op := range ops {
		memos = append(memos, op.Memos()...)
	}
	if len(memos) != len(w.memos) {
		return notAsked("it has a memo that was not requested, or lacks one")
	}
	for i, memo := range memos {
		if err := w.memos[i].check(opener, memo); err != nil {
			return err
		}
	}
	return nil
}

func (w memoWord) check(opener memoOpener, memo *ledger.Memo) error {
	if !w.plain && memo.To != w.to {
		return notAsked("its memo is encrypted to " + memo.To.String() + ", not to " + w.to.String())
	}
	text, state := opener.OpenMemo(memo)
	switch {
	case state == vault.MemoLocked:
		return fault.WalletLocked("sign")
	case text != w.text || (state == vault.MemoPlain) != w.plain:
		return notAsked("its memo has another text")
	}
	return nil
}

// notAsked returns the error for a transaction that is not what was requested.
func notAsked(how string) *fault.Error {
	return &fault.Error{Code: fault.Internal, Op: "sign", Message: "the built transaction is not what was requested: " + how,
		Hint: "nothing was signed; this is a bug in Billfold, please report it"}
}
