package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/tui/page/console"
	"billfold/walletcore/commandline"
	"billfold/walletcore/spelling"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"
)

// Page is the shell of the terminal UI's console.
type Page struct{ Wallet Wallet }

// Run implements console.Runner.
func (p Page) Run(ctx context.Context, line string, ask console.Approver) (console.Result, error) {
	return p.run(ctx, line, ask, false)
}

// run runs a line. It may hold secrets only if secrets is set, which means that it was typed where others could not read it.
func (p Page) run(ctx context.Context, line string, ask console.Approver, secrets bool) (console.Result, error) {
	parsed, err := commandline.Parse(line)
	if err != nil {
		return console.Result{}, Misuse(err)
	}
	if parsed.Method == "help" && len(parsed.Params) == 1 {
		parsed.Method = "get_help"
	}
	if parsed.Params == nil {
		parsed.Params = []json.RawMessage{}
	}
	params := walletapi.Params{Exact: true, Positional: parsed.Params}
	secret := false
	if m := Find(parsed.Method); m != nil {
		params.Positional = m.FromWords(parsed.Params)
		secret = m.Secret
		if name := secretParam(m); name != "" && !secrets {
			return console.Result{}, Misuse(fmt.Errorf(
				"%s takes a secret (%s), which is never typed into a line; F2 opens its form", m.Name, name))
		}
		if m.Does(walletapi.Spends) || m.Nests {
			params.Approve = func(ctx context.Context, r txbuild.Review) error { return ask(ctx, m.Name, r) }
		}
	}
	result, err := p.Wallet.Call(ctx, parsed.Method, params)
	if err != nil {
		return console.Result{}, err
	}
	var text, raw strings.Builder
	if err := Print(&text, parsed.Method, result, true); err != nil {
		return console.Result{}, err
	}
	if err := PrintJSON(&raw, result); err != nil {
		return console.Result{}, err
	}
	return console.Result{Text: text.String(), JSON: raw.String(), Secret: secret}, nil
}

// Operations implements console.Runner.
func (p Page) Operations(ctx context.Context, line string) ([]ledger.Operation, error) {
	parsed, err := commandline.Parse(line)
	if err != nil {
		return nil, Misuse(err)
	}
	m := Find(parsed.Method)
	if m == nil || !m.Does(walletapi.Spends) || m.Does(walletapi.Keys) || m.Nests {
		return nil, Misuse(fmt.Errorf("%s is not for others to sign", parsed.Method))
	}
	answer, err := p.Wallet.Call(ctx, m.Name, walletapi.Params{Exact: true, Positional: m.FromWords(parsed.Params),
		Named: map[string]json.RawMessage{"dry_run": json.RawMessage("true")}})
	if err != nil {
		return nil, err
	}
	var would struct {
		Operations []ledger.Operation `json:"operations"`
	}
	err = codec.Unmarshal(answer, &would)
	return would.Operations, err
}

// secretParam returns the name of the first secret parameter, "" if there is none.
func secretParam(m *walletapi.Method) string {
	for _, p := range m.Params {
		if p.Secret {
			return p.Name
		}
	}
	return ""
}

// Complete implements console.Reader.
func (p Page) Complete(ctx context.Context, line string) []string {
	return Completer(p).Line(ctx, line)
}

// Describe implements console.Reader.
func (p Page) Describe(line string) console.Card {
	b := commandline.ParsePartial(line)
	words := b.Words
	if len(words) == 0 {
		words, b.Last = []string{strings.TrimSpace(b.Last)}, ""
	}
	m := Find(words[0])
	if m == nil {
		return console.Card{}
	}
	c := console.Card{Method: m.Name, Help: m.Help, At: len(words) - 1, Tags: tags(m)}
	for _, p := range m.Params {
		if !p.ByNameOnly {
			c.Params = append(c.Params, console.Param{Name: p.Name, Type: p.Type, Optional: p.Optional})
		}
	}
	return c
}

// tags returns in words what an operation needs and does.
func tags(m *walletapi.Method) []string {
	var all []string
	if m.NeedsUnlock {
		all = append(all, "needs unlock")
	}
	if m.Does(walletapi.Spends) {
		return append(all, "spends")
	}
	if m.DoesOnly(walletapi.Reads) {
		return append(all, "reads")
	}
	return all
}

// Keeps implements console.Censor.
func (p Page) Keeps(line string) bool {
	recall, _ := MayKeep(line)
	return recall
}

// Secret implements console.Censor. It returns the index of the first word that must be hidden. A private key is hidden wherever it
// is. The name of the operation is never hidden, so that a misspelling can be seen. If the name is unknown, what follows is hidden
// when it may be meant for an operation that takes a secret, or when no operation has a similar name.
func (p Page) Secret(line string) int {
	starts := wordStarts(line)
	if len(starts) == 0 {
		return len(line)
	}
	name := strings.Fields(line[starts[0]:])[0]
	return min(firstSecret(line, name, starts), firstHeld(line, starts))
}

// firstSecret returns the index of the first secret parameter in line, len(line) if there is none.
func firstSecret(line, name string, starts []int) int {
	m := Find(name)
	if m == nil {
		if takes, all := methodNames(); spelling.Nearest(name, takes) != "" || spelling.Nearest(name, all) == "" {
			return append(starts, len(line))[1]
		}
		return len(line)
	}
	for i, param := range m.Params {
		if param.Secret && i+1 < len(starts) {
			return starts[i+1]
		}
	}
	return len(line)
}

// methodNames returns the names of the operations that take a secret, and of all operations.
func methodNames() (secret, all []string) {
	for _, m := range walletapi.Methods() {
		all = append(all, m.Name)
		if slices.ContainsFunc(m.Params, func(p walletapi.Param) bool { return p.Secret }) {
			secret = append(secret, m.Name)
		}
	}
	return secret, all
}

// firstHeld returns the index of the first private key or phrase in line, which may have blanks in it, len(line) if there is none.
func firstHeld(line string, starts []int) int {
	if ledger.SecretIn(line) == "" {
		return len(line)
	}
	ends := append(slices.Clone(starts[1:]), len(line))
	last := slices.IndexFunc(ends, func(end int) bool { return ledger.SecretIn(line[:end]) != "" })
	if last < 0 {
		return len(line)
	}
	first := last
	for first > 0 && ledger.SecretIn(line[starts[first]:ends[last]]) == "" {
		first--
	}
	return starts[first]
}

// wordStarts returns the indexes at which the words of a line begin. The last word may be incomplete.
func wordStarts(line string) (starts []int) {
	quoted, inside := false, false
	for i := 0; i < len(line); i++ {
		blank := line[i] == ' ' || line[i] == '\t'
		switch {
		case quoted && line[i] == '\\':
			i++
		case line[i] == '"':
			quoted = !quoted
		}
		if !blank && !inside {
			starts = append(starts, i)
		}
		inside = quoted || !blank
	}
	return starts
}

// Reveals implements console.Censor.
func (p Page) Reveals(line string) bool {
	parsed, err := commandline.Parse(line)
	m := Find(parsed.Method)
	return err == nil && m != nil && m.Secret && m.Does(walletapi.Keys) && secretParam(m) == ""
}

// Request implements console.Reader. It returns the body of the same call over JSON-RPC.
func (p Page) Request(line string) string {
	parsed, err := commandline.Parse(line)
	m := Find(parsed.Method)
	if err != nil || m == nil {
		return ""
	}
	body := struct {
		Version string            `json:"jsonrpc"`
		ID      int               `json:"id"`
		Method  string            `json:"method"`
		Params  []json.RawMessage `json:"params"`
	}{"2.0", 1, parsed.Method, append([]json.RawMessage{}, m.FromWords(parsed.Params)...)}
	text, err := json.Marshal(body)
	if err != nil {
		return ""
	}
	return string(text)
}
