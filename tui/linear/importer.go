package linear

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// importer brings keys and accounts into the wallet.
type importer struct{ *Conversation }

// runForm runs the steps of an import. If there is no wallet yet, the form ends with a new password, so it is
// guarded.
func (s importer) runForm(ctx context.Context, steps ...step) error {
	if s.opt.Core.FirstRun.IsNew() {
		return s.runGuardedSteps(ctx, steps...)
	}
	return s.runSteps(ctx, steps...)
}

// openLegacy imports a wallet.json.
func (s importer) openLegacy(ctx context.Context) error {
	core := s.opt.Core.FirstRun
	var path, old, fresh string
	return s.runGuardedSteps(ctx,
		func(ctx context.Context) error {
			return s.askAccepted(ctx, "File", "the path of the wallet.json; it is only read, never changed", &path,
				func(text string) error { return core.CheckLegacyFile(ctx, screen.Path(text)) })
		},
		func(ctx context.Context) error {
			return s.untilAccepted(ctx, func(ctx context.Context) (err error) {
				old, err = s.legacyPassword(ctx, screen.Path(path))
				return err
			})
		},
		s.askPassword(&fresh),
		s.backOnFailure(func(ctx context.Context) error {
			got, err := withProgress(ctx, s.Conversation, "Importing", func(ctx context.Context) (vault.Imported, error) {
				return core.ImportLegacy(ctx, screen.Path(path), old, fresh)
			})
			if err != nil {
				return err
			}
			s.sayLegacyImported(got, fresh != "")
			return nil
		}))
}

// legacyPassword asks for the password of a wallet.json and prints what it opens.
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

// sayHolds prints the contents of a wallet.json before anything is written.
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
	for _, name := range holds.Miners {
		s.Tell("Registration of a miner not finished", format.Clean(name))
	}
	for _, m := range holds.Missing {
		s.Tell("Missing key of "+cmp.Or(format.Clean(m.Name), m.Account.String()), m.Key.String())
	}
}

// sayLegacyImported prints what was imported from a wallet.json; created reports that a new wallet was written for
// it.
func (s importer) sayLegacyImported(got vault.Imported, created bool) {
	if created {
		s.sayWritten()
	}
	s.Tell("Imported", printable.Many(got.Keys, "key")+" and "+printable.Many(len(got.Accounts), "account")+".")
	s.notices.noteAccounts(s.env()) // they were announced here
}

// importKey imports a private key.
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

// noAccount is typed to import a key without an account, or before its accounts can be looked up.
const noAccount = "-"

// askAccount asks for the account of a key and checks that the key acts for it.
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

// askKey asks for a private key and prints its public key.
func (s importer) askKey(ctx context.Context) (string, error) {
	wif, err := s.Secret(ctx, "Private key")
	if err != nil {
		return "", err
	}
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return "", refuse("This is not a private key: "+err.Error()+". Nothing was changed.", "type the key that starts with 5.")
	}
	defer key.Wipe()
	s.Tell("Public key", key.Public().String())
	return wif, nil
}

// createAndImport returns the steps that create the wallet, if there is none, and then import what was checked
// before.
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
		s.notices.noteAccounts(s.env()) // they were announced here
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

// sayUses prints the accounts that use a key.
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

// restore imports the keys of a recovery phrase for the accounts that use them.
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
				s.Tell("Careful", format.Clean(vault.AnotherOwner(u))+". It is not imported.")
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

// askPhrase asks for the words of a phrase and prints how many there are.
func (s importer) askPhrase(ctx context.Context) (string, error) {
	text, err := s.SecretWords(ctx, "Recovery phrase, all words on one line")
	if err != nil {
		return "", err
	}
	words := ledger.PlainBrainKey(text)
	s.Tell("Words", strconv.Itoa(len(ledger.BrainKeyWords(text))))
	if verdict := strength.JudgeBrainKey(words); verdict.Weak {
		s.Tell("Careful", "anyone can guess these words: they are "+verdict.Text+". Move what their accounts hold to new keys.")
	}
	return text, nil
}

// watch adds an account whose keys are elsewhere to the list; it asks for the account unless it was named.
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
			s.Say("The account is on the list. account shows what the keys here can sign for it.")
			s.notices.noteAccounts(s.env())
			return nil
		}))
}

// findWatched finds the account to be watched and prints it.
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

// askPassword returns the step that asks for the password of a new wallet; in an existing one it asks nothing.
func (s importer) askPassword(to *string) step {
	return func(ctx context.Context) (err error) {
		*to, err = s.newPassword(ctx)
		return err
	}
}

// newPassword asks for the password of a new wallet; it returns an empty one if there is a wallet already.
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
		s.Say("Four or more words that do not belong together are hard to guess.")
	}
	return fresh, nil
}

// createIfNew creates the wallet unless it exists.
func (s importer) createIfNew(ctx context.Context, password string) error {
	if !s.opt.Core.FirstRun.IsNew() {
		return nil
	}
	_, err := withProgress(ctx, s.Conversation, "Encrypting the wallet", func(ctx context.Context) (bool, error) {
		return true, s.opt.Core.FirstRun.Create(ctx, password)
	})
	return err
}

// sayWritten prints that the wallet was created, and when it locks.
func (s importer) sayWritten() {
	if d := s.env().LockIn; d > 0 {
		s.Say("Wallet written. It locks after " + printable.Many(int((d+time.Minute/2)/time.Minute), "minute") + " without input.")
		return
	}
	s.Say("Wallet written.")
}
