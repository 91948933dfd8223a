package linear

import (
	"context"
	"strconv"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// way is one way into a wallet.
type way struct {
	title string
	do    func(ctx context.Context) error
}

// newcomer brings keys and accounts in.
type newcomer struct{ *Desk }

// firstRun is the first page: the ways into a wallet that is not there yet.
func (s newcomer) firstRun(ctx context.Context) error {
	s.Say("Billfold. No wallet in this folder.")
	if s.opt.Folder != "" {
		s.Tell("Folder", format.Clean(s.opt.Folder))
	}
	ways := []way{
		{"Create a new wallet", s.create},
		{"Open a wallet.json", s.openLegacy},
		{"Import a private key", s.importKey},
		{"Restore from a brain key", s.restore},
		{"Watch an account", s.watch},
	}
	if s.opt.OfferSandbox {
		ways = append(ways, way{"Try the sandbox", func(context.Context) error { return tui.ErrWantSandbox }})
	}
	return s.chooseWay(ctx, ways)
}

// imports brings keys into a wallet that is there.
func (s newcomer) imports(ctx context.Context) error {
	return s.chooseWay(ctx, []way{{"Open a wallet.json", s.openLegacy}, {"Import a private key", s.importKey},
		{"Restore from a brain key", s.restore}, {"Watch an account", s.watch}})
}

func (s newcomer) chooseWay(ctx context.Context, ways []way) error {
	for i, w := range ways {
		s.Item(i+1, canvas.Text(w.title))
	}
	n, err := s.Choose(ctx, "Choose 1 to "+strconv.Itoa(len(ways)), len(ways), 0)
	if err != nil {
		return err
	}
	return ways[n-1].do(ctx)
}

// newPassword asks for the password of a wallet that is not there yet; empty where there is one.
func (s newcomer) newPassword(ctx context.Context) (string, error) {
	if !s.opt.Core.FirstRun.IsNew() {
		return "", nil
	}
	fresh, err := s.NewSecret(ctx, "New password")
	if err != nil {
		return "", err
	}
	verdict := s.opt.Core.FirstRun.JudgePassword(strength.New(), fresh)
	s.Tell("Strength", stopped(verdict.Text))
	if verdict.Weak {
		s.Say("Four or more words that do not belong together resist for long.")
	}
	return fresh, nil
}

// made makes the wallet, unless it is there.
func (s newcomer) made(ctx context.Context, password string) error {
	if !s.opt.Core.FirstRun.IsNew() {
		return nil
	}
	_, err := waiting(ctx, s.Desk, "Encrypting the wallet", func(ctx context.Context) (bool, error) {
		return true, s.opt.Core.FirstRun.Create(ctx, password)
	})
	return err
}

// written says that the wallet is there.
func (s newcomer) written() {
	if d := s.env().LockIn; d > 0 {
		s.Say("Wallet written. Locked after " + plural(int((d+time.Minute/2)/time.Minute), "minute") + " without a line.")
		return
	}
	s.Say("Wallet written.")
}

// create makes a wallet with the keys of a new recovery phrase. It is written once, at the end.
func (s newcomer) create(ctx context.Context) error {
	password, err := s.newPassword(ctx)
	if err != nil {
		return err
	}
	phrase, err := dictation(s).phrase(ctx)
	if err != nil {
		return err
	}
	name, err := s.newName(ctx)
	if err != nil {
		return err
	}
	keys, err := waiting(ctx, s.Desk, "Encrypting the wallet", func(ctx context.Context) (vault.NewAccount, error) {
		return s.opt.Core.FirstRun.CreateFromPhrase(ctx, password, phrase, name)
	})
	if err != nil {
		return err
	}
	s.written()
	registry(s).say(vault.Waiting{Name: name, NewAccount: keys})
	return nil
}

// newName asks for the name that others shall register; empty decides later.
func (s newcomer) newName(ctx context.Context) (string, error) {
	for {
		name, err := s.Text(ctx, "Account name, empty decides later", "a name that others register for you, or empty", "")
		if err != nil || name == "" {
			return "", err
		}
		_, err = within(ctx, s.Desk, "Looking", func(ctx context.Context) (bool, error) {
			return true, s.opt.Core.FirstRun.CheckNewName(ctx, name)
		})
		switch {
		case err == nil:
			s.Say(format.Clean(name) + " is free.")
			return name, nil
		case fault.CodeOf(err) == fault.DaemonAway:
			s.Say("It will be checked when a node answers.")
			return name, nil
		}
		if err := s.refused(err); err != nil {
			return "", err
		}
	}
}

// openLegacy takes over a wallet.json.
func (s newcomer) openLegacy(ctx context.Context) error {
	core := s.opt.Core.FirstRun
	var path, old string
	if err := s.insist(ctx, func(ctx context.Context) (err error) {
		if path, err = s.Text(ctx, "File", "the path of the wallet.json; it is only read, never changed", ""); err != nil {
			return err
		}
		path = expanded(path)
		return core.CheckLegacyFile(ctx, path)
	}); err != nil {
		return err
	}
	var holds vault.Imported
	if err := s.insist(ctx, func(ctx context.Context) (err error) {
		if old, err = s.Secret(ctx, "Its password"); err != nil {
			return err
		}
		holds, err = waiting(ctx, s.Desk, "Opening the file", func(ctx context.Context) (vault.Imported, error) {
			return core.CheckLegacy(ctx, path, old)
		})
		return err
	}); err != nil {
		return err
	}
	s.Tell("The file holds", plural(holds.Keys, "key")+" and "+plural(len(holds.Accounts), "account")+".")
	fresh, err := s.newPassword(ctx)
	if err != nil {
		return err
	}
	got, err := waiting(
		ctx,
		s.Desk,
		"Importing",
		func(ctx context.Context) (vault.Imported, error) { return core.ImportLegacy(ctx, path, old, fresh) },
	)
	if err != nil {
		return err
	}
	s.written()
	s.Tell("Imported", plural(got.Keys, "key")+" and "+plural(len(got.Accounts), "account")+".")
	for i, a := range got.Accounts {
		s.Item(i+1, format.Account(a))
	}
	for _, p := range got.Pending {
		s.Tell("Registration not finished", format.Clean(p))
	}
	s.news.own(s.env()) // they were said
	return nil
}

// importKey takes over a private key.
func (s newcomer) importKey(ctx context.Context) error {
	var wif string
	if err := s.insist(ctx, func(ctx context.Context) (err error) {
		wif, err = s.askKey(ctx)
		return err
	}); err != nil {
		return err
	}
	core := s.opt.Core.FirstRun
	var in vault.KeyImport
	if err := s.insist(ctx, func(ctx context.Context) error {
		account, err := s.Text(ctx, "Account, empty finds the key's accounts, - for none",
			"an account name or id, empty for all, - keeps the key without an account", "")
		if err != nil {
			return err
		}
		in = vault.KeyImport{WIF: wif, Account: account}
		if account == "-" {
			in.Account, in.Anyway = "", true
		}
		_, err = within(ctx, s.Desk, "Looking for accounts", func(ctx context.Context) (vault.ImportedKey, error) {
			return core.CheckKeyImport(ctx, in)
		})
		return err
	}); err != nil {
		return err
	}
	return s.bring(ctx, func(ctx context.Context) (vault.ImportedKey, error) { return core.ImportAccountKey(ctx, in) })
}

// askKey asks for a private key and says the public one.
func (s newcomer) askKey(ctx context.Context) (string, error) {
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

// bring makes the wallet, unless it is there, and imports what was looked up before.
func (s newcomer) bring(ctx context.Context, imports func(ctx context.Context) (vault.ImportedKey, error)) error {
	fresh, err := s.newPassword(ctx)
	if err != nil {
		return err
	}
	if err := s.made(ctx, fresh); err != nil {
		return err
	}
	got, err := within(ctx, s.Desk, "Importing", imports)
	if err != nil {
		return err
	}
	if fresh != "" {
		s.written()
	}
	s.sayImported(got)
	s.news.own(s.env()) // they were said
	return nil
}

func (s newcomer) sayImported(got vault.ImportedKey) {
	if got.Key == (ledger.PublicKey{}) {
		return
	}
	s.Tell("Key kept", got.Key.String())
	s.sayUses(got)
}

// sayUses says whose key it is.
func (s newcomer) sayUses(got vault.ImportedKey) {
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
func (s newcomer) restore(ctx context.Context) error {
	core := s.opt.Core.FirstRun
	var in vault.PhraseImport
	var holds vault.ImportedKey
	if err := s.insist(ctx, func(ctx context.Context) error {
		text, err := s.Secret(ctx, "Brain key, all words on one line")
		if err != nil {
			return err
		}
		in = vault.PhraseImport{Phrase: text, Anyway: true}
		words := ledger.NormalizeBrainKey(text)
		s.Tell("Words", strconv.Itoa(len(strings.Fields(words))))
		if verdict := strength.JudgeBrainKey(words); verdict.Weak {
			s.Tell("Careful", "anyone can guess these words: they are "+verdict.Text+". Move what their accounts hold to new keys.")
		}
		holds, err = within(ctx, s.Desk, "Looking for accounts", func(ctx context.Context) (vault.ImportedKey, error) {
			return core.CheckPhrase(ctx, in)
		})
		return err
	}); err != nil {
		return err
	}
	if len(holds.Accounts) == 0 {
		s.Say("No account uses its first 20 keys.")
		if err := s.Agree(ctx, "keep", "keep the first key all the same"); err != nil {
			return err
		}
	}
	for i, u := range holds.Accounts {
		s.Item(i+1, canvas.Join(format.Account(u.AccountRef), canvas.Text(", as its "+u.Roles()+" key")))
	}
	return s.bring(ctx, func(ctx context.Context) (vault.ImportedKey, error) { return core.ImportPhrase(ctx, in) })
}

// watch puts an account on the list whose keys are elsewhere.
func (s newcomer) watch(ctx context.Context) error {
	return s.insist(ctx, func(ctx context.Context) error {
		name, err := s.Text(ctx, "Account", "an account name or id", "")
		if err != nil {
			return err
		}
		return s.watchNamed(ctx, name)
	})
}

func (s newcomer) watchNamed(ctx context.Context, name string) error {
	if wrong := send.RecipientProblem(name); wrong != "" {
		return misuse(sentence(wrong), "type an account name or id.")
	}
	who, err := within(ctx, s.Desk, "Looking", func(ctx context.Context) (ledgerview.AccountRef, error) {
		return s.opt.Core.FirstRun.CheckWatch(ctx, name)
	})
	if err != nil {
		return err
	}
	s.Fact("Account", format.Account(who))
	fresh, err := s.newPassword(ctx)
	if err != nil {
		return err
	}
	if err := s.made(ctx, fresh); err != nil {
		return err
	}
	if err := s.opt.Core.FirstRun.Watch(ctx, who.ID.String()); err != nil {
		return err
	}
	if fresh != "" {
		s.written()
	}
	s.Say("The account is on the list: look, never spend.")
	s.news.own(s.env())
	return nil
}
