package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/content/archive"
	"billfold/content/custody"
	"billfold/content/ipfs"
	"billfold/content/share"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/state"
)

// publication is content made on this machine and uploaded to a sandbox.
type publication struct {
	key  share.Key
	text []byte // of its only file
	pkg  *archive.Package
	uri  string
	data ledger.CustodyData
}

func publish(t *testing.T, address string) (p publication) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	p.text = bytes.Repeat([]byte("a song "), 1000)
	must(os.WriteFile(filepath.Join(folder, "song.txt"), p.text, 0o600))
	root, err := os.OpenRoot(folder)
	must(err)
	t.Cleanup(func() { _ = root.Close() })
	source, err := archive.Scan(t.Context(), root, ".")
	must(err)
	store, err := archive.OpenStore(t.TempDir())
	must(err)
	t.Cleanup(store.Close)
	p.key, err = share.NewKey()
	must(err)
	var raw archive.Key
	p.key.Put(&raw)
	secret, err := custody.NewSecret()
	must(err)
	p.pkg, err = store.Create(t.Context(), archive.Recipe{Content: source, Key: &raw,
		Custody: func(ctx context.Context, encrypted io.ReaderAt, size int64, signatures io.Writer) (err error) {
			p.data, err = secret.Sign(ctx, io.NewSectionReader(encrypted, 0, size), size, 0, signatures, custody.Options{})
			return err
		}})
	must(err)
	client, err := ipfs.New(address, nil)
	must(err)
	t.Cleanup(client.Close)
	p.uri, err = client.Upload(t.Context(), p.pkg, nil)
	must(err)
	return p
}

// rowsOf is everything in the ledger that content left there, as text.
func rowsOf(t *testing.T, s *Sandbox, uri string) (text string) {
	t.Helper()
	s.chain.View(func(st *state.State) {
		all := []any{st.Contents.Of(uri), st.Purchases.Get(0), st.RealSupply()}
		for _, seeder := range st.Seeders.All() {
			all = append(all, seeder, st.Seeders.Activity(seeder.Seeder))
		}
		for _, row := range all {
			line, err := codec.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			text += string(line) + "\n"
		}
	})
	return text
}

// The whole cycle on one machine: two seeders announce themselves, content is uploaded, submitted, proven in the next block, bought, delivered in
// the next block, restored, downloaded and extracted. A day later the seeders prove again and are paid, also by a ledger that was ended
// meanwhile.
func TestTwoSeedersKeepContentAndDeliverIt(t *testing.T) {
	o := Options{Seeders: 2, State: filepath.Join(t.TempDir(), "state"), Listen: "127.0.0.1:0"}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	c := dial(t, s)
	for range 3 { // their accounts, their announcements, and those at today's time
		mine(t, s)
	}
	var seeders []ledger.Seeder
	c.get(&seeders, 0, "list_seeders_by_price", 10)
	if len(seeders) != 2 || seeders[0].Seeder != c.account("seeder-1").ID || seeders[1].Price.Amount != 2*seederPrice {
		t.Fatalf("the seeders are %+v", seeders)
	}
	p := publish(t, s.IPFSAddress())
	parts, err := share.Parts(p.key, []ledger.BigInteger{seeders[0].PubKey, seeders[1].PubKey}, 2)
	if err != nil {
		t.Fatal(err)
	}
	alice, bobby := c.account("alice").ID, c.account("bobby").ID
	buyer := demoKey("bobby").ElGamal()
	push := func(body ledger.Body) {
		t.Helper()
		if _, err := s.PushUnsigned(ledger.NewOperation(body)); err != nil {
			t.Fatal(err)
		}
		mine(t, s)
	}
	push(&ledger.ContentSubmitOp{
		Author: alice, URI: p.uri, Size: 1, Hash: p.pkg.Hash, Quorum: 2, KeyParts: parts, CustodyData: &p.data,
		Seeders: []ledger.AccountID{seeders[0].Seeder, seeders[1].Seeder}, Expiration: ledger.TimeOf(s.clock.now()) + 30*86400,
		PublishingFee: ledger.AssetAmount{Amount: 30 * 3 * seederPrice}, Synopsis: `{"title":"a song"}`,
		Price: []ledger.RegionalPrice{{Region: ledger.RegionNone, Price: ledger.AssetAmount{Amount: 100}}},
	})
	mine(t, s)
	var content ledger.Content
	c.get(&content, 0, "get_content", p.uri)
	if len(content.LastProof) != 2 {
		t.Errorf("in the block after the submission %d seeders proved that they have it", len(content.LastProof))
	}
	push(&ledger.RequestToBuyOp{
		Consumer: bobby, URI: p.uri, Price: ledger.AssetAmount{Amount: 100}, RegionCodeFrom: 1, PubKey: ledger.BigInteger{S: ledger.BigText(buyer.Public)},
	})
	mine(t, s)
	var purchase ledger.Buying
	c.get(&purchase, 0, "get_buying_by_consumer_URI", bobby, p.uri)
	if !purchase.Delivered || len(purchase.KeyParticles) != 2 {
		t.Fatalf("the purchase is not delivered in the next block: %+v", purchase)
	}
	key, err := share.ContentKey(buyer, purchase.KeyParticles, content.Quorum)
	if err != nil || !key.Equal(p.key) {
		t.Fatalf("the key restored is another one (%v)", err)
	}
	var answered string
	c.get(&answered, 0, "restore_encryption_key", ledger.BigInteger{S: ledger.BigText(buyer.Private)}, purchase.ID)
	if answered != string(p.key.Hex()) {
		t.Errorf("restore_encryption_key answers another key")
	}
	extractFrom(t, s.IPFSAddress(), p, content, key)
	for range 2 {
		mine(t, s)
	}
	if n := s.chain.Pending(); n != 0 {
		t.Errorf("%d transactions are pending though nothing is due", n)
	}
	had := rowsOf(t, s, p.uri)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	s, err = New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if got := rowsOf(t, s, p.uri); got != had {
		t.Errorf("after the restart there is\n%s, and there was\n%s", got, had)
	}
	s.Jump(25 * time.Hour)
	for range 3 { // a day passes, proofs are broadcast, and are in a block
		mine(t, s)
	}
	s.chain.View(func(st *state.State) {
		if left := st.Contents.Of(p.uri).PublishingFeeEscrow.Amount; left != 29*3*seederPrice {
			t.Errorf("a day later %d are left of %d", left, 30*3*seederPrice)
		}
		if got := st.Balances.Of(seeders[1].Seeder, ledger.CoreAsset); got != 2*seederPrice {
			t.Errorf("the second seeder has %d", got)
		}
	})
}

// extractFrom downloads a package, and compares what is in it.
func extractFrom(t *testing.T, address string, p publication, content ledger.Content, key share.Key) {
	t.Helper()
	client, err := ipfs.New(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	store, err := archive.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	pkg, err := client.Download(t.Context(), store, ipfs.Wanted{URI: content.URI, Hash: content.Hash, Limit: int64(content.Size) << 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	var raw archive.Key
	key.Put(&raw)
	if _, err := pkg.Extract(t.Context(), &raw, root, "bought", archive.Limits{Files: 10, Bytes: 1 << 20}, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := root.ReadFile("bought/song.txt"); err != nil || !bytes.Equal(got, p.text) {
		t.Errorf("what was bought is another file (%v)", err)
	}
}

// Seeders deliver keys of content that is not in the folder, or is another than on the ledger, but prove nothing about it.
func TestSeedersProveOnlyWhatTheyHave(t *testing.T) {
	s := start(t, Options{Seeders: 2, Content: t.TempDir()})
	c := dial(t, s)
	for range 3 {
		mine(t, s)
	}
	p := publish(t, s.IPFSAddress())
	number := func(name string) ledger.BigInteger {
		return ledger.BigInteger{S: ledger.BigText(demoKey(name).ElGamal().Public)}
	}
	push := func(ops ...ledger.Operation) {
		t.Helper()
		if _, err := s.PushUnsigned(ops...); err != nil {
			t.Fatal(err)
		}
		mine(t, s)
	}
	silent, buyer := c.account("bobby").ID, c.account("carol").ID
	push(ledger.NewOperation(&ledger.ReadyToPublishOp{Seeder: silent, Space: 10, PubKey: number("bobby"), IPFSID: "b"}))
	parts, err := share.Parts(p.key, []ledger.BigInteger{number("seeder-1"), number("seeder-2"), number("bobby")}, 3)
	if err != nil {
		t.Fatal(err)
	}
	op := &ledger.ContentSubmitOp{
		Author: c.account("alice").ID, Size: 1, Quorum: 3, KeyParts: parts, CustodyData: &p.data,
		Seeders: []ledger.AccountID{c.account("seeder-1").ID, c.account("seeder-2").ID, silent}, Expiration: ledger.TimeOf(s.clock.now()) + 2*86400,
		PublishingFee: ledger.AssetAmount{Amount: 2 * 3 * seederPrice},
		Price:         []ledger.RegionalPrice{{Region: ledger.RegionNone}},
	}
	other, absent := *op, *op
	other.URI, other.Hash = p.uri, ledger.Hash160{1}
	absent.URI, absent.Hash = "ipfs:QmNothingHere", p.pkg.Hash
	push(ledger.NewOperation(&other), ledger.NewOperation(&absent))
	push(ledger.NewOperation(&ledger.RequestToBuyOp{Consumer: buyer, URI: absent.URI, RegionCodeFrom: 1, PubKey: number("carol")}))
	for range 3 {
		mine(t, s)
	}
	s.chain.View(func(st *state.State) {
		for _, uri := range []string{other.URI, absent.URI} {
			if content := st.Contents.Of(uri); len(content.LastProof) != 0 {
				t.Errorf("%s is proven: %v", uri, content.LastProof)
			}
		}
		if got := st.Purchases.Get(0); len(got.SeedersAnswered) != 2 || got.Delivered {
			t.Errorf("the purchase is %+v", got)
		}
	})
	if n := s.chain.Pending(); n != 0 {
		t.Errorf("%d transactions are pending: a part is delivered once, however long another seeder is silent", n)
	}
}

// What the folder in place of IPFS is asked for and does not have, or may not be named, is refused; web pages of elsewhere get nothing.
func TestContentFolderRefusesWhatItDoesNotHave(t *testing.T) {
	folder := t.TempDir()
	s := start(t, Options{Content: filepath.Join(folder, "content")})
	if err := os.WriteFile(filepath.Join(folder, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	post := func(path, kind, body string, header ...string) (int, string) {
		t.Helper()
		return postTo(t, s.IPFSAddress()+path, kind, body, header...)
	}
	form := func(name string) string {
		return "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\n\r\ntext\r\n--x--\r\n"
	}
	for _, name := range []string{"../secret", "a/../b", "", "/a", "a//b", "a/b/c/d/e", "%2e%2e/secret"} {
		if status, text := post("/api/v0/add", "multipart/form-data; boundary=x", form(name)); status != 500 {
			t.Errorf("%q is added: %d %s", name, status, text)
		}
	}
	for _, path := range []string{"cat?arg=../secret", "cat?arg=Qm00", "ls?arg=..", "ls?arg=", "files/rm?arg=x", "cat?arg=Qm" + strings.Repeat("0", 64)} {
		if status, text := post("/api/v0/"+path, "", ""); status == 200 {
			t.Errorf("%s answers %s", path, text)
		}
	}
	status, text := post("/api/v0/add", "multipart/form-data; boundary=x", form("dir/a%20b"))
	var last struct{ Name, Hash string }
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || status != 200 || last.Name != "dir" {
		t.Fatalf("add answers %d %s", status, text)
	}
	if _, text = post("/api/v0/ls?arg="+last.Hash, "", ""); !strings.Contains(text, `"Name":"a b"`) {
		t.Errorf("ls answers %s", text)
	}
	if status, _ := post("/api/v0/id", "", "", "Origin", "https://evil.example"); status != 403 {
		t.Errorf("a page of elsewhere gets %d", status)
	}
	entries, err := os.ReadDir(filepath.Join(folder, "content"))
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "unfinished") }) {
		t.Errorf("the folder has %v (%v)", entries, err)
	}
}

func postTo(t *testing.T, url, kind, body string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
