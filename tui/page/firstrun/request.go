package firstrun

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// requestedPath returns the path that another page asked for.
func (w ways) requestedPath(by screen.Steps) path {
	switch by.Way {
	case screen.WayRegister:
		return w.register(by.Account)
	case screen.WayBackUp:
		return w.backUp(by.Account, by.Held)
	case screen.WayWatch, screen.WayRegistered:
	}
	return w.watch()
}

// The indexes of the answers of register; those of the quiz follow newWords.
const (
	newName = iota
	whoPays
	ownWords
	newWords
)

// register registers an account with the keys of a phrase: the person's own words, or new ones that are written down first.
func (w ways) register(payer ledgerview.AccountRef) path {
	own := func(a []string) bool { return strings.TrimSpace(a[ownWords]) != "" }
	steps := []step{
		{label: "Account name", note: "lower case letters, digits and -", check: checkNewName,
			verify: func(ctx context.Context, a []string) (string, error) {
				return "is free", w.core.CheckNewName(ctx, strings.TrimSpace(a[newName]))
			}},
		{label: "Registrar", note: "pays the fee: an account of this wallet", initial: payer.Name,
			check: required("Type the name of an account that pays the fee."),
			verify: func(ctx context.Context, a []string) (string, error) {
				found, err := w.core.CheckWatch(ctx, strings.TrimSpace(a[whoPays]))
				return "account " + found.ID.String(), err
			}},
		{label: "Your own words", note: "empty: 16 new words are made", secret: true, words: true, check: refuseKey,
			verify: w.verifyOwnWords},
		{label: "Recovery phrase", hidden: true, phrase: true, check: acceptAny, skip: own},
	}
	for _, quiz := range quizSteps(newWords) {
		quiz.skip = own
		steps = append(steps, quiz)
	}
	return path{title: "Register an account", steps: steps, run: func(ctx context.Context, a []string) (any, error) {
		words := a[newWords]
		if own(a) {
			words = a[ownWords]
		}
		return w.core.Register(ctx, txbuild.CreateAccountParams{
			BrainKey: words, Name: strings.TrimSpace(a[newName]), Registrar: strings.TrimSpace(a[whoPays])})
	}}
}

func checkNewName(a []string, text string) (good, bad string) {
	if good, bad = checkName(a, text); bad != "" || strings.TrimSpace(text) == "" {
		return good, bad
	}
	if err := ledger.ValidAccountName(strings.TrimSpace(text)); err != nil {
		return "", format.Clean(strings.TrimSpace(text)) + " is no name: " + err.Error() + "."
	}
	return "", ""
}

// verifyOwnWords refuses words that can be guessed: anyone who guesses them has the account.
func (w ways) verifyOwnWords(_ context.Context, a []string) (string, error) {
	words := ledger.PlainBrainKey(a[ownWords])
	if words == "" {
		return "new words", nil
	}
	if why := ledger.BrainKeyProblem(a[ownWords]); why != "" {
		return "", refusal("What you write down would not restore the account: "+why, "type the words again, with plain spaces between them")
	}
	if verdict := strength.JudgeBrainKey(words); verdict.Weak {
		return "", refusal("Whoever guesses these words has the account, and they are "+verdict.Text,
			"leave the field empty for 16 new words")
	}
	return format.Many(len(ledger.BrainKeyWords(words)), "word"), nil
}

// backUp compares what is on paper with the keys of an account: the recovery phrase, or private keys, which are first shown to
// be written down.
func (w ways) backUp(account ledgerview.AccountRef, held []screen.HeldKey) path {
	const password, words, show = 0, 1, "show"
	name := format.Account(account).String()
	own := func(a []string) bool { return strings.TrimSpace(a[words]) != "" }
	steps := []step{
		{label: "Password", note: "of this wallet", secret: true, check: required("Type the password of this wallet."),
			verify: func(ctx context.Context, a []string) (string, error) { return "", w.core.Unlock(ctx, a[password]) }},
		{label: "Phrase on your paper", note: "shown as dots, ctrl+t shows it; empty: there is none",
			secret: true, words: true, check: refuseKey,
			verify: func(ctx context.Context, a []string) (string, error) { return w.verifyPaper(ctx, account, a[words]) }},
		{label: "Show the keys", note: "type " + show + ": the private keys of " + name + " come on screen, to be written down; " +
			"whoever sees them can use the account for ever", word: show, check: requireWord(show), skip: own},
		{label: "Private keys", hidden: true, phrase: true, held: held, check: acceptAny, skip: own},
	}
	for _, one := range held {
		steps = append(steps, w.lastSixStep(one, own))
	}
	return path{title: "Back up " + name, steps: steps, run: func(ctx context.Context, a []string) (any, error) {
		said := []string{"The keys on your paper bring " + name + " back: Import, then Import a private key, one by one."}
		proven := screen.KeysOf(held)
		if own(a) {
			got, err := w.keysOnPaper(ctx, account, a[words])
			if err != nil {
				return nil, err
			}
			proven, said = got.All, phraseLines(name, screen.Unrecovered(held, got.All))
			said = append(said, ownerWarnings(got)...)
		}
		if err := w.core.NoteBackup(ctx, account.ID, proven); err != nil {
			said = append(said, advice.Sentence(err))
		}
		return said, nil
	}}
}

// phraseLines returns what a phrase restores, and what it lacks.
func phraseLines(name, lacks string) []string {
	keep := "The wallet keeps no copy of the phrase. Keep the paper."
	if lacks != "" {
		return []string{"The phrase on your paper brings " + name + " " + lacks + ".",
			"Back up again, with no phrase: the private keys are shown to be written down.", keep}
	}
	return []string{"The phrase on your paper brings " + name + " back: Import, then Restore from a phrase.", keep}
}

// keysOnPaper returns which keys of the account the phrase restores.
func (w ways) keysOnPaper(ctx context.Context, account ledgerview.AccountRef, words string) (vault.ImportedKey, error) {
	return w.core.CheckPhrase(ctx, vault.PhraseImport{Phrase: words, Accounts: []string{account.ID.String()}})
}

// verifyPaper returns which keys of the account the phrase restores; no phrase is fine.
func (w ways) verifyPaper(ctx context.Context, account ledgerview.AccountRef, words string) (string, error) {
	if strings.TrimSpace(words) == "" {
		return "none: the private keys are next", nil
	}
	got, err := w.keysOnPaper(ctx, account, words)
	if fault.CodeOf(err) == fault.NoSuchAccount {
		return "", refusal("These words give no key of "+format.Account(account).String(), paperAdvice(words))
	}
	return strings.Join(usesText(got), "; "), err
}

// lastSixStep asks for the end of a private key, as it is on the paper.
func (w ways) lastSixStep(of screen.HeldKey, skip func([]string) bool) step {
	const ends = 6
	return step{label: "Last six, " + of.Roles, note: "the last six characters of this private key on your paper", hidden: true, skip: skip,
		check: required("Type the last six characters."),
		verify: func(_ context.Context, a []string) (string, error) {
			private, err := w.core.PrivateKeyOf(of.Key)
			if err != nil {
				return "", err
			}
			defer private.Wipe()
			if typed := strings.TrimSpace(a[len(a)-1]); typed != string(private[max(len(private)-ends, 0):]) {
				return "", refusal("Those are not the last six characters of the key of "+of.Roles,
					"look at your paper, or press esc to see the keys again")
			}
			return "right", nil
		}}
}

// requireWord returns the check of a step that goes on only if a word is typed.
func requireWord(word string) func([]string, string) (good, bad string) {
	return func(_ []string, text string) (good, bad string) {
		if strings.TrimSpace(text) != word {
			return "", "Type " + word + " to go on, or press esc to go back."
		}
		return "", ""
	}
}

// refusal returns the error that refuses an answer.
func refusal(what, next string) error {
	return &fault.Error{Code: fault.BadValue, Op: "asked", Message: what, Hint: next}
}
