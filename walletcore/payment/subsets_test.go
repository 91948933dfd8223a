package payment_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/internal/stories"
	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

// folderOf returns the files of a folder, as somebody copies them from a running program.
func folderOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	testwallet.Must(t, err)
	files := map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		testwallet.Must(t, err)
		files[e.Name()] = data
	}
	return files
}

// subsets calls with for every set of files that an hour ago differed from now. In the everyday suite the versions of one file
// come and go together.
func subsets(older, newer map[string][]byte, with func(names []string, files map[string][]byte)) {
	differ := map[string][]string{}
	for name, data := range older {
		if bytes.Equal(data, newer[name]) {
			continue
		}
		group := name
		if !stories.Played() {
			group = strings.TrimRight(strings.TrimSuffix(name, "-shm"), ".0123456789")
		}
		differ[group] = append(differ[group], name)
	}
	groups := slices.Sorted(maps.Keys(differ))
	for set := range 1 << len(groups) {
		files, names := maps.Clone(newer), []string{}
		for i, group := range groups {
			if set&(1<<i) == 0 {
				continue
			}
			for _, name := range differ[group] {
				files[name], names = older[name], append(names, name)
			}
		}
		with(names, files)
	}
}

// Whichever files of the wallet's folder come back from an hour ago, beside the others: a request key that was used since never
// pays again. The folder is listed, so a file that it has one day is tried as well. The wallet of now ended, or was killed.
func TestNoPartOfAnOlderFolderPaysAgain(t *testing.T) {
	p := newPlace(t)
	index := func(dir string) *historyindex.Index {
		x, err := historyindex.Open(filepath.Join(dir, "history.db"))
		testwallet.Must(t, err)
		return x
	}
	old := index(p.dir)
	s := p.sit()
	_, err := s.keyed("before", nil)
	testwallet.Must(t, err)
	for range 12 {
		p.now.Forward(5 * time.Second)
		s.Mine()
	}
	older := folderOf(t, p.dir) // from the running wallet
	paid, err := s.Transfer(seven(), payment.Sending{Broadcast: true, Key: "since"})
	testwallet.Must(t, err)
	s.mineUntil(paid.TransactionID, payment.Irreversible)
	s.ImportKey("bobby", testwallet.Key("bobby")) // the key file changes too
	p.now.Forward(time.Hour)
	for range 12 {
		s.Mine()
	}
	killed := folderOf(t, p.dir)
	s.end()
	testwallet.Must(t, old.Close())
	ended := folderOf(t, p.dir)
	noticed, whole := 0, 0
	for how, newer := range map[string]map[string][]byte{"ended": ended, "killed": killed} {
		subsets(older, newer, func(names []string, files map[string][]byte) {
			back := &place{t: t, dir: testwallet.Folder(t), box: p.box, now: p.now, url: p.url}
			for name, data := range files {
				testwallet.Must(t, os.WriteFile(filepath.Join(back.dir, name), data, 0o600))
			}
			what := fmt.Sprintf("%s, from before: %s", how, strings.Join(names, " "))
			id, err := back.payAgain("since")
			switch {
			case err == nil && id != paid.TransactionID:
				t.Errorf("%s: it is paid again", what)
			case err == nil, fault.CodeOf(err) == fault.OutcomeUnknown: // known, and not paid again
				whole++
			default:
				noticed++
				if len(names) == 0 {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
	if noticed == 0 || whole == 0 {
		t.Errorf("%d were noticed and %d harmless", noticed, whole)
	}
	t.Logf("of the sets of older files %d were noticed, and %d are harmless", noticed, whole)
}

// A journal that is known to be lost is not compared with the ledger, and no block that it was not compared with is saved as proven: once
// the file that was missing is put back, all agrees with each other, and the comparison begins where it would have begun at once.
func TestAPartThatIsPutBackLaterHidesNothing(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	_, err := s.keyed("before", nil)
	testwallet.Must(t, err)
	for range 12 {
		p.now.Forward(5 * time.Second)
		s.Mine()
	}
	s.end()
	older := folderOf(t, p.dir)
	s = p.sit()
	paid, err := s.Transfer(seven(), payment.Sending{Broadcast: true, Key: "since"})
	testwallet.Must(t, err)
	s.mineUntil(paid.TransactionID, payment.Irreversible)
	s.end()
	back := &place{t: t, dir: testwallet.Folder(t), box: p.box, now: p.now, url: p.url}
	for name, data := range older {
		if name != sqlite.MarkName {
			testwallet.Must(t, os.WriteFile(filepath.Join(back.dir, name), data, 0o600))
		}
	}
	lost := back.sit()
	for range 12 {
		p.now.Forward(5 * time.Second)
		lost.Mine()
	}
	lost.Until("the payment's block is proven", func() bool { return lost.Payments.Anchor().Block.Num() >= lost.Status().Irreversible })
	if lost.Payments.JournalFault() == nil {
		t.Error("a journal without its mark is the wallet's own")
	}
	lost.end()
	testwallet.Must(t, os.WriteFile(filepath.Join(back.dir, sqlite.MarkName), older[sqlite.MarkName], 0o600))
	if id, err := back.payAgain("since"); err == nil {
		t.Errorf("it is paid again as %s, after %s", id, paid.TransactionID)
	}
}

// A block that holds what had expired before the block before it is no block of the ledger, whatever it holds of the wallet's: nothing is held because of it.
func TestAForgedBlockHoldsNothing(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	signed, err := s.Build.Sign(s.Ctx, s.Prepare(testwallet.OneDCT()))
	testwallet.Must(t, err)
	block := new(ledger.Block)
	block.Transactions = []ledger.ProcessedTransaction{{SignedTransaction: signed.SignedTransaction}}
	block.Timestamp = signed.Expiration + 10
	if found, err := s.Payments.Adopt(s.Ctx, block, signed.Expiration+1); found != 0 || err == nil {
		t.Errorf("%d were found, %v", found, err)
	}
	if err := s.Payments.JournalFault(); err != nil {
		t.Errorf("it is held: %v", err)
	}
	// The ledger's time, while it applies a block, is that of the block before.
	if found, err := s.Payments.Adopt(s.Ctx, block, signed.Expiration); found != 1 || err != nil {
		t.Errorf("of a block that may hold it %d were found, %v", found, err)
	}
}

// payAgain starts a wallet, which may be refused, and asks for the payment under a key once more.
func (p *place) payAgain(key string) (id ledger.TransactionID, err error) {
	book, err := sqlite.Open(filepath.Join(p.dir, "payments.db"))
	if err != nil {
		return id, err
	}
	defer book.Close()
	client := daemonclient.New(testwallet.ClientConfig(p.url))
	w, err := walletcore.Open(walletcore.Config{Path: filepath.Join(p.dir, "wallet.keys"), Keystore: testwallet.CheapKeys(),
		Daemon: client, Store: book, OwnClock: true})
	if err != nil {
		return id, err
	}
	stopClient := testwallet.Run(p.t, client.Run)
	defer stopClient()
	stop := testwallet.Run(p.t, w.Run)
	defer stop()
	ctx := p.t.Context()
	testwallet.Must(p.t, client.WaitOnline(ctx))
	testwallet.Must(p.t, w.Vault.Unlock(ctx, testwallet.Password))
	one := &testwallet.Wallet{T: p.t, Ctx: ctx, Box: p.box, Client: client, Wallet: w}
	signed, err := one.Transfer(seven(), payment.Sending{Broadcast: true, Key: key})
	if err != nil {
		return id, err
	}
	return signed.TransactionID, nil
}

// The key file is lost, and its keys are imported again beside a copy of the journal: what they paid since the copy was made is before
// the import, where no start looks. So nothing is paid until somebody accepts the journal, and that needs the keys.
func TestKeysImportedAgainBesideAnOlderJournalPayNothingTwice(t *testing.T) {
	t.Parallel()
	for _, marked := range []bool{true, false} {
		t.Run(fmt.Sprint("marked ", marked), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			back, paid := p.olderFolder(t)
			keys, err := filepath.Glob(filepath.Join(back.dir, "wallet.keys*"))
			testwallet.Must(t, err)
			if !marked {
				keys = append(keys, filepath.Join(back.dir, sqlite.MarkName))
			}
			for _, name := range keys {
				testwallet.Must(t, os.Remove(name))
			}
			s := back.sit()
			testwallet.Must(t, s.Vault.Create(s.Ctx, testwallet.Password))
			for range 12 {
				p.now.Forward(5 * time.Second)
				s.Mine()
			}
			stop := back.mineSteadily(20 * time.Millisecond)
			if err := s.Payments.AcceptJournal(s.Ctx, 1, false, func(payment.FoundPayment) {}); fault.CodeOf(err) != fault.KeyNotInWallet {
				t.Errorf("without the keys it is accepted, or refused as %v", err)
			}
			s.ImportKey("alice", testwallet.Key("alice"))
			if again, err := s.Transfer(seven(), payment.Sending{Broadcast: true, Key: "since"}); err == nil {
				t.Errorf("%s is paid again as %s", paid, again.TransactionID)
			}
			found := map[ledger.TransactionID]bool{}
			testwallet.Must(t, s.Payments.AcceptJournal(s.Ctx, 1, false, func(f payment.FoundPayment) { found[f.ID] = true }))
			stop()
			if !found[paid] {
				t.Errorf("%s is not found", paid)
			}
			if again, err := s.Transfer(seven(), payment.Sending{Broadcast: true, Key: "since"}); err == nil {
				t.Errorf("%s is paid again as %s after the journal was accepted", paid, again.TransactionID)
			}
			s.end()
		})
	}
}

// One of two keys that paid is not enough to accept the journal of a lost key file: what the other paid would not be found.
func TestEveryKeyThatPaidIsNeededToAcceptAJournal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.sit()
	s.ImportKey("bobby", testwallet.Key("bobby"))
	_, err := s.keyed("before", nil) // alice's
	testwallet.Must(t, err)
	s.Pay("bobby", "alice", "1", "")
	s.end()
	keys, err := filepath.Glob(filepath.Join(p.dir, "wallet.keys*"))
	testwallet.Must(t, err)
	for _, name := range keys {
		testwallet.Must(t, os.Remove(name))
	}
	s = p.sit()
	testwallet.Must(t, s.Vault.Create(s.Ctx, testwallet.Password))
	s.ImportKey("alice", testwallet.Key("alice"))
	stop := p.mineSteadily(20 * time.Millisecond)
	ignore := func(payment.FoundPayment) {}
	if err := s.Payments.AcceptJournal(s.Ctx, 1, false, ignore); fault.CodeOf(err) != fault.KeyNotInWallet {
		t.Errorf("without bobby's key it is accepted, or refused as %v", err)
	}
	s.ImportKey("bobby", testwallet.Key("bobby"))
	testwallet.Must(t, s.Payments.AcceptJournal(s.Ctx, 1, false, ignore))
	stop()
	s.end()
}

// The key file is from before a key was imported, the journal from before that key paid: what it paid since is found at the start, although no
// start with this key file knows the key, and it is not paid again once the key is imported again.
func TestAnOlderKeyFileBesideAnOlderJournalPaysNothingTwice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		blocks  int
		refused bool // the daemon does not say whose keys are whose
	}{"a moment ago": {}, "long ago": {450, false}, "long ago, and nobody says whose key it is": {450, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			s := p.sit()
			_, err := s.keyed("before", nil)
			testwallet.Must(t, err)
			keys := folderOf(t, p.dir)
			s.ImportKey("bobby", testwallet.Key("bobby"))
			for range 12 {
				p.now.Forward(5 * time.Second)
				s.Mine()
			}
			s.end()
			journal := folderOf(t, p.dir)
			s = p.sit()
			of := testwallet.OneDCT()
			of.From, of.To = "bobby", "alice"
			paid, err := s.Transfer(of, payment.Sending{Broadcast: true, Key: "since"})
			testwallet.Must(t, err)
			s.end()
			for range c.blocks {
				_, err := p.box.Mine()
				testwallet.Must(t, err)
			}
			back := &place{t: t, dir: testwallet.Folder(t), box: p.box, now: p.now, url: p.url}
			for name := range keys {
				if !strings.HasPrefix(name, "wallet.keys") {
					keys[name] = journal[name]
				}
			}
			for name, data := range keys {
				testwallet.Must(t, os.WriteFile(filepath.Join(back.dir, name), data, 0o600))
			}
			answer := ""
			if c.refused {
				answer = refusal
			}
			asked := back.asksFor("get_key_references", answer)
			s = back.sit()
			s.Mine()
			s.isHeldFor(paid.TransactionID)
			if asked() != (c.blocks > 0) {
				t.Error("whose key it is was asked for without need, or not at all")
			}
			s.ImportKey("bobby", testwallet.Key("bobby"))
			if again, err := s.Transfer(of, payment.Sending{Broadcast: true, Key: "since"}); err == nil {
				t.Errorf("%s is paid again as %s", paid.TransactionID, again.TransactionID)
			}
			stop := back.mineSteadily(20 * time.Millisecond)
			testwallet.Must(t, s.Payments.AcceptJournal(s.Ctx, 1, false, func(payment.FoundPayment) {}))
			stop()
			s.Mine()
			if !s.knowsSoon("bobby") {
				t.Error("the accepted journal does not know a key that is there")
			}
			s.end()
		})
	}
}

// What a key paid that only the journal knows is found when the journal is accepted as well, and after that the journal knows only the keys
// that are there: what the other key pays elsewhere from then on is no concern of this wallet's.
func TestWhatAcceptingFindsIsOfEveryKeyThatTheJournalKnows(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.sit()
	_, err := s.keyed("before", nil)
	testwallet.Must(t, err)
	keys := folderOf(t, p.dir)
	s.ImportKey("bobby", testwallet.Key("bobby"))
	s.Pay("bobby", "alice", "1", "")
	s.Mine()
	if !s.knowsSoon("bobby") {
		t.Error("the journal does not know a key that paid")
	}
	s.end()
	journal := folderOf(t, p.dir)
	s = p.sit()
	of := testwallet.OneDCT()
	of.From, of.To = "bobby", "alice"
	paid, err := s.Transfer(of, payment.Sending{Broadcast: true, Key: "since"})
	testwallet.Must(t, err)
	s.mineUntil(paid.TransactionID, payment.Irreversible)
	s.end()
	back := &place{t: t, dir: testwallet.Folder(t), box: p.box, now: p.now, url: p.url}
	for name, data := range journal {
		if old, is := keys[name]; is && strings.HasPrefix(name, "wallet.keys") {
			data = old
		}
		testwallet.Must(t, os.WriteFile(filepath.Join(back.dir, name), data, 0o600))
	}
	testwallet.Must(t, os.Remove(filepath.Join(back.dir, sqlite.MarkName)))
	s = back.sit()
	stop := back.mineSteadily(20 * time.Millisecond)
	found := map[ledger.TransactionID]bool{}
	testwallet.Must(t, s.Payments.AcceptJournal(s.Ctx, 1, false, func(f payment.FoundPayment) { found[f.ID] = true }))
	stop()
	if !found[paid.TransactionID] {
		t.Errorf("%s is not found", paid.TransactionID)
	}
	s.Mine()
	if !s.knowsSoon("alice") {
		t.Error("the accepted journal does not know a key that is there")
	}
	if s.knows("bobby") {
		t.Error("the accepted journal still knows a key that is not there")
	}
	s.end()
}

// knows reports whether the journal knows a key of somebody.
func (s *sitting) knows(whose string) bool {
	s.T.Helper()
	known, err := s.journal.Signers(s.Ctx)
	testwallet.Must(s.T, err)
	return slices.Contains(known, testwallet.Key(whose).Public())
}

// knowsSoon waits until it does.
func (s *sitting) knowsSoon(whose string) bool {
	s.T.Helper()
	for end := time.Now().Add(testwallet.Patience / 4); !s.knows(whose) && time.Now().Before(end); {
		time.Sleep(2 * time.Millisecond) // no event follows when it is written
	}
	return s.knows(whose)
}

// A program that runs for nothing but an import lets the journal know the key: no block comes, and nothing is paid.
func TestAnImportIsKnownToTheJournalAtTheEndOfTheProgram(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.sit()
	s.ImportKey("bobby", testwallet.Key("bobby"))
	s.end()
	p.idle = true // nothing notes it now
	if s = p.sit(); !s.knows("bobby") {
		t.Error("the journal does not know the imported key")
	}
	s.end()
}
