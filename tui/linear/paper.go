package linear

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/keys"
	"billfold/tui/screen"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// papers adds accounts to the wallet and checks paper backups.
type papers struct{ reviewer }

func (a papers) words() []word {
	return []word{
		{say: "watch ACCOUNT", row: "keys/keys.watch", do: a.watch},
		{say: "register NAME", row: "keys/keys.register", help: "register a new account with keys of a recovery phrase", do: a.register},
		{say: "backup N", row: "keys/keys.backup", help: "check that your paper restores account N", do: a.backUp},
		{say: "card N", row: "keys/keys.card", help: "account card of account N", do: a.card},
	}
}

func (a papers) watch(ctx context.Context, name string) error {
	if err := a.needUnlock(ctx); err != nil {
		return err
	}
	return importer{a.Conversation}.watch(ctx, name)
}

// register creates an account with the keys of a phrase; the person proves first that the phrase was written down.
func (a papers) register(ctx context.Context, name string) error {
	env, err := a.account()
	if err != nil {
		return err
	}
	var payer ledgerview.AccountRef
	for _, own := range env.Accounts {
		if own.CanSign() && (payer.ID == 0 || own.ID == env.Account.ID) {
			payer = own.AccountRef
		}
	}
	if payer.ID == 0 {
		return refuse("No account of this wallet can pay the fee.", "import a key of one.")
	}
	if err := a.needUnlock(ctx); err != nil {
		return err
	}
	form := registerForm{papers: a, registrar: payer.Name, words: dictation{Conversation: a.Conversation}}
	return a.runGuardedSteps(ctx, form.steps(name)...)
}

// registerForm is the form of a new account.
type registerForm struct {
	papers
	name, registrar string
	kind            int // 1: new words, 2: the person's own
	words           dictation
	own             string
}

// steps returns the steps that ask for the account and have it signed. A name in said is not asked for.
func (r *registerForm) steps(said string) []step {
	out := []step{func(ctx context.Context) error { return r.askName(ctx, &said) }, r.askRegistrar, func(ctx context.Context) (err error) {
		r.kind, err = r.Choose(ctx, "Recovery phrase, 1 new words, 2 your own", 2, max(r.kind, 1))
		return err
	}}
	for _, one := range r.words.steps() {
		out = append(out, when(func() bool { return r.kind == 1 }, one))
	}
	return append(out, when(func() bool { return r.kind == 2 }, r.askOwn), r.backOnFailure(r.reviewAndSend))
}

func (r *registerForm) askName(ctx context.Context, said *string) error {
	return r.givenOrAsk(ctx, said, "Account name", "lower case letters, digits and -", &r.name,
		func(text string) error { return r.checkName(ctx, text) })
}

// checkName checks that the name is valid and free.
func (r *registerForm) checkName(ctx context.Context, name string) error {
	_, err := within(ctx, r.Conversation, "Looking", func(ctx context.Context) (bool, error) {
		return true, r.opt.Core.FirstRun.CheckNewName(ctx, name)
	})
	return err
}

func (r *registerForm) askRegistrar(ctx context.Context) error {
	return r.askAccepted(ctx, "Registrar, pays the fee", "an account of this wallet", &r.registrar, func(text string) error {
		_, err := within(ctx, r.Conversation, "Looking", func(ctx context.Context) (ledgerview.AccountRef, error) {
			return r.opt.Core.FirstRun.CheckWatch(ctx, text)
		})
		return err
	})
}

// askOwn asks for a phrase of the person's own and refuses one that can be guessed.
func (r *registerForm) askOwn(ctx context.Context) error {
	return r.untilAccepted(ctx, func(ctx context.Context) error {
		own, err := r.SecretWords(ctx, "All words on one line")
		if err != nil {
			return err
		}
		if why := ledger.BrainKeyProblem(own); why != "" {
			return refuse("What you write down would not restore the account: "+why+".", "type the words again, with plain spaces between them.")
		}
		r.own = ledger.PlainBrainKey(own)
		if verdict := strength.JudgeBrainKey(r.own); verdict.Weak {
			return refuse("These words can be guessed, and whoever guesses them has the account.", "type others, or back for new words.")
		}
		return nil
	})
}

// reviewAndSend builds the registration and has it reviewed, signed and sent.
func (r *registerForm) reviewAndSend(ctx context.Context) error {
	req := txbuild.CreateAccountParams{BrainKey: r.own, Name: r.name, Registrar: r.registrar}
	if r.kind == 1 {
		req.BrainKey = r.words.phrase()
	}
	built, err := within(ctx, r.Conversation, "Building", func(ctx context.Context) (screen.Built, error) {
		return r.opt.Core.FirstRun.Register(ctx, req)
	})
	if err != nil {
		return err
	}
	return r.spend(ctx, built)
}

// backUp checks that the phrase or the keys on paper restore an account.
func (a papers) backUp(ctx context.Context, rest string) error {
	own, err := pick(a.env().Accounts, rest, "account")
	if err != nil {
		return err
	}
	xray, err := readXRay(ctx, a.Conversation)
	if err != nil {
		return err
	}
	held := xray.Held(own.ID)
	if len(held) == 0 {
		return refuse("No private key of this account is in this wallet.", "import one.")
	}
	kind := 1
	return a.runSteps(ctx,
		func(ctx context.Context) error {
			return a.untilAccepted(ctx, func(ctx context.Context) error {
				password, err := a.Secret(ctx, "Password")
				if err != nil {
					return err
				}
				return a.opt.Core.Keys.Lock.Unlock(ctx, password)
			})
		},
		func(ctx context.Context) (err error) {
			kind, err = a.Choose(ctx, "On your paper, 1 the phrase, 2 nothing yet: hear the keys", 2, kind)
			return err
		},
		func(ctx context.Context) error {
			if kind == 2 {
				return a.dictate(ctx, own.AccountRef, held)
			}
			return a.untilAccepted(ctx, func(ctx context.Context) error { return a.comparePhrase(ctx, own.AccountRef, held) })
		})
}

// comparePhrase checks that the phrase on paper produces the keys of an account, and records the backup.
func (a papers) comparePhrase(ctx context.Context, own ledgerview.AccountRef, held []screen.HeldKey) error {
	words, err := a.SecretWords(ctx, "All words on one line")
	if err != nil {
		return err
	}
	got, err := vault.ImportedKey{}, error(nil)
	if err = a.retryWhileAway(func(ctx context.Context) (err error) {
		got, err = within(ctx, a.Conversation, "Comparing", func(ctx context.Context) (vault.ImportedKey, error) {
			return a.opt.Core.FirstRun.CheckPhrase(ctx, vault.PhraseImport{Phrase: words, Accounts: []string{own.ID.String()}})
		})
		return err
	})(ctx); err != nil {
		if fault.CodeOf(err) == fault.NoSuchAccount {
			return refuse("These words give no key of the account.", phraseHint(words))
		}
		return err
	}
	importer{a.Conversation}.sayUses(got)
	for _, u := range got.Accounts {
		if !u.Owner {
			a.Tell("Careful", format.Clean(vault.AnotherOwner(u))+".")
		}
	}
	if lacks := screen.Unrecovered(held, got.All); lacks != "" {
		a.Say("The phrase on your paper brings the account " + lacks + ". Keep the paper.")
	} else {
		a.Say("The phrase on your paper brings the account back. Keep the paper.")
	}
	return a.opt.Core.FirstRun.NoteBackup(ctx, own.ID, got.All)
}

// phraseHint returns what may be wrong with a phrase that restores nothing.
func phraseHint(words string) string {
	if unknown := vault.UnknownWords(words); unknown != "" {
		return unknown + "; look at your paper."
	}
	return "look for a wrong or missing word on your paper."
}

// readXRay reads who may act for the wallet's accounts.
func readXRay(ctx context.Context, d *Conversation) (*keys.XRay, error) {
	accounts := d.env().Accounts
	return within(ctx, d, "Reading who may act", func(ctx context.Context) (*keys.XRay, error) {
		return keys.ReadXRay(ctx, d.opt.Core.Keys, accounts)
	})
}

// lastChars is the number of characters of a key that have to be typed to show that it was read.
const lastChars = 6

// dictate prints the private keys of an account one by one, has the end of each typed from paper, and records the
// backup.
func (a papers) dictate(ctx context.Context, own ledgerview.AccountRef, held []screen.HeldKey) error {
	a.Fact("Private keys of", format.Account(own))
	a.Say("Anyone who hears them can use the account forever.")
	if err := a.ConfirmWord(ctx, "ready", "hear them"); err != nil {
		return err
	}
	for _, one := range held {
		for {
			right, err := a.dictateOne(ctx, one)
			if err != nil {
				return err
			}
			if right {
				break
			}
			if err := a.report(misuse("Those are not its last six characters.", "it is said again.")); err != nil {
				return err
			}
		}
	}
	a.Forget()
	a.Say("The keys on your paper restore the account: import them one by one.")
	return a.opt.Core.FirstRun.NoteBackup(ctx, own.ID, screen.KeysOf(held))
}

func (a papers) dictateOne(ctx context.Context, one screen.HeldKey) (bool, error) {
	private, err := a.opt.Core.Keys.Vault.PrivateKeyOf(one.Key)
	if err != nil {
		return false, err
	}
	defer private.Wipe()
	a.Tell("Private key, "+one.Roles, string(private))
	typed, err := a.AskFresh(ctx, "Type its last six characters, from the paper", "the last six characters, or back")
	return strings.TrimSpace(typed) == string(private[max(len(private)-lastChars, 0):]), err
}

func (a papers) card(ctx context.Context, rest string) error {
	own, err := pick(a.env().Accounts, rest, "account")
	if err != nil {
		return err
	}
	return a.sayCard(ctx, own.ID)
}
