package firstrun

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// step asks for one thing. check returns at once what is good or wrong about
// an answer; answers are those of the earlier steps. verify, if it is set, takes
// longer: it returns a note on the last of the answers, or an error that refuses
// it.
type step struct {
	label, note string
	secret      bool
	key         bool                        // a private key: it is never shown
	words       bool                        // words of a phrase, possibly pasted from several lines
	hidden      bool                        // the answer shows as dots once it is given
	word        string                      // the word that must be typed to go on
	phrase      bool                        // shows a new recovery phrase instead of a field
	path        bool                        // the answer is the path of a file, which tab completes
	judged      bool                        // it asks for a new password
	initial     string                      // the first content of the field
	held        []screen.HeldKey            // with phrase: the private keys of these are shown instead
	skip        func(answers []string) bool // whether the step is left out after these answers; nil: never
	check       func(answers []string, text string) (good, bad string)
	verify      func(ctx context.Context, answers []string) (good string, err error)
}

// path is a way in: its steps, and what is done after the last one. run returns
// the lines to report, an outcome, or a screen.Built to review.
type path struct {
	key, title, about string
	steps             []step
	run               func(ctx context.Context, answers []string) (any, error)
}

// skips reports whether a step is left out after these answers.
func (p path) skips(at int, answers []string) bool {
	return at < len(p.steps) && p.steps[at].skip != nil && p.steps[at].skip(answers[:at])
}

// previousStep returns the index of the step that was asked before the one at index at.
func (p path) previousStep(answers []string, at int) int {
	for at--; p.skips(at, answers); at-- {
	}
	return at
}

// ways makes the ways in: into a new wallet, or into one that exists.
type ways struct {
	core    Maker
	fresh   bool // there is no wallet yet
	sandbox bool // the sandbox is offered
	nodes   Nodes
}

// offers returns the ways that the first page offers.
func (w ways) offers() []path {
	imports := []path{w.legacy(), w.wif(), w.restore(), w.watch()}
	if !w.fresh {
		return imports
	}
	out := append([]path{w.create()}, imports...)
	if w.sandbox {
		out = append(out, path{key: "6", title: "Try the sandbox", about: "a private ledger with play money, offline"})
	}
	if w.nodes != nil {
		out = append(out, w.node())
	}
	return out
}

// nodeKey is the key of the way that chooses the node.
const nodeKey = "7"

// node chooses the node that the wallet asks, once it has answered.
func (w ways) node() path {
	return path{key: nodeKey, title: "Choose the node", about: "which computer answers for the ledger",
		steps: []step{{label: "Address", note: "the default is " + w.nodes.Default(), initial: w.nodes.Default(),
			check: required("Type the address of a node."),
			verify: func(ctx context.Context, a []string) (string, error) {
				return "", w.nodes.Try(ctx, strings.TrimSpace(a[0]))
			}}},
		run: func(_ context.Context, a []string) (any, error) {
			return screen.WantNode{}, w.nodes.Use(strings.TrimSpace(a[0]))
		}}
}

func (w ways) create() path {
	const phraseAt = 2 // after the two steps of the password
	steps := append(passwordSteps(), step{label: "Recovery phrase", hidden: true, phrase: true, check: acceptAny})
	steps = append(append(steps, quizSteps(phraseAt)...), step{label: "Account name",
		note: "a name that others register for you; empty: decide later", check: checkName, verify: w.verifyNewName})
	return path{key: "1", title: "Create a new wallet", about: "make keys, write down one recovery phrase",
		steps: steps, run: func(ctx context.Context, a []string) (any, error) {
			name := strings.TrimSpace(a[len(steps)-1])
			keys, err := w.core.CreateFromPhrase(ctx, a[0], a[phraseAt], name)
			if err != nil {
				return nil, err
			}
			return createdOutcome(keys, name), nil
		}}
}

// verifyNewName checks that the name for a new account is free. No name is fine, and without a node any name is.
func (w ways) verifyNewName(ctx context.Context, a []string) (string, error) {
	name := strings.TrimSpace(a[len(a)-1])
	if name == "" {
		return "no name yet", nil
	}
	switch err := w.core.CheckNewName(ctx, name); fault.CodeOf(err) {
	case fault.DaemonAway:
		return laterText, nil
	default:
		return "is free", err
	}
}

// watch lists an account whose keys are elsewhere.
func (w ways) watch() path {
	steps := []step{{label: "Account", note: "its name or id", check: required("Type a name or an id."), verify: w.verifyWatch}}
	if w.fresh {
		steps = append(steps, passwordSteps()...)
	}
	return path{key: "5", title: "Watch an account", about: "no keys: look, never spend", steps: steps,
		run: func(ctx context.Context, a []string) (any, error) {
			name := strings.ToLower(strings.TrimSpace(a[0]))
			if len(a) > 1 && w.core.IsNew() {
				if err := w.core.Create(ctx, a[1]); err != nil {
					return nil, err
				}
			}
			if err := w.core.Watch(ctx, name); err != nil {
				return nil, err
			}
			return []string{format.Clean(name) + " is on your list, to watch. Keys shows what the keys here can sign for it."}, nil
		}}
}

func (w ways) verifyWatch(ctx context.Context, a []string) (string, error) {
	found, err := w.core.CheckWatch(ctx, strings.ToLower(strings.TrimSpace(a[0])))
	return format.Account(found).String(), err
}

func (w ways) legacy() path {
	steps := []step{
		{label: "File", note: "path of the wallet.json, which stays as it is; tab completes", path: true, check: required("Type the path of the file."),
			verify: func(ctx context.Context, a []string) (string, error) {
				return "a wallet.json", w.core.CheckLegacyFile(ctx, screen.Path(a[0]))
			}},
		{label: "Its password", secret: true, check: acceptAny, verify: w.verifyLegacyPassword},
	}
	if w.fresh {
		steps = append(steps, passwordSteps()...)
	}
	return path{key: "2", title: "Open a wallet.json", about: "from the classic command line wallet", steps: steps,
		run: func(ctx context.Context, a []string) (any, error) {
			fresh := ""
			if len(a) > 2 {
				fresh = a[2]
			}
			got, err := w.core.ImportLegacy(ctx, screen.Path(a[0]), a[1], fresh)
			if err != nil {
				return nil, err
			}
			return legacyReport(got), nil
		}}
}

// acceptAny is a check that accepts every answer.
func acceptAny([]string, string) (good, bad string) { return "", "" }

// verifyLegacyPassword checks the password of the file and returns what it opens.
func (w ways) verifyLegacyPassword(ctx context.Context, a []string) (string, error) {
	got, err := w.core.CheckLegacy(ctx, screen.Path(a[0]), a[1])
	return "opens the file: " + format.Many(got.Keys, "key") + ", " + format.Many(len(got.Accounts), "account"), err
}

func legacyReport(got vault.Imported) []string {
	out := []string{"Imported: " + format.Many(got.Keys, "key") + ", " + format.Many(len(got.Accounts), "account") + "."}
	for _, a := range got.Accounts {
		out = append(out, "  "+format.Account(a).String())
	}
	for _, p := range got.Pending {
		out = append(out, "  registration not finished: "+format.Clean(p))
	}
	for _, name := range got.Miners {
		out = append(out, "  registration of a miner not finished: "+format.Clean(name))
	}
	for _, m := range got.Missing {
		out = append(out, "  missing key of "+cmp.Or(format.Clean(m.Name), m.Account.String())+": "+m.Key.String())
	}
	return out
}

func (w ways) wif() path {
	steps := []step{
		{label: "Private key", note: "one WIF key that starts with 5, shown as dots", secret: true, key: true, check: checkWIF},
		{
			label:  "Account",
			note:   "leave it empty to find the key's accounts; - keeps a key without an account",
			check:  checkName,
			verify: w.verifyWIF,
		},
	}
	if w.fresh {
		steps = append(steps, passwordSteps()...)
	}
	return path{key: "3", title: "Import a private key", about: "one WIF key that starts with 5…", steps: steps,
		run: func(ctx context.Context, a []string) (any, error) { return w.importWIF(ctx, a) }}
}

// importWIF creates the wallet first if there is none: if its password cannot
// be set, nothing is imported.
func (w ways) importWIF(ctx context.Context, a []string) ([]string, error) {
	in := keyImport(a)
	if _, err := w.core.CheckKeyImport(ctx, in); in.Account == "" && fault.CodeOf(err) == fault.DaemonAway {
		in.Anyway = true
	}
	if len(a) > 2 && w.core.IsNew() {
		if err := w.core.Create(ctx, a[2]); err != nil {
			return nil, err
		}
	}
	got, err := w.core.ImportAccountKey(ctx, in)
	if err != nil {
		return nil, err
	}
	return keyReport("The key is in the wallet. It belongs to:", got), nil
}

func keyImport(a []string) vault.KeyImport {
	in := vault.KeyImport{WIF: strings.TrimSpace(a[0]), Account: strings.TrimSpace(a[1])}
	if in.Account == noAccount {
		in.Account, in.Anyway = "", true
	}
	return in
}

// checkName refuses characters of no name, and capital letters, in a name or in several separated by commas.
func checkName(_ []string, text string) (good, bad string) {
	for name := range strings.SplitSeq(text, ",") {
		if why := format.NameHint(strings.TrimSpace(name)); why != "" {
			return "", strings.ToUpper(why[:1]) + why[1:] + "."
		}
	}
	return "", ""
}

// verifyWIF returns the accounts that the key acts for.
func (w ways) verifyWIF(ctx context.Context, a []string) (string, error) {
	in := keyImport(a)
	got, err := w.core.CheckKeyImport(ctx, in)
	if in.Account == "" && fault.CodeOf(err) == fault.DaemonAway {
		return "the key is kept; its accounts are found by importing it again when a node answers", nil
	}
	if err != nil || len(got.Accounts) == 0 {
		return "acts for no account; it is kept", err
	}
	return strings.Join(usesText(got), "; "), nil
}

func usesText(got vault.ImportedKey) (out []string) {
	for _, u := range got.Accounts {
		out = append(out, format.Account(u.AccountRef).String()+", as its "+u.Roles()+" key")
	}
	return out
}

// noAccount is typed to keep a key that acts for no account; no account can
// have this name.
const noAccount = "-"

// keyReport returns what was imported: head, and the accounts.
func keyReport(head string, got vault.ImportedKey) []string {
	if len(got.Accounts) == 0 {
		return []string{"The key is kept; it acts for no account, so none was listed."}
	}
	out := []string{head}
	for _, use := range usesText(got) {
		out = append(out, "  "+use)
	}
	return out
}

func checkWIF(_ []string, text string) (good, bad string) {
	key, err := ledger.ParseWIF(text)
	if err != nil {
		return "", "This is not a private key: " + err.Error() + ". Nothing was changed."
	}
	defer key.Wipe()
	return "checksum matches: " + key.Public().String(), ""
}

func required(bad string) func([]string, string) (string, string) {
	return func(_ []string, text string) (string, string) {
		if strings.TrimSpace(text) == "" {
			return "", bad
		}
		return "", ""
	}
}

// passwordSteps returns the steps that ask for a new password twice.
func passwordSteps() []step {
	return []step{
		{label: "New password", note: "it encrypts the keys here; nobody can recover it", secret: true, judged: true,
			check: func(_ []string, text string) (string, string) {
				if text == "" {
					return "", "A password must not be empty."
				}
				return "", ""
			}},
		{label: "Once more", secret: true, check: func(a []string, text string) (string, string) {
			if len(a) > 0 && text != a[len(a)-1] {
				return "", "The two passwords differ. Type the second one again, or press esc to start over with the first."
			}
			return "", ""
		}},
	}
}

// AskedWords returns which words of a phrase must be typed to prove the copy, counted from 1.
func AskedWords() []int { return []int{3, 9, 14} }

// quizSteps returns the steps that ask for words of the phrase, which is the answer at index at.
func quizSteps(at int) (steps []step) {
	for _, n := range AskedWords() {
		steps = append(steps, step{label: fmt.Sprintf("Word %d", n), note: "of the phrase on your paper", hidden: true,
			check: func(a []string, text string) (good, bad string) {
				if !strings.EqualFold(strings.TrimSpace(text), strings.Fields(a[at])[n-1]) {
					return "", fmt.Sprintf("That is not word %d. Look at your paper, or press esc to see the phrase again.", n)
				}
				return "", ""
			}})
	}
	return steps
}

// paperAdvice returns what may be wrong with words that restore nothing.
func paperAdvice(words string) string {
	if unknown := vault.UnknownWords(words); unknown != "" {
		return unknown + "; look at your paper"
	}
	return "look for a wrong or missing word on your paper"
}

// ownerWarnings returns a warning for each account whose owner key the phrase does not restore.
func ownerWarnings(got vault.ImportedKey) (said []string) {
	for _, use := range got.Accounts {
		if !use.Owner {
			said = append(said, theme.SignCareful+" Careful: "+format.Clean(vault.AnotherOwner(use))+".")
		}
	}
	return said
}
