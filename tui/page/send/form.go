package send

import (
	"context"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Finder answers what the form asks while a person types.
type Finder interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
	FindAccounts(ctx context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error)
	Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error)
	TransferFee(ctx context.Context) (ledgerview.AssetRef, int64, error)
}

// askLimit is how long a question of the page may take.
const askLimit = 20 * time.Second

// pastRows is how much of the history tells whom the account paid before.
const pastRows = 100

// form is the payment being typed and what is known around it. Nothing in it is
// trusted: the review shows what was built.
type form struct {
	inputs
	find    Finder
	history History
	tasks   *screen.Tasks

	focus   fieldID
	typing  bool
	pick    list.Cursor // in the suggestions
	account ledger.AccountID
	funds   funds
	who     recipients
	fault   string // of the last try to build
	link    *Form  // that was taken from the recipient's field, and is to be filled in
	drafts  int    // how many the account has
	origin
}

func newForm(find Finder, history History, tasks *screen.Tasks) form {
	return form{inputs: newInputs(), find: find, history: history, tasks: tasks, typing: true,
		who: recipients{paid: map[ledger.AccountID]paidBefore{}}}
}

// own notes whose payment is begun, or that none is any more.
func own(f *form, account ledgerview.AccountRef) {
	if !f.worthKeeping() {
		account = ledgerview.AccountRef{}
	}
	if f.owner.ID == 0 || account.ID == 0 {
		f.owner = account
	}
}

// ofOther returns whose payment is typed, where that is not the account in focus.
func (f *form) ofOther(env screen.Env) string {
	if f.owner.ID == 0 || f.owner.ID == env.Account.ID {
		return ""
	}
	return " of " + format.Account(f.owner).String()
}

// unsent is what the form asks for, as the account that it was begun as.
func unsent(f *form, env screen.Env) (ledger.AccountID, build.TransferParams) {
	req := f.request(env)
	if f.owner.ID == 0 {
		return env.Account.ID, req
	}
	req.From = f.owner.Name
	return f.owner.ID, req
}

// whileSent has the payment of the form sent while it is kept as a draft.
func whileSent(f *form, env screen.Env, keeper Keeper, send func(context.Context) (any, error)) func(context.Context) (any, error) {
	account, req := unsent(f, env)
	number := f.draftOf(f.typed())
	return func(ctx context.Context) (any, error) { return WhileSent(ctx, keeper, account, req, number, send) }
}

// fill types a form again. It is of nothing else any more.
func (f *form) fill(text Form) {
	f.origin = origin{}
	f.set(text)
}

// forget empties the form once the payment is on its way, so that the same
// one is not sent again by habit.
func (f *form) forget() {
	f.fill(emptyForm())
	f.fields[fieldTo] = field.Field{}
	f.focus, f.cleared, f.fault = fieldTo, nil, ""
}

// readAround asks for what surrounds a payment: balances, the fee, who was
// paid before, and for the recipient where no node told of it.
func (f *form) readAround(env screen.Env) tea.Cmd {
	id := env.Account.ID
	if len(env.Accounts) == 0 {
		return nil
	}
	return tea.Batch(f.lookAgain(env), f.lookAsset(env),
		f.readBalances(env),
		f.tasks.Start(env, "paid", askLimit, func(ctx context.Context) (any, error) { return f.history.Entries(ctx, id, 0, pastRows) }),
		f.tasks.Start(env, "fee", askLimit, func(ctx context.Context) (any, error) {
			asset, fee, err := f.find.TransferFee(ctx)
			return ledgerview.Balance{Asset: asset, Amount: fee}, err
		}))
}

// readBalances asks what the account has now.
func (f *form) readBalances(env screen.Env) tea.Cmd {
	id := env.Account.ID
	if len(env.Accounts) == 0 {
		return nil
	}
	return f.tasks.Start(env, "balances", askLimit, func(ctx context.Context) (any, error) { return f.find.Balances(ctx, id) })
}

// follow drops what was read of another account and reports whether it did.
func (f *form) follow(id ledger.AccountID) bool {
	if id == f.account {
		return false
	}
	f.account, f.funds.balances, f.funds.read, f.who.paid = id, nil, time.Time{}, map[ledger.AccountID]paidBefore{}
	f.who.older = nil
	return true
}

// learn takes what was read around the payment. The form works without; what
// matters is checked when it is built.
func (f *form) learn(env screen.Env, msg screen.Result) {
	if msg.Err != nil {
		f.who.failed = f.who.failed || msg.Topic == "find"
		return
	}
	switch body := msg.Body.(type) {
	case []ledgerview.Balance:
		f.funds.balances = body
		if env.Live() {
			f.funds.read = env.Now
		}
	case ledgerview.Balance:
		f.funds.feeAsset, f.funds.fee, f.funds.feeKnown = body.Asset, body.Amount, true
	case []history.Entry:
		f.who.learn(body, pastRows)
	case missing:
		f.funds.noAsset = string(body)
	case older:
		f.who.learnOlder(body)
	case found:
		f.who.found, f.who.foundFor = body.accounts, body.prefix
		if _, known, _ := f.recipient(env); known && f.who.missed {
			f.fault, f.who.missed = "", false
		}
	}
}

// look asks the ledger for names that begin as typed. It never blocks typing;
// an answer to an older text is dropped. Without a node nothing was asked, so
// nothing is known.
func (f *form) look(env screen.Env) tea.Cmd {
	prefix := strings.ToLower(f.text(fieldTo))
	f.who.failed = false
	if prefix == "" || !env.Online() || f.fields[fieldTo].HoldsKey() {
		f.who.found, f.who.foundFor = nil, ""
		f.tasks.Forget("find")
		return nil
	}
	return f.tasks.Start(env, "find", askLimit, func(ctx context.Context) (any, error) {
		accounts, err := f.find.FindAccounts(ctx, prefix, suggestRows)
		return found{prefix, accounts}, err
	})
}

// lookAgain asks again for a recipient about whom no node has answered yet, or whom the ledger did not have: it may have it by now.
func (f *form) lookAgain(env screen.Env) tea.Cmd {
	prefix := strings.ToLower(f.text(fieldTo))
	_, busy := f.tasks.Busy("find")
	_, known, asked := f.recipient(env)
	answered := asked && (known || isObject(prefix))
	if prefix == "" || !env.Online() || busy || answered || f.fields[fieldTo].HoldsKey() {
		return nil
	}
	return f.look(env)
}

// readOlder asks what went before the newest rows to those who are shown, about whom that is not known.
func readOlder(f *form, env screen.Env) tea.Cmd {
	var ask []ledgerview.AccountRef
	if ref, known, _ := f.recipient(env); known {
		ask = f.who.unasked(append(f.suggestions(env), ref))
	} else {
		ask = f.who.unasked(f.suggestions(env))
	}
	if _, busy := f.tasks.Busy("older"); busy || len(ask) == 0 {
		return nil
	}
	id := env.Account.ID
	return f.tasks.Start(env, "older", askLimit, func(ctx context.Context) (any, error) { return olderOf(ctx, f.history, id, ask), nil })
}

// missing is the symbol of an asset that the ledger does not have.
type missing string

// lookAsset asks whether there is the asset that is typed and not held.
func (f *form) lookAsset(env screen.Env) tea.Cmd {
	symbol := strings.ToUpper(f.text(fieldAsset))
	if _, known := f.asset(); known || symbol == "" || !isAsset(symbol) || !env.Online() {
		f.funds.noAsset = ""
		f.tasks.Forget("asset")
		return nil
	}
	return f.tasks.Start(env, "asset", askLimit, func(ctx context.Context) (any, error) {
		_, err := f.find.Asset(ctx, symbol)
		if fault.CodeOf(err) == fault.NoSuchAsset {
			return missing(symbol), nil
		}
		return missing(""), err
	})
}

// balance is what the account holds of the asset typed.
func (f *form) balance() (ledgerview.Balance, bool) { return f.funds.balance(f.text(fieldAsset)) }

// asset is the asset typed, when it is known.
func (f *form) asset() (ledgerview.AssetRef, bool) { return f.funds.asset(f.text(fieldAsset)) }

// amount reads the amount typed, when the asset is known.
func (f *form) amount() (int64, ledgerview.AssetRef, bool) {
	a, ok := f.asset()
	if !ok {
		return 0, a, false
	}
	n, err := ledger.ParseAmountOf(f.text(fieldAmount), a.Symbol, a.Precision)
	return n, a, err == nil
}

// recipient is the account typed; see recipients.exact.
func (f *form) recipient(env screen.Env) (ref ledgerview.AccountRef, ok, asked bool) {
	return f.who.exact(env, f.text(fieldTo))
}

// suggestions lists who may be meant by what is typed.
func (f *form) suggestions(env screen.Env) []ledgerview.AccountRef {
	return f.who.suggestions(env, f.text(fieldTo))
}

// followSymbol makes the symbol that was typed behind an amount the asset, when
// it is one that the account holds.
func (f *form) followSymbol() {
	_, symbol := ledger.SplitAmount(f.text(fieldAmount))
	for _, b := range f.funds.balances {
		if strings.EqualFold(b.Asset.Symbol, symbol) {
			f.fields[fieldAsset].Set(b.Asset.Symbol)
		}
	}
}

// typeMost types the largest amount that leaves the fee.
func (f *form) typeMost() {
	if b, ok := f.balance(); ok {
		f.fields[fieldAmount].Set(format.Digits(b.Asset, max(b.Amount-f.funds.feeIn(b.Asset), 0)))
	}
}

// request is what the form asks for.
func (f *form) request(env screen.Env) build.TransferParams {
	amount := f.text(fieldAmount)
	if _, _, ok := f.amount(); ok {
		amount, _ = ledger.SplitAmount(amount) // the symbol is the asset's
	}
	return build.TransferParams{From: env.Account.Name, To: f.text(fieldTo), Amount: amount, Asset: f.text(fieldAsset),
		Memo: f.fields[fieldMemo].Value(), Plain: f.plain}
}
