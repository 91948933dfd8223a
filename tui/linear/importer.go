package linear

import (
	"context"
	"strconv"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// newcomer brings keys and accounts in.
type importer struct{ *Conversation }

// fill takes the steps of a form that ends with the password of a wallet which is not there yet.
func (s importer) runForm(ctx context.Context, steps ...step) error {
	if s.opt.Core.FirstRun.IsNew() {
		return s.runGuardedSteps(ctx, steps...)
	}
	return s.runSteps(ctx, steps...)
}

// openLegacy takes over a wallet.json.
func (s importer) openLegacy(ctx context.Context) error {
	core := s.opt.Core.FirstRun
	var path, old, fresh string
	return s.runGuardedSteps(ctx,
		func(ctx context.Context) error {
			return s.askAccepted(ctx, "File", "the path of the wallet.json; it is only read, never changed", &path,
				func(text string) error { return core.CheckLegacyFile(ctx, expandHome(text)) })
		},
		func(ctx context.Context) error {
			return s.untilAccepted(ctx, func(ctx context.Context) (err error) {
				old, err = s.legacyPassword(ctx, expandHome(path))
				return err
			})
		},
		s.askPassword(&fresh),
		s.backOnFailure(func(ctx context.Context) error {
			got, err := withProgress(ctx, s.Conversation, "Importing", func(ctx context.Context) (vault.Imported, error) {
				return core.ImportLegacy(ctx, expandHome(path), old, fresh)
			})
			if err != nil {
				return err
			}
			s.sayLegacyImported(got, fresh != "")
			return nil
		}))
}

// legacyPassword asks for the password of a wallet.json, and says what it opens.
func (s importer) legacyPassword(ctx context.Context, path string) (string, error) {
	old, err := s.Secret(ctx, "Its password")
	if err != nil {
		return "", err
	}
	defer s.hideTyping()()
	holds, err := withProgress(ctx, s.Conversation, "Opening the file", func(ctx context.Context) (vault.Imported, error) {
		return s.opt.Core.FirstRun.CheckLegacy(ctx, path, old)
	})
	if err == nil {
		s.sayHolds(holds)
	}
	return old, err
}

// sayHolds prints what is in a wallet.json, before anything is written.
func (s importer) sayHolds(holds vault.Imported) {
	s.Tell("The file holds", printable.Many(holds.Keys, "key")+" and "+printable.Many(len(holds.Accounts), "account")+".")
	s.Tell("Its chain", holds.ChainID.String())
	for i, a := range holds.Accounts {
		s.Item(i+1, format.Account(a))
	}
	for _, key := range holds.Unlisted {
		s.Tell("Key of no account", key.String())
	}
	for _, name := range holds.Pending {
		s.Tell("Registration not finished", format.Clean(name))
	}
}

// takenOver prints what came out of a wallet.json.
func (s importer) sayLegacyImported(got vault.Imported, made bool) {
	if made {
		s.sayWritten()
	}
	s.Tell("Imported", printable.Many(got.Keys, "key")+" and "+printable.Many(len(got.Accounts), "account")+".")
	s.notices.noteAccounts(s.env()) // they were said
}

// importKey takes over a private key.
func (s importer) importKey(ctx context.Context) error {
	core := s.opt.Core.FirstRun
	var in vault.KeyImport
	var account string
	return s.runForm(ctx, append([]step{
		func(ctx context.Context) error {
			return s.untilAccepted(ctx, func(ctx context.Context) (err error) {
				in.WIF, err = s.askKey(ctx)
				return err
			})
		},
		func(ctx context.Context) error { return s.askAccount(ctx, &account, &in) },
	}, s.createAndImport(func(ctx context.Context) (vault.ImportedKey, error) { return core.ImportAccountKey(ctx, in) })...)...)
}

// noAccount keeps a key that is for no account, or whose account is not known yet.
const noAccount = "-"

// accountOf asks for the account of a key, and looks whether the key acts for it.
func (s importer) askAccount(ctx context.Context, typed *string, in *vault.KeyImport) error {
	prompt := "Account, empty finds the key's accounts, - for none"
	if *typed != "" {
		prompt = "Account, all finds the key's accounts, - for none"
	}
	const hint = "an account name or id, all for each account of the key, - keeps it without an account"
	return s.askAccepted(ctx, prompt, hint, typed, func(text string) error {
		in.Account, in.Anyway = text, text == noAccount
		if in.Anyway || strings.EqualFold(text, "all") {
			in.Account = ""
		}
		_, err := within(ctx, s.Conversation, "Looking for accounts", func(ctx context.Context) (vault.ImportedKey, error) {
			return s.opt.Core.FirstRun.CheckKeyImport(ctx, *in)
		})
		if fault.CodeOf(err) == fault.DaemonAway && !in.Anyway {
			*typed = text
			why := refusalOf(err)
			why.Next = "an empty line looks again; - keeps the key now, and its accounts are found later."
			return why
		}
		return err
	})
}

// askKey asks for a private key and says the public one.
func (s importer) askKey(ctx context.Context) (string, error) {
	wif, err := s.Secret(ctx, "Private key")
	if err != nil {
		return "", err
	}
	wif = strings.TrimSpace(wif)
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return "", refuse("This is not a private key: its checksum does not match. Nothing was changed.",
			"type the key that starts with 5.")
	}
	defer key.Wipe()
	s.Tell("Public key", key.Public().String())
	return wif, nil
}

// bring are the steps that make the wallet, unless it is there, and import what was looked up before.
func (s importer) createAndImport(imports func(ctx context.Context) (vault.ImportedKey, error)) []step {
	var fresh string
	return []step{s.askPassword(&fresh), s.backOnFailure(func(ctx context.Context) error {
		if err := s.createIfNew(ctx, fresh); err != nil {
			return err
		}
		got, err := within(ctx, s.Conversation, "Importing", imports)
		if err != nil {
			return err
		}
		if fresh != "" {
			s.sayWritten()
		}
		s.sayImported(got)
		s.notices.noteAccounts(s.env()) // they were said
		return nil
	})}
}

func (s importer) sayImported(got vault.ImportedKey) {
	if got.Key == (ledger.PublicKey{}) {
		return
	}
	s.Tell("Key kept", got.Key.String())
	s.sayUses(got)
}

// sayUses prints whose key it is.
func (s importer) sayUses(got vault.ImportedKey) {
	for _, u := range got.Accounts {
		s.Under(canvas.Join(format.Account(u.AccountRef), canvas.Text(", as its "+u.Roles()+" key")))
	}
	switch {
	case len(got.Accounts) > 0:
	case s.env().Online():
		s.Under(canvas.Text("it acts for no account"))
	default:
		s.Under(canvas.Text("no node answers, so its accounts are not known; import it again later to list them"))
	}
}

// restore takes the keys of a phrase that was written down earlier, for the accounts that use them.
func (s importer) restore(ctx context.Context) error {
	core := s.opt.Core.FirstRun
	in, holds := vault.PhraseImport{Anyway: true}, vault.ImportedKey{}
	return s.runForm(ctx, append([]step{
		func(ctx context.Context) (err error) {
			in.Phrase, err = s.askPhrase(ctx)
			return err
		},
		s.retryWhileAway(func(ctx context.Context) (err error) {
			holds, err = within(ctx, s.Conversation, "Looking for accounts", func(ctx context.Context) (vault.ImportedKey, error) {
				return core.CheckPhrase(ctx, in)
			})
			for i, u := range holds.Accounts {
				s.Item(i+1, canvas.Join(format.Account(u.AccountRef), canvas.Text(", as its "+u.Roles()+" key")))
			}
			for _, u := range holds.Partly {
				s.Tell("Careful", format.Clean(vault.AnotherOwner(u))+". It is not taken.")
			}
			return err
		}),
		when(func() bool { return len(holds.Accounts) == 0 }, func(ctx context.Context) error {
			s.Say("No account uses its first 20 keys.")
			if unknown := vault.UnknownWords(in.Phrase); unknown != "" {
				s.Tell("Careful", unknown+". Back types the phrase again.")
			}
			return s.ConfirmWordUnseen(ctx, "keep", "keep the first key")
		}),
	}, s.createAndImport(func(ctx context.Context) (vault.ImportedKey, error) { return core.ImportPhrase(ctx, in) })...)...)
}

// askPhrase asks for the words of a phrase, and says how many there are.
func (s importer) askPhrase(ctx context.Context) (string, error) {
	text, err := s.SecretWords(ctx, "Brain key, all words on one line")
	if err != nil {
		return "", err
	}
	words := ledger.NormalizeBrainKey(text)
	s.Tell("Words", strconv.Itoa(len(strings.Fields(words))))
	if verdict := strength.JudgeBrainKey(words); verdict.Weak {
		s.Tell("Careful", "anyone can guess these words: they are "+verdict.Text+". Move what their accounts hold to new keys.")
	}
	return text, nil
}

// watch puts an account on the list whose keys are elsewhere. Its name is asked for where it was not said.
func (s importer) watch(ctx context.Context, said string) error {
	var who ledgerview.AccountRef
	var name, fresh string
	return s.runForm(ctx,
		func(ctx context.Context) error {
			return s.givenOrAsk(ctx, &said, "Account", "an account name or id", &name, func(text string) (err error) {
				who, err = s.findWatched(ctx, text)
				return err
			})
		},
		s.askPassword(&fresh),
		s.backOnFailure(func(ctx context.Context) error {
			if err := s.createIfNew(ctx, fresh); err != nil {
				return err
			}
			if err := s.opt.Core.FirstRun.Watch(ctx, who.ID.String()); err != nil {
				return err
			}
			if fresh != "" {
				s.sayWritten()
			}
			s.Say("The account is on the list, to look at. accounts says what the keys here can sign for it.")
			s.notices.noteAccounts(s.env())
			return nil
		}))
}

// watchable finds the account that is to be watched, and says which it is.
func (s importer) findWatched(ctx context.Context, name string) (ledgerview.AccountRef, error) {
	if wrong := send.RecipientProblem(name); wrong != "" {
		return ledgerview.AccountRef{}, misuse(sentence(wrong), "type an account name or id.")
	}
	who, err := within(ctx, s.Conversation, "Looking", func(ctx context.Context) (ledgerview.AccountRef, error) {
		return s.opt.Core.FirstRun.CheckWatch(ctx, name)
	})
	if err == nil {
		s.Fact("Account", format.Account(who))
	}
	return who, err
}

// askPassword is the step that asks for the password of a wallet that is not there yet.
func (s importer) askPassword(to *string) step {
	return func(ctx context.Context) (err error) {
		*to, err = s.newPassword(ctx)
		return err
	}
}

// newPassword asks for the password of a wallet that is not there yet; empty where there is one.
func (s importer) newPassword(ctx context.Context) (string, error) {
	if !s.opt.Core.FirstRun.IsNew() {
		return "", nil
	}
	fresh, err := s.NewSecret(ctx, "New password")
	if err != nil {
		return "", err
	}
	verdict := s.opt.Core.FirstRun.JudgePassword(strength.New(), fresh)
	s.Tell("Strength", withStop(verdict.Text))
	if verdict.Weak {
		s.Say("Four or more words that do not belong together resist for long.")
	}
	return fresh, nil
}

// made makes the wallet, unless it is there.
func (s importer) createIfNew(ctx context.Context, password string) error {
	if !s.opt.Core.FirstRun.IsNew() {
		return nil
	}
	_, err := withProgress(ctx, s.Conversation, "Encrypting the wallet", func(ctx context.Context) (bool, error) {
		return true, s.opt.Core.FirstRun.Create(ctx, password)
	})
	return err
}

// written prints that the wallet is there.
func (s importer) sayWritten() {
	if d := s.env().LockIn; d > 0 {
		s.Say("Wallet written. Locked after " + printable.Many(int((d+time.Minute/2)/time.Minute), "minute") + " without a line.")
		return
	}
	s.Say("Wallet written.")
}
