package walletcore_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	keyshare "billfold/content/share"
	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// publisher is a wallet's folder on a ledger behind a relay that offers content and seeders, with an IPFS daemon.
type publisher struct {
	t     *testing.T
	dir   string
	box   *sandbox.Sandbox
	relay *testwallet.Relay
	ipfs  *testwallet.IPFS

	offer   atomic.Pointer[ledger.Content] // what get_content returns for its address; nil: nothing is offered
	uploads atomic.Int32
}

func newPublisher(t *testing.T) *publisher { return newPublisherOn(t, sandbox.Options{}) }

func newPublisherOn(t *testing.T, o sandbox.Options) *publisher {
	p := &publisher{t: t, dir: testwallet.Folder(t), box: testwallet.Ledger(t, o), ipfs: testwallet.NewIPFS(t)}
	p.relay = testwallet.RelayTo(t, p.box.URL())
	p.relay.Lie = p.answer
	p.ipfs.Set(func(command string) bool {
		if command == "add" {
			p.uploads.Add(1)
		}
		return true
	})
	testwallet.Must(t, os.MkdirAll(filepath.Join(p.dir, "content", "song", "sub"), 0o700))
	p.write("content/song/one.txt", "la la la")
	p.write("content/song/sub/two.txt", strings.Repeat("lo", 5000))
	p.write("content/sample.txt", "l")
	return p
}

func (p *publisher) write(name, text string) {
	p.t.Helper()
	testwallet.Must(p.t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600))
}

// seederKeys are the pairs of the seeders bobby and carol.
var seederKeys = map[ledger.AccountID]ledger.ElGamalKey{17: testwallet.Key("bobby").ElGamal(), 18: testwallet.Key("carol").ElGamal()}

// answer is the daemon's answer with the content and the seeders that the ledger does not have.
func (p *publisher) answer(q testwallet.Question, honest json.RawMessage) json.RawMessage {
	var made any
	switch q.Method {
	case "get_content":
		if c := p.offer.Load(); c != nil && strings.Contains(q.Args, `"`+c.URI+`"`) {
			made = c
		}
	case "get_seeder":
		for id, pair := range seederKeys {
			if strings.Contains(q.Args, `"`+id.String()+`"`) {
				made = ledger.Seeder{ID: ledger.ObjectID(0), Seeder: id, FreeSpace: 100, Price: ledger.AssetAmount{Amount: 1000},
					PubKey: ledger.BigInteger{S: ledger.BigText(pair.Public)}, IPFSID: "QmPeer"}
			}
		}
	}
	if made == nil {
		return honest
	}
	text, err := codec.Marshal(made)
	testwallet.Must(p.t, err)
	return text
}

// session is a run of the program.
type session struct {
	*testwallet.Wallet
	end func()
}

// start starts the program on the folder, unlocked unless locked is set.
func (p *publisher) start(locked bool) *session {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testwallet.Patience)
	p.t.Cleanup(cancel)
	client := daemonclient.New(testwallet.ClientConfig(p.relay.URL))
	kept, err := sqlite.Open(filepath.Join(p.dir, sqlite.Name))
	testwallet.Must(p.t, err)
	w, err := walletcore.Open(walletcore.Config{Path: filepath.Join(p.dir, "wallet.keys"), Keystore: testwallet.CheapKeys(), Daemon: client, Store: kept,
		OwnClock: true, ContentDir: filepath.Join(p.dir, "content"), IPFS: p.ipfs.Client(p.t)})
	testwallet.Must(p.t, err)
	isNew := w.Vault.IsNew()
	if !isNew && !locked {
		testwallet.Must(p.t, w.Vault.Unlock(ctx, testwallet.Password))
	}
	stopClient, stopWallet := testwallet.Run(p.t, client.Run), testwallet.Run(p.t, w.Run)
	ended := false
	s := &session{&testwallet.Wallet{Wallet: w, T: p.t, Ctx: ctx, Box: p.box, Client: client}, func() {
		if stopWallet(); !ended {
			ended = true
			stopClient()
			testwallet.Must(p.t, kept.Close())
		}
	}}
	p.t.Cleanup(s.end)
	testwallet.Must(p.t, client.WaitOnline(ctx))
	if isNew {
		s.Hold("alice")
		s.Mine()
	}
	return s
}

// below is a folder that a program names.
func below(path string) content.Folder { return content.Folder{Path: path} }

func (p *publisher) source() content.Source {
	return content.Source{Content: below("song")}
}

func newKey(t *testing.T) keyshare.Key {
	t.Helper()
	key, err := keyshare.NewKey()
	testwallet.Must(t, err)
	t.Cleanup(key.Wipe)
	return key
}

// until waits until the only task of the session is so.
func (s *session) until(what string, holds func(content.Task) bool) (task content.Task) {
	s.T.Helper()
	s.Until(what, func() bool {
		for _, task = range s.Content.Tasks() {
			if holds(task) {
				return true
			}
		}
		return false
	})
	return task
}

func is(state content.State) func(content.Task) bool {
	return func(t content.Task) bool { return t.State == state }
}

// What is packed comes out again, whole or not at all; each failure is told, and leaves nothing.
func TestPackagesAreMadeAndExtracted(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	key, other := newKey(t), newKey(t)
	made, err := s.Content.Create(s.Ctx, "create_package", p.source(), key)
	testwallet.Must(t, err)
	if made.Megabytes != 1 || made.Custody.N == 0 {
		t.Errorf("%+v", made)
	}
	refused := func(code fault.Code, err error) {
		t.Helper()
		faulttest.Refused(t, err, code)
		if _, err := os.Stat(filepath.Join(p.dir, "content", "out")); err == nil {
			t.Error("something was extracted")
		}
	}
	_, err = s.Content.Create(s.Ctx, "create_package", p.source(), key)
	refused(fault.BadValue, err) // it exists, and its custody data are published perhaps
	_, err = s.Content.Create(s.Ctx, "create_package", content.Source{Content: below("nothing")}, key)
	refused(fault.NoSuchFile, err)
	refused(fault.BadValue, s.Content.Extract(s.Ctx, "extract_package", made.Hash, below("out"), other))
	refused(fault.NoSuchPackage, s.Content.Extract(s.Ctx, "extract_package", ledger.Hash160{}, below("out"), key))
	refused(fault.NoSuchPackage, s.Content.Remove("remove_package", ledger.Hash160{}))
	testwallet.Must(t, s.Content.Extract(s.Ctx, "extract_package", made.Hash, below("out"), key))
	for _, name := range []string{"one.txt", "sub/two.txt"} {
		was, err := os.ReadFile(filepath.Join(p.dir, "content", "song", name))
		testwallet.Must(t, err)
		if got, err := os.ReadFile(filepath.Join(p.dir, "content", "out", name)); err != nil || string(got) != string(was) {
			t.Errorf("%s: %v", name, err)
		}
	}
	testwallet.Must(t, s.Content.Remove("remove_package", made.Hash))
	if s.Content.Has(made.Hash) || s.Content.IsWorking() || len(s.Content.Tasks()) > 0 {
		t.Error("something is left")
	}
}

// A program reaches no folder but those below the operator's, whatever path or link it names; the owner reaches any.
func TestFoldersThatProgramsName(t *testing.T) {
	p := newPublisher(t)
	outside := filepath.Join(p.dir, "content-of-others")
	testwallet.Must(t, os.Mkdir(outside, 0o700))
	p.write("content-of-others/secret.txt", "secret")
	testwallet.Must(t, os.Symlink(outside, filepath.Join(p.dir, "content", "link")))
	testwallet.Must(t, os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(p.dir, "content", "file")))
	s := p.start(false)
	made, err := s.Content.Create(s.Ctx, "create_package", p.source(), newKey(t))
	testwallet.Must(t, err)
	for _, path := range []string{outside, p.dir, "..", "../content-of-others", "song/../../content-of-others", filepath.Join(p.dir, "content") + "-of-others",
		"link", "link/secret.txt", "file", filepath.Join(p.dir, "content", "link"), "", "/", "/etc", "song\x00"} {
		if _, err := s.Content.Create(s.Ctx, "create_package", content.Source{Content: below(path)}, newKey(t)); err == nil {
			t.Errorf("a package was made of %q", path)
		}
		if _, err := s.Content.Create(s.Ctx, "create_package", content.Source{Content: below("song"), Samples: below(path)}, newKey(t)); err == nil && path != "" {
			t.Errorf("samples were taken from %q", path)
		}
		if err := s.Content.Extract(s.Ctx, "extract_package", made.Hash, below(path), newKey(t)); err == nil {
			t.Errorf("a package was extracted to %q", path)
		}
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	for _, path := range []string{"song", filepath.Join(p.dir, "content", "song"), "song/one.txt"} {
		if _, err := s.Content.Create(s.Ctx, "create_package", content.Source{Content: below(path)}, newKey(t)); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := s.Content.Create(s.Ctx, "create_package", content.Source{Content: content.Folder{Path: outside, Anywhere: true}}, newKey(t)); err != nil {
		t.Errorf("the owner: %v", err)
	}
}

// published makes and uploads a package, and offers it.
func (p *publisher) published(s *session, key keyshare.Key) *ledger.Content {
	p.t.Helper()
	made, err := s.Content.Create(s.Ctx, "create_package", p.source(), key)
	testwallet.Must(p.t, err)
	uri, err := s.Content.Upload(s.Ctx, "upload_package", made.Hash, "ipfs")
	testwallet.Must(p.t, err)
	c := &ledger.Content{ID: 7, Author: 17, Expiration: ledger.TimeOf(time.Now().Add(24 * time.Hour)), Size: 1, URI: uri, Hash: made.Hash,
		Price: ledger.RegionalPrices{Prices: []ledger.PriceInRegion{{Region: ledger.RegionNone, Price: ledger.AssetAmount{Amount: 5}}}}}
	p.offer.Store(c)
	return c
}

// buy makes the request of download_content.
func (s *session) buy(uri string, broadcast bool) (*txbuild.Signed, error) {
	return s.Payments.Spend(s.Ctx, txbuild.NewRequest("download_content", txbuild.BuyContentParams{Consumer: "alice", URI: uri}, s.Content.Buy),
		payment.Sending{Broadcast: broadcast})
}

// Nothing is paid for content that cannot be fetched. What is here already is bought all the same.
func TestContentIsBoughtOnlyIfItCanBeFetched(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	c := p.published(s, newKey(t))
	signed, err := s.buy(c.URI, false) // its package is on this machine
	testwallet.Must(t, err)
	if op := signed.Operations[0].Body.(*ledger.RequestToBuyOp); op.Price.Amount != 5 || op.URI != c.URI {
		t.Errorf("%+v", op)
	}
	testwallet.Must(t, s.Content.Remove("remove_package", c.Hash))
	if _, err := s.buy(c.URI, false); err != nil {
		t.Error(err)
	}
	p.ipfs.Set(func(string) bool { return false })
	_, err = s.buy(c.URI, true)
	if refused := faulttest.Refused(t, err, fault.IPFS); !strings.HasPrefix(refused.Hint, "nothing was paid; ") || strings.Contains(refused.Hint, "goes on") {
		t.Error(refused)
	}
	p.ipfs.Set(nil)
	other := *c
	other.URI = "ipfs:QmNothing"
	p.offer.Store(&other)
	_, err = s.buy(other.URI, true)
	faulttest.Refused(t, err, fault.NothingAtURL)
	if list, err := s.Payments.List(s.Ctx, 10); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// A daemon that changes who made content, or what is in it, is contradicted, and a price that rose is signed by no program.
func TestLiesAboutOfferedContent(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	c := p.published(s, newKey(t))
	if _, err := s.buy(c.URI, false); err != nil {
		t.Fatal(err)
	}
	for code, lie := range map[fault.Code]func(c *ledger.Content){
		fault.DaemonContradicts: func(c *ledger.Content) { c.Author = 18 },
		fault.StateChanged: func(c *ledger.Content) {
			c.Price.Prices = []ledger.PriceInRegion{{Region: ledger.RegionNone, Price: ledger.AssetAmount{Amount: 6}}}
		},
		fault.NotSoldInRegion: func(c *ledger.Content) { c.Price.Prices = nil },
	} {
		told := *c
		lie(&told)
		p.offer.Store(&told)
		_, err := s.buy(c.URI, false)
		faulttest.Refused(t, err, code)
	}
}

// A download that a program did not finish is finished by the next, and counts only once all of it has the right hash.
func TestDownloadsGoOn(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	c := p.published(s, newKey(t))
	testwallet.Must(t, s.Content.Remove("remove_package", c.Hash))
	p.ipfs.Set(func(command string) bool { return command != "cat" })
	testwallet.Must(t, s.Content.Fetch(s.Ctx, "download_package", c.URI))
	s.until("a try that failed", func(t content.Task) bool { return t.State == content.Waiting && t.Reason != "" })
	if _, _, status, _ := s.Content.Progress(c.URI, c.Hash); status != "Downloading..." || s.Content.Has(c.Hash) || !s.Content.IsWorking() {
		t.Error(status)
	}
	s.end()
	p.ipfs.Set(nil)
	s = p.start(true) // it needs no key
	s.until("the download", is(content.Done))
	if received, total, status, _ := s.Content.Progress(c.URI, c.Hash); status != "Downloaded" || received != total || total == 0 || !s.Content.Has(c.Hash) {
		t.Error(received, total, status)
	}
	s.end()
	if s = p.start(true); s.Content.IsWorking() || len(s.Content.Tasks()) > 0 {
		t.Errorf("%+v", s.Content.Tasks())
	}
	testwallet.Must(t, s.Content.Remove("remove_package", c.Hash))
	p.ipfs.Change(func(content []byte) []byte { return append([]byte{content[0] ^ 1}, content[1:]...) })
	testwallet.Must(t, s.Content.Fetch(s.Ctx, "download_package", c.URI))
	if failed := s.until("the failure", is(content.Failed)); failed.Reason == "" || s.Content.Has(c.Hash) {
		t.Errorf("%+v", failed)
	}
	if _, _, status, _ := s.Content.Progress(c.URI, c.Hash); !strings.HasPrefix(status, "Failed: ") {
		t.Error(status)
	}
}

// A purchase that the ledger refuses leaves no download.
func TestDownloadsOfWhatWasNotBought(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	c := p.published(s, newKey(t))
	testwallet.Must(t, s.Content.Remove("remove_package", c.Hash))
	prepared, err := s.Content.Prepare(s.Ctx, txbuild.BuyContentParams{Consumer: "alice", URI: c.URI})
	testwallet.Must(t, err)
	if !s.Content.IsWorking() {
		t.Error("no download is recorded")
	}
	testwallet.Must(t, prepared.Settle(fault.WalletLocked("download_content"))) // nothing was sent
	if len(s.Content.Tasks()) > 0 {
		t.Errorf("%+v", s.Content.Tasks())
	}
	prepared, err = s.Content.Prepare(s.Ctx, txbuild.BuyContentParams{Consumer: "alice", URI: c.URI})
	testwallet.Must(t, err)
	looked := func(t content.Task) bool {
		return t.State == content.Waiting && strings.Contains(t.Reason, "does not have the purchase")
	}
	_, err = s.buy(c.URI, true)
	faulttest.Refused(t, err, fault.DaemonRefused) // by a daemon that may have passed it on all the same
	testwallet.Must(t, prepared.Settle(err))
	s.until("the purchase that is looked for", looked)
	s.end() // as if it was killed while it paid: the next program looks whether it did
	s = p.start(true)
	s.until("the purchase that is looked for", looked)
	if s.Content.Has(c.Hash) {
		t.Error("what was not bought was downloaded")
	}
}

func (p *publisher) publication() content.Publication {
	return content.Publication{Author: "alice", Source: p.source(), Protocol: "ipfs", Seeders: []ledger.AccountID{17, 18},
		Prices:     []txbuild.PriceText{{Amount: json.RawMessage(`"2"`), Symbol: "DCT"}},
		Expiration: ledger.TimeOf(time.Now().Add(72 * time.Hour)), Synopsis: ledger.Synopsis{Title: "a song", Description: "sung softly"}.Text()}
}

// publish begins a publication.
func (s *session) publish(p content.Publication) (key string) {
	s.T.Helper()
	plan, err := s.Content.Plan(s.Ctx, p)
	testwallet.Must(s.T, err)
	_, err = s.Payments.DryRun(s.Ctx, plan.Request, payment.Sending{})
	testwallet.Must(s.T, err)
	testwallet.Must(s.T, s.Content.Publish(s.Ctx, plan))
	return string(plan.Keys.Key)
}

// A publication is submitted once, however often the program ends in the middle of it, and what is kept of it meanwhile shows no secret.
func TestPublicationsAreSubmittedOnce(t *testing.T) {
	p := newPublisherOn(t, sandbox.Options{Seeders: 2, Content: t.TempDir()})
	s := p.start(false)
	s.Mine() // with what the seeders announced
	publication := p.publication()
	publication.Seeders = nil
	for _, name := range []string{"seeder-1", "seeder-2"} {
		publication.Seeders = append(publication.Seeders, s.Account(name).ID)
	}
	p.ipfs.Set(func(command string) bool { return command != "add" })
	key := s.publish(publication)
	s.until("the upload that fails", func(t content.Task) bool { return t.Step == content.Sending && t.State == content.Waiting })
	s.end()
	id := onlyTask(t, p.dir, key)
	s = p.start(true) // a locked wallet waits
	s.until("the wallet to be unlocked", func(t content.Task) bool { return t.State == content.Waiting && strings.Contains(t.Reason, "locked") })
	p.ipfs.Set(nil)
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	done := s.until("the submission", is(content.Done))
	if done.Transaction == nil {
		t.Fatalf("%+v", done)
	}
	made, err := s.Payments.Get(s.Ctx, done.Transaction.String())
	testwallet.Must(t, err)
	fee := made.Transaction.Operations[0].Body.(*ledger.ContentSubmitOp).PublishingFee.Amount
	s.end()
	if done.ID != id {
		t.Fatalf("%+v", done)
	}
	for _, step := range []content.Step{content.Sending, content.Submitting} { // as if it had been killed before it could remove its file
		rewind(t, p.dir, done, step, fee)
		s = p.start(false)
		again := s.until("the submission", func(t content.Task) bool { return t.State == content.Done || t.State == content.Failed })
		if again.Transaction == nil || *again.Transaction != *done.Transaction {
			t.Errorf("%s: %+v", step, again)
		}
		list, err := s.Payments.List(s.Ctx, 10)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d payments, %v", step, len(list), err)
		}
		s.end()
	}
	rewind(t, p.dir, done, content.Packing, fee)
	p.write("content/song/two.txt", "my my my") // once it was approved
	s = p.start(false)
	if failed := s.until("the refusal", is(content.Failed)); !strings.Contains(failed.Reason, "changed after they were approved") {
		t.Errorf("%+v", failed)
	}
}

// The same is not submitted a second time before the ledger has the first, whoever asks for it: the program that was killed and began anew, and
// who had it reviewed before.
func TestAPublicationBegunTwiceIsSubmittedOnce(t *testing.T) {
	p := newPublisherOn(t, sandbox.Options{Seeders: 2, Content: t.TempDir()})
	s := p.start(false)
	s.Mine() // with what the seeders announced
	publication := p.publication()
	publication.Seeders = nil
	for _, name := range []string{"seeder-1", "seeder-2"} {
		publication.Seeders = append(publication.Seeders, s.Account(name).ID)
	}
	reviewed, err := s.Content.Plan(s.Ctx, publication)
	testwallet.Must(t, err)
	p.ipfs.Set(func(command string) bool { return command != "add" })
	s.publish(publication)
	s.until("the upload that fails", func(t content.Task) bool { return t.Step == content.Sending && t.State == content.Waiting })
	_, err = s.Content.Plan(s.Ctx, publication)
	faulttest.Refused(t, err, fault.Denied)
	faulttest.Refused(t, s.Content.Publish(s.Ctx, reviewed), fault.Denied)
	s.end()
	p.ipfs.Set(nil)
	s = p.start(false)
	s.until("the submission", is(content.Done))
	s.end()
	s = p.start(false) // killed before the block: no task is left
	if tasks := s.Content.Tasks(); len(tasks) != 0 {
		t.Fatalf("%+v", tasks)
	}
	publication.Author = s.Account("alice").ID.String() // in other words
	_, err = s.Content.Plan(s.Ctx, publication)
	faulttest.Refused(t, err, fault.Denied)
	s.Mine()
	s.Until("the block", func() bool {
		_, err := s.Content.Plan(s.Ctx, publication)
		return strings.Contains(faulttest.Refused(t, err, fault.Denied).Message, "is on offer already, at \"ipfs:")
	})
	publication.Again = true
	again, err := s.Content.Plan(s.Ctx, publication)
	testwallet.Must(t, err)
	again.Wipe()
}

// What would not be read again by the next start is not begun.
func TestPublicationsThatAreTooLongToBeKept(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	publication := p.publication()
	publication.Seeders, publication.Synopsis = nil, ledger.Synopsis{Title: strings.Repeat("la ", 400_000)}.Text()
	plan, err := s.Content.Plan(s.Ctx, publication)
	testwallet.Must(t, err)
	faulttest.Refused(t, s.Content.Publish(s.Ctx, plan), fault.BadValue)
	if len(s.Content.Tasks()) > 0 || p.uploads.Load() > 0 {
		t.Errorf("%+v", s.Content.Tasks())
	}
}

// kept is the file of the last task, as it was after the packing.
var kept []byte

// onlyTask returns the id of the only task in a folder, whose file must not have a key in it, and of what is published only the title.
func onlyTask(t *testing.T, dir, key string) string {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(dir, "tasks"))
	testwallet.Must(t, err)
	if len(files) != 1 {
		t.Fatalf("%d tasks", len(files))
	}
	kept, err = os.ReadFile(filepath.Join(dir, "tasks", files[0].Name()))
	testwallet.Must(t, err)
	if strings.Contains(string(kept), key) || strings.Contains(string(kept), "sung softly") {
		t.Error("what was kept shows its secret")
	}
	return strings.TrimSuffix(files[0].Name(), ".json")
}

// rewind writes the file of a task as it was at a step.
func rewind(t *testing.T, dir string, done content.Task, step content.Step, fee int64) {
	t.Helper()
	var was map[string]any
	testwallet.Must(t, json.Unmarshal(kept, &was))
	was["step"], was["state"] = step, content.Running
	if step == content.Submitting {
		was["URI"], was["fee"] = done.URI, fee
	}
	text, err := json.Marshal(was)
	testwallet.Must(t, err)
	testwallet.Must(t, os.WriteFile(filepath.Join(dir, "tasks", done.ID+".json"), text, 0o600))
}

// A publication that the ledger refuses is reported, ends, and can be forgotten.
func TestPublicationsThatFailAreReported(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	s.publish(p.publication())
	failed := s.until("the failure", is(content.Failed))
	if failed.Reason == "" || s.Content.IsWorking() {
		t.Errorf("%+v", failed)
	}
	s.end()
	s = p.start(true)
	if again := s.until("the failure", is(content.Failed)); again.Reason != failed.Reason {
		t.Errorf("%+v", again)
	}
	testwallet.Must(t, s.Content.Cancel("cancel_content_task", failed.ID))
	if files, err := os.ReadDir(filepath.Join(p.dir, "tasks")); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// What a program that was killed left of a task that somebody waited for is removed, and reported.
func TestTasksOfProgramsThatWereKilled(t *testing.T) {
	p := newPublisher(t)
	p.start(false).end()
	testwallet.Must(t, os.MkdirAll(filepath.Join(p.dir, "tasks"), 0o700))
	p.write("tasks/aaa.json", `{"version":1,"id":"aaa","kind":"create","state":"running","done_bytes":0,"total_bytes":0,"began":"2026-01-01T00:00:00"}`)
	p.write("tasks/bbb.json", `{"version":1,"id":"bbb","kind":"publish","state":"run`)
	p.write("tasks/.ccc.json123", `{`)
	whole, err := json.Marshal(map[string]any{"version": 1, "id": "ddd", "kind": "extract", "state": "running", "began": "2026-01-01T00:00:00", "package_hash": strings.Repeat("00", 20),
		"done_bytes": 0, "total_bytes": 0, "folder": filepath.Join(p.dir, "content"), "name": "song"}) // which was moved there before the kill
	testwallet.Must(t, err)
	p.write("tasks/ddd.json", string(whole))
	leftover := filepath.Join(p.dir, "packages", ".billfold-unfinished-abc")
	testwallet.Must(t, os.MkdirAll(leftover, 0o700))
	s := p.start(true)
	s.until("the lost tasks", func(t content.Task) bool { return t.ID == "bbb" })
	for _, task := range s.Content.Tasks() {
		if task.State != content.Failed || task.Reason == "" {
			t.Errorf("%+v", task)
		}
	}
	if _, err := os.Stat(leftover); err == nil || s.Content.IsWorking() || len(s.Content.Tasks()) != 2 {
		t.Errorf("%v; %+v", err, s.Content.Tasks())
	}
}

// A package that was damaged on the disk since it was made is noticed when it is read, and is then not here: it can be fetched again.
func TestDamagedPackagesAreMadeAgain(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	key := newKey(t)
	made, err := s.Content.Create(s.Ctx, "create_package", p.source(), key)
	testwallet.Must(t, err)
	_, err = s.Content.Upload(s.Ctx, "upload_package", made.Hash, "ipfs")
	testwallet.Must(t, err)
	files, err := filepath.Glob(filepath.Join(p.dir, "packages", made.Hash.String(), "content.zip.aes"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	testwallet.Must(t, err)
	text[len(text)/2]++
	testwallet.Must(t, os.WriteFile(files[0], text, 0o600))
	if !s.Content.Has(made.Hash) {
		t.Error("it was read")
	}
	faulttest.Refused(t, s.Content.Extract(s.Ctx, "extract_package", made.Hash, below("out"), key), fault.PackageState)
	if _, _, status, _ := s.Content.Progress("ipfs:Qm", made.Hash); s.Content.Has(made.Hash) || status != "" {
		t.Errorf("it is here: %q", status)
	}
	p.offer.Store(&ledger.Content{URI: "ipfs:QmWmyoMoctfbAaiEs2G46gpeUmhqFRDW6KWo64y5r581Vz", Hash: made.Hash, Size: 1, Expiration: ledger.TimeOf(time.Now()) + 86400})
	testwallet.Must(t, s.Content.Fetch(s.Ctx, "download_package", p.offer.Load().URI))
	if _, err := os.Stat(files[0]); err == nil {
		t.Error("the damaged package is still in the way")
	}
	for _, task := range s.Content.Tasks() {
		testwallet.Must(t, s.Content.Cancel("cancel_content_task", task.ID))
	}
}
