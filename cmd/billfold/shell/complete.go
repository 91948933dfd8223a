package shell

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"billfold/walletcore/commandline"
	"billfold/walletcore/walletapi"
)

// completionWait bounds how long a key press waits for names, and mostNames how many there are.
const (
	completionWait = 2 * time.Second
	mostNames      = 20
)

// Suggestion is a word that may be next; Help explains it.
type Suggestion struct{ Word, Help string }

// Completer suggests what may be next in a line. Wallet is asked for accounts and assets;
// nil = nobody is.
type Completer struct{ Wallet Wallet }

// Line completes a line up to the cursor: the whole lines it may become.
func (c Completer) Line(ctx context.Context, line string) []string {
	b := commandline.ParsePartial(line)
	var out []string
	for _, s := range c.Next(ctx, b.Words, strings.TrimPrefix(b.Last, `"`)) {
		out = append(out, b.Head+commandline.Write([]string{s.Word})+" ")
	}
	return out
}

// Next suggests words that continue what was begun, behind those that stand already.
func (c Completer) Next(ctx context.Context, words []string, begun string) []Suggestion {
	if len(words) == 0 {
		return methods(begun)
	}
	p := Expected(words)
	if p == nil || p.Secret {
		return nil
	}
	switch kind := kindOf(p); {
	case words[0] == "help" || words[0] == "get_help":
		return methods(begun)
	case p.Type == "bool":
		return starting(begun, "true", "false")
	case kind == walletapi.RoleAccount:
		return c.accounts(ctx, begun)
	case kind == walletapi.RoleAsset:
		return c.assets(ctx, begun)
	}
	return nil
}

// Expected is the parameter that stands behind words; nil where there is none.
func Expected(words []string) *walletapi.Param {
	name := words[0]
	if name == "help" {
		name = "get_help"
	}
	m := Find(name)
	if m == nil || len(words) > len(m.Params) || m.Params[len(words)-1].ByNameOnly {
		return nil
	}
	return &m.Params[len(words)-1]
}

// kindOf is what a parameter names: an account, an asset, or neither.
func kindOf(p *walletapi.Param) walletapi.Role {
	switch {
	case p.Role == walletapi.RoleAccount || p.Role == walletapi.RoleDestination || strings.Contains(p.Name, "account"):
		return walletapi.RoleAccount
	case p.Role == walletapi.RoleAsset || strings.Contains(p.Name, "symbol") || strings.Contains(p.Name, "asset"):
		return walletapi.RoleAsset
	}
	return walletapi.RoleNone
}

func methods(begun string) []Suggestion {
	var out []Suggestion
	for _, m := range walletapi.Methods() {
		if strings.HasPrefix(m.Name, begun) {
			out = append(out, Suggestion{m.Name, m.Help})
		}
	}
	return out
}

func starting(begun string, words ...string) []Suggestion {
	var out []Suggestion
	for _, word := range words {
		if strings.HasPrefix(word, begun) && len(out) < mostNames {
			out = append(out, Suggestion{Word: word})
		}
	}
	return out
}

// accounts suggests the wallet's own first, then those of the ledger.
func (c Completer) accounts(ctx context.Context, begun string) []Suggestion {
	var own []struct {
		Name string `json:"name"`
	}
	c.ask(ctx, &own, "list_my_accounts")
	var names []string
	for _, a := range own {
		names = append(names, a.Name)
	}
	var listed [][]string
	if begun != "" {
		c.ask(ctx, &listed, "list_accounts", begun, "20")
	}
	for _, row := range listed {
		if len(row) > 0 && !slices.Contains(names, row[0]) {
			names = append(names, row[0])
		}
	}
	return starting(begun, names...)
}

func (c Completer) assets(ctx context.Context, begun string) []Suggestion {
	var listed []struct {
		Symbol string `json:"symbol"`
	}
	c.ask(ctx, &listed, "list_assets", begun, "20")
	symbols := []string{"DCT"}
	for _, a := range listed {
		if a.Symbol != symbols[0] {
			symbols = append(symbols, a.Symbol)
		}
	}
	return starting(strings.ToUpper(begun), symbols...)
}

// ask reads names from the wallet; what cannot be read is not suggested.
func (c Completer) ask(ctx context.Context, into any, method string, words ...string) {
	if c.Wallet == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, completionWait)
	defer cancel()
	params := walletapi.Params{Positional: []json.RawMessage{}}
	for _, word := range words {
		text, err := json.Marshal(word)
		if err != nil {
			return
		}
		params.Positional = append(params.Positional, text)
	}
	if result, err := c.Wallet.Call(ctx, method, params); err == nil {
		_ = json.Unmarshal(result, into) // nothing is suggested then
	}
}
