package walletapi

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/walletcore/fault"
)

func TestLockOverTheCatalogue(t *testing.T) {
	s := newFixture(t)
	for _, step := range []struct{ method, param, want string }{
		{"is_new", "", "true"}, {"is_locked", "", "true"}, {"set_password", quoted(password), "null"}, {"is_new", "", "false"},
		{"is_locked", "", "true"}, {"lock", "", "false"}, {"unlock", quoted(password), "null"}, {"unlock", quoted(password), "null"},
		{"is_locked", "", "false"}, {"lock", "", "true"}, {"is_locked", "", "true"},
	} {
		var params []string
		if step.param != "" {
			params = []string{step.param}
		}
		if got := s.ok(step.method, params...); got != step.want {
			t.Errorf("%s returns %s, want %s", step.method, got, step.want)
		}
	}
	s.refused(fault.WrongPassword, "unlock", positional(`"wrong"`))
	s.refused(fault.BadParameter, "unlock", positional(quoted(password), `604801`))
	s.refused(fault.Locked, "transfer", positional(`""`, `""`, `""`, `""`, `""`, `"true"`))
}

// A call under a request key that is refused before it starts reports that the key may be used again.
func TestRefusedCallKeepsItsRequestKey(t *testing.T) {
	s := open(t)
	s.ok("lock")
	const want = fault.KeySame
	for _, broadcast := range []string{"true", "false"} {
		params := positional(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, broadcast, `"order-77"`)
		if no := s.refused(fault.Locked, "transfer", params); no.RequestKey != want {
			t.Errorf("with broadcast %s, the key is %q", broadcast, no.RequestKey)
		}
		denied := &fault.Error{Code: fault.Denied, Message: "no"}
		params.Begin = func(context.Context, Question) error { return denied }
		s.ok("unlock", quoted(password))
		if no := s.refused(fault.Denied, "transfer", params); no.RequestKey != want {
			t.Errorf("with broadcast %s, denied, the key is %q", broadcast, no.RequestKey)
		}
		s.ok("lock")
	}
}

// So does one that cannot be understood, as long as its key can be.
func TestCallThatCannotBeUnderstoodKeepsItsRequestKey(t *testing.T) {
	s := open(t)
	named := func(key string) Params {
		return Params{Named: map[string]json.RawMessage{"from": json.RawMessage(`5e-1`), "request_key": json.RawMessage(key)}}
	}
	for _, c := range []struct {
		params Params
		want   fault.KeyUse
	}{
		{positional(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `"True"`, `"order-77"`), fault.KeySame},
		{positional(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `"True"`), ""},
		{positional(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `"True"`, `""`), ""},
		{positional(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `"True"`, `true`), ""},
		{positional(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `"True"`, `"\ud83d"`), ""},
		{named(`"order-77"`), fault.KeySame},
		{named(`7`), fault.KeySame},
		{named(`7.0`), ""},
	} {
		_, err := s.api.Call(t.Context(), "transfer", c.params)
		if no, is := errors.AsType[*fault.Error](err); !is || no.RequestKey != c.want {
			t.Errorf("%s %s: %+v, not the key %q", c.params.Positional, c.params.Named, err, c.want)
		}
	}
}

// All parameters are text here, as scripts send them.
func TestTransferOverTheCatalogue(t *testing.T) {
	s := open(t)
	var tx struct {
		Operations    [][]json.RawMessage  `json:"operations"`
		Signatures    []string             `json:"signatures"`
		TransactionID ledger.TransactionID `json:"transaction_id"`
	}
	text := s.ok("transfer", `"alice"`, `"bobby"`, `"12.5"`, `"DCT"`, `"hello"`, `"true"`)
	must(t, json.Unmarshal([]byte(text), &tx))
	if len(tx.Operations) != 1 || string(tx.Operations[0][0]) != "0" || len(tx.Signatures) != 1 || len(tx.Signatures[0]) != 130 {
		t.Errorf("the transaction is %s", text)
	}
	if id := s.ok("get_transaction_id", text); id != quoted(tx.TransactionID.String()) {
		t.Errorf("its id is %s, the result says %s", id, tx.TransactionID)
	}
	var packed string
	must(t, json.Unmarshal([]byte(s.ok("serialize_transaction", text)), &packed))
	if len(packed) < 200 {
		t.Errorf("its bytes are %s", packed)
	}
	block, err := s.box.Mine()
	must(t, err)
	var mined ledger.Block
	must(t, codec.Unmarshal([]byte(s.ok("get_block", `"2"`)), &mined))
	if mined.BlockID != block || len(mined.TransactionIDs) != 1 || mined.TransactionIDs[0] != tx.TransactionID {
		t.Errorf("block %d holds %v", block.Num(), mined.TransactionIDs)
	}
}

func TestKeysOverTheCatalogue(t *testing.T) {
	s := open(t)
	alice := sandbox.DemoKeys()[0].Key
	if got := s.ok("get_private_key", quoted(alice.Public().String())); got != quoted(alice.WIF()) {
		t.Error("get_private_key returns another key")
	}
	if got := s.ok("get_public_key", quoted(alice.WIF())); got != quoted(alice.Public().String()) {
		t.Errorf("get_public_key returns %s", got)
	}
	var dump struct {
		EC [][2]string `json:"ec_keys"`
	}
	must(t, json.Unmarshal([]byte(s.ok("dump_private_keys")), &dump))
	if len(dump.EC) != 1 || dump.EC[0] != [2]string{alice.Public().String(), alice.WIF()} {
		t.Errorf("the dump has %d keys", len(dump.EC))
	}
	if got := s.ok("import_single_key", `"alice"`, quoted(ledger.DeriveKey("other", 0).WIF())); got != "false" {
		t.Errorf("a key of no account belongs to alice: %s", got)
	}
}

func FuzzParams(f *testing.F) {
	s := open(f)
	s.ok("lock")
	names := []string{}
	for _, m := range Methods() {
		names = append(names, m.Name)
	}
	for i, seed := range []string{`[]`, `["alice"]`, `["alice",1,2,3]`, `[{"a":[1]},null,1e999]`, `{"name":"alice","limit":-1}`,
		`["\u0000","bobby","1","DCT","","true"]`,
		`[{"operations":[[0,{"from":"1.2.3"}]]}]`, `["1.2.18446744073709551615"]`, `["DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",-1,99999999999999]`} {
		f.Add(uint(i*7), seed)
		f.Add(uint(i), seed)
	}
	f.Fuzz(func(t *testing.T, which uint, text string) {
		var p Params
		if json.Unmarshal([]byte(text), &p.Positional) != nil && json.Unmarshal([]byte(text), &p.Named) != nil {
			p.Positional = []json.RawMessage{json.RawMessage(text), json.RawMessage(text)}
		}
		out, err := s.api.Call(s.ctx, names[which%uint(len(names))], p)
		var own *fault.Error
		if err != nil && (!errors.As(err, &own) || own.Code == fault.Internal) {
			t.Errorf("%s: %v", names[which%uint(len(names))], err)
		}
		if err == nil && !json.Valid(out) {
			t.Errorf("the result is not JSON: %s", out)
		}
	})
}
