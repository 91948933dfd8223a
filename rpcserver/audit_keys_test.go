package rpcserver_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/sandbox"
	"billfold/walletcore/approval"
	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// A program's use of keys or the password needs approval, is recorded with the requester and
// the operation, and is on disk before the program has its answer. No secret is recorded.
func TestKeysAndPasswordNeedApprovalAndAreRecorded(t *testing.T) {
	t.Parallel()
	c := newApprovalServer(t, askAll)
	alice := sandbox.DemoKeys()[0].Key
	public, wif, other := alice.Public().String(), alice.WIF(), sandbox.DemoKeys()[1].Key.WIF()
	for _, step := range []struct {
		method, params string
		sentence       string // "" = nobody is asked
		yes            bool
		answer         string // its beginning, after "result": or "message":
		story          string
	}{
		{"dump_private_keys", `[]`, "export all private keys", false, `"Denied by the owner`, "deny"},
		{"dump_private_keys", `{}`, "export all private keys", true, `{"ec_keys":[["` + public, "done"},
		{"get_private_key", `["` + public + `"]`, "export the private key of " + public, true, `"` + wif, "done"},
		{"get_private_key", `["DCT1"]`, "", false, `"Parameter 1 (pubkey)`, ""},
		{"import_key", `["bobby","` + other + `"]`, "store a private key for bobby", true, "true", "done"},
		{"import_single_key", `["no-such-account","` + other + `"]`, "store a private key for no-such-account", true, `"`, "no_such_account"},
		{"set_password", `["the new one"]`, "set the password of this wallet", true, `"set_password requires the old password`, "too_few_parameters"},
		{"set_password", `{"password":"the new one","old_password":"the wrong one"}`, "set the password of this wallet", true, `"That is not the password`, "wrong_password"},
		{"set_password", `["the new one","` + testwallet.Password + `"]`, "set the password of this wallet", true, "null", "done"},
		{"dump_private_keys", `[]`, "", false, `"The wallet is locked`, ""},
		{"unlock", `["` + testwallet.Password + `"]`, "", false, `"That is not the password`, "wrong_password"},
		{"unlock", `["the new one"]`, "", false, "null", "done"},
		{"lock", `[]`, "", false, "true", "done"},
	} {
		before, _ := verifyLog(t, c.log)
		answer := c.call(t.Context(), step.method, step.params)
		if step.sentence != "" {
			r := c.waiting(1)[0]
			if r.Sentence != step.sentence || r.Method != step.method || r.Who != "anybody" || r.Review.Operation != "" {
				t.Errorf("%s: shown is %+v", step.method, r)
			}
			if step.yes {
				must(t, c.queue.Approve(r.Number))
			} else {
				must(t, c.queue.Deny(r.Number))
			}
		}
		text := <-answer
		if !strings.Contains(text, `"result":`+step.answer) && !strings.Contains(text, `"message":`+step.answer) {
			t.Errorf("%s %s: %s", step.method, step.params, text)
		}
		list, _ := verifyLog(t, c.log)
		fresh := list[len(before):]
		if step.story == "" {
			if len(fresh) != 0 {
				t.Errorf("%s: %+v", step.method, fresh)
			}
			continue
		}
		last := fresh[len(fresh)-1]
		if step.sentence != "" && (fresh[0].Decision != "ask" || fresh[0].What != step.sentence || fresh[1].What != step.sentence) ||
			last.Outcome+last.Decision != step.story || last.Method != step.method || last.Who != "anybody" {
			t.Errorf("%s: %+v", step.method, fresh)
		}
	}
	for _, suffix := range []string{"", "-wal"} {
		text, err := os.ReadFile(c.path + suffix)
		must(t, err)
		for _, secret := range []string{wif, other, "the new one", "the wrong one", testwallet.Password} {
			if strings.Contains(string(text), secret) {
				t.Errorf("a secret is in the log%s", suffix)
			}
		}
	}
}

// Locking and unlocking again and again does not fill the disk, but each change is recorded.
func TestLockingIsRecordedOncePerChange(t *testing.T) {
	t.Parallel()
	l := openLog(t)
	c := audit.NewDecider(allowAll, l, nil)
	does := func(method string, err error) {
		t.Helper()
		_, recordOutcome, no := c.Decide(t.Context(), payoutServer, method, rpcserver.Params{Positional: payArgs("").Positional[:1]})
		must(t, no)
		recordOutcome(err)
	}
	wrong := &fault.Error{Code: fault.TooManyTries}
	for range 50 {
		does("unlock", nil)
		does("unlock", wrong)
	}
	does("lock", nil)
	for range 50 {
		does("unlock", nil)
	}
	list, _ := verifyLog(t, l)
	var story []string
	for _, e := range list {
		story = append(story, e.Method+" "+e.Outcome)
	}
	if got := strings.Join(story, "; "); got != "unlock done; unlock too_many_tries; lock done; unlock done" {
		t.Error(got)
	}
}

// All combinations of the two policies. Both deny and ask are stricter than allow.
func TestRulesForKeys(t *testing.T) {
	t.Parallel()
	l := openLog(t)
	// judged returns the decision of the rules about a call if nobody can be asked.
	judged := func(rules audit.Rules, by rpcserver.Requester, method string, p rpcserver.Params) audit.Policy {
		t.Helper()
		with, _, err := audit.NewDecider(rules, l, nil).Decide(t.Context(), by, method, p)
		if err == nil {
			must(t, with.Begin(t.Context(), walletapi.Question{}))
		}
		list, _ := verifyLog(t, l)
		last := list[len(list)-1]
		switch {
		case last.Rule == "" || last.Decision != map[bool]string{true: "allow", false: "deny"}[err == nil]:
			t.Errorf("%+v: %v, and written down is %+v", rules, err, last)
		case err == nil:
			return audit.Allow
		case last.Rule == "nobody is there to ask":
			return audit.Ask
		}
		return audit.Deny
	}
	var both rpcserver.Params // of an operation that spends and puts keys into the wallet
	must(t, json.Unmarshal([]byte(`["some words of a brain key","newcomer","alice",false]`), &both.Positional))
	by := rpcserver.Requester{Who: "till"}
	for _, c := range []struct {
		spends, keys, want audit.Policy
	}{
		{audit.Allow, audit.Allow, audit.Allow}, {audit.Allow, audit.Ask, audit.Ask}, {audit.Ask, audit.Allow, audit.Ask},
		{audit.Deny, audit.Ask, audit.Deny}, {audit.Ask, audit.Deny, audit.Deny}, {"", "", audit.Deny},
	} {
		if got := judged(audit.Rules{Spends: c.spends, Keys: c.keys}, by, "create_account_with_brain_key", both); got != c.want {
			t.Errorf("spends %q, keys %q: %s, want %s", c.spends, c.keys, got, c.want)
		}
	}
	// An operation that declares nothing counts as both, and as one of the password.
	undeclared := &walletapi.Method{Name: "new_operation"}
	for _, touches := range []walletapi.Touches{walletapi.Spends, walletapi.Signs, walletapi.Keys, walletapi.Password} {
		if !undeclared.Does(touches) || undeclared.DoesOnly(^touches) {
			t.Errorf("an operation that declares nothing is not judged as one that %v", touches)
		}
	}
	// A token's rule about payments does not apply to keys.
	by = rpcserver.Requester{Approval: rpcserver.NeverAsk}
	if got := judged(audit.Rules{Spends: audit.Allow, Keys: audit.Ask}, by, "dump_private_keys", rpcserver.Params{}); got != audit.Ask {
		t.Error(got)
	}
}

// An operation that shows keys is refused if the log cannot be written.
func TestNoKeyIsShownWithoutALog(t *testing.T) {
	t.Parallel()
	l := unwritableLog(t)
	_, err := decide(t, audit.NewDecider(allowAll, l, nil), "dump_private_keys", rpcserver.Params{})
	if fault.CodeOf(err) != fault.File {
		t.Error(err)
	}
	// A missing store is not a fault: a new wallet gets its password first.
	l = openLog(t)
	_, err = decide(t, audit.NewDecider(audit.Rules{Keys: audit.Deny}, l, nil), "get_private_key", payArgs(""))
	if fault.CodeOf(err) != fault.Denied {
		t.Error(err)
	}
	one := rpcserver.Params{Positional: payArgs("").Positional[:1]}
	recordOutcome, err := decide(t, audit.NewDecider(allowAll, l, nil), "set_password", one)
	must(t, err)
	recordOutcome(&fault.Error{Code: fault.Canceled})
	list, _ := verifyLog(t, l)
	if len(list) != 3 || list[0].What != "parameters that cannot be read" || list[1].What != "set the password of this wallet" ||
		list[2].Outcome != "unknown (canceled)" {
		t.Errorf("%+v", list)
	}
}

// Who is asked for a program that has left approves nothing.
func TestNobodyAnswersForAProgramThatLeft(t *testing.T) {
	t.Parallel()
	l := openLog(t)
	c := audit.NewDecider(askAll, l, approval.New())
	ctx, leave := context.WithCancel(t.Context())
	with, _, err := c.Decide(ctx, payoutServer, "dump_private_keys", rpcserver.Params{})
	must(t, err)
	leave()
	if err := with.Begin(ctx, walletapi.Question{Sentence: "export all private keys", Typed: "export"}); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("it is answered %v", err)
	}
	list, _ := verifyLog(t, l)
	for _, r := range list {
		if r.Time.Before(time.Now().Add(-time.Hour)) || r.Time.After(time.Now()) {
			t.Errorf("%+v was recorded at another time", r)
		}
	}
	if last := list[len(list)-1]; last.Decision != "deny" || last.Rule != "the program stopped waiting" {
		t.Errorf("recorded is %+v", list)
	}
}
