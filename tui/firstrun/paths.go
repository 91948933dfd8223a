package firstrun

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"billfold/ledger"
	"billfold/tui/field"
	"billfold/tui/show"
	"billfold/walletcore"
)

// step asks one thing. check says what is good about an answer and what is
// wrong; answers are those to the earlier steps.
type step struct {
	label, note string
	secret      bool
	check       func(answers []string, text string) (good, bad string)
}

func (s step) field() field.Field { return field.Field{Secret: s.secret, Limit: 4096} }

// path is a way in: its steps, and what is done after the last one. run gives
// the lines that are reported.
type path struct {
	key, title, about string
	steps             []step
	run               func(ctx context.Context, answers []string) ([]string, error)
}

// offers lists the ways in that this version has.
func (m *Model) offers() []path {
	imports := []path{m.legacy(), m.wif()}
	if !m.fresh {
		return imports
	}
	out := append([]path{m.create()}, imports...)
	if m.opt.Sandbox {
		out = append(out, path{key: "6", title: "Try the sandbox", about: "a private ledger with play money, offline"})
	}
	return out
}

func (m *Model) create() path {
	return path{key: "1", title: "Create a new wallet", about: "set a password, then import a key",
		steps: passwordSteps(), run: func(ctx context.Context, a []string) ([]string, error) {
			if err := m.core.Create(ctx, a[0]); err != nil {
				return nil, err
			}
			return []string{"The wallet is made and open. It holds no key yet: i on Home imports one."}, nil
		}}
}

func (m *Model) legacy() path {
	steps := []step{
		{label: "File", note: "path of the wallet.json; it is only read, never changed", check: filled("Type the path of the file.")},
		{label: "Its password", secret: true, check: func([]string, string) (string, string) { return "", "" }},
	}
	if m.fresh {
		steps = append(steps, passwordSteps()...)
	}
	return path{key: "2", title: "Open a wallet.json", about: "from the classic command line wallet", steps: steps,
		run: func(ctx context.Context, a []string) ([]string, error) {
			fresh := ""
			if len(a) > 2 {
				fresh = a[2]
			}
			got, err := m.core.ImportLegacy(ctx, strings.TrimSpace(a[0]), a[1], fresh)
			if err != nil {
				return nil, err
			}
			return report(got), nil
		}}
}

func report(got walletcore.Imported) []string {
	out := []string{fmt.Sprintf("Taken over: %d keys, %d accounts.", got.Keys, len(got.Accounts))}
	for _, a := range got.Accounts {
		out = append(out, "  "+show.Account(a).String())
	}
	for _, p := range got.Pending {
		out = append(out, "  registration not finished: "+show.Clean(p))
	}
	return out
}

func (m *Model) wif() path {
	steps := []step{
		{label: "Private key", note: "one WIF key that starts with 5, shown as dots", secret: true, check: checkWIF},
		{label: "Account", note: "leave it empty to find the accounts of the key; - keeps a key that acts for no account",
			check: func([]string, string) (string, string) { return "", "" }},
	}
	if m.fresh {
		steps = append(steps, passwordSteps()...)
	}
	return path{key: "3", title: "Import a private key", about: "one WIF key that starts with 5…", steps: steps,
		run: func(ctx context.Context, a []string) ([]string, error) { return m.importWIF(ctx, a) }}
}

// importWIF makes the wallet first when there is none: with a password that
// could not be set nothing is imported.
func (m *Model) importWIF(ctx context.Context, a []string) ([]string, error) {
	in := walletcore.KeyImport{WIF: strings.TrimSpace(a[0]), Account: strings.TrimSpace(a[1])}
	if in.Account == noAccount {
		in.Account, in.Anyway = "", true
	}
	if _, err := m.core.CheckKeyImport(ctx, in); err != nil {
		return nil, err
	}
	if len(a) > 2 && m.core.IsNew() {
		if err := m.core.Create(ctx, a[2]); err != nil {
			return nil, err
		}
	}
	got, err := m.core.ImportAccountKey(ctx, in)
	if err != nil {
		return nil, err
	}
	return reportKey(got), nil
}

// noAccount is typed for a key that is kept although it acts for nobody; no
// account has such a name.
const noAccount = "-"

func reportKey(got walletcore.ImportedKey) []string {
	if len(got.Accounts) == 0 {
		return []string{"The key is kept; it acts for no account, so none was listed."}
	}
	out := []string{"The key is in the wallet. It belongs to:"}
	for _, u := range got.Accounts {
		out = append(out, "  "+show.Account(u.AccountRef).String()+", as its "+u.Roles()+" key")
	}
	return out
}

func checkWIF(_ []string, text string) (good, bad string) {
	key, err := ledger.ParseWIF(strings.TrimSpace(text))
	if err != nil {
		return "", "This is not a private key: its checksum does not match. Nothing was changed."
	}
	defer key.Wipe()
	return "checksum matches: " + key.Public().String(), ""
}

func filled(bad string) func([]string, string) (string, string) {
	return func(_ []string, text string) (string, string) {
		if strings.TrimSpace(text) == "" {
			return "", bad
		}
		return "", ""
	}
}

// passwordSteps ask for a new password twice.
func passwordSteps() []step {
	return []step{
		{label: "New password", note: "it encrypts the keys on this computer; nobody can bring it back", secret: true,
			check: func(_ []string, text string) (string, string) {
				if text == "" {
					return "", "A password must not be empty."
				}
				return strength(text), ""
			}},
		{label: "Once more", secret: true, check: func(a []string, text string) (string, string) {
			if len(a) > 0 && text != a[len(a)-1] {
				return "", "The two passwords differ."
			}
			return "", ""
		}},
	}
}

// strength says a password's strength in words, with the time to guess it at
// two guesses a second, which is what the key stretching leaves one machine.
func strength(text string) string {
	kinds := map[int]bool{}
	distinct := map[rune]bool{}
	for _, r := range text {
		distinct[r] = true
		switch {
		case unicode.IsDigit(r):
			kinds[10] = true
		case unicode.IsLower(r):
			kinds[26] = true
		case unicode.IsUpper(r):
			kinds[27] = true
		default:
			kinds[33] = true
		}
	}
	alphabet := 0
	for n := range kinds {
		alphabet += n
	}
	letters := min(len([]rune(text)), 2*len(distinct))
	seconds := math.Pow(float64(alphabet), float64(letters)) / 4
	word := "weak"
	switch {
	case seconds > 1e13:
		word = "strong"
	case seconds > 1e9:
		word = "fair"
	}
	return word + ", if it is no known word: about " + guessTime(seconds) + " on one machine"
}

func guessTime(seconds float64) string {
	const year = 365 * 24 * 3600.0
	switch {
	case seconds > 1e6*year:
		return "more than a million years"
	case seconds > year:
		return fmt.Sprintf("%d years", int64(seconds/year))
	case seconds > 14*24*3600:
		return fmt.Sprintf("%d weeks", int64(seconds/(7*24*3600)))
	}
	return show.Age(time.Duration(seconds * float64(time.Second)))
}
