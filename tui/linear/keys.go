package linear

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/keys"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// keysPage shows and changes the authorities of the wallet's accounts.
type keysPage struct {
	reviewer
	xray    *keys.XRay
	account vault.OwnAccount // the account whose parties were printed
	parties []keys.Party
}

func (a *keysPage) words() []word {
	return slices.Concat(papers{a.reviewer}.words(), signers{a.reviewer}.words(), []word{
		{say: "xray N", row: "keys/keys.xray", help: "who may act for account N, every key whole", do: a.showXRay},
		{say: "whatif N", row: "keys/keys.whatif", help: "after xray: count key or account N the other way round", do: a.whatIf},
		{say: "import", row: "keys/keys.import", do: func(ctx context.Context, _ string) error {
			if err := a.needUnlock(ctx); err != nil {
				return err
			}
			return importer{a.Conversation}.importKeys(ctx)
		}},
		{say: "find KEY", row: "keys/keys.find", help: "the accounts that name a public key", do: a.find},
		{say: "password", row: "keys/keys.password", do: a.password},
		{say: "reveal N", row: "keys/keys.reveal", help: "after xray: say the private key of key N", do: a.reveal},
		{
			say:  "forget N",
			row:  "keys/keys.forget",
			help: "take account N off the list; its keys stay",
			do: func(ctx context.Context, rest string) error {
				return removeAccount(ctx, a.Conversation, rest)
			},
		},
	})
}

func (a *keysPage) enter(ctx context.Context) error {
	env := a.env()
	a.sayMisregistered(env)
	if len(env.Accounts) == 0 {
		err := registrations{a.Conversation}.sayNoAccount(ctx, true)
		a.sayWords()
		return err
	}
	if err := a.read(ctx); err != nil {
		return err
	}
	for i, own := range env.Accounts {
		a.Item(i+1, accountLine(env, own.ID))
	}
	a.sayWords()
	return nil
}

func (a *keysPage) read(ctx context.Context) error {
	x, err := readXRay(ctx, a.Conversation)
	a.xray = x
	return err
}

func (a *keysPage) open(ctx context.Context, n int) error { return a.showXRay(ctx, fmt.Sprint(n)) }

func (a *keysPage) showXRay(ctx context.Context, rest string) error {
	env := a.env()
	own, err := pick(env.Accounts, rest, "account")
	if err != nil {
		return err
	}
	if err := a.read(ctx); err != nil {
		return err
	}
	a.account = own
	a.sayParties()
	return nil
}

// sayParties prints the parties of the account and whether this wallet can act for it.
func (a *keysPage) sayParties() {
	a.parties = a.xray.Parties(a.account.ID)
	sayParties(a.Conversation, a.parties)
	result, warnings := a.xray.Verdict(a.account.ID)
	for _, l := range warnings {
		a.Line(l)
	}
	a.Say(result)
}

func (a *keysPage) party(rest string) (keys.Party, error) {
	if a.xray == nil || a.account.ID == 0 {
		return keys.Party{}, misuse("Of which account?", "xray and the number of an account, first.")
	}
	return pick(a.parties, rest, "key or account")
}

func (a *keysPage) whatIf(_ context.Context, rest string) error {
	p, err := a.party(rest)
	if err != nil {
		return err
	}
	a.xray.Flip(p)
	a.sayParties()
	return nil
}

func (a *keysPage) find(ctx context.Context, text string) error {
	var err error
	if text == "" {
		if text, err = a.Text(ctx, "Public key", "a key that begins with DCT", ""); err != nil {
			return err
		}
	}
	key, err := ledger.ParsePublicKey(text)
	if err != nil {
		return misuse("That is not a public key; it begins with DCT.", "find KEY.")
	}
	uses, err := within(ctx, a.Conversation, "Looking", func(ctx context.Context) ([]ledgerview.KeyUse, error) {
		return a.opt.Core.Keys.Ledger.OfKey(ctx, key)
	})
	if err != nil {
		return err
	}
	if len(uses) == 0 {
		a.Say("No account names this key.")
	}
	for i, u := range uses {
		a.Item(i+1, canvas.Join(format.Account(u.AccountRef), canvas.Text(", "+u.Roles())))
	}
	return nil
}

func (a *keysPage) password(ctx context.Context, _ string) error {
	a.Say("The wallet is encrypted with the new password at once, and locks.")
	core := a.opt.Core.Keys.Lock
	var now, fresh string
	present := func(ctx context.Context) (err error) {
		now, err = a.Secret(ctx, "Password now")
		return err
	}
	return a.runSteps(ctx, present,
		func(ctx context.Context) (err error) {
			if fresh, err = a.NewSecret(ctx, "New password"); err == nil {
				a.Tell("Strength", withStop(core.JudgePassword(strength.New(), fresh).Text))
			}
			return err
		},
		func(ctx context.Context) error {
			for {
				_, err := withProgress(ctx, a.Conversation, "Encrypting the wallet", func(ctx context.Context) (bool, error) {
					return true, core.ChangePassword(ctx, now, fresh)
				})
				if err == nil {
					a.notices.noteLockSaid()
					a.Say("The wallet has a new password and is locked.")
				}
				if fault.CodeOf(err) != fault.WrongPassword {
					return err
				}
				if err := a.report(err); err != nil {
					return err
				}
				if err := present(ctx); err != nil { // the new password was typed twice already and is kept
					return err
				}
			}
		})
}

func (a *keysPage) reveal(ctx context.Context, rest string) error {
	p, err := a.party(rest)
	if err != nil {
		return err
	}
	if p.Account.ID != 0 {
		return misuse("That is an account; it has no private key of its own.", "reveal and the number of a key.")
	}
	a.Say("Anyone who hears the private key can use it forever.")
	a.Fact("Public key", format.Key(p.Key))
	core := a.opt.Core.Keys
	return a.runSteps(ctx,
		func(ctx context.Context) error { return a.askKeyEnd(ctx, p.Key) },
		func(ctx context.Context) error {
			return a.untilAccepted(ctx, func(ctx context.Context) error {
				password, err := a.Secret(ctx, "Password")
				if err != nil {
					return err
				}
				return core.Lock.Unlock(ctx, password)
			})
		},
		func(ctx context.Context) error {
			if err := a.ConfirmWord(ctx, "reveal", "hear the private key"); err != nil {
				return err
			}
			private, err := core.Vault.PrivateKeyOf(p.Key)
			if err != nil {
				return err
			}
			defer private.Wipe()
			a.Tell("Private key", string(private))
			a.Forget()
			return nil
		})
}

// askKeyEnd asks for the last characters of a public key until they are right.
func (a *keysPage) askKeyEnd(ctx context.Context, key ledger.PublicKey) error {
	return a.untilAccepted(ctx, func(ctx context.Context) error {
		typed, err := a.AskFresh(ctx, "Type its last six characters", "the last six characters of the public key, or back")
		if text := key.String(); err == nil && strings.TrimSpace(typed) != text[len(text)-lastChars:] {
			err = refuse("Those are not its last six characters.", "type them again, or back.")
		}
		return err
	})
}
