package keystore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/usertext"

	"golang.org/x/text/unicode/norm"
)

// Legacy is the contents of a wallet.json of the reference wallet (docs/protocol/wallet-file.md 1). Wipe Secrets after use.
type Legacy struct {
	Version int    // 1, or 0 for the old format
	Updated string // when it was saved, "2018-04-18T09:36:28"; may be empty
	Server  string // the daemon it used, "ws://localhost:8090"; may be empty

	// Unlisted are the keys that, as far as can be seen, belong to none of the accounts in the file. They are in
	// Secrets like the others.
	Unlisted []ledger.PublicKey

	// Missing are the keys that the file says it has for its accounts (extra_keys), and that Secrets lack.
	Missing []MissingKey

	Public  Public
	Secrets *Secrets
}

// MissingKey is a key of an account that a wallet.json lists without holding it.
type MissingKey struct {
	Account ledger.AccountID
	Name    string // of the account, "" if the file does not say
	Key     ledger.PublicKey
}

// Format writes a placeholder instead of the secrets.
func (l *Legacy) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "(legacy wallet, secrets hidden)")
}

// ReadLegacy reads a wallet.json of the reference wallet, version 1 or the old format, and decrypts its keys. data is
// not changed. A file that was saved before a password was set holds no keys and opens with any password.
//
// Errors: ErrForeign (not a wallet.json), ErrVersion, ErrWrongPassword (also if the file is damaged in a way that looks
// like one), ErrEmptyPassword, ErrDamaged.
func ReadLegacy(data []byte, password string) (*Legacy, error) {
	file, err := parseLegacy(data)
	if err != nil {
		return nil, err
	}
	secrets := &Secrets{}
	if *file.CipherKeys != "" {
		for _, form := range legacyForms(password) {
			if secrets, err = decryptLegacy(*file.CipherKeys, form, file.listedKeys()); !errors.Is(err, ErrWrongPassword) {
				break
			}
		}
		if err != nil {
			return nil, wrongEncoding(password, err)
		}
	}
	if *file.CipherKeys != "" && len(secrets.PublicKeys())+len(file.PendingAccounts)+len(file.PendingMiners) == 0 {
		return nil, noLegacyKeys(file)
	}
	l := &Legacy{Version: int(file.Version), Updated: file.UpdateTime, Server: file.Server, Secrets: secrets}
	if err := l.fill(file); err != nil {
		secrets.Wipe()
		return nil, err
	}
	return l, nil
}

// legacyForms returns what a password may have been in the reference wallet, which takes the bytes that its terminal sends: composed or
// decomposed, as the system writes accents, in UTF-8 or in Latin-1, as old terminals do.
func legacyForms(password string) []string {
	var forms []string
	for _, form := range []string{password, strings.TrimPrefix(password, usertext.Mark), usertext.Normal(password)} {
		for _, form := range []string{form, norm.NFC.String(form), norm.NFD.String(form), inLatin1(norm.NFC.String(form)), fromLatin1(form)} {
			if !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// inLatin1 returns a text in Latin-1, or as it is where that has not all of its characters.
func inLatin1(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xFF {
			return text
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// fromLatin1 returns a text that is in Latin-1, or as it is where it is UTF-8.
func fromLatin1(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	out := make([]rune, 0, len(text))
	for _, b := range []byte(text) {
		out = append(out, rune(b))
	}
	return string(out)
}

// CheckLegacy returns nil if data is a wallet.json that can be read, given its password, and may have a key.
func CheckLegacy(data []byte) error {
	file, err := parseLegacy(data)
	if err != nil {
		return err
	}
	if *file.CipherKeys == "" && len(file.PendingAccounts)+len(file.PendingMiners) == 0 {
		return noLegacyKeys(file)
	}
	if *file.CipherKeys != "" {
		_, err = unsealedHex(*file.CipherKeys)
	}
	return err
}

// noLegacyKeys returns the error of a wallet.json from which nothing can be taken over.
func noLegacyKeys(file *legacyJSON) error {
	if len(file.listedKeys()) > 0 {
		return legacyDamagedError("its cipher_keys hold no key, though it lists accounts with keys")
	}
	return &Error{Kind: ErrForeign, Message: "This wallet.json has no keys: it was saved before a password was set or a key was imported",
		Hint: "name the one that has them; nothing was changed"}
}

func parseLegacy(data []byte) (*legacyJSON, error) {
	if len(data) > maxFileSize {
		return nil, legacyForeignError("it is larger than 64 MiB")
	}
	data, err := usertext.DecodeWalletJSON(data)
	switch other, is := errors.AsType[*usertext.FormatError](err); {
	case is && other.Next == "":
		return nil, legacyForeignError("it is " + other.Name)
	case err != nil:
		return nil, &Error{Kind: ErrForeign, Message: "This wallet.json cannot be read: " + err.Error(), Hint: "nothing was changed"}
	}
	clean := codec.FromFC(data)
	var probe struct {
		Version    legacyVersion   `json:"version"`
		CipherKeys json.RawMessage `json:"cipher_keys"`
	}
	if why := usertext.JSONFault(clean); why != "" {
		return nil, noLegacyJSON(clean, why)
	}
	if name := usertext.RepeatedMember(clean); name != "" {
		return nil, legacyDamagedError("its member " + strconv.Quote(name) + " occurs twice, and which of them counts is not known")
	}
	if codec.HasHalfCharacter(clean) {
		return nil, legacyDamagedError(codec.ErrHalfCharacter.Error())
	}
	if err := json.Unmarshal(clean, &probe); err != nil || probe.CipherKeys == nil {
		if ledger.HoldsWIF(string(clean[:min(len(clean), 64<<10)])) { // an export of a password manager, say
			return nil, noLegacyJSON(clean, "")
		}
		return nil, legacyForeignError("it has no member cipher_keys")
	}
	if probe.Version != 0 && probe.Version != 1 {
		return nil, &Error{
			Kind:    ErrVersion,
			Message: fmt.Sprintf("The wallet.json is of version %s; only 0 and 1 are known", strconv.FormatFloat(float64(probe.Version), 'g', -1, 64)),
			Hint:    "export the keys with the program that wrote it",
		}
	}
	file := &legacyJSON{}
	if err := json.Unmarshal(clean, file); err != nil || file.CipherKeys == nil {
		return nil, legacyDamagedError("a member has an unexpected form")
	}
	return file, nil
}

// fill takes over everything but cipher_keys.
func (l *Legacy) fill(file *legacyJSON) error {
	c := Contents{Secrets: l.Secrets, Public: Public{ChainID: file.ChainID}}
	for _, a := range file.MyAccounts {
		c.AddAccount(a.ID, a.Name)
	}
	for _, extra := range file.ExtraKeys {
		for _, key := range extra.second {
			c.Public.addAccountKey(extra.first, key)
		}
	}
	if err := l.fillPending(file); err != nil {
		return err
	}
	public, err := c.Public.normal(l.Secrets.PublicKeys())
	if err != nil {
		return legacyDamagedError("its list of accounts is invalid")
	}
	l.Public, l.Unlisted = public, unlistedKeys(file, public)
	for _, extra := range file.ExtraKeys {
		for _, key := range extra.second {
			if _, held := l.Secrets.Key(key); !held {
				l.Missing = append(l.Missing, MissingKey{extra.first, file.nameOf(extra.first), key})
			}
		}
	}
	return nil
}

func (l *Legacy) fillPending(file *legacyJSON) error {
	for _, p := range file.PendingAccounts {
		for _, wif := range p.second {
			key, err := ledger.ParseWIF(wif)
			if err != nil || l.Secrets.AddPendingAccount(p.first, key) != nil {
				return legacyDamagedError("a key waiting for an account cannot be read")
			}
			key.Wipe()
		}
	}
	for _, p := range file.PendingMiners {
		key, err := ledger.ParseWIF(p.second)
		if err != nil || l.Secrets.SetPendingMiner(p.first, key) != nil {
			return legacyDamagedError("a key waiting for a miner cannot be read")
		}
		key.Wipe()
	}
	return nil
}

// unlistedKeys returns the keys held that no account of the file mentions.
func unlistedKeys(file *legacyJSON, public Public) []ledger.PublicKey {
	known := map[ledger.PublicKey]bool{}
	for _, key := range file.listedKeys() {
		known[key] = true
	}
	var list []ledger.PublicKey
	for _, key := range public.Keys {
		if !known[key] {
			list = append(list, key)
		}
	}
	return list
}

type legacyJSON struct {
	Version         legacyVersion      `json:"version"`
	UpdateTime      string             `json:"update_time"`
	ChainID         ledger.ChainID     `json:"chain_id"`
	MyAccounts      []legacyAccount    `json:"my_accounts"`
	CipherKeys      *string            `json:"cipher_keys"`
	ExtraKeys       []legacyExtra      `json:"extra_keys"`
	PendingAccounts []legacyPending    `json:"pending_account_registrations"`
	PendingMiners   []legacyPendingOne `json:"pending_miner_registrations"`
	Server          string             `json:"ws_server"`
}

// legacyVersion is the version of a wallet.json. Programs that wrote the file anew made text or a decimal number of it.
type legacyVersion float64

// UnmarshalJSON implements json.Unmarshaler. What is no number is -1, a version that nobody knows.
func (v *legacyVersion) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(data), `"`)), 64)
	if *v = legacyVersion(n); err != nil && string(data) != "null" {
		*v = -1
	}
	return nil
}

// listedKeys returns the public keys that the file has beside cipher_keys.
func (f *legacyJSON) listedKeys() (keys []ledger.PublicKey) {
	for _, extra := range f.ExtraKeys {
		keys = append(keys, extra.second...)
	}
	for _, a := range f.MyAccounts {
		keys = append(keys, a.Options.MemoKey)
		for _, k := range slices.Concat(a.Owner.Keys, a.Active.Keys) {
			keys = append(keys, k.first)
		}
	}
	return slices.DeleteFunc(keys, func(key ledger.PublicKey) bool { return key == ledger.PublicKey{} })
}

// nameOf returns the name that the file has for an account, "" if none.
func (f *legacyJSON) nameOf(id ledger.AccountID) string {
	for _, a := range f.MyAccounts {
		if a.ID == id {
			return a.Name
		}
	}
	return ""
}

type legacyAccount struct {
	ID     ledger.AccountID `json:"id"`
	Name   string           `json:"name"`
	Owner  legacyAuthority  `json:"owner"`
	Active legacyAuthority  `json:"active"`

	Options struct {
		MemoKey ledger.PublicKey `json:"memo_key"`
	} `json:"options"`
}

type legacyAuthority struct {
	Keys []pair[ledger.PublicKey, json.RawMessage] `json:"key_auths"`
}

type (
	legacyExtra      = pair[ledger.AccountID, []ledger.PublicKey]
	legacyPending    = pair[string, []string]
	legacyPendingOne = pair[string, string]
)

// pair is a JSON array of exactly two elements.
type pair[A, B any] struct {
	first  A
	second B
}

func (p *pair[A, B]) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) != 2 {
		return fmt.Errorf("an array of %d instead of 2", len(parts))
	}
	if err := json.Unmarshal(parts[0], &p.first); err != nil {
		return err
	}
	return json.Unmarshal(parts[1], &p.second)
}

// noLegacyJSON returns the error of a text that is no JSON, with what it is.
func noLegacyJSON(text []byte, why string) error {
	kind, start := usertext.Kind(string(text)), string(text[:min(len(text), 64<<10)])
	first, _, _ := strings.Cut(strings.TrimSpace(start), "\n")
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return legacyForeignError("it is empty")
	case len(bytes.Trim(text, "\x00")) == 0:
		return legacyForeignError("it has zero bytes and nothing else, as a crash or a failing disk leaves a file")
	case ledger.HoldsWIF(start):
		return &Error{Kind: ErrForeign, Message: "This is not a wallet.json of cli_wallet: it is a text with a private key in it",
			Hint: "import that with billfold call import_key ACCOUNT -, which asks for it; nothing was changed"}
	case kind == "JSON" && usertext.SecondJSON(text) > 0:
		return &Error{Kind: ErrForeign, Message: fmt.Sprintf("This file has two wallets, one after the other: the second begins in line %d", usertext.SecondJSON(text)),
			Hint: "make a file of each, and import one after the other; nothing was changed"}
	case kind == "JSON":
		return &Error{Kind: ErrForeign, Message: "This wallet.json cannot be read: " + why, Hint: "use a backup of it; nothing was changed"}
	case kind != "":
		return legacyForeignError("it is " + kind)
	case strings.Count(first, ",") > 1 || strings.Count(first, ";") > 1:
		return legacyForeignError("it is a table (CSV)")
	}
	return legacyForeignError("it is no JSON")
}

func legacyForeignError(why string) error {
	return &Error{Kind: ErrForeign, Message: "This is not a wallet.json of cli_wallet: " + why, Hint: "name the wallet.json that cli_wallet wrote; nothing was changed"}
}

func legacyDamagedError(what string) error {
	return &Error{Kind: ErrDamaged, Message: "The wallet.json is damaged: " + what, Hint: "use a backup of it; nothing was changed"}
}
