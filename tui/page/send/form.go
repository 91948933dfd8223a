package send

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/draft"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Finder reads what the form shows while a person types.
type Finder interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
	FindAccounts(ctx context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error)
	Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error)
	TransferFee(ctx context.Context) (ledgerview.AssetRef, int64, error)
}

// readLimit is the time limit of one reading or other task of the page.
const readLimit = 20 * time.Second

// recentRows is the number of rows of the history that are read to learn whom the account paid before.
const recentRows = 100

// form is the payment being typed, and what is known about its parts. Nothing in it
// is trusted: the review shows what was built.
type form struct {
	inputs
	finder  Finder
	history History
	tasks   *screen.Tasks

	focus            fieldID
	typing           bool
	suggestionCursor list.Cursor // in the suggestions
	account          ledger.AccountID
	funds            funds
	recipients       recipients
	table            table
	fault            string // why the last payment was not built
	link             *Form  // from the recipient's field, to be filled in
	draftCount       int    // how many drafts the account has
	origin
}

func newForm(find Finder, history History, tasks *screen.Tasks) form {
	return form{inputs: newInputs(), finder: find, history: history, tasks: tasks, typing: true,
		recipients: recipients{paid: map[ledger.AccountID]paidBefore{}}}
}

// setOwner records the account whose payment is being typed, or clears it when the form is empty.
func (f *form) setOwner(account ledgerview.AccountRef) {
	if !f.worthKeeping() {
		account = ledgerview.AccountRef{}
	}
	if f.owner.ID == 0 || account.ID == 0 {
		f.owner = account
	}
}

// otherOwnerText returns " of " and the account whose payment is typed, empty if that is the account in focus.
func (f *form) otherOwnerText(env screen.Env) string {
	if f.owner.ID == 0 || f.owner.ID == env.Account.ID {
		return ""
	}
	return " of " + format.Account(f.owner).String()
}

// typedByOwner returns what is typed, as of the account that was in focus when typing began.
func (f *form) typedByOwner(env screen.Env) (ledger.AccountID, draft.Draft) {
	typed := draft.Draft{Request: f.request(env), Proposes: f.proposes}
	if f.several {
		r := f.tableRequest(env)
		typed = draft.Draft{Request: txbuild.TransferParams{From: r.From, To: r.Text, Asset: r.Asset}, Several: true, Label: r.Label}
	}
	if f.owner.ID == 0 {
		return env.Account.ID, typed
	}
	typed.Request.From = f.owner.Name
	return f.owner.ID, typed
}

// isProposal reports whether what is reviewed proposes something.
func isProposal(r txbuild.Review) bool {
	return r.Operation == txbuild.Title(ledger.CodeProposalCreate)
}

// sendKeepingDraft returns work that sends what the form became while a draft of it is kept, a proposal as one; see SendKeepingDraft.
func (f *form) sendKeepingDraft(env screen.Env, keeper Keeper, shown txbuild.Review, send func(context.Context) (any, error)) func(context.Context) (any, error) {
	account, typed := f.typedByOwner(env)
	typed.Proposes = typed.Proposes || isProposal(shown)
	number := f.draftOf(f.typed())
	return func(ctx context.Context) (any, error) {
		return SendKeepingDraft(ctx, keeper, account, typed, number, send)
	}
}

// operation returns the code of the operation that is built from the form: a payment that the keys here may not sign alone is
// proposed, if an account of the wallet can pay for that.
func (f *form) operation(env screen.Env) ledger.OpCode {
	from, listed := env.Listed(env.Account.ID)
	forOthers := listed && !from.CanSign() && from.Ownership != vault.OwnershipUnknown && from.Ownership != vault.OwnershipMissing && len(Payers(env)) > 0
	switch {
	case f.proposes, forOthers:
		return ledger.CodeProposalCreate
	case strings.HasPrefix(f.text(fieldTo), "2.13."):
		return ledger.CodeTransfer
	}
	return ledger.CodeTransferObsolete
}

// title returns what the form is called: with the name of the operation that is built from it, as its review has it.
func (f *form) title(env screen.Env) string {
	if f.several {
		return f.name() + " · several"
	}
	return f.name() + " · " + txbuild.Title(f.operation(env))
}

// name returns what the form makes.
func (f *form) name() string {
	if f.proposes {
		return "New proposal"
	}
	return "Send"
}

// fill fills the form, and drops where its former text came from.
func (f *form) fill(text Form) {
	f.origin = origin{}
	f.set(text)
}

// reset empties the form once the payment was sent, so that it is not sent
// again by habit.
func (f *form) reset() {
	f.fill(emptyForm())
	f.fields[fieldTo] = field.Field{}
	f.focus, f.cleared, f.fault, f.table = fieldTo, nil, "", table{}
}

// readSurroundings starts reading what the form shows around a payment: balances,
// the fee, and who was paid before; and the recipient and the asset, if unknown.
func (f *form) readSurroundings(env screen.Env) tea.Cmd {
	id := env.Account.ID
	if len(env.Accounts) == 0 {
		return nil
	}
	f.table.forgetMissing()
	return tea.Batch(f.retrySearch(env), f.checkAsset(env), f.lookUpNames(env, false),
		f.readBalances(env),
		f.tasks.Start(env, "paid", readLimit, func(ctx context.Context) (any, error) { return f.history.Entries(ctx, id, 0, recentRows) }),
		f.tasks.Start(env, "fee", readLimit, func(ctx context.Context) (any, error) {
			asset, fee, err := f.finder.TransferFee(ctx)
			return ledgerview.Balance{Asset: asset, Amount: fee}, err
		}))
}

// readBalances starts reading what the account has now.
func (f *form) readBalances(env screen.Env) tea.Cmd {
	id := env.Account.ID
	if len(env.Accounts) == 0 {
		return nil
	}
	return f.tasks.Start(env, "balances", readLimit, func(ctx context.Context) (any, error) { return f.finder.Balances(ctx, id) })
}

// followAccount drops what was read for another account and reports whether it did.
func (f *form) followAccount(id ledger.AccountID) bool {
	if id == f.account {
		return false
	}
	f.account, f.funds.balances, f.funds.readAt, f.recipients.paid = id, nil, time.Time{}, map[ledger.AccountID]paidBefore{}
	f.recipients.older = nil
	return true
}

// applyResult applies what was read. The form works without it; what matters is
// checked when the payment is built.
func (f *form) applyResult(env screen.Env, msg screen.Result) {
	if msg.Err != nil {
		f.recipients.searchFailed = f.recipients.searchFailed || msg.Topic == "find"
		return
	}
	switch body := msg.Body.(type) {
	case []ledgerview.Balance:
		f.funds.balances = body
		if env.Live() {
			f.funds.readAt = env.Now
		}
	case ledgerview.Balance:
		f.funds.feeAsset, f.funds.fee, f.funds.feeKnown = body.Asset, body.Amount, true
	case []history.Entry:
		f.recipients.countPaid(body, recentRows)
	case missingAsset:
		f.funds.missingAsset = string(body)
	case olderPayments:
		f.recipients.addOlder(body)
	case searchResult:
		f.recipients.found, f.recipients.searchedFor = body.accounts, body.prefix
		if _, known, _ := f.recipient(env); known && f.recipients.reportedMissing {
			f.fault, f.recipients.reportedMissing = "", false
		}
	}
}

// searchAccounts asks the ledger for accounts whose names begin with what was typed.
// It never blocks typing; the answer to an older text is dropped. Without a node
// nothing is asked, so nothing is known.
func (f *form) searchAccounts(env screen.Env) tea.Cmd {
	prefix := strings.ToLower(f.text(fieldTo))
	f.recipients.searchFailed = false
	if f.several {
		return f.lookUpNames(env, true)
	}
	if prefix == "" || !env.Online() || f.fields[fieldTo].HoldsSecret() {
		f.recipients.found, f.recipients.searchedFor = nil, ""
		f.tasks.Forget("find")
		return nil
	}
	return f.tasks.Start(env, "find", readLimit, func(ctx context.Context) (any, error) {
		accounts, err := f.finder.FindAccounts(ctx, prefix, suggestRows)
		return searchResult{prefix, accounts}, err
	})
}

// retrySearch searches again if no node has answered about the recipient yet, or if the ledger did not have it: it may have it by now.
func (f *form) retrySearch(env screen.Env) tea.Cmd {
	prefix := strings.ToLower(f.text(fieldTo))
	_, busy := f.tasks.Busy("find")
	_, known, asked := f.recipient(env)
	answered := asked && (known || isObjectID(prefix))
	if f.several || prefix == "" || !env.Online() || busy || answered || f.fields[fieldTo].HoldsSecret() {
		return nil
	}
	return f.searchAccounts(env)
}

// readOlder looks further back in the history for payments to the recipient and the suggested accounts, as far as that is not known.
func (f *form) readOlder(env screen.Env) tea.Cmd {
	var ask []ledgerview.AccountRef
	if f.several {
		for _, r := range f.readTable().Rows {
			if a := f.table.accounts[r.Account].account; a.ID != 0 && !slices.Contains(ask, a) {
				ask = append(ask, a)
			}
		}
		ask = f.recipients.unreadOlder(ask)
	} else if ref, known, _ := f.recipient(env); known {
		ask = f.recipients.unreadOlder(append(f.suggestions(env), ref))
	} else {
		ask = f.recipients.unreadOlder(f.suggestions(env))
	}
	if _, busy := f.tasks.Busy("older"); busy || len(ask) == 0 {
		return nil
	}
	id := env.Account.ID
	return f.tasks.Start(env, "older", readLimit, func(ctx context.Context) (any, error) {
		return readOlderPayments(ctx, f.history, id, ask), nil
	})
}

// missingAsset is the symbol of an asset that the ledger does not have.
type missingAsset string

// checkAsset asks the ledger whether the typed asset exists, unless the account holds it.
func (f *form) checkAsset(env screen.Env) tea.Cmd {
	symbol := strings.ToUpper(f.text(fieldAsset))
	if _, known := f.asset(); known || symbol == "" || !isAsset(symbol) || !env.Online() {
		f.funds.missingAsset = ""
		f.tasks.Forget("asset")
		return nil
	}
	return f.tasks.Start(env, "asset", readLimit, func(ctx context.Context) (any, error) {
		_, err := f.finder.Asset(ctx, symbol)
		if fault.CodeOf(err) == fault.NoSuchAsset {
			return missingAsset(symbol), nil
		}
		return missingAsset(""), err
	})
}

// balance returns what the account holds of the typed asset.
func (f *form) balance() (ledgerview.Balance, bool) { return f.funds.balance(f.text(fieldAsset)) }

// asset returns the typed asset, if it is known.
func (f *form) asset() (ledgerview.AssetRef, bool) { return f.funds.asset(f.text(fieldAsset)) }

// amount parses the typed amount into the asset's smallest unit, if the asset is known.
func (f *form) amount() (int64, ledgerview.AssetRef, bool) {
	a, ok := f.asset()
	if !ok {
		return 0, a, false
	}
	n, err := ledger.ParseAmountOf(f.text(fieldAmount), a.Symbol, a.Precision)
	return n, a, err == nil
}

// recipient returns the typed account; see recipients.findExact.
func (f *form) recipient(env screen.Env) (ref ledgerview.AccountRef, ok, asked bool) {
	return f.recipients.findExact(env, f.text(fieldTo))
}

// suggestions returns the accounts that what is typed may mean.
func (f *form) suggestions(env screen.Env) []ledgerview.AccountRef {
	return f.recipients.suggestions(env, f.text(fieldTo))
}

// takeSymbol sets the asset to the symbol typed after the amount, if the account
// holds that asset.
func (f *form) takeSymbol() {
	_, symbol := ledger.SplitAmount(f.text(fieldAmount))
	for _, b := range f.funds.balances {
		if strings.EqualFold(b.Asset.Symbol, symbol) {
			f.fields[fieldAsset].Set(b.Asset.Symbol)
		}
	}
}

// fillMaxAmount sets the largest amount that leaves enough for the fee.
func (f *form) fillMaxAmount() {
	if b, ok := f.balance(); ok {
		f.fields[fieldAmount].Set(format.Digits(b.Asset, max(b.Amount-f.funds.feeIn(b.Asset), 0)))
	}
}

// request returns the typed payment, made by the account in focus.
func (f *form) request(env screen.Env) txbuild.TransferParams {
	amount := f.text(fieldAmount)
	if _, _, ok := f.amount(); ok {
		amount, _ = ledger.SplitAmount(amount) // the symbol is the asset's
	}
	return txbuild.TransferParams{From: env.Account.Name, To: f.text(fieldTo), Amount: amount, Asset: f.text(fieldAsset),
		Memo: f.fields[fieldMemo].Value(), Plain: f.plain}
}

// funds holds the account's balances and what a payment costs, as last read.
type funds struct {
	balances     []ledgerview.Balance
	readAt       time.Time // zero: not read from a node yet
	feeAsset     ledgerview.AssetRef
	fee          int64
	feeKnown     bool
	missingAsset string // a symbol that the ledger does not have, in capitals
}

// balance returns what is held of an asset, given by symbol or id.
func (f *funds) balance(asset string) (ledgerview.Balance, bool) {
	for _, b := range f.balances {
		if strings.EqualFold(b.Asset.Symbol, asset) || b.Asset.ID.String() == asset {
			return b, true
		}
	}
	return ledgerview.Balance{}, false
}

// asset returns an asset by symbol or id: one that is held, or DCT, which is always
// the same.
func (f *funds) asset(name string) (ledgerview.AssetRef, bool) {
	if b, ok := f.balance(name); ok {
		return b.Asset, true
	}
	core := ledgerview.AssetRef{ID: ledger.CoreAsset, Symbol: "DCT", Precision: 8}
	return core, strings.EqualFold(name, core.Symbol) || name == core.ID.String()
}

// feeIn returns the fee if it is paid in the given asset, else 0.
func (f *funds) feeIn(a ledgerview.AssetRef) int64 {
	if f.feeKnown && f.feeAsset.ID == a.ID {
		return f.fee
	}
	return 0
}

// isAsset reports whether text can be the symbol or the id of an asset.
func isAsset(text string) bool {
	_, err := ledger.ParseAssetID(text)
	return err == nil || ledger.ValidSymbol(strings.ToUpper(text)) == nil
}
