package cosign

import (
	"fmt"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
)

const (
	maxAccounts = 256
	maxAssets   = 64
	maxMembers  = 4096 // in all authorities
	maxDepth    = 8    // levels of accounts that act for others
)

// Hints are the claims of a file's author about the accounts and assets in it. Nobody vouches for them: they decide
// only what is shown beside an id, and which keys are worth trying.
type Hints struct {
	Accounts []AccountHint `json:"accounts"`
	Assets   []AssetHint   `json:"assets"`
	Depth    int           `json:"max_authority_depth"` // levels of accounts that act for others
}

// AccountHint is an account, with who may act for it if that is needed.
type AccountHint struct {
	ID     ledger.AccountID  `json:"id"`
	Name   string            `json:"name"`
	Owner  *ledger.Authority `json:"owner,omitempty"`
	Active *ledger.Authority `json:"active,omitempty"`
}

// AssetHint is an asset.
type AssetHint struct {
	ID        ledger.AssetID `json:"id"`
	Symbol    string         `json:"symbol"`
	Precision uint8          `json:"precision"`
}

// check refuses hints that could mislead a reader. Error: fault.BadFile.
func (h *Hints) check() error {
	if len(h.Accounts) > maxAccounts || len(h.Assets) > maxAssets || h.Depth < 0 || h.Depth > maxDepth {
		return bad("it describes too many accounts or assets")
	}
	if err := h.checkAccounts(); err != nil {
		return err
	}
	assets, symbols := map[ledger.AssetID]bool{}, map[string]bool{}
	for _, a := range h.Assets {
		if ledger.ValidSymbol(a.Symbol) != nil || a.Precision > ledger.MaxPrecision || assets[a.ID] || symbols[a.Symbol] {
			return bad("the symbol %s of %s is not valid, or occurs twice", fault.Quote(a.Symbol), a.ID)
		}
		assets[a.ID], symbols[a.Symbol] = true, true
	}
	return nil
}

// checkAccounts allows only names that the ledger allows: any other could be read as more than a name.
func (h *Hints) checkAccounts() error {
	ids, names, members := map[ledger.AccountID]bool{}, map[string]bool{}, 0
	for _, a := range h.Accounts {
		if err := ledger.ValidAccountName(a.Name); err != nil {
			return bad("it gives %s a name that no account can have: %w", a.ID, err)
		}
		if ids[a.ID] || names[a.Name] {
			return bad("the name %s of %s occurs twice", fault.Quote(a.Name), a.ID)
		}
		ids[a.ID], names[a.Name] = true, true
		for _, authority := range []*ledger.Authority{a.Owner, a.Active} {
			if authority != nil {
				members += authority.Members()
			}
		}
	}
	if members > maxMembers {
		return bad("it names more than %d keys and accounts that may act for others", maxMembers)
	}
	return nil
}

// account returns the hint about an account, nil if there is none.
func (h *Hints) account(id ledger.AccountID) *AccountHint {
	for i := range h.Accounts {
		if h.Accounts[i].ID == id {
			return &h.Accounts[i]
		}
	}
	return nil
}

// Called returns the file's name for an account, "" if it has none.
func (h *Hints) Called(id ledger.AccountID) string {
	if a := h.account(id); a != nil {
		return a.Name
	}
	return ""
}

func (h *Hints) asset(id ledger.AssetID) *AssetHint {
	for i := range h.Assets {
		if h.Assets[i].ID == id {
			return &h.Assets[i]
		}
	}
	return nil
}

// lookup returns an account as the file describes it, nil if the file does not say who may act for it.
func (h *Hints) lookup(id ledger.AccountID) *ledger.Account {
	a := h.account(id)
	if a == nil || a.Active == nil || a.Owner == nil {
		return nil
	}
	return &ledger.Account{ID: a.ID, Name: a.Name, Active: *a.Active, Owner: *a.Owner}
}

// add adds what other says about accounts and assets that are not described here.
func (h *Hints) add(other Hints) {
	for _, a := range other.Accounts {
		if h.account(a.ID) == nil {
			h.Accounts = append(h.Accounts, a)
		}
	}
	for _, a := range other.Assets {
		if h.asset(a.ID) == nil {
			h.Assets = append(h.Assets, a)
		}
	}
	h.Depth = max(h.Depth, other.Depth)
}

// Known holds the lookups of what a wallet knows without a daemon.
type Known struct {
	Account func(ledger.AccountID) (name string, known bool)
	Asset   func(ledger.AssetID) (symbol string, precision uint8, known bool)
	Named   func(name string) (id ledger.AccountID, known bool)      // the account with this name
	Symbol  func(symbol string) (id ledger.AssetID, known bool)      // the asset with this symbol
	Alike   func(id ledger.AccountID, name string) (others []string) // the accounts that name is easily mistaken for
	Memo    func(*ledger.Memo) (text string, open bool)
	Before  ledger.Before // the ledger as a daemon has it now; nil if none answers
}

// namer names what a transaction mentions. Names that only the file gives are marked.
type namer struct {
	known Known
	hints *Hints
}

// AccountName implements ledger.Namer.
func (n namer) AccountName(id ledger.AccountID) string {
	if n.known.Account != nil {
		if name, known := n.known.Account(id); known {
			return name
		}
	}
	if a := n.hints.account(id); a != nil {
		return fmt.Sprintf("%s (%s, unchecked)", a.Name, id)
	}
	return id.String()
}

// AssetName implements ledger.Namer.
func (n namer) AssetName(id ledger.AssetID) string {
	if symbol, _, known := n.asset(id); known {
		return symbol
	}
	if a := n.hints.asset(id); a != nil {
		return fmt.Sprintf("%s (%s, unchecked)", a.Symbol, id)
	}
	return id.String()
}

// KindName implements ledger.Namer: kinds of tokens are shown by id, because a file does not name them.
func (n namer) KindName(id ledger.NFTID) string { return id.String() }

// AmountText implements ledger.Namer. An amount whose number of decimals nobody vouches for is also shown in smallest units.
func (n namer) AmountText(amount ledger.AssetAmount) string {
	if symbol, precision, known := n.asset(amount.AssetID); known {
		return ledger.FormatDecimals(amount.Amount, precision) + " " + symbol
	}
	bare := printable.Many(amount.Amount, "unit") + " of " + amount.AssetID.String()
	if a := n.hints.asset(amount.AssetID); a != nil {
		return fmt.Sprintf("%s (%s %s, unchecked)", bare, ledger.FormatDecimals(amount.Amount, a.Precision), a.Symbol)
	}
	return bare
}

func (n namer) asset(id ledger.AssetID) (symbol string, precision uint8, known bool) {
	if id == ledger.CoreAsset {
		return ledger.CoreSymbol, ledger.CorePrecision, true
	}
	if n.known.Asset == nil {
		return "", 0, false
	}
	return n.known.Asset(id)
}

// contradiction returns an error if the file gives accounts or assets names other than the wallet knows, or names that
// it knows as another's. Error: fault.BadFile.
func (n namer) contradiction() error {
	for _, a := range n.hints.Accounts {
		if err := n.checkName(a); err != nil {
			return err
		}
	}
	for _, a := range n.hints.Assets {
		if symbol, precision, known := n.asset(a.ID); known && (symbol != a.Symbol || precision != a.Precision) {
			return bad("it calls %s %s with %s, but this wallet knows it as %s with %d",
				a.ID, a.Symbol, printable.Many(a.Precision, "decimal"), symbol, precision)
		}
		if id, known := n.holder(a.Symbol); known && id != a.ID {
			return bad("it calls %s %s, but this wallet knows %s as %s", a.ID, a.Symbol, id, a.Symbol)
		}
	}
	return nil
}

func (n namer) checkName(a AccountHint) error {
	if n.known.Account != nil {
		if name, known := n.known.Account(a.ID); known && name != a.Name {
			return bad("it calls %s %s, but this wallet knows it as %s", a.ID, a.Name, name)
		}
	}
	if n.known.Named != nil {
		if id, known := n.known.Named(a.Name); known && id != a.ID {
			return bad("it calls %s %s, but this wallet knows %s as %s", a.ID, a.Name, id, a.Name)
		}
	}
	return nil
}

// holder returns the asset with this symbol.
func (n namer) holder(symbol string) (id ledger.AssetID, known bool) {
	if symbol == ledger.CoreSymbol {
		return ledger.CoreAsset, true
	}
	if n.known.Symbol == nil {
		return 0, false
	}
	return n.known.Symbol(symbol)
}
