package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"billfold/ledger"
)

// granted is a connection that may use every set.
func granted(t *testing.T, s *Sandbox) *client {
	t.Helper()
	c := dial(t, s)
	c.get(nil, 1, "login", "admin", "s3cret")
	for _, set := range []string{"network_broadcast", "history", "network_node", "crypto", "messaging", "monitoring"} {
		c.get(nil, 1, set)
	}
	return c
}

// The cases of the sets that need a permission, answered as the node did.
func TestRecordedCallsOfGrantedSets(t *testing.T) {
	s := start(t, Options{Genesis: readGenesisFile(t), Access: accessFile(t, "s3cret")})
	mine(t, s)
	c := granted(t, s)
	compared := 0
	for _, r := range readRecorded(t) {
		if r.Case == 115 { // its accounts are registered in the recording; see TestRecordedThingsComeOutAsTheNodes
			continue
		}
		if r.Set != "network_node" && r.Set != "crypto" && r.Set != "messaging" && r.Set != "monitoring" {
			continue
		}
		var request struct{ Params []json.RawMessage }
		var want answer
		if err := errors.Join(json.Unmarshal(r.Request, &request), json.Unmarshal(r.Response, &want)); err != nil {
			t.Fatal(err)
		}
		c.send(fmt.Sprintf(`{"id":1,"method":"call","params":[%q,%s,%s]}`, r.Set, request.Params[1], request.Params[2]))
		got := c.receive()
		compare(t, r, got, want)
		if r.Set == "crypto" && !reflect.DeepEqual(decode(t, got.Result), decode(t, want.Result)) {
			t.Errorf("case %d: got %s, want %s", r.Case, got.Result, want.Result)
		}
		compared++
	}
	if compared < 10 {
		t.Errorf("only %d cases were compared", compared)
	}
}

func TestCryptoSignsAndOpensWhatItWrote(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	c.get(nil, 1, "login", "", "")
	c.get(nil, 1, "crypto")
	alice, bobby := DemoKeys()[0].Key, DemoKeys()[1].Key
	var secret string
	c.get(&secret, "crypto", "wif_to_private_key", alice.WIF())
	var memo ledger.Memo
	c.get(&memo, "crypto", "encrypt_message", "for bobby", secret, bobby.Public(), 0)
	if text, err := memo.Decrypt(bobby); err != nil || text != "for bobby" || memo.Nonce == 0 {
		t.Errorf("bobby reads %q (%v) with nonce %d", text, err, memo.Nonce)
	}
	var text string
	c.get(&text, "crypto", "decrypt_message", memo.Message, secret, bobby.Public(), memo.Nonce)
	if text != "for bobby" {
		t.Errorf("alice reads %q", text)
	}
	c.get(&memo, "crypto", "encrypt_message", "for all", secret, ledger.PublicKey{}, 5)
	if text, ok, err := memo.Plain(); !ok || err != nil || text != "for all" {
		t.Errorf("everybody reads %q (%v %v)", text, ok, err)
	}
	op := &ledger.TransferOp{From: c.account("alice").ID, To: c.account("bobby").ID.Object(), Amount: ledger.AssetAmount{Amount: 5}}
	unsigned := c.sign(nil, op)
	var signed ledger.SignedTransaction
	c.get(&signed, "crypto", "sign_transaction", unsigned, secret)
	c.get(nil, "database", "verify_authority", signed)
}

func TestCryptoTellsNoSecrets(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	c.get(nil, 1, "login", "", "")
	c.get(nil, 1, "crypto")
	wif := DemoKeys()[0].Key.WIF()
	secret := strings.Repeat("7e", 31) + "zz"
	for _, e := range []*answerError{
		c.refused(203, "crypto", "wif_to_public_key", wif[:50]),
		c.refused(54, "crypto", "encrypt_message", "text", secret, DemoKeys()[0].Key.Public(), 1),
		c.refused(17, "crypto", "decrypt_message", strings.Repeat("00", 16), strings.Repeat("7e", 32), DemoKeys()[0].Key.Public(), 1),
	} {
		if strings.Contains(e.Message, wif[:20]) || strings.Contains(e.Message, "7e7e7e") {
			t.Errorf("the error tells the key: %s", e.Message)
		}
	}
}
