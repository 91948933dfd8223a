package receive

import (
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/widget/field"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paylink"
)

// fieldID is a field of the request; the constants are in reading order.
type fieldID int

const (
	fieldAsset fieldID = iota
	fieldAmount
	fieldMemo
	fieldCount
)

func (f fieldID) name() string { return [...]string{"Ask for", "Amount", "Memo"}[f] }

// hint returns what an empty field shows.
func (f fieldID) hint() string {
	return [...]string{"any asset", "(optional)", "(optional) shown in the link"}[f]
}

// hint returns what an empty field of the request shows. An amount without an asset is one of DCT, as the link has it.
func (r *request) hint(f fieldID) string {
	if symbol := r.symbol(); f == fieldAsset && symbol != "" {
		return symbol
	}
	return f.hint()
}

// clockSlack is the time by which the clocks of miners and of this machine may be apart.
const clockSlack = 30 * time.Second

// request is the payment that is requested; every field may be empty.
type request struct {
	fields     [fieldCount]field.Field
	focusField fieldID
	typing     bool
	changedAt  time.Time // when it last changed; only later payments can match it

	assets map[string]ledgerview.AssetRef // by symbol; zero if the ledger has no such asset
}

func newRequest() request {
	return request{assets: map[string]ledgerview.AssetRef{ledgerview.DCT().Symbol: ledgerview.DCT()}}
}

func (r *request) text(f fieldID) string { return strings.Trim(r.fields[f].Value(), " ") }

// symbol returns the symbol of the requested asset: DCT if only an amount is typed.
func (r *request) symbol() string {
	symbol := strings.ToUpper(r.text(fieldAsset))
	if symbol == "" && r.text(fieldAmount) != "" {
		return ledgerview.DCT().Symbol
	}
	return symbol
}

// setAsset stores an asset that was looked up, or that the ledger does not have it.
func (r *request) setAsset(a *ledger.Asset, err error) {
	switch {
	case err == nil:
		r.assets[a.Symbol] = ledgerview.AssetRef{ID: a.ID, Symbol: a.Symbol, Precision: a.Precision}
	case fault.CodeOf(err) == fault.NoSuchAsset:
		r.assets[r.symbol()] = ledgerview.AssetRef{}
	}
}

// amount returns the requested amount in the asset's smallest unit; 0 if there is none.
func (r *request) amount() (ledgerview.AssetRef, int64, error) {
	text := r.text(fieldAmount)
	asset, known := r.assets[r.symbol()]
	if text == "" || !known || asset.Symbol == "" {
		return asset, 0, nil
	}
	n, err := ledger.ParseAmountOf(text, asset.Symbol, asset.Precision)
	return asset, n, err
}

// problem returns why the request cannot be part of the link; empty if it can.
func (r *request) problem() string {
	for f := range fieldCount {
		if p := r.fields[f].Fault(); p != "" {
			return f.name() + ": " + p
		}
	}
	symbol := r.symbol()
	asset, known := r.assets[symbol]
	switch _, n, err := r.amount(); {
	case symbol != "" && ledger.ValidSymbol(symbol) != nil:
		return "Ask for: an asset is written in capital letters, such as DCT"
	case symbol != "" && known && asset.Symbol == "":
		return "Ask for: the ledger has no asset " + format.Clean(symbol)
	case symbol != "" && !known:
		return "Ask for: " + format.Clean(symbol) + " is not checked yet; that needs a node"
	case err != nil:
		return "Amount: " + format.AmountFault(err)
	case r.text(fieldAmount) != "" && n == 0:
		return "Amount: it is zero"
	}
	return ""
}

// link returns the payment link of an account. The request is part of it if it is valid.
func (r *request) link(account ledgerview.AccountRef) string {
	l := paylink.Link{To: account.Name}
	if l.To == "" {
		l.To = account.ID.String()
	}
	if r.problem() == "" {
		l.Asset, l.Memo = r.symbol(), r.text(fieldMemo)
		if asset, n, _ := r.amount(); n > 0 {
			l.Amount = format.Digits(asset, n)
		}
	}
	return l.String()
}

// matches reports whether a payment is what was requested: made since the request was typed, of that
// amount and asset, and with that memo if the memo can be read.
func (r *request) matches(e history.Entry) bool {
	asset, n, err := r.amount()
	if err != nil || n == 0 || e.Asset.ID != asset.ID || e.Amount != n || e.Time.Time().Before(r.changedAt.Add(-clockSlack)) {
		return false
	}
	memo := r.text(fieldMemo)
	return memo == "" || e.Memo == "" || strings.Trim(e.Memo, " ") == memo
}

// clear empties the request.
func (r *request) clear() {
	for f := range r.fields {
		r.fields[f].Set("")
	}
	r.focusField, r.changedAt = fieldAmount, time.Time{}
}
