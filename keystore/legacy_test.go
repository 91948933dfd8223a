package keystore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
)

// walletVector is one entry of testdata/wallet-files.json (wallet-file.md).
type walletVector struct {
	Kind       string          `json:"kind"`
	Password   string          `json:"password"`
	CipherKeys string          `json:"cipher_keys"`
	File       json.RawMessage `json:"file"`
	PlainText  string          `json:"plain_text"`
	PlainHex   string          `json:"plain_hex"`
	IsJSON     bool            `json:"is_json"`
}

func (v walletVector) file() []byte {
	if v.File != nil {
		return v.File
	}
	version := `"version":1,`
	if !v.IsJSON {
		version = ""
	}
	return []byte(`{` + version + `"cipher_keys":"` + v.CipherKeys + `"}`)
}

func vectors(t testing.TB) (list []walletVector) {
	t.Helper()
	must(t, json.Unmarshal(mustRead(t, "testdata/wallet-files.json"), &list))
	if len(list) < 4 {
		t.Fatal("vectors are missing")
	}
	return list
}

func TestLegacyVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Kind, func(t *testing.T) {
			l, err := ReadLegacy(v.file(), v.Password)
			must(t, err)
			if v.IsJSON && v.PlainText != "" {
				compareKeys(t, l.Secrets, v.PlainText)
			} else if got := oldForm(l.Secrets, v.Password); v.PlainHex != "" && hex.EncodeToString(got) != v.PlainHex {
				t.Fatalf("binary form: got %x", got)
			}
			for _, wrong := range []string{"x", v.Password + " ", strings.ToUpper(v.Password)} {
				_, err = ReadLegacy(v.file(), wrong)
				want(t, err, ErrWrongPassword)
			}
			_, err = ReadLegacy(v.file(), "")
			want(t, err, ErrEmptyPassword)
		})
	}
}

// compareKeys wants exactly the keys of the decrypted text.
func compareKeys(t *testing.T, s *Secrets, plain string) {
	t.Helper()
	var keys legacyKeysJSON
	must(t, json.Unmarshal([]byte(plain), &keys))
	if len(keys.EC) == 0 || len(s.PublicKeys()) != len(keys.EC) {
		t.Fatalf("%d keys, want %d", len(s.PublicKeys()), len(keys.EC))
	}
	for _, k := range keys.EC {
		if key, ok := s.Key(k.first); !ok || key.WIF() != k.second {
			t.Error("missing key of", k.first)
		}
	}
	pairs := s.ElGamalKeys()
	for _, e := range keys.ElGamal {
		if !slices.ContainsFunc(pairs, func(p ledger.ElGamalKey) bool {
			return ledger.BigText(p.Public) == e.Public.S && ledger.BigText(p.Private) == e.Private.S
		}) {
			t.Error("missing El Gamal key", e.Public.S)
		}
	}
}

// oldForm writes the binary form, to be compared with what the reference wrote.
func oldForm(s *Secrets, password string) []byte {
	out := []byte{byte(len(s.keys))}
	for _, public := range s.PublicKeys() {
		wif := s.keys[public].WIF()
		out = append(append(append(out, public[:]...), byte(len(wif))), wif...)
	}
	sum := sha512.Sum512([]byte(password))
	return append(out, sum[:]...)
}

func TestTheRecordedWalletMovesInWhole(t *testing.T) {
	data := mustRead(t, "testdata/wallet-legacy.json")
	l, err := ReadLegacy(data, "pass123")
	must(t, err)
	if l.Version != 1 || l.Server != "ws://127.0.0.1:18090" ||
		l.Public.ChainID.String() != "640bd0c466552fe0e6314c05a62bf69b66ae59490f2314f1b82c771c434d7a82" {
		t.Fatal("header:", l.Version, l.Server, l.Public.ChainID)
	}
	for id, name := range map[ledger.AccountID]string{4: "init0", 15: "decent", 16: "nathan", 17: "alice"} {
		if !slices.Contains(l.Public.Accounts, Account{id, name}) {
			t.Error("account is missing:", id, name)
		}
	}
	var file legacyJSON
	must(t, json.Unmarshal(data, &file))
	if len(l.Public.Accounts) != len(file.MyAccounts) || len(l.Public.AccountKeys) != len(file.ExtraKeys) {
		t.Error("accounts or their keys are incomplete")
	}
	for _, wif := range []string{
		"5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3", "5J9bWm2ThenDm3tjvmUgHtWCVMUdjRR1pxnRtnJjvKA4b2ut5WK",
	} {
		key, err := ledger.ParseWIF(wif)
		must(t, err)
		if got, ok := l.Secrets.Key(key.Public()); !ok || got.WIF() != wif {
			t.Error("a key is missing")
		}
	}
	s, err := Create(filepath.Join(ramdisk.Folder(t), "keys"), password, l.Public, l.Secrets, cheap())
	must(t, err)
	count := len(l.Public.Keys)
	l.Secrets.Wipe()
	if again := reopened(t, s.Path(), password); dump(t, again) != dump(t, s) || len(again.PublicKeys()) != count || count == 0 {
		t.Fatal("the keys did not come over")
	}
}

// legacyCipher encrypts as the reference does.
func legacyCipher(t testing.TB, password string, plain []byte) string {
	t.Helper()
	sum := sha512.Sum512([]byte(password))
	pad := aes.BlockSize - len(plain)%aes.BlockSize
	plain = append(bytes.Clone(plain), bytes.Repeat([]byte{byte(pad)}, pad)...)
	block, err := aes.NewCipher(sum[:32])
	must(t, err)
	cipher.NewCBCEncrypter(block, sum[32:48]).CryptBlocks(plain, plain)
	return hex.EncodeToString(plain)
}

func legacyPlain(password, members string) []byte {
	sum := sha512.Sum512([]byte(password))
	return []byte(`{` + members + `"checksum":"` + hex.EncodeToString(sum[:]) + `"}`)
}

func TestLegacyPendingAndExtraKeys(t *testing.T) {
	public, wif := testKey(0).Public().String(), testKey(0).WIF()
	keys := legacyCipher(t, "pw", legacyPlain("pw", `"ec_keys":[["`+public+`","`+wif+`"]],"el_gamal_keys":[
		{"private_key":{"s":"`+testKey(0).ElGamal().Private.String()+`."},"public_key":{"s":"`+testKey(0).ElGamal().Public.String()+`."}},
		{"private_key":{"s":"77."},"public_key":{"s":"99."}}],`))
	l, err := ReadLegacy(
		[]byte(`{"cipher_keys":"`+keys+`","pending_account_registrations":[["carol",["`+testKey(1).WIF()+`","`+testKey(2).WIF()+`"]]],
		"pending_miner_registrations":[["1.2.9","`+testKey(3).WIF()+`"]],"extra_keys":[["1.2.9",["`+testKey(5).Public().String()+`"]]],`+
			`"ws_password":"a`+"\x01"+`b"}`),
		"pw",
	)
	must(t, err)
	accounts, miners := l.Secrets.PendingAccounts(), l.Secrets.PendingMiners()
	if len(accounts) != 1 || accounts[0].Name != "carol" || len(accounts[0].Keys) != 2 || !accounts[0].Keys[1].Equal(testKey(2)) {
		t.Error("pending accounts:", accounts)
	}
	if len(miners) != 1 || miners[0].Name != "1.2.9" || !miners[0].Keys[0].Equal(testKey(3)) {
		t.Error("pending miners:", miners)
	}
	if len(l.Secrets.elGamal) != 1 || len(l.Secrets.ElGamalKeys()) != 2 {
		t.Error("exactly the pair that no key yields must be stored by itself")
	}
	if want := []MissingKey{{9, "", testKey(5).Public()}}; !slices.Equal(l.Missing, want) {
		t.Error("a key that is listed and not held must be named:", l.Missing)
	}
	if !slices.Equal(l.Unlisted, []ledger.PublicKey{testKey(0).Public()}) {
		t.Error("a key without account must be named:", l.Unlisted)
	}
}

// A version that another program wrote as text or as a decimal number is the same version.
func TestLegacyVersionInOtherForms(t *testing.T) {
	keys := legacyCipher(t, "pw", legacyPlain("pw", `"ec_keys":[["`+testKey(0).Public().String()+`","`+testKey(0).WIF()+`"]],`))
	for _, version := range []string{"1", `"1"`, "1.0", `"1.0"`} {
		l, err := ReadLegacy([]byte(`{"version":`+version+`,"cipher_keys":"`+keys+`"}`), "pw")
		if err != nil || l.Version != 1 || len(l.Secrets.PublicKeys()) != 1 {
			t.Errorf("version %s: %v", version, err)
		}
	}
}

func TestLegacyRefuses(t *testing.T) {
	other := testKey(1).Public().String()
	cases := map[string]struct {
		file string
		kind error
	}{
		"empty":           {``, ErrForeign},
		"not JSON":        {`hello`, ErrForeign},
		"another JSON":    {`{"version":1}`, ErrForeign},
		"an array":        {`[]`, ErrForeign},
		"newer":           {`{"version":2,"cipher_keys":""}`, ErrVersion},
		"not hex":         {`{"cipher_keys":"zz"}`, ErrDamaged},
		"half a block":    {`{"cipher_keys":"00112233"}`, ErrDamaged},
		"bad account":     {`{"cipher_keys":"","my_accounts":[{"id":"1.3.4"}]}`, ErrDamaged},
		"half a letter":   {`{"cipher_keys":"","my_accounts":[{"id":"1.2.4","name":"\ud83d"}]}`, ErrDamaged},
		"long name":       {`{"cipher_keys":"","my_accounts":[{"id":"1.2.4","name":"` + strings.Repeat("x", maxText+1) + `"}]}`, ErrDamaged},
		"bad pending key": {`{"cipher_keys":"","pending_account_registrations":[["carol",["5Jx"]]]}`, ErrDamaged},
		"no keys":         {`{"version":1,"cipher_keys":"` + legacyCipher(t, password, legacyPlain(password, `"ec_keys":[],`)) + `"}`, ErrForeign},
		"lists keys":      {`{"version":1,"extra_keys":[["1.2.9",["` + other + `"]]],"cipher_keys":"` + legacyCipher(t, password, legacyPlain(password, `"ec_keys":[],`)) + `"}`, ErrDamaged},
		"version of text": {`{"version":"two","cipher_keys":""}`, ErrVersion},
		"version 1.5":     {`{"version":1.5,"cipher_keys":""}`, ErrVersion},
		"foreign key": {
			`{"version":1,"cipher_keys":"` + legacyCipher(
				t,
				password,
				legacyPlain(password, `"ec_keys":[["`+other+`","`+testKey(0).WIF()+`"]],`),
			) + `"}`,
			ErrDamaged,
		},
	}
	for name, c := range cases {
		if _, err := ReadLegacy([]byte(c.file), password); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", name, err, c.kind)
		}
	}
	whole := mustRead(t, "testdata/wallet-legacy.json")
	for n := 0; n < len(bytes.TrimSpace(whole)); n += 97 {
		_, err := ReadLegacy(whole[:n], "pass123")
		want(t, err, ErrForeign)
	}
}

// TestWrongPasswordThatLooksRight searches passwords whose decryption ends in a
// valid padding: those too are only wrong passwords.
func TestWrongPasswordThatLooksRight(t *testing.T) {
	v := vectors(t)[0]
	lucky := 0
	for n := range 3000 {
		wrong := "guess" + string(rune('a'+n%26)) + strings.Repeat("x", n/26)
		sum := sha512.Sum512([]byte(wrong))
		sealed, err := hex.DecodeString(v.CipherKeys)
		must(t, err)
		if _, ok := decryptCBC(sealed, sum); !ok {
			continue
		}
		lucky++
		_, err = ReadLegacy(v.file(), wrong)
		want(t, err, ErrWrongPassword)
	}
	if lucky == 0 {
		t.Fatal("no such password was found")
	}
}

func TestLegacyEmptyPasswordAndNewWallet(t *testing.T) {
	file := `{"version":1,"cipher_keys":"` + legacyCipher(
		t,
		"",
		legacyPlain("", `"ec_keys":[["`+testKey(0).Public().String()+`","`+testKey(0).WIF()+`"]],`),
	) + `"}`
	l, err := ReadLegacy([]byte(file), "")
	must(t, err)
	if len(l.Public.Keys) != 1 {
		t.Fatal("a wallet saved with an empty password must be rescued")
	}
	l, err = ReadLegacy([]byte(`{"version":1,"cipher_keys":""}`), "any")
	must(t, err)
	if len(l.Public.Keys) != 0 {
		t.Fatal("a new wallet has no keys")
	}
}

func FuzzReadLegacy(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.file(), []byte(v.PlainText), v.Password)
	}
	whole, err := os.ReadFile("testdata/wallet-legacy.json")
	must(f, err)
	f.Add(whole, oldForm(&Secrets{}, ""), "pass123")
	f.Fuzz(func(t *testing.T, file, plain []byte, password string) {
		if l, err := ReadLegacy(file, password); err == nil {
			l.Secrets.Wipe()
		}
		// What is inside the cipher is hostile as well.
		sum := sha512.Sum512([]byte(password))
		for _, body := range [][]byte{append(bytes.Clone(plain), sum[:]...), plain} {
			if s, err := decryptLegacy(legacyCipher(t, password, body), password, nil); err == nil {
				if _, err := s.encode(); err != nil {
					t.Fatal("what was read cannot be stored:", err)
				}
			}
		}
	})
}

// Keys of any length are decrypted, with as much padding as their last block leaves, a whole block of it too.
func TestPaddingOfAnyLength(t *testing.T) {
	for n := range 40 {
		plain := bytes.Repeat([]byte("x"), n)
		sealed, err := hex.DecodeString(legacyCipher(t, password, plain))
		must(t, err)
		if got, ok := decryptCBC(sealed, sha512.Sum512([]byte(password))); !ok || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes are %q, %v", n, got, ok)
		}
	}
}
