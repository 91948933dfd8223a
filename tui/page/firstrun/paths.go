package firstrun

import (
	"context"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// step asks one thing. check says what is good about an answer and what is
// wrong, at once; answers are those to the earlier steps. look, where there is
// one, takes longer: it says what it found good about the last of the answers, or why
// they are not taken.
type step struct {
	label, note string
	secret      bool
	key         bool                        // a private key: it is never shown
	words       bool                        // of a phrase, which may stand on several lines
	hidden      bool                        // dots once it is answered
	word        string                      // must be typed to go on
	phrase      bool                        // shows a new recovery phrase instead of a field
	judged      bool                        // a new password
	usual       string                      // stands in the field at first
	held        []screen.HeldKey            // with phrase: their private keys are shown instead
	skip        func(answers []string) bool // it is not asked after these answers; nil: it always is
	check       func(answers []string, text string) (good, bad string)
	look        func(ctx context.Context, answers []string) (good string, err error)
}

// path is a way in: its steps, and what is done after the last one. run gives
// the lines that are reported, an outcome, or a screen.Built that is to be reviewed.
type path struct {
	key, title, about string
	steps             []step
	run               func(ctx context.Context, answers []string) (any, error)
}

// skips reports whether a step is not asked after these answers.
func (p path) skips(at int, answers []string) bool {
	return at < len(p.steps) && p.steps[at].skip != nil && p.steps[at].skip(answers[:at])
}

// before is the step that was asked before another one.
func (p path) before(answers []string, at int) int {
	for at--; p.skips(at, answers); at-- {
	}
	return at
}

// ways are the ways in: into a wallet that is made by them, or one that exists.
type ways struct {
	core    Maker
	fresh   bool // there is no wallet yet
	sandbox bool // it is offered
}

// offers lists those that this version has.
func (w ways) offers() []path {
	imports := []path{w.legacy(), w.wif(), w.restore(), w.watch()}
	if !w.fresh {
		return imports
	}
	out := append([]path{w.create()}, imports...)
	if w.sandbox {
		out = append(out, path{key: "6", title: "Try the sandbox", about: "a private ledger with play money, offline"})
	}
	return out
}

func (w ways) create() path {
	const phraseAt = 2 // behind the two of the password
	steps := append(passwordSteps(), step{label: "Recovery phrase", hidden: true, phrase: true, check: anything})
	steps = append(append(steps, quizSteps(phraseAt)...), step{label: "Account name", check: checkName, look: w.lookNewName,
		note: "a name that others register for you; empty: decide later"})
	return path{key: "1", title: "Create a new wallet", about: "make keys, write down one recovery phrase",
		steps: steps, run: func(ctx context.Context, a []string) (any, error) {
			name := strings.TrimSpace(a[len(steps)-1])
			keys, err := w.core.CreateFromPhrase(ctx, a[0], a[phraseAt], name)
			if err != nil {
				return nil, err
			}
			return created(keys, name), nil
		}}
}

// lookNewName returns what is known of the name that a new account shall have.
func (w ways) lookNewName(ctx context.Context, a []string) (string, error) {
	name := strings.TrimSpace(a[len(a)-1])
	if name == "" {
		return "no name yet", nil
	}
	switch err := w.core.CheckNewName(ctx, name); fault.CodeOf(err) {
	case fault.DaemonAway:
		return "will be checked when a node answers", nil
	default:
		return "is free", err
	}
}

// restore takes over the keys of a phrase that was written down earlier.
func (w ways) restore() path {
	steps := []step{
		{label: "Phrase", note: "all words, shown as dots; ctrl+t shows them", secret: true, words: true,
			check: checkPhrase, look: w.lookPhrase},
		{label: "Accounts", note: "leave it empty to take all of them; or their names, with commas", check: checkName, look: w.lookPhraseFor},
	}
	if w.fresh {
		steps = append(steps, passwordSteps()...)
	}
	return path{key: "4", title: "Restore from a brain key", about: "the words you wrote down earlier", steps: steps,
		run: func(ctx context.Context, a []string) (any, error) {
			if len(a) > 2 && w.core.IsNew() {
				if err := w.core.Create(ctx, a[2]); err != nil {
					return nil, err
				}
			}
			got, err := w.core.ImportPhrase(ctx, phraseImport(a))
			if err != nil {
				return nil, err
			}
			return append(reportKey(got), notOwner(got)...), nil
		}}
}

// checkPhrase counts the words.
func checkPhrase(_ []string, text string) (good, bad string) {
	words := ledger.NormalizeBrainKey(text)
	if words == "" {
		return "", "Type the words of the phrase."
	}
	if _, bad = noKey(nil, text); bad != "" {
		return "", bad
	}
	count, unknown := format.Many(len(strings.Fields(words)), "word"), 0
	for word := range strings.FieldsSeq(words) {
		if !ledger.IsBrainKeyWord(word) {
			unknown++
		}
	}
	if unknown > 0 { // which ones is said behind the last word: the phrase is hidden
		return fmt.Sprintf("%s %s, %d not of the list of words", theme.SignCareful, count, unknown), ""
	}
	return count, ""
}

// noKey refuses a private key where words are asked for.
func noKey(_ []string, text string) (good, bad string) {
	if ledger.HoldsWIF(text) {
		return "", "This is a private key, not words. Press esc, and choose Import a private key."
	}
	return "", ""
}

func phraseImport(a []string) vault.PhraseImport {
	in := vault.PhraseImport{Phrase: a[0]}
	if len(a) < 2 {
		return in
	}
	for name := range strings.SplitSeq(a[1], ",") {
		switch name = strings.TrimSpace(name); name {
		case "":
		case noAccount:
			in.Anyway = true
		default:
			in.Accounts = append(in.Accounts, name)
		}
	}
	return in
}

// lookPhrase returns which accounts use keys of the phrase; a phrase that none uses may be kept.
func (w ways) lookPhrase(ctx context.Context, a []string) (string, error) {
	got, err := w.core.CheckPhrase(ctx, vault.PhraseImport{Phrase: a[0], Anyway: true})
	if err != nil {
		return "", err
	}
	warning := ""
	if verdict := strength.JudgeBrainKey(ledger.NormalizeBrainKey(a[0])); verdict.Weak {
		warning = theme.SignCareful + " anyone can guess these words, they are " + verdict.Text +
			"; move what their accounts hold to new keys. "
	}
	for _, use := range got.Partly {
		warning += theme.SignCareful + " " + format.Clean(vault.AnotherOwner(use)) + "; only its name below takes it. "
	}
	if len(got.Accounts)+len(got.Partly) == 0 {
		unknown := vault.UnknownWords(a[0])
		if unknown != "" {
			unknown += ": look at your paper, esc goes back. "
		}
		return warning + theme.SignCareful + " " + unknown + "No account uses its first 20 keys; " + noAccount +
			" below keeps the first one all the same", nil
	}
	return warning + strings.Join(uses(got), "; "), nil
}

func (w ways) lookPhraseFor(ctx context.Context, a []string) (string, error) {
	got, err := w.core.CheckPhrase(ctx, phraseImport(a))
	if err == nil && len(got.Accounts) == 0 {
		return "the first key is kept without an account", nil
	}
	return format.Many(len(got.Accounts), "account"), err
}

// watch lists an account whose keys are elsewhere.
func (w ways) watch() path {
	steps := []step{{label: "Account", note: "its name or id", check: filled("Type a name or an id."), look: w.lookWatch}}
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
			return []string{format.Clean(name) + " is on your list, to look at. What the keys here can sign for it, Keys shows."}, nil
		}}
}

func (w ways) lookWatch(ctx context.Context, a []string) (string, error) {
	found, err := w.core.CheckWatch(ctx, strings.ToLower(strings.TrimSpace(a[0])))
	return format.Account(found).String(), err
}

func (w ways) legacy() path {
	steps := []step{
		{label: "File", note: "path of the wallet.json; it is only read, never changed", check: filled("Type the path of the file."),
			look: func(ctx context.Context, a []string) (string, error) {
				return "a wallet.json", w.core.CheckLegacyFile(ctx, strings.TrimSpace(a[0]))
			}},
		{label: "Its password", secret: true, check: anything, look: w.lookLegacy},
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
			got, err := w.core.ImportLegacy(ctx, strings.TrimSpace(a[0]), a[1], fresh)
			if err != nil {
				return nil, err
			}
			return report(got), nil
		}}
}

// anything is a check that takes everything.
func anything([]string, string) (good, bad string) { return "", "" }

// lookLegacy returns what the password of the file opens.
func (w ways) lookLegacy(ctx context.Context, a []string) (string, error) {
	got, err := w.core.CheckLegacy(ctx, strings.TrimSpace(a[0]), a[1])
	return "opens the file: " + format.Many(got.Keys, "key") + ", " + format.Many(len(got.Accounts), "account"), err
}

func report(got vault.Imported) []string {
	out := []string{"Imported: " + format.Many(got.Keys, "key") + ", " + format.Many(len(got.Accounts), "account") + "."}
	for _, a := range got.Accounts {
		out = append(out, "  "+format.Account(a).String())
	}
	for _, p := range got.Pending {
		out = append(out, "  registration not finished: "+format.Clean(p))
	}
	return out
}

func (w ways) wif() path {
	steps := []step{
		{label: "Private key", note: "one WIF key that starts with 5, shown as dots", secret: true, key: true, check: checkWIF},
		{
			label: "Account",
			note:  "leave it empty to find the key's accounts; - keeps a key without an account",
			check: checkName,
			look:  w.lookWIF,
		},
	}
	if w.fresh {
		steps = append(steps, passwordSteps()...)
	}
	return path{key: "3", title: "Import a private key", about: "one WIF key that starts with 5…", steps: steps,
		run: func(ctx context.Context, a []string) (any, error) { return w.importWIF(ctx, a) }}
}

// importWIF makes the wallet first when there is none: with a password that
// could not be set nothing is imported.
func (w ways) importWIF(ctx context.Context, a []string) ([]string, error) {
	in := keyImport(a)
	if len(a) > 2 && w.core.IsNew() {
		if err := w.core.Create(ctx, a[2]); err != nil {
			return nil, err
		}
	}
	got, err := w.core.ImportAccountKey(ctx, in)
	if err != nil {
		return nil, err
	}
	return reportKey(got), nil
}

func keyImport(a []string) vault.KeyImport {
	in := vault.KeyImport{WIF: strings.TrimSpace(a[0]), Account: strings.TrimSpace(a[1])}
	if in.Account == noAccount {
		in.Account, in.Anyway = "", true
	}
	return in
}

// checkName refuses capital letters in a name, or in several with commas.
func checkName(_ []string, text string) (good, bad string) {
	for name := range strings.SplitSeq(text, ",") {
		if why := format.Capitals(strings.TrimSpace(name)); why != "" {
			return "", strings.ToUpper(why[:1]) + why[1:] + "."
		}
	}
	return "", ""
}

// lookWIF returns for whom the key acts.
func (w ways) lookWIF(ctx context.Context, a []string) (string, error) {
	got, err := w.core.CheckKeyImport(ctx, keyImport(a))
	if err != nil || len(got.Accounts) == 0 {
		return "acts for no account; it is kept", err
	}
	return strings.Join(uses(got), "; "), nil
}

func uses(got vault.ImportedKey) (out []string) {
	for _, u := range got.Accounts {
		out = append(out, format.Account(u.AccountRef).String()+", as its "+u.Roles()+" key")
	}
	return out
}

// noAccount is typed for a key that is kept although it acts for nobody; no
// account has such a name.
const noAccount = "-"

func reportKey(got vault.ImportedKey) []string {
	if len(got.Accounts) == 0 {
		return []string{"The key is kept; it acts for no account, so none was listed."}
	}
	out := []string{"The key is in the wallet. It belongs to:"}
	for _, use := range uses(got) {
		out = append(out, "  "+use)
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

// AskedWords returns which words of a phrase are typed to prove the copy, counted from 1.
func AskedWords() []int { return []int{3, 9, 14} }

// quizSteps ask for words of the phrase, which is the answer at a place.
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

// lookForWord returns what may be wrong with words that bring nothing back.
func lookForWord(words string) string {
	if unknown := vault.UnknownWords(words); unknown != "" {
		return unknown + "; look at your paper"
	}
	return "look for a wrong or missing word on your paper"
}

// notOwner returns a warning for each account whose owner key a phrase does not give.
func notOwner(got vault.ImportedKey) (said []string) {
	for _, use := range got.Accounts {
		if !use.Owner {
			said = append(said, theme.SignCareful+" Careful: "+format.Clean(vault.AnotherOwner(use))+".")
		}
	}
	return said
}
