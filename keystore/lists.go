package keystore

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"billfold/ledger"
)

// The three lists of the header are nearly all of it: 19 MB for 100,000 accounts. They are written and read here, in
// exactly the form in which encoding/json writes them, so that no second copy has to be made for comparing. The rest of
// the header is left to encoding/json.
const (
	startOfLists = `"accounts":[`
	emptyLists   = `"accounts":[],"account_keys":[],"keys":[]`

	// The least that one element takes, so that a hostile file cannot ask for much memory.
	leastAccount = len(`{"id":"1.2.0","name":""}`)
	leastKey     = len(`"DCT"`) + 37
)

// appendLists appends the lists of public.
func appendLists(b []byte, public *Public) []byte {
	var texts ledger.PublicKeyTexts
	b = append(b, startOfLists...)
	for i, a := range public.Accounts {
		b = a.ID.AppendJSON(append(appendComma(b, i), `{"id":`...))
		b = append(appendName(append(b, `,"name":`...), a.Name), '}')
	}
	b = append(b, `],"account_keys":[`...)
	for i, k := range public.AccountKeys {
		b = k.Account.AppendJSON(append(appendComma(b, i), `{"account":`...))
		b = append(appendKeys(append(b, `,"keys":[`...), &texts, k.Keys), ']', '}')
	}
	return append(appendKeys(append(b, `],"keys":[`...), &texts, public.Keys), ']')
}

func appendComma(b []byte, i int) []byte {
	if i == 0 {
		return b
	}
	return append(b, ',')
}

func appendKeys(b []byte, texts *ledger.PublicKeyTexts, keys []ledger.PublicKey) []byte {
	for i, key := range keys {
		b = append(texts.Append(append(appendComma(b, i), '"'), key), '"')
	}
	return b
}

// appendName appends a name as encoding/json writes it.
func appendName(b []byte, name string) []byte {
	for i := range len(name) {
		if !isPlain(name[i]) {
			text, err := json.Marshal(name)
			if err != nil {
				return b // never happens: every text can be encoded
			}
			return append(b, text...)
		}
	}
	return append(append(append(b, '"'), name...), '"')
}

// isPlain reports whether encoding/json writes this byte of a text as it is, whatever stands next to it.
func isPlain(c byte) bool {
	return c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
}

// Sizes of elements with usual names, and numbers of at most eight digits.
const (
	usualAccount = len(`{"id":"1.2.10000000","name":""},`)
	usualKeys    = len(`{"account":"1.2.10000000","keys":[]},`)
	usualKey     = len(`"DCT",`) + 51
)

// listsBound returns about how many bytes the lists take, hardly ever too few. Spare room stays allocated as long as
// the file is kept.
func listsBound(public *Public) int {
	n := len(emptyLists) + usualKey*len(public.Keys) + usualAccount*len(public.Accounts)
	for _, a := range public.Accounts {
		n += len(a.Name)
	}
	for _, k := range public.AccountKeys {
		n += usualKeys + usualKey*len(k.Keys)
	}
	return n
}

// listReader takes the lists off the front of a header, in exactly the form that appendLists writes.
type listReader struct {
	rest   []byte
	failed bool
	texts  ledger.PublicKeyTexts
	keys   []ledger.PublicKey // room for all of them
}

// readLists sets the lists of public and returns what follows them; ok is false if rest does not start with them.
func readLists(rest []byte, public *Public) (after []byte, ok bool) {
	r := listReader{rest: rest}
	r.expect(startOfLists)
	r.keys = make([]ledger.PublicKey, 0, min(bytes.Count(rest, []byte(`"DCT`)), len(rest)/leastKey))
	public.Accounts = r.accounts()
	r.expect(`,"account_keys":[`)
	public.AccountKeys = r.accountKeys()
	r.expect(`,"keys":[`)
	public.Keys = r.keyList()
	return r.rest, !r.failed
}

func (r *listReader) accounts() []Account {
	n := min(bytes.Count(r.rest, []byte(`{"id":`)), len(r.rest)/leastAccount)
	list, ends, names := make([]Account, 0, n), make([]int, 0, n), []byte(nil)
	for r.more(len(list)) {
		r.expect(`{"id":`)
		id := r.accountID()
		r.expect(`,"name":`)
		names = r.name(names)
		r.expect(`}`)
		list, ends = append(list, Account{ID: id}), append(ends, len(names))
	}
	all, start := string(names), 0 // one string for all: small ones cost memory and time
	for i, end := range ends {
		list[i].Name, start = all[start:end], end
	}
	return list
}

func (r *listReader) accountKeys() []AccountKeys {
	list := make([]AccountKeys, 0, min(bytes.Count(r.rest, []byte(`{"account":`)), len(r.rest)/leastAccount))
	for r.more(len(list)) {
		r.expect(`{"account":`)
		id := r.accountID()
		r.expect(`,"keys":[`)
		list = append(list, AccountKeys{id, r.keyList()})
		r.expect(`}`)
	}
	return list
}

// keyList returns the keys up to the end of their list.
func (r *listReader) keyList() []ledger.PublicKey {
	first := len(r.keys)
	for r.more(len(r.keys) - first) {
		key, ok := r.texts.Parse(r.plainText())
		r.failed = r.failed || !ok
		r.keys = append(r.keys, key)
	}
	return slices.Clip(r.keys[first:])
}

// more reports whether another element follows the n that were read, and takes the comma or the end of the list.
func (r *listReader) more(n int) bool {
	if r.failed || r.take(`]`) {
		return false
	}
	if n > 0 {
		r.expect(`,`)
	}
	return !r.failed
}

func (r *listReader) take(text string) bool {
	if len(r.rest) < len(text) || string(r.rest[:len(text)]) != text {
		return false
	}
	r.rest = r.rest[len(text):]
	return true
}

func (r *listReader) expect(text string) { r.failed = r.failed || !r.take(text) }

// plainText takes a quoted text without escapes.
func (r *listReader) plainText() []byte {
	r.expect(`"`)
	n := 0
	for n < len(r.rest) && isPlain(r.rest[n]) {
		n++
	}
	text := r.rest[:n]
	r.rest = r.rest[n:]
	r.expect(`"`)
	return text
}

func (r *listReader) accountID() ledger.AccountID {
	digits, found := bytes.CutPrefix(r.plainText(), []byte(`1.2.`))
	n, err := strconv.ParseUint(string(digits), 10, 48)
	if !found || err != nil || digits[0] == '+' || digits[0] == '0' && len(digits) > 1 {
		r.failed = true
	}
	return ledger.AccountID(n)
}

// name appends the next name to names.
func (r *listReader) name(names []byte) []byte {
	if r.failed {
		return names
	}
	start := r.rest
	if text := r.plainText(); !r.failed {
		return append(names, text...)
	}
	var name string
	values := json.NewDecoder(bytes.NewReader(start[:min(len(start), 8*maxText)]))
	if values.Decode(&name) != nil {
		return names
	}
	r.rest, r.failed = start, false
	r.expect(string(appendName(nil, name)))
	return append(names, name...)
}
