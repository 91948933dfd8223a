package send

import (
	"errors"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/contact"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paylink"
	"billfold/walletcore/paytable"
)

// memoLimit is the maximum size in bytes of a memo in the form.
const memoLimit = 2048

// problem returns what is wrong with a field, as far as the form itself can tell;
// empty while nothing is typed.
func (f *form) problem(id fieldID) string {
	input := &f.fields[id]
	if input.Empty() || !f.shows(id) {
		return ""
	}
	if id == fieldAmount && !input.HoldsSecret() { // its message is more precise than Fault's
		return f.amountProblem()
	}
	if failure := input.Fault(); failure != "" {
		return failure
	}
	if f.several {
		return ""
	}
	switch id {
	case fieldTo:
		return recipientProblem(f.text(fieldTo))
	case fieldAsset:
		return f.assetProblem()
	case fieldMemo:
		return memoProblem(input.Value())
	}
	return ""
}

func memoProblem(text string) string {
	if len(text) > memoLimit {
		return "longer than " + format.Count(memoLimit) + " bytes"
	}
	return ""
}

func recipientProblem(text string) string {
	if paylink.Is(text) {
		return linkProblem(text)
	}
	if _, err := ledger.ParsePublicKey(text); err == nil {
		return "that is a public key, not an account; write an account name or id"
	}
	return format.NameHint(text)
}

func (f *form) assetProblem() string {
	text := f.text(fieldAsset)
	if _, ok := f.balance(); ok || len(f.funds.balances) == 0 {
		return ""
	}
	if why := ledger.IDProblem(text); why != "" {
		return why
	}
	if f.funds.missingAsset == strings.ToUpper(text) || !isAsset(text) {
		return "there is no such asset"
	}
	if why := format.DoubtedDecimals(f.funds.balances, text); why != "" {
		return why
	}
	return "you hold none of this asset"
}

// amountProblem returns what is wrong with the amount. Its digits are checked even
// while the asset is not known.
func (f *form) amountProblem() string {
	text := f.text(fieldAmount)
	a, known := f.asset()
	if !known {
		text, _ = ledger.SplitAmount(text)
		a = ledgerview.AssetRef{Precision: ledger.MaxPrecision}
	}
	n, err := ledger.ParseAmountOf(text, a.Symbol, a.Precision)
	b, held := f.balance()
	switch {
	case err != nil:
		return format.AmountFault(err)
	case n <= 0:
		return "an amount above zero is needed"
	case !held:
		return ""
	}
	return TooMuch(n, b, f.funds.feeIn(b.Asset))
}

// TooMuch returns that an amount is more than a balance has, beside a fee in its asset, which is 0 if another asset pays it; "" if it is not.
func TooMuch(n int64, b ledgerview.Balance, fee int64) string {
	has := format.Money{}.Amount(b.Asset, b.Amount).String()
	switch {
	case n > b.Amount:
		return "more than you have: " + has
	case n > b.Amount-fee:
		return "more than you have, with the fee: " + has + ", fee " + format.Money{}.Amount(b.Asset, fee).String()
	}
	return ""
}

// checkComplete reports whether every field is filled and right; if not, it puts the
// cursor on the first that is not. That there is no such account is left to the node alone:
// it may have been registered since it was looked up.
func (f *form) checkComplete(env screen.Env) bool {
	f.fault = ""
	if f.several {
		return f.checkTable(env)
	}
	for id := fieldTo; id < fieldCount; id++ {
		empty := id != fieldMemo && f.shows(id) && f.text(id) == ""
		if !empty && f.problem(id) == "" {
			continue
		}
		f.focus, f.typing = id, true
		switch {
		case f.lacksRecipient(env):
			f.focus, f.fault = fieldTo, "There is no account "+fault.Quote(f.text(fieldTo))+". "+f.recipients.correction(env, f.text(fieldTo))
		case empty:
			f.fault = "Fill in " + id.name() + "."
		}
		return false
	}
	return true
}

// lacksRecipient reports whether a node that is live was asked for the recipient and has no such account.
func (f *form) lacksRecipient(env screen.Env) bool {
	text := f.text(fieldTo)
	_, known, asked := f.recipient(env)
	isObject := strings.HasPrefix(text, "2.13.")
	return text != "" && f.problem(fieldTo) == "" && !known && asked && !isObject && env.Live() && !f.isPartialName(env)
}

// whyUnable returns why no payment can be built now; empty if one can.
func whyUnable(env screen.Env) string {
	switch {
	case len(env.Accounts) == 0:
		return "This wallet has no account to pay from. On Home, i imports a key or a wallet.json."
	case env.Status.JournalFault != "":
		return format.Clean(env.Status.JournalFault) + ". " + advice.Journal
	case !env.Unlocked(): // not a fault: the password is asked for
		return ""
	case !env.Online():
		return "No node answers: a payment cannot be built now. What you typed stays; esc, then d, saves it as a draft."
	}
	return ""
}

// applyRefusal shows why nothing was built, and puts the cursor on the field that is to blame.
func (f *form) applyRefusal(err error) {
	f.fault, f.recipients.reportedMissing = advice.Sentence(err), false
	if wrong, is := errors.AsType[*paytable.FaultsError](err); is {
		f.applyFaults(wrong.Faults)
		return
	} else if f.several {
		f.focus = fieldTo
		return
	}
	switch fault.CodeOf(err) {
	case fault.NoSuchAccount, fault.NoSuchRecipient:
		f.focus, f.recipients.reportedMissing = fieldTo, true
	case fault.EmptyAccount:
		f.focus = fieldTo
	case fault.BadAmount, fault.InsufficientBalance:
		f.focus = fieldAmount
	case fault.NoSuchAsset, fault.EmptyAsset:
		f.focus = fieldAsset
	}
}

// isPartialName reports whether the recipient is still being typed and is in the name of some suggestion so far.
func (f *form) isPartialName(env screen.Env) bool {
	_, corrected := f.recipients.meant(env, f.text(fieldTo))
	return f.typing && f.focus == fieldTo && !corrected && len(f.suggestions(env)) > 0
}

// checkState returns what stands at the right of the title: that every field was checked and
// is good, or why that is not certain.
func (f *form) checkState(env screen.Env) canvas.Line {
	if _, busy := f.tasks.Busy("build"); busy {
		return canvas.In(theme.Pending, env.Spinner()+" building")
	}
	if f.several {
		return f.tableState(env)
	}
	n := 0
	for id := fieldTo; id < fieldCount; id++ {
		if f.problem(id) != "" {
			n++
		}
	}
	if n > 0 && f.lacksRecipient(env) { // alone it is named below
		n++
	}
	ref, known, _ := f.recipient(env)
	if _, like := f.recipients.lookAlike(env, ref); known && like {
		n++
	}
	if known && contact.Compare(env.Contacts, ref) != nil {
		return canvas.Bold(theme.Danger, theme.SignFailed+" not your contact")
	}
	switch open := f.uncheckedText(env); {
	case n == 1:
		return canvas.In(theme.Warn, "1 warning")
	case n > 1:
		return canvas.In(theme.Warn, fmt.Sprintf("%d warnings", n))
	case open != "":
		return canvas.In(theme.Muted, "live check: "+open)
	}
	return canvas.In(theme.OK, "live check: all good")
}

// uncheckedText returns what the live check could not check yet; empty if there is
// nothing.
func (f *form) uncheckedText(env screen.Env) string {
	ref, known, asked := f.recipient(env)
	_, _, amount := f.amount()
	_, held := f.balance()
	object := isObjectID(f.text(fieldTo))
	switch {
	case len(env.Accounts) == 0:
		return "no account to pay from"
	case env.Status.JournalFault != "":
		return "sending is off"
	case f.text(fieldTo) == "":
		return "To is empty"
	case f.text(fieldAmount) == "":
		return "Amount is empty"
	case f.text(fieldAsset) == "":
		return "Asset is empty"
	case !env.Online():
		return "not possible, no node"
	case env.Status.Stale:
		return "not possible, the node is behind"
	case !known && !asked && f.recipients.searchFailed && !object:
		return "the recipient could not be looked up"
	case !known && !asked && !object:
		return "looking for the recipient"
	case !known && object:
		return "the review shows the recipient"
	case !known:
		return "no such recipient"
	case ref.ID == env.Account.ID:
		return "From and To are the same"
	case !amount || !held:
		return "balances not read yet"
	case !f.funds.feeKnown:
		return "fee not read yet"
	}
	return ""
}
