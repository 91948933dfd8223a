package history_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/testwallet"
)

// messageRow returns a history record of a message from alice with the given
// payload.
func messageRow(t testing.TB, s *testwallet.Wallet, payload string) json.RawMessage {
	t.Helper()
	data, err := codec.Marshal(ledger.Bytes(payload))
	must(t, err)
	alice, err := s.Wallet.View.Accounts.Named(s.Ctx, "alice")
	must(t, err)
	return json.RawMessage(`{"id":"1.7.1","op":[18,{"fee":{"amount":100003,"asset_id":"1.3.0"},"payer":"` + alice.ID.String() +
		`","required_auths":[],"id":1,"data":` + string(data) + `}],"result":[1,"2.18.1"],"block_num":1,"trx_in_block":0,"op_in_trx":0,"virtual_op":0}`)
}

func TestMessagesAreDescribed(t *testing.T) {
	s := testwallet.New(t, nil)
	s.Hold("alice", "bobby")
	bobby, err := s.Wallet.View.Accounts.Named(s.Ctx, "bobby")
	must(t, err)
	alice, carol, faucet := keyOf("alice"), keyOf("carol"), keyOf("faucet")
	to := func(from, to ledger.PrivateKey) string {
		memo := encrypted(t, from, to, "meet at noon")
		data, err := codec.Marshal(memo.Message)
		must(t, err)
		return `{"to":"` + bobby.ID.String() + `","pub_to":"` + to.Public().
			String() +
			`","nonce":"` + strconv.FormatUint(
			memo.Nonce,
			10,
		) + `","data":` + string(
			data,
		) + `}`
	}
	from := func(key ledger.PrivateKey) string {
		return `{"from":"1.2.0","pub_from":"` + key.Public().String() + `","receivers_data":[`
	}
	const plain = `"nonce":0,"data":"00000000706c61696e2068656c6c6f"}`
	fee := " (Fee: 0.00100003 DCT)"
	for _, c := range []struct{ name, payload, text, described string }{
		{"plain, as the reference writes it", `{"from":"1.2.0","pub_from":"DCT1111111111111111111111111111111114T1Anm","receivers_data":[{"to":"` + bobby.ID.String() + `","pub_to":"DCT1111111111111111111111111111111114T1Anm",` + plain + `]}`,
			"plain hello", "Send message from alice to bobby " + fee},
		{"plain without keys", `{"receivers_data":[{"data":"00000000706c61696e2068656c6c6f","to":"` + bobby.ID.String() + `"}],"from":"1.2.0"}`,
			"plain hello", "Send message from alice to bobby " + fee},
		{"encrypted", from(alice) + to(alice, carol) + `]}`, "meet at noon", "Send message from alice to bobby  -- Memo: meet at noon" + fee},
		{"plain for the second", from(alice) + to(alice, carol) + `,{"to":"` + bobby.ID.String() + `","pub_to":"DCT1111111111111111111111111111111114T1Anm",` + plain + `]}`,
			"plain hello", "Send message from alice to bobby bobby  -- Memo: meet at noon" + fee},
		{"damaged for the second", from(alice) + to(alice, carol) + `,` + strings.Replace(to(alice, carol), `"nonce":"`, `"nonce":"7","x":"`, 1) + `]}`,
			"meet at noon", "Send message from alice to bobby bobby  -- Memo: meet at noon -- could not decrypt memo" + fee},
		{"for two", from(alice) + to(alice, carol) + `,` + to(alice, faucet) + `]}`, "meet at noon",
			"Send message from alice to bobby bobby  -- Memo: meet at noon -- Memo: meet at noon" + fee},
		{"of others", from(carol) + to(carol, faucet) + `]}`, "", "Send message from alice to bobby  -- could not decrypt memo" + fee},
		{"unreadable", `{"from"`, "", "custom_operation alice fee: 0.00100003 DCT   result: 2.18.1"},
		{"for nobody", from(alice) + `]}`, "", "Send message from alice to " + fee},
	} {
		rows, err := s.Wallet.History.Describe(s.Ctx, []json.RawMessage{messageRow(t, s, c.payload)})
		must(t, err)
		if rows[0].Memo != c.text || rows[0].Description != c.described {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, rows[0].Memo, rows[0].Description, c.text, c.described)
		}
	}
	s.Wallet.Vault.Lock()
	rows, err := s.Wallet.History.Describe(s.Ctx, []json.RawMessage{messageRow(t, s, from(alice)+to(alice, carol)+`,`+to(alice, faucet)+`]}`)})
	must(t, err)
	if want := "Send message from alice to bobby bobby  -- Unlock wallet to see memo." + fee; rows[0].Description != want ||
		rows[0].Memo != "" {
		t.Errorf("locked: %q, %q", rows[0].Memo, rows[0].Description)
	}
}
