package firstrun

import (
	"context"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// laterText is the note on an answer that only a node can check, while none answers.
const laterText = "will be checked when a node answers"

// restore imports the keys of a phrase that was written down earlier.
func (w ways) restore() path {
	steps := []step{
		{label: "Phrase", note: "all words, shown as dots; ctrl+t shows them", secret: true, words: true,
			check: checkPhrase, verify: w.verifyPhrase},
		{label: "Accounts", note: "leave it empty to take all of them; or their names, with commas", check: checkName,
			verify: w.verifyPhraseAccounts},
	}
	if w.fresh {
		steps = append(steps, passwordSteps()...)
	}
	return path{key: "4", title: "Restore from a phrase", about: "the words on your paper, a brain key", steps: steps,
		run: func(ctx context.Context, a []string) (any, error) {
			if len(a) > 2 && w.core.IsNew() {
				if _, err := w.core.CheckPhrase(ctx, phraseImport(a)); fault.CodeOf(err) == fault.DaemonAway {
					return w.restoreOffline(ctx, a)
				}
				if err := w.core.Create(ctx, a[2]); err != nil {
					return nil, err
				}
			}
			got, err := w.core.ImportPhrase(ctx, phraseImport(a))
			if err != nil {
				return nil, err
			}
			return append(keyReport("The keys of your phrase are in the wallet. They belong to:", got), ownerWarnings(got)...), nil
		}}
}

// restoreOffline creates the wallet with the keys of a phrase while no node answers. Their account is listed once one does.
func (w ways) restoreOffline(ctx context.Context, a []string) (any, error) {
	if _, err := w.core.CreateFromPhrase(ctx, a[2], a[0], ""); err != nil {
		return nil, err
	}
	return []string{"The wallet is created and has the keys of your phrase.",
		"No node answers yet: once one does, Billfold lists the account that has these keys.",
		"Accounts of other keys of the phrase are found by importing it again, with i on Home."}, nil
}

// checkPhrase refuses anything but words, counts them, and counts those that are not on the list of words.
func checkPhrase(_ []string, text string) (good, bad string) {
	words := ledger.PlainBrainKey(text)
	if words == "" {
		return "", "Type the words of the phrase."
	}
	if _, bad = refuseKey(nil, text); bad != "" {
		return "", bad
	}
	count, unknown := format.Many(len(ledger.BrainKeyWords(text)), "word"), 0
	for _, word := range ledger.BrainKeyWords(text) {
		if !ledger.IsBrainKeyWord(word) {
			unknown++
		}
	}
	if unknown > 0 { // the phrase is hidden: verifyPhrase names the words
		return fmt.Sprintf("%s %s, %d not on the word list", theme.SignCareful, count, unknown), ""
	}
	return count, ""
}

// refuseKey refuses a private key where words are asked for.
func refuseKey(_ []string, text string) (good, bad string) {
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

// verifyPhrase returns which accounts use keys of the phrase. A phrase that no account uses is not refused.
func (w ways) verifyPhrase(ctx context.Context, a []string) (string, error) {
	got, err := w.core.CheckPhrase(ctx, vault.PhraseImport{Phrase: a[0], Anyway: true})
	switch {
	case w.fresh && fault.CodeOf(err) == fault.DaemonAway:
		if unknown := vault.UnknownWords(a[0]); unknown != "" {
			return theme.SignCareful + " " + unknown + ": look at your paper, esc goes back. " + laterText, nil
		}
		return laterText, nil
	case err != nil:
		return "", err
	}
	warning := ""
	if verdict := strength.JudgeBrainKey(ledger.PlainBrainKey(a[0])); verdict.Weak {
		warning = theme.SignCareful + " these words are " + verdict.Text +
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
			" below keeps the first one anyway", nil
	}
	return warning + strings.Join(usesText(got), "; "), nil
}

func (w ways) verifyPhraseAccounts(ctx context.Context, a []string) (string, error) {
	in := phraseImport(a)
	got, err := w.core.CheckPhrase(ctx, in)
	if w.fresh && fault.CodeOf(err) == fault.DaemonAway && len(in.Accounts) == 0 {
		return laterText, nil
	}
	if err == nil && len(got.Accounts) == 0 {
		return "the first key is kept without an account", nil
	}
	return format.Many(len(got.Accounts), "account"), err
}
