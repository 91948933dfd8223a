package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/backup"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/vault/strength"

	"github.com/spf13/cobra"
)

// backupFlags say what a backup is sealed with.
type backupFlags struct {
	from       string // where its password is; "" = it is asked for
	recipients []string
}

func backupCommand(s *settings) *cobra.Command {
	var f backupFlags
	cmd := &cobra.Command{Use: "backup FILE", Short: "Back the wallet up into one sealed file, also while it runs", Args: exactly("FILE"),
		Long: `Back the wallet up into one sealed file, also while it runs and pays.

The file has the keys, still under the wallet's password, the store (payments, request
keys, audit log, limits, cursors, contacts, labels), config.yaml, keys.yaml, the hashes
of tokens and the listeners' own certificate. All of it is sealed under a password of
its own, which is asked for: twice at a terminal, otherwise as a line of standard input.
With --recipient it is sealed to a recipient of age (age1…) instead: nothing secret is
needed to make it, and only the identity of one of the recipients opens it.
A file that exists is never written over. It is on disk, whole, when the command ends.

billfold restore puts it back; billfold restore --check proves that it can be.`,
		RunE: func(cmd *cobra.Command, args []string) error { return backUp(cmd, s, args[0], f) }}
	cmd.Flags().Var(namedFlag{&f.from}, "password-from", passwordFromHelp)
	cmd.Flags().StringArrayVar(&f.recipients, "recipient", nil,
		"seal it to this recipient of age instead of under a password; may be repeated: each of them opens it alone")
	return cmd
}

const passwordFromHelp = "read the backup's password from a file, fd:N, credential:NAME or command:PROGRAM …, as --unlock-from does"

// restoreFlags say what opens a backup, and whether it is only checked.
type restoreFlags struct {
	from       string // where its password is; "" = it is asked for
	identity   string // where an identity is; "" = there is a password
	walletFrom string
	check      bool
}

func restoreCommand(s *settings) *cobra.Command {
	var f restoreFlags
	cmd := &cobra.Command{Use: "restore FILE", Short: "Restore a backup into an empty folder; with --check, prove that it can be", Args: exactly("FILE"),
		Long: `Restore a backup into the folder --data-dir, which must be empty or not there.

The wallet in it has the password that it had, and spends nothing yet: it lacks what was
paid since the backup. End the wallet that it replaces, then run billfold journal accept,
which reads the ledger from then on; billfold journal status names the block.

With --check nothing is restored. The backup is opened in a private temporary folder,
which is removed again, all public keys are derived from its private ones (the wallet's
password is asked for), the store is checked, and the accounts on the ledger are compared,
if a daemon answers. It prints "recoverable: yes" and ends with 0, or says what is missing
and ends with another code.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.from != "" && f.identity != "" {
				return shell.Misuse(errors.New("a backup has either a password or recipients; leave --password-from or --identity out"))
			}
			if f.check {
				return checkBackup(cmd, s, args[0], f)
			}
			if f.walletFrom != "" {
				return shell.Misuse(errors.New("--wallet-password-from belongs to --check; leave it out, or add --check"))
			}
			return restoreBackup(cmd, s, args[0], f)
		}}
	cmd.Flags().BoolVar(&f.check, "check", false, "restore nothing; find out whether the backup brings the wallet back")
	cmd.Flags().Var(namedFlag{&f.from}, "password-from", passwordFromHelp)
	cmd.Flags().Var(namedFlag{&f.identity}, "identity", "open it with the identity of age in a file, fd:N, credential:NAME or command:PROGRAM …")
	cmd.Flags().Var(namedFlag{&f.walletFrom}, "wallet-password-from", "with --check: the same for the wallet's password")
	return cmd
}

// readForBackup refuses wallets that keep nothing in their folder, or not everything.
func (s *settings) readForBackup() error {
	if err := s.read(); err != nil {
		return err
	}
	if s.sandbox {
		return errors.New("--sandbox has a throw-away wallet that is not backed up; leave it out")
	}
	return nil
}

var errSharedBackup = errors.New("the payments are in the database that the servers share: back that up as PostgreSQL is, and copy wallet.keys; " +
	"billfold store export --copy makes a wallet with a store of its own")

func backUp(cmd *cobra.Command, s *settings, file string, f backupFlags) error {
	recipients, err := f.parsed()
	if err != nil {
		return shell.Misuse(err)
	}
	if err := s.readForStored("backup", keystoreName); err != nil {
		return err
	}
	if s.store != "" {
		return errSharedBackup
	}
	if _, err := os.Lstat(file); err == nil { // before anybody types a password
		return fmt.Errorf("%s exists already; name a new file", file)
	}
	seal, ask := backup.Seal{Recipients: recipients}, newSecrets(cmd)
	if recipients.None() {
		seal.Password, err = s.backupPassword(cmd.Context(), "--password-from", f.from, func() (string, error) {
			return ask.AskNew("Password for the backup")
		})
		if err != nil {
			return err
		}
	}
	made, err := backup.Make(cmd.Context(),
		backup.Source{Folder: s.dataDir, Program: fullVersion(), Sealing: s.newKeys, Now: time.Now()}, file, seal)
	if err != nil {
		return backupFault(err)
	}
	if recipients.None() {
		ask.warnOfWeak(strength.New().Judge(seal.Password, s.newKeys.Cost().GuessesPerSecond())) // wherever it came from
	}
	var others string // settings, tokens, certificate
	for _, f := range made.Files {
		if f.Name != keystoreName && f.Name != sqlite.Name {
			others += ", " + f.Name
		}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s has the wallet: %s, %s, the store with %s%s\n", file, printable.Many(made.Keys, "key"),
		printable.Many(made.Accounts, "account"), printable.Many(made.Changes, "change"), others)
	return errors.Join(err, noteBackup(s.dataDir)) // for billfold doctor
}

// parsed returns the recipients of the flags.
func (f backupFlags) parsed() (r keystore.Recipients, err error) {
	if f.from != "" && len(f.recipients) > 0 {
		return r, errors.New("a backup is sealed under a password or to recipients; leave --password-from or --recipient out")
	}
	r, err = keystore.ParseRecipients(f.recipients)
	return r, backupFault(err)
}

// backupPassword returns the password at the place that a flag names, or asks for it. It returns several lines with errSeveralLines or errFirstEmpty.
func (s *settings) backupPassword(ctx context.Context, flag, from string, ask func() (string, error)) (string, error) {
	if from == "" {
		return ask()
	}
	if _, err := parseUnlockFrom(from); err != nil {
		return "", shell.Misuse(fmt.Errorf("%s: %w", flag, err))
	}
	line, err := s.passwordFrom(ctx, from)
	defer clear(line)
	if err != nil {
		err = shell.Misuse(fmt.Errorf("%s: %w", flag, err))
	}
	return string(line), err
}

// backupFault returns an error of the key file or of a backup with its code.
func backupFault(err error) error {
	e, is := errors.AsType[*keystore.Error](err)
	if !is {
		return err
	}
	return &fault.Error{Code: fault.KeyFile("backup", err).Code, Op: "backup", Message: e.Message, Hint: e.Hint, Err: err}
}

func restoreBackup(cmd *cobra.Command, s *settings, file string, f restoreFlags) error {
	if err := s.readForBackup(); err != nil {
		return err
	}
	if s.store != "" {
		return errors.New("a backup has a store of its own; leave --store out, and unset BILLFOLD_STORE")
	}
	made, err := s.takeOut(cmd, newSecrets(cmd), file, f, s.dataDir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "the wallet of %s (UTC) is restored into %s: %s, %s\n"+
		"it spends nothing yet: end the wallet that it replaces, then see billfold journal status%s\n", day(made.Made), s.dataDir,
		printable.Many(made.Keys, "key"), printable.Many(made.Accounts, "account"), walletFlags(cmd))
	return err
}

// takeOut restores a backup into a folder.
func (s *settings) takeOut(cmd *cobra.Command, ask *secrets, file string, f restoreFlags, folder string) (made backup.Manifest, err error) {
	toRecipients, err := backup.Ready(file, folder) // before anybody types a password
	switch {
	case err != nil:
		return made, backupFault(err)
	case toRecipients && f.identity == "":
		return made, shell.Misuse(fmt.Errorf("%s is sealed to recipients of age, and has no password; name the file of an identity with --identity", file))
	case !toRecipients && f.identity != "":
		return made, shell.Misuse(fmt.Errorf("%s is sealed under a password; leave --identity out, and give the password", file))
	}
	var key backup.Key
	if toRecipients {
		key.Identities, err = s.identities(cmd.Context(), f.identity)
	} else {
		key.Password, err = s.backupPassword(cmd.Context(), "--password-from", f.from, func() (string, error) { return ask.ask("Password of the backup") })
	}
	severalLines := errors.Is(err, errSeveralLines) || errors.Is(err, errFirstEmpty) // as earlier versions took for a password
	if err != nil && !severalLines {
		return made, shell.Misuse(err) // of the place of a secret
	}
	made, failed := backup.Restore(cmd.Context(), file, key, folder)
	if severalLines && errors.Is(failed, keystore.ErrWrongPassword) {
		return made, err
	}
	return made, backupFault(failed)
}

// identities returns the identities of age at a place.
func (s *settings) identities(ctx context.Context, from string) (*keystore.Identities, error) {
	if _, err := parseUnlockFrom(from); err != nil {
		return nil, shell.Misuse(err)
	}
	text, err := s.secretFrom(ctx, from, identitySecret())
	defer clear(text)
	if err != nil {
		return nil, err
	}
	ids, err := keystore.ParseIdentities(text)
	return &ids, backupFault(err)
}

// checkBackup finds out whether a backup brings the wallet back, and says so.
func checkBackup(cmd *cobra.Command, s *settings, file string, f restoreFlags) error {
	err := s.readForBackup()
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	missing, err := s.recover(cmd, file, f)
	if shell.IsMisuse(err) { // nobody has looked at the backup
		return err
	}
	if err != nil {
		fmt.Fprintln(out, "recoverable: no")
		return err
	}
	if missing > 0 {
		fmt.Fprintln(out, "recoverable: no")
		return fmt.Errorf("%s not recoverable from %s; the lines that begin with missing name them", countAre(missing, "account"), file)
	}
	_, err = fmt.Fprintln(out, "recoverable: yes")
	return err
}

// recover restores a backup into a folder that it removes again, and returns how many accounts of it the keys in it do not open.
func (s *settings) recover(cmd *cobra.Command, file string, f restoreFlags) (missing int, err error) {
	scratch, end, err := newScratch()
	if err != nil {
		return 0, err
	}
	defer end()
	out, ask, own := cmd.OutOrStdout(), newSecrets(cmd), *s
	own.dataDir, own.indexDir, own.store = filepath.Join(scratch, "restored"), "", ""
	made, err := s.takeOut(cmd, ask, file, f, own.dataDir)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "backup    of %s (UTC), made by billfold %s; the store is whole, with %s\n", day(made.Made), printable.Text(made.Program),
		printable.Many(made.Changes, "change"))
	password, err := s.backupPassword(cmd.Context(), "--wallet-password-from", f.walletFrom, func() (string, error) { return ask.ask("Wallet password") })
	if err != nil {
		return 0, err
	}
	keys, err := keystore.OpenWith(own.keystorePath(), s.newKeys)
	if err == nil {
		err = keys.Unlock(password)
	}
	if err != nil {
		return 0, fault.KeyFile("backup", err)
	}
	defer keys.Lock()
	if err := deriveAll(keys); err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "keys      %s, and the private keys give all of them\n", printable.Many(len(keys.PublicKeys()), "public key"))
	p, err := newProgramWith(cmd.Context(), &program{settings: &own, aside: true}, own.openStoreAside)
	if err != nil {
		return 0, err
	}
	defer p.close()
	err = p.run(cmd.Context(), func(ctx context.Context) error {
		if away := p.firstContact(ctx); away != nil {
			fmt.Fprintf(out, "ledger    not compared: %s\n", sentence(fault.Daemon("backup", away)))
			return nil
		}
		missing, err = p.compareAccounts(ctx, out, keys)
		return err
	})
	return missing, err
}

// deriveAll derives the public key of each private one and compares it with those that the file lists.
func deriveAll(keys *keystore.Store) error {
	return keys.View(func(secrets *keystore.Secrets) error {
		for _, public := range keys.PublicKeys() {
			if _, ok := secrets.Key(public); !ok {
				return fmt.Errorf("the private key of %s in the backup gives another public key; use another backup", public)
			}
		}
		return nil
	})
}

// accountsAtOnce is the maximum number of accounts that a daemon is asked for at a time.
const accountsAtOnce = 100

// compareAccounts reports for each account of the wallet what its keys can still do on the ledger, and counts those that lost all of theirs.
func (p *program) compareAccounts(ctx context.Context, out io.Writer, keys *keystore.Store) (missing int, err error) {
	all := keys.Accounts()
	for len(all) > 0 {
		some := all[:min(len(all), accountsAtOnce)]
		all = all[len(some):]
		ids := make([]ledger.AccountID, len(some))
		for i, a := range some {
			ids[i] = a.ID
		}
		found, err := p.wallet.View.Accounts.ByID(ctx, ids)
		if err != nil {
			return missing, err
		}
		for _, a := range some {
			what, lost := standing(keys, found[a.ID], len(keys.Public().KeysOf(a.ID)) > 0)
			kind := "account "
			if lost {
				kind = "missing "
				missing++
			}
			fmt.Fprintf(out, "%s  %s %s: %s\n", kind, printable.Text(a.Name), a.ID, what)
		}
	}
	return missing, nil
}

// standing returns what the keys can do for an account, and whether it is lost although keys were imported for it.
func standing(keys *keystore.Store, on *ledger.Account, imported bool) (what string, lost bool) {
	if on == nil {
		return "it is not on the ledger", imported
	}
	active, owner := heldWeight(keys, on.Active), heldWeight(keys, on.Owner)
	switch {
	case active >= uint64(on.Active.WeightThreshold) && active > 0:
		return "the keys in the backup pay for it", false
	case owner >= uint64(on.Owner.WeightThreshold) && owner > 0:
		return "the keys in the backup own it, and can give it a new active key", false
	case active+owner > 0:
		return "the keys in the backup sign for it together with those of others", false
	case !imported:
		return "it is only watched", false
	}
	return "it has other keys on the ledger now, and none of them is in the backup", true
}

// heldWeight returns the weight of the keys of an authority that are in the file.
func heldWeight(keys *keystore.Store, a ledger.Authority) (sum uint64) {
	for _, k := range a.KeyAuths {
		if keys.Holds(k.Key) {
			sum += uint64(k.Weight)
		}
	}
	return sum
}
