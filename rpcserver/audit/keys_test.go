package audit

import (
	"os"
	"strings"
	"testing"

	"billfold/rpcserver"
	"billfold/sandbox"
	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// What a program does with keys and the password is asked for, recorded with
// who and what, and on disk before it has its answer; no secret is among it.
func TestKeysAndPasswordAreAskedForAndWrittenDown(t *testing.T) {
	c := newCounter(t, asking)
	alice := sandbox.DemoKeys()[0].Key
	public, wif, other := alice.Public().String(), alice.WIF(), sandbox.DemoKeys()[1].Key.WIF()
	for _, step := range []struct {
		method, params string
		sentence       string // "" = nobody is asked
		yes            bool
		answer         string // its beginning, behind "result": or "message":
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
		before, _ := verify(t, c.log)
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
		list, _ := verify(t, c.log)
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

// Whoever locks and unlocks for ever fills no disk, and each change is there.
func TestLockingIsWrittenOncePerChange(t *testing.T) {
	l := open(t)
	c := NewDecider(allowing, l, nil)
	does := func(method string, err error) {
		t.Helper()
		_, recordOutcome, no := c.Decide(t.Context(), payout, method, rpcserver.Params{Positional: pay("").Positional[:1]})
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
	list, _ := verify(t, l)
	var story []string
	for _, e := range list {
		story = append(story, e.Method+" "+e.Outcome)
	}
	if got := strings.Join(story, "; "); got != "unlock done; unlock too_many_tries; lock done; unlock done" {
		t.Error(got)
	}
}

// The rules, one kind by the other. Both denials and questions are stronger than a yes.
func TestRulesForKeys(t *testing.T) {
	undeclared := &walletapi.Method{Name: "new_operation"}
	by := rpcserver.Asking{Who: "till"}
	for _, c := range []struct {
		rules Rules
		want  Policy
	}{{Rules{Allow, Allow, false}, Allow}, {Rules{Allow, Ask, false}, Ask}, {Rules{Ask, Allow, false}, Ask}, {Rules{Deny, Ask, false}, Deny}, {Rules{Ask, Deny, false}, Deny}, {Rules{}, Deny}} {
		if v := c.rules.judge(undeclared, by); v.policy != c.want || v.rule == "" {
			t.Errorf("%+v: %+v, want %s", c.rules, v, c.want)
		}
	}
	// A token's rule about payments says nothing of keys.
	dump := NewDecider(allowing, nil, nil).methods["dump_private_keys"]
	if v := (Rules{Spends: Allow, Keys: Ask}).judge(dump, rpcserver.Asking{Asks: rpcserver.Never}); v.policy != Ask {
		t.Errorf("%+v", v)
	}
}

// An operation that shows keys is not done where the log cannot be written.
func TestWithoutALogNoKeyLeaves(t *testing.T) {
	l := unwritable(t)
	if _, err := decide(t, NewDecider(allowing, l, nil), "dump_private_keys", rpcserver.Params{}); fault.CodeOf(err) != fault.File {
		t.Error(err)
	}
	// That there is no store yet is no fault: a new wallet gets its password first.
	l = open(t)
	if _, err := decide(t, NewDecider(Rules{Keys: Deny}, l, nil), "get_private_key", pay("")); fault.CodeOf(err) != fault.Denied {
		t.Error(err)
	}
	recordOutcome, err := decide(t, NewDecider(allowing, l, nil), "set_password", rpcserver.Params{Positional: pay("").Positional[:1]})
	must(t, err)
	recordOutcome(&fault.Error{Code: fault.Canceled})
	list, _ := verify(t, l)
	if len(list) != 3 || list[0].What != "parameters that cannot be read" || list[1].What != "set the password of this wallet" ||
		list[2].Outcome != "unknown (canceled)" {
		t.Errorf("%+v", list)
	}
}
