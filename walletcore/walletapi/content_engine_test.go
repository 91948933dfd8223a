package walletapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// newPublisher returns an unlocked wallet of alice with an IPFS daemon, and the folder of a song below the operator's.
func newPublisher(t *testing.T) (s *fixture, song string, uploads func() int) {
	dir, daemon, added := testwallet.Folder(t), testwallet.NewIPFS(t), make(chan struct{}, 100)
	daemon.Set(func(command string) bool {
		if command == "add" {
			added <- struct{}{}
		}
		return true
	})
	song = filepath.Join(dir, "song")
	must(t, os.Mkdir(song, 0o700))
	must(t, os.WriteFile(filepath.Join(song, "one.txt"), []byte("la la la"), 0o600))
	s = newFixtureWith(t, func(cfg *walletcore.Config) { cfg.ContentDir, cfg.IPFS = dir, daemon.Client(t) })
	return s.unlock(), song, func() int { return len(added) }
}

// publication returns the parameters of submit_content_async.
func publication(folder string) Params {
	return positional(`"alice"`, `[["bobby",1000]]`, quoted(folder), `""`, `"ipfs"`, `[{"region":"AT","amount":"2","asset_symbol":"DCT"}]`, `[]`,
		`"2099-01-01T00:00:00"`, `"a song"`)
}

// A publication is judged by a token's limits, and approved, before anything is done, with the whole of its terms.
func TestPublicationsAreApprovedFirst(t *testing.T) {
	s, song, uploads := newPublisher(t)
	nothing := func(what string) {
		t.Helper()
		if tasks := s.ok("list_content_tasks"); tasks != "[]" || uploads() > 0 || s.payments() > 0 {
			t.Errorf("%s: %s, %d uploads, %d payments", what, tasks, uploads(), s.payments())
		}
	}
	no := &fault.Error{Code: fault.Denied, Message: "no"}
	p := publication(song)
	p.Judge = func(_ context.Context, ops []ledger.Operation) error {
		if len(ops) != 1 || ops[0].Code != ledger.CodeContentSubmit {
			t.Errorf("%+v was judged", ops)
		}
		return no
	}
	s.refused(fault.Denied, "submit_content_async", p)
	nothing("after a judge's no")
	p = publication(song)
	p.Approve = func(_ context.Context, r txbuild.Review) error {
		var shown strings.Builder
		for _, e := range r.Effects {
			shown.WriteString(e.What + ": " + e.Now + "\n")
		}
		if !strings.Contains(r.Sentence, "alice offered the content") ||
			!containsAll(shown.String(), "price in the region AT: 2", "share of bobby (1.2.17): 10.00 %", "offered until: 2099-01-01", "who keeps it: nobody") {
			t.Errorf("%q, %q was shown", r.Sentence, shown.String())
		}
		return no
	}
	s.refused(fault.Denied, "submit_content_async", p)
	nothing("after a person's no")
	out, err := s.api.Call(s.ctx, "submit_content_async", publication(song))
	must(t, err)
	var keys struct {
		Key    string
		Parts  []any
		Quorum int
	}
	must(t, json.Unmarshal(out, &keys))
	if len(keys.Key) != 64 || keys.Parts == nil {
		t.Errorf("%s", out)
	}
	s.on.Until("the upload", func() bool { return uploads() > 0 })
}

// What a dry run answered and somebody approved travels with the call, and nothing else is done.
func TestWhatWasApprovedTravelsWithTheCall(t *testing.T) {
	s, song, uploads := newPublisher(t)
	call := func(folder string) map[string]json.RawMessage {
		named := map[string]json.RawMessage{}
		for i, value := range publication(folder).Positional {
			named[Methods()[slices.IndexFunc(Methods(), func(m *Method) bool { return m.Name == "submit_content_async" })].Params[i].Name] = value
		}
		return named
	}
	approved := s.approve("submit_content_async", call(song))
	refused := func(want string, p map[string]json.RawMessage) {
		t.Helper()
		_, err := s.api.Call(s.ctx, "submit_content_async", Params{Named: p})
		if e, is := errors.AsType[*fault.Error](err); !is || e.Code != fault.StateChanged || !strings.Contains(e.Message, want) {
			t.Errorf("%v, not refused with %q", err, want)
		}
		if tasks := s.ok("list_content_tasks"); tasks != "[]" || uploads() > 0 || s.payments() > 0 {
			t.Errorf("%s: %s, %d uploads", want, tasks, uploads())
		}
	}
	for name, c := range map[string]struct{ value, want string }{
		"price_amounts": {`[{"region":"AT","amount":"3","asset_symbol":"DCT"}]`, "price in the region AT is 3.00000000 DCT now, and 2.00000000 DCT was approved"},
		"expiration":    {`"2098-01-01T00:00:00"`, "offered until is 2098-01-01 00:00:00 UTC now, and 2099-01-01 00:00:00 UTC was approved"},
		"synopsis":      {`"another song"`, "text for everybody is another song now, and a song was approved"},
		"co_authors":    {`[]`, "share of bobby (1.2.17) is nothing now, and 10.00 % of the price was approved"},
		"approved":      {`{"operations":[],"effects":[]}`, "this is not what was approved"},
	} {
		p := call(song)
		p["approved"] = approved
		p[name] = json.RawMessage(c.value)
		refused(c.want, p)
	}
	unset := call(song)
	unset["approved"] = json.RawMessage("null")
	s.refused(fault.BadParameter, "submit_content_async", Params{Named: unset})
	p := call(song)
	p["approved"] = approved
	must(t, os.WriteFile(filepath.Join(song, "two.txt"), make([]byte, 3<<20), 0o600))
	refused("package is at most 4 MB now, and at most 1 MB was approved", p)
	must(t, os.Remove(filepath.Join(song, "two.txt")))
	twin := filepath.Join(filepath.Dir(song), "twin")
	must(t, os.Mkdir(twin, 0o700))
	must(t, os.WriteFile(filepath.Join(twin, "one.txt"), []byte("la la la"), 0o600))
	q := call(twin)
	q["approved"] = approved
	refused("content is 1 file of \""+twin, q)
	_, err := s.api.Call(s.ctx, "submit_content_async", Params{Named: p})
	must(t, err)
	s.on.Until("the upload", func() bool { return uploads() > 0 })
}

// Files that change after they were shown are not published, however small the change; the review names those that anybody can read.
func TestWhatIsPublishedIsWhatWasShown(t *testing.T) {
	s, song, uploads := newPublisher(t)
	preview := filepath.Join(filepath.Dir(song), "preview")
	must(t, os.Mkdir(preview, 0o700))
	cover, one := filepath.Join(preview, "cover.txt"), filepath.Join(song, "one.txt")
	must(t, os.WriteFile(cover, []byte("la"), 0o600))
	call := func(ask txbuild.Approver) error {
		p := publication(song)
		p.Positional[3], p.Approve = json.RawMessage(quoted(preview)), ask
		_, err := s.api.Call(s.ctx, "submit_content_async", p)
		return err
	}
	for what, change := range map[string]func() error{
		"a preview written over":    func() error { return os.WriteFile(cover, []byte("my"), 0o600) },
		"a file more in it":         func() error { return os.WriteFile(filepath.Join(preview, "keys.txt"), []byte("my"), 0o600) },
		"content written over":      func() error { return os.WriteFile(one, []byte("my my my"), 0o600) },
		"another folder in between": func() error { return errors.Join(os.Rename(preview, preview+"-"), os.Mkdir(preview, 0o700)) },
	} {
		must(t, os.MkdirAll(preview, 0o700))
		must(t, os.WriteFile(cover, []byte("la"), 0o600))
		err := call(func(_ context.Context, r txbuild.Review) error {
			if shown := fmt.Sprint(r.Effects); !containsAll(shown, `"cover.txt"`, "anybody can read these files without paying", "nobody delivers the key") {
				t.Error(shown)
			}
			return change()
		})
		if e, is := errors.AsType[*fault.Error](err); !is || e.Code != fault.StateChanged {
			t.Errorf("%s: %v", what, err)
		}
		if tasks := s.ok("list_content_tasks"); tasks != "[]" || uploads() > 0 || s.payments() > 0 {
			t.Errorf("%s: %s, %d uploads, %d payments", what, tasks, uploads(), s.payments())
		}
	}
	err := call(func(context.Context, txbuild.Review) error { // of the same size, with its time put back
		info, err := os.Stat(one)
		must(t, err)
		must(t, os.WriteFile(one, []byte("my my m!"), 0o600))
		return os.Chtimes(one, info.ModTime(), info.ModTime())
	})
	must(t, err)
	s.on.Until("the refusal", func() bool { return strings.Contains(s.ok("list_content_tasks"), "changed after they were approved") })
	if uploads() > 0 || s.payments() > 0 {
		t.Errorf("%d uploads, %d payments", uploads(), s.payments())
	}
}

// The wallet's own files, and those of any wallet, are neither sold nor shown to everybody.
func TestWalletsAreNotPublished(t *testing.T) {
	s, song, _ := newPublisher(t)
	own := s.on.Vault.Path
	key, err := os.ReadFile(own)
	must(t, err)
	copied, packages := filepath.Join(filepath.Dir(song), "copied"), filepath.Join(filepath.Dir(own), "packages")
	must(t, errors.Join(os.Mkdir(copied, 0o700), os.Mkdir(packages, 0o700), os.WriteFile(filepath.Join(copied, "k"), key, 0o600)))
	paths := []string{filepath.Dir(own), filepath.Dir(filepath.Dir(own)), own, packages, copied}
	for name, text := range map[string]string{
		"journal": "SQLite format 3\x00" + strings.Repeat("\x00", 200_000) + "CREATE TABLE journal_identity (id VARCHAR(32) NOT NULL)",
		"history": "SQLite format 3\x00" + strings.Repeat("\x00", 3000) + "CREATE TABLE balance_runs (\n",
		"mark":    strings.Repeat(" ", 43) + "billfold store mark 1 c54cd3be712060590149446b2ba8119b 422 c60a74ed5d019a32 cfbd93b4\n",
	} {
		folder := filepath.Join(filepath.Dir(song), name)
		must(t, errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "renamed.bin"), []byte(text), 0o600)))
		paths = append(paths, folder)
	}
	for _, path := range paths {
		for _, at := range []int{2, 3} { // as what is sold, and as the preview
			p := publication(song)
			p.AnyFolder, p.Positional[at] = true, json.RawMessage(quoted(path))
			if at == 3 && path == own { // a preview is a folder
				continue
			}
			_, err := s.api.Call(s.ctx, "submit_content_async", p)
			if e, is := errors.AsType[*fault.Error](err); !is || e.Code != fault.BadValue || !strings.Contains(e.Message, "wallet") || s.ok("list_content_tasks") != "[]" {
				t.Errorf("%s as parameter %d: %v", path, at, err)
			}
		}
	}
}

// approve makes a dry run and returns what of it is approved.
func (s *fixture) approve(method string, call map[string]json.RawMessage) json.RawMessage {
	s.t.Helper()
	dry := maps.Clone(call)
	dry["dry_run"] = json.RawMessage("true")
	out, err := s.api.Call(s.ctx, method, Params{Named: dry})
	must(s.t, err)
	var tried struct {
		Operations json.RawMessage `json:"operations"`
		Effects    json.RawMessage `json:"effects"`
	}
	must(s.t, json.Unmarshal(out, &tried))
	text, err := json.Marshal(tried)
	must(s.t, err)
	return text
}

// offer has alice offer content of so many megabytes that no seeder keeps, or change its price.
func (s *fixture) offer(uri, price, size string) {
	s.t.Helper()
	s.ok("submit_content", `"alice"`, `[]`, quoted(uri), `[{"region":"","amount":"`+price+`","asset_symbol":"DCT"}]`, size,
		`"`+strings.Repeat(uri[len(uri)-1:], 40)+`"`, `[]`, `0`, `"2099-01-01T00:00:00"`, `"DCT"`, `"0"`, `"{}"`, `"6."`, `null`, `true`)
	s.on.Mine()
}

// keep puts the package of an offer on this machine, from where it needs not be fetched.
func (s *fixture) keep(uri string) {
	var hash ledger.Hash160
	must(s.t, json.Unmarshal([]byte(quoted(strings.Repeat(uri[len(uri)-1:], 40))), &hash))
	testwallet.KeepPackage(s.t, s.on.Wallet, hash)
}

// What no wallet can fetch is not paid for, and not called here.
func TestContentOutsideIPFSIsNotBought(t *testing.T) {
	s, _, _ := newPublisher(t)
	s.ok("import_single_key", `"bobby"`, quoted(testwallet.Key("bobby").WIF()))
	for _, uri := range []string{"http://shop.example/1", "https://shop.example/2", "magnet:?xt=urn:btih:3"} {
		s.offer(uri, "2", "1")
		if e := s.refused(fault.NothingAtURL, "download_content", Params{Named: purchaseOf(uri)}); !strings.Contains(e.Message, "is not in IPFS") || !strings.Contains(e.Hint, "nothing was paid") {
			t.Error(e)
		}
		s.ok("request_to_buy", `"bobby"`, quoted(uri), `"DCT"`, `"2"`, `""`, `true`) // as the reference, which promises nothing
		s.on.Mine()
		if status := s.ok("get_download_status", `"bobby"`, quoted(uri)); strings.Contains(status, `"Downloaded"`) || !strings.Contains(status, "Failed: it is not in IPFS") {
			t.Error(status)
		}
		s.refused(fault.NothingAtURL, "download_package", positional(quoted(uri)))
	}
	s.offer("http://shop.example/4", "2", "1")
	s.keep("http://shop.example/4")
	if _, err := s.api.Call(s.ctx, "download_content", Params{Named: purchaseOf("http://shop.example/4")}); err != nil {
		t.Error(err)
	}
}

// purchaseOf returns the parameters with which bobby buys content.
func purchaseOf(uri string) map[string]json.RawMessage {
	return map[string]json.RawMessage{"consumer": json.RawMessage(`"bobby"`), "URI": json.RawMessage(quoted(uri)),
		"region_code_from": json.RawMessage(`""`), "broadcast": json.RawMessage("true")}
}

// The key of content is restored for the account that bought it: a token that is limited to another account of the wallet does not get it, nor does
// one that may only read.
func TestContentKeysAreOfTheirBuyer(t *testing.T) {
	s, _, _ := newPublisher(t)
	s.ok("import_single_key", `"bobby"`, quoted(testwallet.Key("bobby").WIF()))
	s.offer("http://shop.example/1", "2", "1")
	s.ok("request_to_buy", `"bobby"`, `"http://shop.example/1"`, `"DCT"`, `"2"`, `""`, `true`)
	s.on.Mine()
	var bought struct{ ID string }
	must(t, json.Unmarshal([]byte(s.ok("get_buying_by_consumer_URI", `"bobby"`, `"http://shop.example/1"`)), &bought))
	if e := s.refused(fault.NoSuchPurchase, "restore_encryption_key", positional(`"alice"`, quoted(bought.ID))); !strings.Contains(e.Message, "alice did not make the purchase "+bought.ID) {
		t.Error(e)
	}
	s.refused(fault.KeyParts, "restore_encryption_key", positional(`"bobby"`, quoted(bought.ID))) // of which no seeder has any
	for _, name := range []string{"restore_encryption_key", "get_el_gammal_key"} {
		if m := s.api.Find(name); m.DoesOnly(Reads) || m.Reach != ReachAccount {
			t.Errorf("%s touches %s and reaches %v", name, m.Touches, m.Reach)
		}
	}
}

// Nothing is paid for what could not be extracted where its buyer wants it, and two contents are not bought into one folder.
func TestNothingIsPaidForWhatCannotBeExtracted(t *testing.T) {
	s, song, _ := newPublisher(t)
	dir := filepath.Dir(song)
	s.ok("import_single_key", `"bobby"`, quoted(testwallet.Key("bobby").WIF()))
	for _, n := range []string{"1", "2"} {
		s.offer("http://shop.example/"+n, "2", "1")
		s.keep(n)
	}
	s.offer("http://shop.example/3", "2", "10000")
	s.keep("3")
	had := s.on.DCT("bobby")
	into := func(uri, folder string) Params {
		p := purchaseOf("http://shop.example/" + uri)
		p["output_dir"] = json.RawMessage(quoted(folder))
		return Params{Named: p}
	}
	refused := func(code fault.Code, want, uri, folder string) {
		t.Helper()
		if e := s.refused(code, "download_content", into(uri, folder)); !strings.Contains(e.Message, want) {
			t.Error(e)
		}
		s.on.Mine()
		if now := s.on.DCT("bobby"); now != had {
			t.Errorf("%s into %s: %d were paid", uri, folder, had-now)
		}
	}
	refused(fault.BadValue, "has files already", "1", "song")
	refused(fault.File, "annot create a folder", "1", "none/out")
	refused(fault.Denied, "not below", "1", "/srv/out")
	small := filepath.Join(dir, "small")
	must(t, os.Mkdir(small, 0o700))
	if err := mountSmall(t, small); err != nil {
		t.Log("room is not tried: ", err)
	} else {
		refused(fault.File, "the disk of \""+small+"\" has 1.0 MB left, and this needs ", "3", "small/out")
		if e := s.refused(fault.File, "download_content", into("3", "small/out")); !strings.Contains(e.Hint, "nothing was paid; make room there, ") || !strings.Contains(e.Hint, "--packages-path") {
			t.Error(e)
		}
	}
	dry := into("1", "out")
	dry.Named["dry_run"] = json.RawMessage("true")
	_, err := s.api.Call(s.ctx, "download_content", dry)
	must(t, err)
	if _, err := s.api.Call(s.ctx, "download_content", into("1", "out")); err != nil {
		t.Fatal(err)
	}
	s.on.Mine()
	had = s.on.DCT("bobby")
	refused(fault.PackageState, "omething else is being extracted to \"out\", or will be once it is bought", "2", "out")
	other := into("1", "out")
	other.Named["consumer"] = json.RawMessage(`"carol"`)
	s.ok("import_single_key", `"carol"`, quoted(testwallet.Key("carol").WIF()))
	sent := s.payments()
	if e := s.refused(fault.PackageState, "download_content", other); s.payments() != sent {
		t.Errorf("two buyers of one content pay for one folder: %v", e)
	}
	s.ok("remove_package", `"`+strings.Repeat("1", 40)+`"`) // which ends what is kept for it
	if _, err := s.api.Call(s.ctx, "download_content", into("2", "out")); err != nil {
		t.Error(err)
	}
}

// Who agreed to a price that rises while they read is asked about the other purchase, with both.
func TestAPriceThatRisesWhileItIsRead(t *testing.T) {
	s, _, _ := newPublisher(t)
	s.ok("import_single_key", `"bobby"`, quoted(testwallet.Key("bobby").WIF()))
	s.offer("http://shop.example/1", "1", "1")
	s.keep("1")
	var shown []txbuild.Review
	_, err := s.api.Call(s.ctx, "download_content", Params{Named: purchaseOf("http://shop.example/1"), Approve: func(_ context.Context, r txbuild.Review) error {
		if shown = append(shown, r); len(shown) == 2 {
			return &fault.Error{Code: fault.Denied, Message: "no"}
		}
		s.offer("http://shop.example/1", "50", "1")
		time.Sleep(600 * time.Millisecond) // longer than a policy takes
		return nil
	}})
	if fault.CodeOf(err) != fault.Denied || len(shown) != 2 {
		t.Fatalf("%v, asked %d times", err, len(shown))
	}
	if r := shown[1]; !r.Again || r.Agreed == nil || !strings.Contains(r.Agreed.Intent(), "for 1.00000000 DCT") || !strings.Contains(r.Intent(), "for 50.00000000 DCT") {
		t.Errorf("asked again with %+v", r)
	}
}

// A folder that fills while the purchase is read is noticed before anything is signed.
func TestAFolderThatFillsWhileItsPurchaseIsRead(t *testing.T) {
	s, song, _ := newPublisher(t)
	s.ok("import_single_key", `"bobby"`, quoted(testwallet.Key("bobby").WIF()))
	s.offer("http://shop.example/1", "2", "1")
	s.keep("1")
	p := purchaseOf("http://shop.example/1")
	p["output_dir"] = json.RawMessage(`"out"`)
	out := filepath.Join(filepath.Dir(song), "out")
	_, err := s.api.Call(s.ctx, "download_content", Params{Named: p, Approve: func(context.Context, txbuild.Review) error {
		must(t, os.Mkdir(out, 0o700))
		return os.WriteFile(filepath.Join(out, "mine"), []byte("mine"), 0o600)
	}})
	if e, is := errors.AsType[*fault.Error](err); !is || e.Code != fault.BadValue || s.payments() > 1 {
		t.Errorf("%v, %d payments", err, s.payments())
	}
	must(t, os.RemoveAll(out))
	_, err = s.api.Call(s.ctx, "download_content", Params{Named: p, Approve: func(context.Context, txbuild.Review) error { return nil }})
	must(t, err)
}

// What the ledger refuses of a rating or a withdrawal is told with its reason.
func TestRefusalsOfRatingsAndWithdrawalsSayWhy(t *testing.T) {
	s, _, _ := newPublisher(t)
	s.ok("import_single_key", `"bobby"`, quoted(testwallet.Key("bobby").WIF()))
	uri := "http://shop.example/1"
	s.offer(uri, "2", "1")
	refused := func(want, method string, params ...string) {
		t.Helper()
		_, err := s.api.Call(s.ctx, method, positional(append(params, "true")...))
		if e, is := errors.AsType[*fault.Error](err); !is || !strings.Contains(e.Message, want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	rate := []string{`"bobby"`, quoted(uri), "5", `""`}
	refused("did not take the rating: the account bobby has not bought", "leave_rating_and_comment", rate...)
	refused("did not take the withdrawal: \"http://shop.example/1\" is offered by alice, who alone", "content_cancellation", `"bobby"`, quoted(uri))
	refused("did not take the withdrawal: nobody offers content at", "content_cancellation", `"alice"`, `"http://shop.example/9"`)
	s.keep(uri)
	_, err := s.api.Call(s.ctx, "download_content", Params{Named: purchaseOf(uri)})
	must(t, err)
	s.on.Mine()
	s.ok("leave_rating_and_comment", append(rate, "true")...)
	s.on.Mine()
	refused("did not take the rating: the account bobby has rated", "leave_rating_and_comment", `"bobby"`, quoted(uri), "4", `""`)
	s.ok("content_cancellation", `"alice"`, quoted(uri), "true")
	s.on.Mine()
	refused("did not take the withdrawal: \"http://shop.example/1\" was taken off sale by its author", "content_cancellation", `"alice"`, quoted(uri))
}

// A purchase costs what was approved, however its author changes the price meanwhile.
func TestAPurchaseCostsWhatWasApproved(t *testing.T) {
	s, _, _ := newPublisher(t)
	offer := func(price string) { s.offer("http://shop.example/a", price, "1") }
	s.ok("import_single_key", `"bobby"`, quoted(testwallet.Key("bobby").WIF()))
	offer("2")
	s.keep("a")
	call := purchaseOf("http://shop.example/a")
	call["approved"] = s.approve("download_content", call)
	had := s.on.DCT("bobby")
	offer("3")
	e := s.refused(fault.StateChanged, "download_content", Params{Named: call})
	if !strings.Contains(e.Message, "what the seller asks is 3.00000000 DCT now, and 2.00000000 DCT was approved") {
		t.Error(e)
	}
	s.on.Mine()
	if now := s.on.DCT("bobby"); now != had {
		t.Errorf("%d were paid", had-now)
	}
	offer("2")
	if _, err := s.api.Call(s.ctx, "download_content", Params{Named: call}); err != nil {
		t.Error(err)
	}
	s.on.Mine()
	if now := s.on.DCT("bobby"); now != had-2_00000000 {
		t.Errorf("%d were paid", had-now)
	}
}

// What stands in the place of a package and cannot be one is fetched anew, whatever it is; what nobody can fetch says why.
func TestAPackageWithoutItsFileIsFetchedAnew(t *testing.T) {
	for what, spoil := range map[string]func(at string) error{
		"a folder in its place": func(at string) error { return os.MkdirAll(filepath.Join(at, "content.zip.aes", "x"), 0o700) },
		"nothing in its place":  func(at string) error { return os.MkdirAll(at, 0o700) },
	} {
		s, _, _ := newPublisher(t)
		const uri = "ipfs:QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPBd1"
		s.offer(uri, "2", "1")
		at := filepath.Join(s.on.Wallet.Content.PackageFolder, strings.Repeat("1", 40))
		must(t, spoil(at))
		s.ok("download_package", quoted(uri))
		s.on.Until("a reason, with "+what, func() bool {
			list := s.ok("list_content_tasks")
			return strings.Contains(list, `"reason"`) && !strings.Contains(list, `"reason":""`)
		})
		if _, err := os.Stat(at); !os.IsNotExist(err) {
			t.Errorf("%s: it is there still: %v, %s", what, err, s.ok("list_content_tasks"))
		}
	}
}

// A program may name the operator's folders and no others; the owner may name any.
func TestFoldersOfCallers(t *testing.T) {
	s, song, _ := newPublisher(t)
	elsewhere := testwallet.Folder(t)
	must(t, os.WriteFile(filepath.Join(elsewhere, "two.txt"), []byte("lo lo lo"), 0o600))
	calls := map[string]func(folder string) Params{
		"create_package":       func(folder string) Params { return positional(quoted(folder), `""`, `"5."`) },
		"submit_content_async": publication,
	}
	for name, call := range calls {
		s.refused(fault.Denied, name, call(elsewhere))
		owner := call(elsewhere)
		owner.AnyFolder = true
		if _, err := s.api.Call(s.ctx, name, owner); err != nil {
			t.Errorf("%s by the owner: %v", name, err)
		}
	}
	var made []any
	must(t, json.Unmarshal([]byte(s.ok("create_package", quoted(song), quoted(song), `"6."`)), &made))
	hash := quoted(made[0].(string))
	s.refused(fault.Denied, "extract_package", positional(hash, quoted(filepath.Join(elsewhere, "out")), `"6."`))
	s.ok("extract_package", hash, `"out"`, `"6."`)
	uri := s.ok("upload_package", hash, `"ipfs"`)
	if !strings.HasPrefix(uri, `"ipfs:Qm`) {
		t.Error(uri)
	}
	s.ok("remove_package", hash)
	s.refused(fault.NoSuchPackage, "remove_package", positional(hash))
}

// Whoever offers a package that is here is told before he pays what is wrong with what he says of it.
func TestOffersOfPackagesAtHandAreCompared(t *testing.T) {
	s, song, _ := newPublisher(t)
	var made []json.RawMessage
	must(t, json.Unmarshal([]byte(s.ok("create_package", quoted(song), `""`, `"6."`)), &made))
	offer := func(size, cd string) Params {
		return positional(`"alice"`, `[]`, `"ipfs:Qm"`, `[{"region":"","amount":"2","asset_symbol":"DCT"}]`, size, string(made[0]), `[]`, `0`,
			`"2099-01-01T00:00:00"`, `"DCT"`, `"0"`, `"{}"`, `"6."`, cd, `false`)
	}
	if _, err := s.api.Call(s.ctx, "submit_content", offer("1", string(made[1]))); err != nil {
		t.Error(err)
	}
	var cd map[string]any
	must(t, json.Unmarshal(made[1], &cd))
	cd["n"] = 77
	other, err := json.Marshal(cd)
	must(t, err)
	s.refused(fault.BadValue, "submit_content", offer("1", string(other)))
}

// Seeders who could not prove that they keep the content, or of whom none or too many would be needed for its key, are refused before anything
// else is asked about them.
func TestSeedersOfAnOffer(t *testing.T) {
	s, _, _ := newPublisher(t)
	custody := strings.Trim(exampleCustody, "'")
	for _, c := range []struct{ seeders, quorum, custody, want string }{
		{`[]`, `1`, `null`, "content without seeders has no parts of a key, and the quorum is 1"},
		{`["1.2.16","1.2.16"]`, `2`, custody, "a seeder is named twice"},
		{`["1.2.16","1.2.17"]`, `1`, custody, "the quorum is 1 of 2 seeders"},
		{`["1.2.16","1.2.17"]`, `3`, custody, "the quorum is 3 of 2 seeders"},
		{`["1.2.16","1.2.17"]`, `2`, `null`, "without custody data"},
		{`["1.2.16","1.2.17"]`, `2`, strings.Replace(custody, `"n":64`, `"n":0`, 1), "without custody data"},
		{`["1.2.16","1.2.17"]`, `2`, `{"n":64,"u_seed":"a4ad0331998328c2d6469568c2d73240","pubKey":"` + strings.Repeat("00", 33) + `"}`, "without custody data"},
		{`["1.2.16","1.2.17"]`, `2`, custody, "seeder"}, // nobody of them is one
	} {
		_, err := s.api.Call(s.ctx, "submit_content", positional(`"alice"`, `[]`, `"http://shop.example/1"`, `[{"region":"","amount":"2","asset_symbol":"DCT"}]`, `1`,
			`"`+strings.Repeat("1", 40)+`"`, c.seeders, c.quorum, `"2099-01-01T00:00:00"`, `"DCT"`, `"10"`, `"{}"`, `"6."`, c.custody, `false`))
		if e, is := errors.AsType[*fault.Error](err); !is || !strings.Contains(e.Message, c.want) || strings.Contains(e.Message, "custody") != strings.Contains(c.want, "custody") {
			t.Errorf("%s of %s: %v, want %q", c.quorum, c.seeders, err, c.want)
		}
	}
}
