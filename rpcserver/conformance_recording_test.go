package rpcserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sync"
	"testing"

	"billfold/ledger"
)

// exchange is one recorded wallet operation: the request, the reference's answer, and
// the calls that the reference made to its daemon.
type exchange struct {
	Case      int             `json:"case"`
	Transport string          `json:"transport"`
	Request   json.RawMessage `json:"request"`
	Response  json.RawMessage `json:"response"`
	Daemon    []daemonCall    `json:"daemon"`

	asked call // what Request is
}

type daemonCall struct {
	Set    string          `json:"set"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// call is the part of a request that the tests need. Text that is not an object has no method.
type call struct {
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

func (x *exchange) call() call { return x.asked }

// body returns the text that was sent.
func (x *exchange) body() string {
	var text string
	if json.Unmarshal(x.Request, &text) == nil {
		return text
	}
	return string(x.Request)
}

// broadcasts returns the calls with which the reference sent transactions.
func (x *exchange) broadcasts() []daemonCall {
	var sent []daemonCall
	for _, c := range x.Daemon {
		if c.Set == "network_broadcast" && c.Method != "" {
			sent = append(sent, c)
		}
	}
	return sent
}

// answered is a daemon's answer with the exchange that it was given in.
type answered struct {
	at            int // index of the exchange
	result, error json.RawMessage
}

// recording is the whole file, with an index of all answers of the daemon: whole calls,
// and single elements of calls that take and return a list.
type recording struct {
	exchanges []exchange
	said      map[string][]answered
	keys      map[ledger.PublicKey]ledger.PrivateKey // every private key in the file

	secrets map[[2]ledger.PublicKey]ledger.SharedSecret // see secret
	signers map[signed]ledger.PublicKey                 // see signer
}

// signed is a signature with what it signs.
type signed struct {
	digest    [32]byte
	signature ledger.Signature
}

const recordedChain = "640bd0c466552fe0e6314c05a62bf69b66ae59490f2314f1b82c771c434d7a82"

var wif = regexp.MustCompile(`5[HJK][1-9A-HJ-NP-Za-km-z]{49}`)

// readRecording reads the file once for all tests. Each test has its own caches.
func readRecording(t testing.TB) *recording {
	t.Helper()
	whole, err := wholeRecording()
	must(t, err)
	r := *whole
	r.secrets, r.signers = map[[2]ledger.PublicKey]ledger.SharedSecret{}, map[signed]ledger.PublicKey{}
	return &r
}

var wholeRecording = sync.OnceValues(func() (*recording, error) {
	data, err := os.ReadFile("../testdata/conformance/wallet.jsonl")
	if err != nil {
		return nil, err
	}
	r := &recording{said: map[string][]answered{}, keys: map[ledger.PublicKey]ledger.PrivateKey{}}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data))
	for lines.Scan() {
		var x exchange
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return nil, fmt.Errorf("line %d of the recording: %w", len(r.exchanges)+1, err)
		}
		_ = json.Unmarshal(x.Request, &x.asked)
		r.exchanges = append(r.exchanges, x)
		for _, c := range x.Daemon {
			r.index(len(r.exchanges)-1, c)
		}
	}
	texts := append(wif.FindAllString(string(data), -1), bobbyOwner().WIF())
	slices.Sort(texts)
	for _, text := range slices.Compact(texts) {
		if key, err := ledger.ParseWIF(text); err == nil {
			r.keys[key.Public()] = key
		}
	}
	for _, key := range bobbyKeys() {
		r.keys[key.Public()] = key
	}
	return r, nil
})

// elementwise are the calls whose only parameter and whose result are lists with
// corresponding elements.
var elementwise = map[string]bool{
	"get_accounts": true, "lookup_account_names": true, "get_assets": true,
	"lookup_asset_symbols": true, "get_objects": true,
}

// index adds a daemon's answer to the index.
func (r *recording) index(at int, c daemonCall) {
	key := callKey(c.Method, c.Params)
	r.said[key] = append(r.said[key], answered{at, c.Result, c.Error})
	asked, found := elementsOf(c)
	for i, element := range found {
		r.indexElement(at, c.Method, asked[i], element)
		r.indexObject(at, c.Method, element)
	}
}

func elementsOf(c daemonCall) (asked, found []json.RawMessage) {
	var params [][]json.RawMessage
	if !elementwise[c.Method] || json.Unmarshal(c.Params, &params) != nil || len(params) != 1 {
		return nil, nil
	}
	if json.Unmarshal(c.Result, &found) != nil || len(found) != len(params[0]) {
		return nil, nil
	}
	return params[0], found
}

func (r *recording) indexElement(at int, method string, asked, found json.RawMessage) {
	key := elementKey(method, asked)
	r.said[key] = append(r.said[key], answered{at, found, nil})
}

// indexObject adds an object to the index under the other calls that return it, too.
func (r *recording) indexObject(at int, method string, object json.RawMessage) {
	var o struct{ ID, Name, Symbol string }
	if json.Unmarshal(object, &o) != nil || o.ID == "" {
		return
	}
	for other, name := range map[string]string{
		"get_accounts": o.Name, "lookup_account_names": o.Name, "get_assets": o.Symbol,
		"lookup_asset_symbols": o.Symbol, "get_objects": o.ID,
	} {
		if name == "" || other == method {
			continue
		}
		if other == "get_accounts" || other == "get_assets" {
			name = o.ID
		}
		text, _ := json.Marshal(name)
		r.indexElement(at, other, text, object)
	}
}

func callKey(method string, params json.RawMessage) string {
	return method + " " + compact(params)
}

func elementKey(method string, element json.RawMessage) string {
	return "one of " + method + " " + compact(element)
}

// compact returns JSON in a normal form, so that equal values have equal texts.
func compact(raw json.RawMessage) string {
	v, err := decoded(raw)
	if err != nil {
		return string(raw)
	}
	return encoded(v)
}

// decoded decodes JSON and keeps the digits of numbers.
func decoded(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// nearest returns the answer in the exchange at, or else the nearest before it, or else
// the first after it.
func (r *recording) nearest(key string, at int) (answered, bool) {
	list := r.said[key]
	best := -1
	for i, a := range list {
		if a.at > at {
			break
		}
		if best < 0 || a.at > list[best].at {
			best = i
		}
	}
	switch {
	case best >= 0:
		return list[best], true
	case len(list) > 0:
		return list[0], true
	}
	return answered{}, false
}

// bobbyOwner and bobbyKeys return the keys that the reference derived from the brain key
// with which bobby was registered: owner, active, memo.
func bobbyOwner() ledger.PrivateKey {
	return ledger.DeriveKey(ledger.NormalizeBrainKey("a very long brain key indeed for bobby"), 0)
}

func bobbyKeys() []ledger.PrivateKey {
	owner := bobbyOwner()
	active := ledger.DeriveKey(owner.WIF(), 0)
	return []ledger.PrivateKey{owner, active, ledger.DeriveKey(active.WIF(), 0)}
}
