package walletcore_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/content/archive"
	"billfold/content/ipfs"
	"billfold/content/ipfs/ipfstest"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/content"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Content is published by one wallet, kept, proven and delivered by two seeders, and bought, restored and extracted by another wallet, and all of its
// bytes go through npm's ipfs.
func TestContentThroughARealDaemon(t *testing.T) {
	daemon, err := ipfs.New(ipfstest.Start(t), nil)
	testwallet.Must(t, err)
	t.Cleanup(daemon.Close)
	kept := t.TempDir()
	box := testwallet.Ledger(t, sandbox.Options{Seeders: 2, Content: kept})
	wallet := func(account string) *testwallet.Wallet {
		journal, err := sqlite.Open(filepath.Join(t.TempDir(), sqlite.Name))
		testwallet.Must(t, err)
		t.Cleanup(func() { testwallet.Must(t, journal.Close()) })
		w := testwallet.On(t, box, box.URL(), func(cfg *walletcore.Config) { cfg.IPFS, cfg.Store = daemon, journal })
		w.Hold(account)
		return w
	}
	alice, bobby := wallet("alice"), wallet("bobby")
	alice.Mine()
	alice.Mine() // with what the seeders announced
	song := filepath.Join(t.TempDir(), "song")
	testwallet.Must(t, os.MkdirAll(filepath.Join(song, "deep"), 0o700))
	texts := map[string]string{"one 100% \u00fc.txt": "la la la", "deep/two.txt": strings.Repeat("lo", 500_000)}
	for name, text := range texts {
		testwallet.Must(t, os.WriteFile(filepath.Join(song, name), []byte(text), 0o600))
	}
	plan, err := alice.Content.Plan(alice.Ctx, content.Publication{Author: "alice", Source: content.Source{Content: content.Folder{Path: song, Anywhere: true}},
		Protocol: "ipfs", Seeders: []ledger.AccountID{alice.Account("seeder-1").ID, alice.Account("seeder-2").ID},
		Prices:     []txbuild.PriceText{{Amount: json.RawMessage(`"2"`), Symbol: "DCT"}},
		Expiration: ledger.TimeOf(time.Now()) + 3*86400, Synopsis: ledger.Synopsis{Title: "a song"}.Text()})
	testwallet.Must(t, err)
	testwallet.Must(t, alice.Content.Publish(t.Context(), plan))
	var done content.Task
	alice.Until("the submission", func() bool {
		done = alice.Content.Tasks()[0]
		if done.State == content.Failed {
			t.Fatal(done.Reason)
		}
		return done.State == content.Done
	})
	t.Log(done.URI, done.Hash)
	seed(t, daemon, done.URI, kept)
	for range 3 {
		alice.Mine()
	}
	offer, err := alice.View.Contents.Get(alice.Ctx, done.URI)
	testwallet.Must(t, err)
	if len(offer.LastProof) != 2 {
		t.Fatalf("%d seeders proved that they have it", len(offer.LastProof))
	}
	p := txbuild.BuyContentParams{Consumer: "bobby", URI: done.URI}
	held, err := bobby.Content.Prepare(bobby.Ctx, p)
	testwallet.Must(t, err)
	_, err = bobby.Payments.Spend(bobby.Ctx, txbuild.NewRequest("download_content", p, bobby.Content.Buy), payment.Sending{Broadcast: true})
	testwallet.Must(t, err)
	testwallet.Must(t, held.Settle(nil))
	for range 3 {
		bobby.Mine()
	}
	bobby.Until("the package", func() bool { return bobby.Content.Has(*done.Hash) })
	bought, err := bobby.View.Purchases.Of(bobby.Ctx, "bobby", done.URI)
	testwallet.Must(t, err)
	if bought == nil || !bought.Delivered {
		t.Fatalf("%+v", bought)
	}
	text, err := vault.RestoreContentKey(bobby.Vault, "restore_encryption_key", bought.PubKey, bought.KeyParticles, offer.Quorum)
	testwallet.Must(t, err)
	key, err := txbuild.ContentKey("extract_package", string(text))
	testwallet.Must(t, err)
	defer key.Wipe()
	out := filepath.Join(t.TempDir(), "out")
	testwallet.Must(t, bobby.Content.Extract(bobby.Ctx, "extract_package", *done.Hash, content.Folder{Path: out, Anywhere: true}, key))
	for name, want := range texts {
		if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(got) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// seed fetches a package from the daemon into the folder from which the ledger's seeders prove it, as seeders fetch it.
func seed(t *testing.T, daemon *ipfs.Client, uri, folder string) {
	t.Helper()
	id, err := ipfs.ParseURI(uri)
	testwallet.Must(t, err)
	links, err := daemon.List(t.Context(), id)
	testwallet.Must(t, err)
	var rows []ipfs.Link
	for _, link := range links {
		if link.Name != archive.EncryptedName && link.Name != archive.CustodyName {
			continue
		}
		file, err := os.Create(filepath.Join(folder, link.Hash))
		testwallet.Must(t, err)
		testwallet.Must(t, daemon.Cat(t.Context(), link.Hash, 0, 64<<20, file))
		testwallet.Must(t, file.Close())
		rows = append(rows, link)
	}
	text, err := json.Marshal(rows)
	testwallet.Must(t, err)
	testwallet.Must(t, os.WriteFile(filepath.Join(folder, id+".folder"), text, 0o600))
}
