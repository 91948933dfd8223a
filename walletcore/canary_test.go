package walletcore_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Canaries are secrets that are easy to find wherever they leak.
const (
	canaryPassword = "Canary-of-the-testwallet.Password-5501"
	canaryGuess    = "Canary-of-a-wrong-guess-7713"
	canaryMemo     = "canary-of-the-memo-9942"
)

// canaries returns what must not leak, in every form in which it might.
func canaries() map[string]string {
	forms := map[string]string{}
	for name, text := range map[string]string{"password": canaryPassword, "wrong password": canaryGuess, "memo": canaryMemo} {
		forms[name], forms[name+" in hex"], forms[name+" in bytes"] = text, hex.EncodeToString(
			[]byte(text)), strings.Trim(
			fmt.Sprint([]byte(text)),
			"[]",
		)
	}
	for _, name := range []string{"alice", "bobby"} {
		secret := secretOf(testwallet.Key(name))
		forms["key of "+name] = testwallet.Key(name).WIF()
		forms["key of "+name+" in hex"] = hex.EncodeToString(secret[:])
		forms["key of "+name+", raw"] = string(secret[:])
		forms["key of "+name+" in bytes"] = strings.Trim(fmt.Sprint(secret), "[]")
		forms["key of "+name+" in Go"] = strings.TrimSuffix(fmt.Sprintf("%#v", secret)[len("[32]uint8{"):], "}")
		forms["El Gamal key of "+name] = testwallet.Key(name).ElGamal().Private.String()
	}
	return forms
}

// escaped returns the names of the canaries in text.
func escaped(text string) (names []string) {
	text = strings.ToLower(text)
	for name, form := range canaries() {
		if strings.Contains(text, strings.ToLower(form)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func silent(t *testing.T, where, text string) {
	t.Helper()
	if names := escaped(text); names != nil {
		t.Errorf("%s shows: %v", where, names)
	}
}

// diary is a log that is safe for concurrent use.
type diary struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *diary) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(p)
}

func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// guarded returns a wallet full of canaries that logs everything.
func guarded(t *testing.T) (*testwallet.Wallet, *diary) {
	t.Helper()
	box, log := testwallet.Ledger(t, sandbox.Options{}), &diary{}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	path := filepath.Join(testwallet.Folder(t), "wallet.keys")
	book, err := sqlite.Open(path + ".payments")
	testwallet.Must(t, err)
	t.Cleanup(func() { testwallet.Must(t, book.Close()) })
	client := daemonclient.New(daemonclient.Config{URL: box.URL(), Logger: logger})
	testwallet.Run(t, client.Run)
	s := testwallet.Connect(t, path, box.URL(), func(c *walletcore.Config) { c.Logger, c.Store, c.Daemon = logger, book, client })
	s.Box, s.Client = box, client
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	testwallet.Must(t, s.Vault.Create(s.Ctx, canaryPassword))
	s.ImportKey("alice", testwallet.Key("alice"))
	s.Mine()
	return s, log
}

func TestCanariesAreFound(t *testing.T) {
	secret := secretOf(testwallet.Key("alice"))
	for _, text := range []string{canaryMemo, "x" + canaryPassword + "x", testwallet.Key("bobby").WIF(), fmt.Sprint(secret),
		fmt.Sprintf("%x", secret), fmt.Sprintf("%#v", secret)} {
		if escaped(text) == nil {
			t.Error("not found:", text)
		}
	}
}

// TestNoErrorLogOrFileShowsACanary drives the wallet into every kind of error.
func TestNoErrorLogOrFileShowsACanary(t *testing.T) {
	s, log := guarded(t)
	w, ctx := s.Wallet, s.Ctx
	s.Pay("alice", "bobby", "1", canaryMemo)
	_, err := w.Payments.Spend(
		ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "2", Asset: "DCT", Memo: canaryMemo},
			txbuild.Transfer),
		payment.Sending{Broadcast: true, Key: "order 77"},
	)
	testwallet.Must(t, err) // the journal keeps a mark of the request's words
	s.Mine()
	var faults []error
	fails := func(err error) {
		t.Helper()
		if err == nil {
			t.Error("an error was expected")
		}
		faults = append(faults, err)
	}
	wif := testwallet.Key("bobby").WIF()
	transfer := func(from, to, amount, asset string) error {
		_, err := w.Payments.Spend(
			ctx,
			txbuild.NewRequest("transfer", txbuild.TransferParams{From: from, To: to, Amount: amount, Asset: asset, Memo: canaryMemo},
				txbuild.Transfer),
			payment.Sending{Broadcast: true},
		)
		return err
	}
	fails(w.Vault.Create(ctx, canaryPassword))
	fails(transfer("alice", "bobby", "100000000000", "DCT"))
	fails(transfer("alice", "nobody-here", "1", "DCT"))
	fails(transfer("bobby", "alice", "1", "DCT"))
	fails(transfer("alice", "bobby", "1.000000000000001", "DCT"))
	fails(transfer("alice", "bobby", "1", "NOSUCH"))
	fails(second(w.Import.ImportKey(ctx, "nobody-here", wif)))
	fails(second(w.Import.ImportKey(ctx, "alice", wif+"1")))
	fails(second(w.Import.ImportSingleKey(ctx, "alice", wif[:len(wif)-1])))
	fails(second(vault.PublicKeyOf(wif + "x")))
	fails(second(w.Vault.PrivateKeyOf(testwallet.Key("bobby").Public())))
	fails(second(w.Import.ImportLegacy(ctx, "../keystore/testdata/wallet-legacy.json", canaryGuess, canaryPassword)))
	fails(w.Vault.Unlock(ctx, canaryGuess))
	gone, stop := context.WithCancel(ctx)
	stop()
	_, err = w.Payments.Spend(
		gone,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: canaryMemo},
			txbuild.Transfer),
		payment.Sending{Broadcast: true},
	)
	fails(err)
	w.Vault.Lock()
	fails(transfer("alice", "bobby", "1", "DCT"))
	fails(w.Vault.SetPassword(canaryPassword))
	fails(w.Vault.Unlock(ctx, canaryGuess))
	fails(w.Vault.Unlock(ctx, canaryGuess))
	fails(w.Vault.Unlock(ctx, canaryPassword)) // too many attempts
	for _, err := range faults {
		text := fmt.Sprintf("%v %+v %#v %s %q %x", err, err, err, err, err, err.Error())
		for cause := err; cause != nil; cause = errors.Unwrap(cause) {
			out, failed := json.Marshal(cause)
			text += fmt.Sprintf("%s %v %+v %#v", out, failed, cause, cause)
		}
		silent(t, "the error "+err.Error(), text)
	}
	silent(t, "the log", log.String())
	if !strings.Contains(log.String(), "=") {
		t.Error("nothing was logged at all")
	}
	silent(t, "a file", s.Folder())
}

// alone returns a wallet without a daemon, unlocked with the password.
func alone(t *testing.T, password string) *walletcore.Wallet {
	t.Helper()
	w, err := walletcore.Open(walletcore.Config{Path: filepath.Join(testwallet.Folder(t), "wallet.keys"), Keystore: testwallet.CheapKeys(),
		Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"})})
	testwallet.Must(t, err)
	testwallet.Must(t, w.Vault.Create(t.Context(), password))
	t.Cleanup(func() { w.Vault.Lock() })
	return w
}

func second[T any](_ T, err error) error { return err }

// TestNothingReachableShowsAKey prints what the wallet returns and its own structs.
func TestNothingReachableShowsAKey(t *testing.T) {
	s, _ := guarded(t)
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, canaryPassword))
	sent := s.Pay("alice", "bobby", "1", canaryMemo) // so that a shared secret is cached
	s.Mine()
	keys, err := s.Vault.Unlocked("test")
	testwallet.Must(t, err)
	key, held := keys.Key(testwallet.Key("alice").Public())
	if !held {
		t.Fatal("the wallet holds no key")
	}
	shared, err := key.SharedSecret(testwallet.Key("bobby").Public())
	testwallet.Must(t, err)
	w := s.Wallet
	still := alone(t, testwallet.Password) // fmt prints every field of a wallet inside another struct
	stillKeys, err := still.Vault.Unlocked("test")
	testwallet.Must(t, err)
	testwallet.Must(t, stillKeys.Update(func(c *keystore.Contents) error { return c.AddKey(7, testwallet.Key("alice")) }))
	_, err = still.Vault.EncryptMemo("transfer", testwallet.Key("alice").Public(), testwallet.Key("bobby").Public(), canaryMemo)
	testwallet.Must(t, err)
	shown := []any{
		w, still, struct{ w *walletcore.Wallet }{still}, struct{ W *walletcore.Wallet }{w}, w.Status(), w.Own.List(), keys, keys.Public(), keys.Health(), sent, key, &key, shared, &shared,
		struct{ k ledger.PrivateKey }{key}, []any{key, shared}, map[string]any{"k": key}, w.Vault, still.Vault, struct{ v *vault.Vault }{still.Vault}, w.Vault.Config,
	}
	testwallet.Must(t, keys.View(func(all *keystore.Secrets) error {
		shown = append(shown, all, struct{ s *keystore.Secrets }{all}, all.PendingAccounts())
		return nil
	}))
	for _, v := range shown {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			silent(t, fmt.Sprintf("%s of %T", verb, v), fmt.Sprintf(verb, v))
		}
		out, err := json.Marshal(v)
		silent(t, fmt.Sprintf("the JSON of %T", v), string(out)+fmt.Sprint(err))
		log := &diary{}
		slog.New(slog.NewJSONHandler(log, nil)).Info("x", "v", v)
		slog.New(slog.NewTextHandler(log, nil)).Info("x", "v", v)
		silent(t, fmt.Sprintf("a log of %T", v), log.String())
	}
}

// TestNoPanicShowsACanary makes a child process panic with all secrets in memory, and
// reads the traces of all its goroutines.
func TestNoPanicShowsACanary(t *testing.T) {
	if os.Getenv("CANARY_PANIC") != "" {
		panicWithKeys(t)
	}
	for _, how := range []string{"wallet", "error", "key", "view"} {
		child := exec.Command(os.Args[0], "-test.run=^TestNoPanicShowsACanary$")
		child.Env = append(os.Environ(), "CANARY_PANIC="+how, "GOTRACEBACK=all", "GORACE=atexit_sleep_ms=0")
		out, err := child.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "panic:") || !strings.Contains(string(out), "goroutine ") {
			t.Fatalf("%s: the child did not panic: %v %s", how, err, out)
		}
		silent(t, "a panic with a "+how, string(out))
	}
}

func panicWithKeys(t *testing.T) {
	w := alone(t, canaryPassword)
	keys, err := w.Vault.Unlocked("test")
	testwallet.Must(t, err)
	testwallet.Must(t, keys.Update(func(c *keystore.Contents) error { return c.AddKey(7, testwallet.Key("alice")) }))
	key, _ := keys.Key(testwallet.Key("alice").Public())
	switch os.Getenv("CANARY_PANIC") {
	case "wallet":
		panic(w)
	case "error":
		panic(w.Vault.Unlock(t.Context(), canaryGuess))
	case "key":
		panic(key)
	}
	_ = keys.View(func(all *keystore.Secrets) error { panic(fmt.Sprintf("%+v %v", all, key)) })
}

func secretOf(k ledger.PrivateKey) (secret [32]byte) {
	k.PutSecret(&secret)
	return secret
}
