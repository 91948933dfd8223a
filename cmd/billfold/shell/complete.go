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

// completionWait is the longest wait of a key press for names, maxNames the maximum number of those suggested.
const (
	completionWait = 2 * time.Second
	maxNames       = 20
)

// Suggestion is a word that may come next, with an explanation.
type Suggestion struct{ Word, Help string }

// Completer suggests the next word of a line. Wallet is asked for accounts and assets;
// nil = they are not suggested.
type Completer struct{ Wallet Wallet }

// Line returns the completions of a line up to the cursor, each as a whole line.
func (c Completer) Line(ctx context.Context, line string) []string {
	b := commandline.ParsePartial(line)
	var out []string
	for _, s := range c.Next(ctx, b.Words, strings.TrimPrefix(b.Last, `"`)) {
		out = append(out, b.Head+commandline.Write([]string{s.Word})+" ")
	}
	return out
}

// Next suggests words after words that begin with what was typed.
func (c Completer) Next(ctx context.Context, words []string, typed string) []Suggestion {
	if len(words) == 0 {
		return methodsWith(typed)
	}
	p := Expected(words)
	if p == nil || p.Secret {
		return nil
	}
	switch kind := kindOf(p); {
	case words[0] == "help" || words[0] == "get_help":
		return methodsWith(typed)
	case p.Type == "bool":
		return withPrefix(typed, "true", "false")
	case kind == walletapi.RoleAccount:
		return c.accounts(ctx, typed)
	case kind == walletapi.RoleAsset:
		return c.assets(ctx, typed)
	}
	return nil
}

// Expected returns the parameter that comes after words, nil if there is none.
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

// kindOf returns what a parameter names: an account, an asset, or neither.
func kindOf(p *walletapi.Param) walletapi.Role {
	switch {
	case p.Role == walletapi.RoleAccount || p.Role == walletapi.RoleDestination || strings.Contains(p.Name, "account"):
		return walletapi.RoleAccount
	case p.Role == walletapi.RoleAsset || strings.Contains(p.Name, "symbol") || strings.Contains(p.Name, "asset"):
		return walletapi.RoleAsset
	}
	return walletapi.RoleNone
}

func methodsWith(prefix string) []Suggestion {
	var out []Suggestion
	for _, m := range walletapi.Methods() {
		if strings.HasPrefix(m.Name, prefix) {
			out = append(out, Suggestion{m.Name, m.Help})
		}
	}
	return out
}

func withPrefix(prefix string, words ...string) []Suggestion {
	var out []Suggestion
	for _, word := range words {
		if strings.HasPrefix(word, prefix) && len(out) < maxNames {
			out = append(out, Suggestion{Word: word})
		}
	}
	return out
}

// accounts suggests the wallet's own accounts first, then others on the ledger.
func (c Completer) accounts(ctx context.Context, typed string) []Suggestion {
	var own []struct {
		Name string `json:"name"`
	}
	c.ask(ctx, &own, "list_my_accounts")
	var names []string
	for _, a := range own {
		names = append(names, a.Name)
	}
	var listed [][]string
	if typed != "" {
		c.ask(ctx, &listed, "list_accounts", typed, "20")
	}
	for _, row := range listed {
		if len(row) > 0 && !slices.Contains(names, row[0]) {
			names = append(names, row[0])
		}
	}
	return withPrefix(typed, names...)
}

func (c Completer) assets(ctx context.Context, typed string) []Suggestion {
	var listed []struct {
		Symbol string `json:"symbol"`
	}
	c.ask(ctx, &listed, "list_assets", typed, "20")
	symbols := []string{"DCT"}
	for _, a := range listed {
		if a.Symbol != symbols[0] {
			symbols = append(symbols, a.Symbol)
		}
	}
	return withPrefix(strings.ToUpper(typed), symbols...)
}

// ask reads names from the wallet into into. Names that cannot be read are not suggested.
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
		_ = json.Unmarshal(result, into) // on failure nothing is suggested
	}
}
