package walletcore

import (
	"context"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// BrainKeyInfo is a brain key with the owner key it gives.
type BrainKeyInfo struct {
	BrainKey  string           `json:"brain_priv_key"`
	WIF       string           `json:"wif_priv_key"`
	PublicKey ledger.PublicKey `json:"pub_key"`
}

// KeyPair is a public key with its private key as text.
type KeyPair struct {
	_      struct{}         `fc:"pair"`
	Public ledger.PublicKey `json:"public"`
	WIF    ledger.KeyText   `json:"wif"`
}

// ElGamalPair is an El Gamal pair as decimal text, public number first.
type ElGamalPair struct {
	_       struct{}       `fc:"pair"`
	Public  string         `json:"public"`
	Private ledger.KeyText `json:"private"`
}

// KeyDump is everything the keystore holds, in clear text. Who gets it wipes it.
type KeyDump struct {
	ECKeys      []KeyPair     `json:"ec_keys"`
	ElGamalKeys []ElGamalPair `json:"el_gamal_keys"`
}

// Wipe overwrites the private keys.
func (d KeyDump) Wipe() {
	for _, pair := range d.ECKeys {
		pair.WIF.Wipe()
	}
	for _, pair := range d.ElGamalKeys {
		pair.Private.Wipe()
	}
}

// SuggestBrainKey makes a new random brain key; nothing is stored.
func (w *Wallet) SuggestBrainKey() (BrainKeyInfo, error) {
	words, err := ledger.SuggestBrainKey()
	if err != nil {
		return BrainKeyInfo{}, &fault.Error{Code: fault.Internal, Op: "suggest_brain_key", Message: "no random numbers can be had from the system", Err: err}
	}
	return w.BrainKeyInfo(words), nil
}

// BrainKeyInfo normalises a brain key and derives its owner key.
func (w *Wallet) BrainKeyInfo(brainKey string) BrainKeyInfo {
	words := ledger.NormalizeBrainKey(brainKey)
	key := ledger.DeriveKey(words, 0)
	return BrainKeyInfo{words, key.WIF(), key.Public()}
}

// PublicKeyOf gives the public key of a WIF. Error: fault.BadWIF.
func (w *Wallet) PublicKeyOf(wif string) (ledger.PublicKey, error) {
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return ledger.PublicKey{}, &fault.Error{Code: fault.BadWIF, Op: "get_public_key", Message: "that is not a private key in WIF form", Hint: "it begins with 5, K or L and has 51 or 52 characters"}
	}
	defer key.Wipe()
	return key.Public(), nil
}

// PrivateKeyOf gives the WIF of a key in this wallet; who gets it wipes it.
// Errors: fault.Locked, fault.KeyNotInWallet.
func (w *Wallet) PrivateKeyOf(pub ledger.PublicKey) (ledger.KeyText, error) {
	store, err := w.unlocked("get_private_key")
	if err != nil {
		return nil, err
	}
	var wif ledger.KeyText
	err = store.View(func(keys *keystore.Secrets) error {
		key, ok := keys.Key(pub)
		if !ok {
			return &fault.Error{Code: fault.KeyNotInWallet, Op: "get_private_key", Message: "the private key of " + pub.String() + " is not in this wallet", Hint: "list_my_accounts shows whose keys are"}
		}
		wif = key.KeyText()
		return nil
	})
	if err != nil {
		return nil, fault.Own("get_private_key", err)
	}
	return wif, nil
}

// DumpPrivateKeys gives every key in clear text. Error: fault.Locked.
func (w *Wallet) DumpPrivateKeys() (KeyDump, error) {
	store, err := w.unlocked("dump_private_keys")
	if err != nil {
		return KeyDump{}, err
	}
	dump := KeyDump{ECKeys: []KeyPair{}, ElGamalKeys: []ElGamalPair{}}
	err = store.View(func(s *keystore.Secrets) error {
		for _, pub := range s.PublicKeys() {
			if key, ok := s.Key(pub); ok {
				dump.ECKeys = append(dump.ECKeys, KeyPair{Public: pub, WIF: key.KeyText()})
			}
		}
		for _, pair := range s.ElGamalKeys() {
			dump.ElGamalKeys = append(dump.ElGamalKeys, ElGamalPair{Public: ledger.BigText(pair.Public), Private: ledger.BigKeyText(pair.Private)})
			pair.Wipe()
		}
		return nil
	})
	if err != nil {
		return KeyDump{}, fault.KeyFile("dump_private_keys", err)
	}
	return dump, nil
}

// ImportKey stores a private key for an account; when it is one of the
// account's owner keys, also the active and memo keys the reference derives from
// it. It is on disk when this returns. The answer says whether the key is one
// of the account's owner, active or memo keys now; it is stored in any case.
// Errors: fault.Locked, fault.BadKey, fault.NoSuchAccount, fault.File.
func (w *Wallet) ImportKey(ctx context.Context, account, wif string) (bool, error) {
	return w.importKey(ctx, "import_key", account, wif, true)
}

// ImportSingleKey is ImportKey without derived keys.
func (w *Wallet) ImportSingleKey(ctx context.Context, account, wif string) (bool, error) {
	return w.importKey(ctx, "import_single_key", account, wif, false)
}

func (w *Wallet) importKey(ctx context.Context, op, account, wif string, derive bool) (bool, error) {
	store, err := w.unlocked(op)
	if err != nil {
		return false, err
	}
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return false, badKey(op)
	}
	defer key.Wipe()
	acc, err := w.View.Accounts.Get(ctx, account)
	if err != nil {
		return false, err
	}
	keys := []ledger.PrivateKey{key}
	if derive && acc.Owner.HasKey(key.Public()) {
		active := firstUnusedDerived(store, key)
		defer active.Wipe()
		memo := firstUnusedDerived(store, active)
		defer memo.Wipe()
		keys = append(keys, active, memo)
	}
	if err := w.storeKeys(store, acc, keys); err != nil {
		return false, err
	}
	w.judgeNow(ctx, []ledgerview.KeyUse{ledgerview.KeyUseOf(acc, key.Public())})
	w.events.Publish(event.Event{Kind: event.Accounts})
	return holdsRole(acc, key.Public()), nil
}

func holdsRole(a *ledger.Account, key ledger.PublicKey) bool {
	return a.Owner.HasKey(key) || a.Active.HasKey(key) || a.Options.MemoKey == key
}

func (w *Wallet) storeKeys(store *keystore.Store, acc *ledger.Account, keys []ledger.PrivateKey) error {
	err := store.Update(func(c *keystore.Contents) error {
		c.AddAccount(acc.ID, acc.Name)
		for _, key := range keys {
			if err := c.AddKey(acc.ID, key); err != nil {
				return err
			}
		}
		return w.bindChain(c)
	})
	if err != nil {
		return fault.KeyFile("import", err)
	}
	return nil
}

// bindChain notes which chain the keys belong to, once one is known.
func (w *Wallet) bindChain(c *keystore.Contents) error {
	id := w.daemon.Status().ChainID
	if id == (ledger.ChainID{}) {
		return nil
	}
	if err := c.Public.CheckChain(id); err != nil {
		return err
	}
	c.Public.ChainID = id
	return nil
}

// bindWhenOpen binds an open wallet to the chain that was seen first, so that a
// daemon of the next run cannot say another one.
func (w *Wallet) bindWhenOpen() {
	if w.daemon.Status().ChainID == (ledger.ChainID{}) || w.keystoreChain() != (ledger.ChainID{}) {
		return
	}
	store, err := w.unlocked("bind")
	if err != nil {
		return // with the next event after it was opened
	}
	if err := store.Update(w.bindChain); err != nil {
		w.log.Warn("keys: which chain they belong to could not be noted", "error", err)
	}
}

// unusedRun is how many unused keys in a row end the reference's search.
const unusedRun = 6

// firstUnusedDerived gives the derived key the reference would choose: the
// first of a run of unused ones (protocol/wallet-file.md 3).
func firstUnusedDerived(store *keystore.Store, parent ledger.PrivateKey) ledger.PrivateKey {
	prefix := parent.WIF()
	first, run := 0, 0
	for i := 0; run < unusedRun; i++ {
		key := ledger.DeriveKey(prefix, i)
		_, used := store.Key(key.Public())
		key.Wipe()
		switch {
		case used:
			run = 0
		case run == 0:
			first, run = i, 1
		default:
			run++
		}
	}
	return ledger.DeriveKey(prefix, first)
}
