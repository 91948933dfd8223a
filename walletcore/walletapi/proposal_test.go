package walletapi

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// beside returns a fixture of another wallet on the same ledger, unlocked and with the keys of accounts.
func (s *fixture) beside(accounts ...string) *fixture {
	s.t.Helper()
	on := testwallet.On(s.t, s.box, s.box.URL(), nil)
	on.Hold(accounts...)
	return &fixture{t: s.t, ctx: on.Ctx, box: on.Box, on: on,
		api: New(Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}})}
}

// reviewed makes a call, approves it, and returns the review that was shown.
func (s *fixture) reviewed(method string, params ...string) (shown txbuild.Review) {
	s.t.Helper()
	p := positional(params...)
	p.Approve = func(_ context.Context, r txbuild.Review) error {
		shown = r
		return nil
	}
	if _, err := s.api.Call(s.ctx, method, p); err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
	return shown
}

// mineFor produces a block and waits until each wallet has seen it.
func mineFor(all ...*fixture) {
	for _, s := range all {
		s.t.Helper()
	}
	id := all[0].on.Mine()
	for _, s := range all[1:] {
		s.on.Until("the block", func() bool { return s.on.Status().Head >= id.Num() })
	}
}

// holds returns an account's balance of DCT, in its smallest unit.
func (s *fixture) holds(account string) int64 {
	s.t.Helper()
	a, err := s.on.View.Accounts.Get(s.ctx, account)
	must(s.t, err)
	held, err := s.on.View.Assets.Held(s.ctx, a.ID, ledger.CoreAsset)
	must(s.t, err)
	return held[ledger.CoreAsset]
}

// has reports whether one effect of the review contains all of these texts.
func has(r txbuild.Review, parts ...string) bool {
	for _, e := range r.Effects {
		if containsAll(fmt.Sprint(e), parts...) {
			return true
		}
	}
	return false
}

// An account needs two of three signers: one proposes a payment from it, two approve, each with a wallet of their own,
// and the ledger executes it.
func TestTwoOfThreePayByProposal(t *testing.T) {
	const dct = 1_0000_0000
	alice := open(t)
	bobby := alice.beside("bobby")
	var ids []string
	for _, name := range []string{"alice", "bobby", "carol"} {
		ids = append(ids, fmt.Sprintf(`["%s",1]`, alice.on.Account(name).ID))
	}
	team := fmt.Sprintf(`{"weight_threshold":2,"account_auths":[%s],"key_auths":[]}`, strings.Join(ids, ","))
	memo := quoted(alice.on.Account("alice").Options.MemoKey.String())
	if r := alice.reviewed("register_multisig_account", `"our-team"`, team, team, memo, `"alice"`, `true`); !has(
		r, "active authority of our-team", fmt.Sprintf("needs 2: alice (%s) weight 1, bobby (%s) weight 1, carol (%s) weight 1",
			alice.on.Account("alice").ID, alice.on.Account("bobby").ID, alice.on.Account("carol").ID),
		"nobody can act alone; at least 2 have to sign") {
		t.Errorf("the review says %+v", r.Effects)
	}
	mineFor(alice, bobby)
	alice.ok("transfer", `"alice"`, `"our-team"`, `"10"`, `"DCT"`, `""`, `true`)
	mineFor(alice, bobby)
	alice.refused(fault.MissingAuthority, "transfer", positional(`"our-team"`, `"carol"`, `"3"`, `"DCT"`, `""`, `true`))

	head, err := alice.on.View.Chain.Head(alice.ctx)
	must(t, err)
	before := alice.holds("carol")
	r := alice.reviewed("propose_transfer", `"alice"`, `"our-team"`, `"carol"`, `"3"`, `"DCT"`, `"our rent"`,
		quoted((head.Time + 3600).String()))
	if !has(r, "proposed", "our-team pays 3.00000000 DCT to carol") ||
		!has(r, "approval needed from", "our-team ("+alice.on.Account("our-team").ID.String()+")") || len(r.Moves) != 0 {
		t.Errorf("the review says %+v, moves %+v", r.Effects, r.Moves)
	}
	mineFor(alice, bobby)
	var open []struct{ ID string }
	must(t, json.Unmarshal([]byte(bobby.ok("get_proposed_transactions", `"our-team"`)), &open))
	if len(open) != 1 {
		t.Fatalf("%d proposals are open", len(open))
	}
	for who, s := range map[string]*fixture{"alice": alice, "bobby": bobby} {
		if got := s.holds("carol"); got != before {
			t.Errorf("carol got %d before both approved", got-before)
		}
		r := s.reviewed("approve_proposal", quoted(who), quoted(open[0].ID), fmt.Sprintf(`{"active_approvals_to_add":[%q]}`, who), `true`)
		if !has(r, "the proposal would do", "our-team pays 3.00000000 DCT to carol") ||
			!has(r, "active approval of "+who+" ("+s.on.Account(who).ID.String()+")", "given") {
			t.Errorf("%s is shown %+v", who, r.Effects)
		}
		mineFor(alice, bobby)
	}
	if got := alice.holds("carol") - before; got != 3*dct {
		t.Errorf("carol got %d", got)
	}
	if left := bobby.ok("get_proposed_transactions", `"our-team"`); left != "[]" {
		t.Errorf("still open: %s", left)
	}
	alice.refused(fault.NoSuchProposal, "approve_proposal",
		positional(`"alice"`, quoted(open[0].ID), `{"active_approvals_to_remove":["alice"]}`, `true`))
}

// Account changes that are impossible, or would change nothing, are refused with their error codes.
func TestImpossibleAccountChangesAreRefused(t *testing.T) {
	s := furnished(t)
	key, other := s.on.Account("alice").Options.MemoKey.String(), s.on.Account("bobby").Options.MemoKey.String()
	same := fmt.Sprintf(`{"weight_threshold":1,"account_auths":[],"key_auths":[[%q,1]]}`, key)
	for _, c := range []struct {
		code   fault.Code
		method string
		params []string
	}{
		{fault.AccountExists, "register_account_with_keys", []string{`"bobby"`, quoted(key), quoted(key), quoted(key), `"alice"`}},
		{fault.InvalidOperation, "register_multisig_account", []string{`"nobodys"`,
			`{"weight_threshold":2,"account_auths":[["1.2.16",1]],"key_auths":[]}`, same, quoted(key), `"alice"`}},
		{fault.BadValue, "update_account_keys", []string{`"alice"`, `""`, `""`, `""`}},
		{fault.BadValue, "update_account_keys", []string{`"alice"`, quoted(key), `""`, `""`}},
		{fault.BadValue, "update_account_keys", []string{`"alice"`, `""`, `""`, quoted(key)}},
		{fault.BadValue, "update_account_keys", []string{`"alice"`, `""`, `"DCTx"`, `""`}},
		{fault.SameAuthority, "update_account_keys_to_multisig", []string{`"alice"`, same, same, quoted(key)}},
		{fault.NotAMiner, "vote_for_miner", []string{`"alice"`, `"bobby"`, `true`}},
		{fault.VotesAlready, "vote_for_miner", []string{`"alice"`, `"miner-b"`, `true`}},
		{fault.VotesNot, "vote_for_miner", []string{`"alice"`, `"miner-c"`, `false`}},
		{fault.NoProxy, "set_voting_proxy", []string{`"alice"`, `null`}},
		{fault.SameMinerCount, "set_desired_miner_count", []string{`"alice"`, `0`}},
		{fault.InvalidOperation, "set_desired_miner_count", []string{`"alice"`, `7`}},
		{fault.NoSuchMiner, "update_miner", []string{`"alice"`, `"x"`, `""`}},
		{fault.BadValue, "update_miner", []string{`"pickaxe"`, `"x"`, `"DCTx"`}},
		{fault.KeyNotInWallet, "update_miner", []string{`"miner-a"`, `"x"`, `""`}},
		{fault.MinerExists, "create_miner", []string{`"pickaxe"`, `"x"`}},
		{fault.KeyNotInWallet, "create_miner", []string{`"bobby"`, `"x"`}},
		{fault.BadValue, "withdraw_vesting", []string{`"1.9.99"`, `"1"`, `"DCT"`}},
		{fault.BadValue, "withdraw_vesting", []string{`"pickaxe"`, `"1"`, `"DCT"`}},
		{fault.NoSuchMiner, "withdraw_vesting", []string{`"alice"`, `"1"`, `"DCT"`}},
		{fault.BadValue, "approve_proposal", []string{`"alice"`, `"1.2.3"`, `{"active_approvals_to_add":["alice"]}`}},
		{fault.NoSuchProposal, "approve_proposal", []string{`"alice"`, `"1.6.99"`, `{"active_approvals_to_add":["alice"]}`}},
		{fault.InvalidOperation, "approve_proposal", []string{`"alice"`, `"1.6.0"`, `{}`}},
		{fault.BadValue, "propose_parameter_change", []string{`"alice"`, `"2030-01-01T00:00:00"`, `{}`}},
		{fault.BadValue, "propose_parameter_change", []string{`"alice"`, `"2030-01-01T00:00:00"`, `{"current_fees":{}}`}},
		{fault.BadValue, "propose_parameter_change", []string{`"alice"`, `"2030-01-01T00:00:00"`, `{"block_intervall":5}`}},
		{fault.BadValue, "propose_parameter_change", []string{`"alice"`, `"2030-01-01T00:00:00"`, `{"block_interval":"often"}`}},
		{fault.BadValue, "propose_fee_change", []string{`"alice"`, `"2030-01-01T00:00:00"`, `{"transferr":{"fee":1}}`}},
		{fault.BadValue, "propose_fee_change", []string{`"alice"`, `"2030-01-01T00:00:00"`, `{"transfer":5}`}},
		{fault.BadValue, "create_account_with_brain_key", []string{`" "`, `"newcomer"`, `"alice"`}},
		{fault.BadValue, "create_account_with_brain_key", []string{`"cop\u00adper river"`, `"newcomer"`, `"alice"`}},
		{fault.BadValue, "create_account_with_brain_key", []string{`"copper \u200b river"`, `"newcomer"`, `"alice"`}},
		{fault.BadValue, "create_account_with_brain_key", []string{`"\ufeffcopper river"`, `"newcomer"`, `"alice"`}},
		{fault.BadValue, "create_account_with_brain_key", []string{`"copper\u00a0river"`, `"newcomer"`, `"alice"`}},
		{fault.BadValue, "create_account_with_brain_key", []string{`"copper\u3000river"`, `"newcomer"`, `"alice"`}},
		{fault.AccountExists, "create_account_with_brain_key", []string{`"a b"`, `"bobby"`, `"alice"`}},
		{fault.NoSuchAccount, "create_account_with_brain_key", []string{`"a b"`, `"newcomer"`, `"nobody-here"`}},
	} {
		s.refused(c.code, c.method, positional(append(c.params, "true")...))
	}
	if r := s.reviewed("update_account_keys", `"alice"`, quoted(other), `""`, `""`, `false`); !has(
		r, "owner authority of alice", key, other, "can act alone: "+other) || r.Signers[0].Role != "owner" {
		t.Errorf("the review says %+v, signers %+v", r.Effects, r.Signers)
	}
}

// An account created with a brain key belongs to the wallet as soon as the ledger has it. The wallet keeps its active
// and memo keys, and not the owner key.
func TestAccountFromBrainKey(t *testing.T) {
	s := open(t)
	call := []string{`"a brain key of some  words"`, `"newcomer"`, `"alice"`}
	before := s.ok("dump_private_keys")
	dry := positional(append(call, "true")...)
	dry.Named = map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
	_, err := s.api.Call(s.ctx, "create_account_with_brain_key", dry)
	must(t, err)
	made := s.ok("create_account_with_brain_key", append(call, "true")...)
	if again := s.ok("dump_private_keys"); again != before {
		t.Error("keys of an account that is not on the ledger are among the wallet's")
	}
	mineFor(s)
	must(t, s.on.Import.Claim(s.ctx))
	s.ok("transfer", `"alice"`, `"newcomer"`, `"2"`, `"DCT"`, `"welcome"`, `true`)
	mineFor(s)
	s.ok("transfer", `"newcomer"`, `"alice"`, `"1"`, `"DCT"`, `"thanks"`, `true`)
	var tx struct{ Operations []json.RawMessage }
	must(t, json.Unmarshal([]byte(made), &tx))
	owner := ledger.DeriveKey("A BRAIN KEY OF SOME WORDS", 0)
	active := ledger.DeriveKey(owner.WIF(), 0)
	memo := ledger.DeriveKey(active.WIF(), 0)
	if !containsAll(string(tx.Operations[0]), owner.Public().String(), active.Public().String(), memo.Public().String()) {
		t.Errorf("made %s", tx.Operations[0])
	}
	dump := s.ok("dump_private_keys")
	if !containsAll(dump, active.WIF(), memo.WIF()) || strings.Contains(dump, owner.WIF()) {
		t.Error("the wallet keeps other keys than the active and the memo key")
	}
	if !strings.Contains(s.ok("list_my_accounts"), `"newcomer"`) {
		t.Error("the account is not listed")
	}
}

// The block signing key of a new miner is in the wallet once the ledger has the miner.
func TestKeyOfNewMiner(t *testing.T) {
	s := open(t)
	key := ledger.DeriveKey(testwallet.Key("alice").WIF(), 0)
	s.ok("create_miner", `"alice"`, `"https://alice.example"`, `true`)
	mineFor(s)
	must(t, s.on.Import.Claim(s.ctx))
	if !strings.Contains(s.ok("get_miner", `"alice"`), key.Public().String()) || !strings.Contains(s.ok("dump_private_keys"), key.WIF()) {
		t.Error("the miner has another key, or the wallet lacks it")
	}
}
