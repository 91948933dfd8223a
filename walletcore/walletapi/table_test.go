package walletapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
)

func TestTableIsComplete(t *testing.T) {
	types := &schemas{components: map[string]Schema{}}
	names, groups, last := map[string]bool{}, map[string]bool{}, ""
	for _, m := range Methods() {
		if plain := strings.ReplaceAll(m.Name, "URI", "uri"); names[m.Name] || plain != strings.ToLower(plain) {
			t.Errorf("%s is named twice, or not in lower case", m.Name)
		}
		names[m.Name] = true
		if schema := types.of(m.result); m.Group == "" || m.Result == "" || schema.isOpen() && m.Result != "JSON" ||
			!strings.HasSuffix(m.Help, ".") ||
			m.handle == nil {
			t.Errorf("%s lacks its group, result, schema, help or handler", m.Name)
		}
		if m.Group != last && groups[m.Group] {
			t.Errorf("%s is separated from its group %s", m.Name, m.Group)
		}
		last, groups[m.Group] = m.Group, true
		params := map[string]bool{}
		for _, p := range m.Params {
			if p.Name == "" || params[p.Name] {
				t.Errorf("%s has two parameters %q", m.Name, p.Name)
			}
			params[p.Name] = true
			if p.Help == "" {
				t.Errorf("%s does not say what its parameter %s is", m.Name, p.Name)
			}
			if p.Secret && !m.Secret {
				t.Errorf("%s takes a secret and is not secret itself", m.Name)
			}
		}
		checkTouches(t, m)
		checkExamples(t, m)
	}
	const first = "about info help get_help is_new is_locked set_password unlock lock import_key import_single_key list_my_accounts dump_private_keys get_private_key get_public_key suggest_brain_key get_brain_key_info get_account list_accounts list_account_balances get_account_history get_relative_account_history list_assets get_asset transfer register_account get_transaction_id serialize_transaction get_block get_object get_dynamic_global_properties get_global_properties"
	for _, name := range strings.Fields(first) {
		if !names[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// checkExamples checks that a method has examples and that each can be called: "-"
// stands for a secret, and for nothing else.
func checkExamples(t *testing.T, m *Method) {
	t.Helper()
	if len(m.Examples) == 0 {
		t.Errorf("%s has no example", m.Name)
	}
	for _, example := range m.Examples {
		var p Params
		for i, word := range shellWords(example) {
			if i < len(m.Params) && m.Params[i].Secret != (word == "-") {
				t.Errorf("%s %s: parameter %d", m.Name, example, i+1)
			}
			if !json.Valid([]byte(word)) || word[0] != '{' && word[0] != '[' {
				word = quoted(word)
			}
			p.Positional = append(p.Positional, json.RawMessage(word))
		}
		p.Exact = true
		if _, err := m.Bind(p); err != nil {
			t.Errorf("%s %s: %v", m.Name, example, err)
		}
	}
}

// shellWords splits a line at spaces outside quotes.
func shellWords(line string) (words []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		end := " "
		if line[0] == '"' || line[0] == '\'' {
			end, line = line[:1], line[1:]
		}
		word, rest, _ := strings.Cut(line, end)
		words, line = append(words, word), rest
	}
	return words
}

// checkTouches checks what policy, tokens and audit rely on in a method.
func checkTouches(t *testing.T, m *Method) {
	t.Helper()
	if m.Touches == 0 || m.Reach == ReachUndeclared {
		t.Errorf("%s does not declare what it touches and how far it reaches", m.Name)
	}
	if m.Does(Spends|Signs|Keys) && !m.NeedsUnlock {
		t.Errorf("%s touches %s without an unlocked wallet", m.Name, m.Touches)
	}
	if m.Touches.Has(Spends) && !m.Touches.Has(Signs) {
		t.Errorf("%s spends without a signature", m.Name)
	}
	if m.Touches.Has(Reads) && !m.DoesOnly(Reads) {
		t.Errorf("%s only reads, and touches %s", m.Name, m.Touches)
	}
	asks := m.Does(Keys|Password) || m.Does(Signs) && !m.Does(Spends)
	if asks != (m.Question.Sentence != "") || m.Does(Keys|Password) && !m.Secret {
		t.Errorf("%s touches %s; secret %v, a person is asked %q", m.Name, m.Touches, m.Secret, m.Question.Sentence)
	}
	for _, part := range strings.Split(m.Question.Sentence, "{")[1:] {
		name, _, _ := strings.Cut(part, "}")
		if i := slices.IndexFunc(m.Params, func(p Param) bool { return p.Name == name }); i < 0 || m.Params[i].Secret {
			t.Errorf("%s asks a person with %q, which is no parameter or a secret one", m.Name, name)
		}
	}
	if m.Does(Spends) && !m.Background && !slices.ContainsFunc(m.Params, func(p Param) bool { return p.Role == RoleBroadcast }) {
		t.Errorf("%s spends and cannot be only signed", m.Name)
	}
	if m.Reach == ReachAccount && !slices.ContainsFunc(m.Params, func(p Param) bool { return p.Role == RoleAccount }) {
		t.Errorf("%s reaches one account and does not say which", m.Name)
	}
}

// An operation that declares nothing counts as touching everything.
func TestUndeclaredOperationTouchesEverything(t *testing.T) {
	m := Method{Name: "new_operation"}
	for i, word := range words() {
		if kind, err := ParseTouches(word); err != nil || kind != 1<<i || !m.Does(kind) {
			t.Error(word, kind, err)
		}
	}
	if m.DoesOnly(Reads) || m.DoesOnly(Reads|Writes|Lock) || m.QuestionFor(Params{}).Sentence == "" {
		t.Error("it counts as harmless")
	}
	if k, err := ParseTouches("spend"); k != Spends || err != nil {
		t.Error(k, err)
	}
	if _, err := ParseTouches("all"); err == nil {
		t.Error("all counts as a kind")
	}
}

func TestHelpNamesEveryMethod(t *testing.T) {
	s := newFixture(t)
	var all string
	must(t, json.Unmarshal([]byte(s.ok("help")), &all))
	for _, m := range Methods() {
		if !containsAll(all, "\n  "+m.Name+" ", m.Help, m.Group+"\n") {
			t.Errorf("help does not show %s", m.Name)
		}
		var one string
		must(t, json.Unmarshal([]byte(s.ok("get_help", quoted(m.Name))), &one))
		if !containsAll(one, m.Usage(), m.Help, m.Result) {
			t.Errorf("get_help %s returns %q", m.Name, one)
		}
		for _, p := range m.Params {
			if !containsAll(one, p.Name, p.Type, p.Help) {
				t.Errorf("get_help %s does not explain %s", m.Name, p.Name)
			}
		}
	}
	s.refused(fault.UnknownHelp, "get_help", positional(`"nonsense"`))
	s.refused(fault.UnknownMethod, "nonsense", Params{})
}

// An unknown operation is named as it was given, with the nearest one, unless the word may be a password or a key that stands in its place.
func TestAnUnknownOperationIsNamed(t *testing.T) {
	s := open(t)
	for name, want := range map[string]string{"nonsense": "", "UNKNOWN": "", "getWalletInfo": "", "GetBalance": "", "wallet.Get_Info": "", "list-unspent": "",
		"GETACCOUNT": "get_account", "getAccount": "get_account", "list-my-accounts": "list_my_accounts", "TRANSFR": "transfer"} {
		said := s.refused(fault.UnknownMethod, name, Params{}).Message
		if !strings.Contains(said, quoted(name)) || want != "" && !strings.Contains(said, "did you mean "+want+"?") {
			t.Errorf("%q: %s", name, said)
		}
	}
	for _, secret := range []string{"hunter2", "correct horse", "xKvQmPwRtZbL", "pä55", ledger.DeriveKey("misplaced", 0).WIF(), ledger.DeriveKey("misplaced", 0).WIF()[3:]} {
		if said := s.refused(fault.UnknownMethod, secret, Params{}).Message; strings.Contains(said, secret) || !strings.Contains(said, "not repeated") {
			t.Errorf("%q: %s", secret, said)
		}
	}
}

// A locked wallet refuses exactly the operations that declare NeedsUnlock.
func TestNeedsUnlockIsCorrect(t *testing.T) {
	s := open(t)
	s.ok("lock")
	for _, m := range Methods() {
		if m.Name == "set_password" { // refused as well, but allowed in a new wallet
			continue
		}
		_, err := s.api.Call(s.ctx, m.Name, positional(sample(m)...))
		if locked := fault.CodeOf(err) == fault.Locked && err != nil; locked != m.NeedsUnlock {
			t.Errorf("%s: needs unlock %v, but got %v", m.Name, m.NeedsUnlock, err)
		}
	}
}

// A successful call that needs an unlocked wallet restarts the auto-lock timer; one that
// fails, or that programs poll, does not.
func TestUseOfTheWalletDelaysTheAutoLock(t *testing.T) {
	s := open(t)
	s.api.core.Vault.SetLockAfter(time.Hour)
	kept, refused := 0, 0
	for _, m := range Methods() {
		if m.Name == "lock" || m.Name == "set_password" {
			continue
		}
		before := s.api.core.Vault.LocksAt()
		_, err := s.api.Call(s.ctx, m.Name, positional(sample(m)...))
		if moved := s.api.core.Vault.LocksAt().After(before); moved != (m.NeedsUnlock && err == nil) {
			t.Errorf("%s: delays the auto-lock %v, needs unlock %v, %v", m.Name, moved, m.NeedsUnlock, err)
		}
		switch {
		case m.NeedsUnlock && err == nil:
			kept++
		case m.NeedsUnlock:
			refused++
		}
	}
	if kept == 0 || refused == 0 {
		t.Errorf("%d calls succeeded and %d were refused: there should be both", kept, refused)
	}
}

// sample returns parameters of the right types.
func sample(m *Method) []string {
	samples := map[reflect.Type]string{
		reflect.TypeFor[bool](): "false", reflect.TypeFor[uint32](): "1", reflect.TypeFor[int32](): "1", reflect.TypeFor[ledger.ObjectID](): `"1.2.0"`,
		reflect.TypeFor[ledger.PublicKey](): quoted(exampleKey), reflect.TypeFor[ledger.SignedTransaction](): strings.Trim(exampleTransaction, "'"),
		reflect.TypeFor[*txbuild.Approval](): `{"operations":[],"effects":[]}`,
	}
	var out []string
	for _, p := range m.Params {
		text, known := samples[p.typ]
		if zero, err := codec.Marshal(reflect.New(p.typ).Interface()); !known && err == nil && string(zero) != `""` {
			text = string(zero)
		} else if !known {
			text = `"alice"`
		}
		out = append(out, text)
	}
	return out
}

// isOpen reports whether a schema permits everything.
func (s Schema) isOpen() bool {
	return s.Ref == "" && s.Type == nil && s.AnyOf == nil
}

// An error does not repeat a text that cannot be the name of an operation: it may be a secret.
func TestUnlikelyOperationNameIsNotRepeated(t *testing.T) {
	for name, repeated := range map[string]bool{"5JDPhYaUbKVtnjTbDiQt9gxpSz2b8BYT3N5fBWUZ61f9fD9CRnA": false, "hunter2hunter2": false,
		"nonsense": true, "transfr": true} {
		_, err := New(Core{}).Call(t.Context(), name, Params{})
		if err == nil || strings.Contains(err.Error(), name) != repeated {
			t.Errorf("%s is answered %v", name, err)
		}
	}
}

// What changes the state that later calls of a connection work with takes its turn among them, and so does what shows or signs it; what waits does not.
func TestOperationsInOrder(t *testing.T) {
	for _, m := range Methods() {
		changes := m.Does(Lock|Password) || m.Does(Writes) && !strings.HasSuffix(m.Name, "_package") || // which takes long
			m.Nests || m.Group == "Events" || strings.HasPrefix(m.Name, "import_") ||
			strings.HasSuffix(m.Name, "builder_transaction") || strings.HasSuffix(m.Name, "builder_transaction2")
		if m.InOrder != changes {
			t.Errorf("%s is in order: %v", m.Name, m.InOrder)
		}
		if m.InOrder && m.Pace == PaceWaits {
			t.Errorf("everybody would wait for %s", m.Name)
		}
	}
	for _, name := range []string{"lock", "unlock", "set_password", "begin_builder_transaction", "preview_builder_transaction", "sign_builder_transaction"} {
		if m := New(Core{}).Find(name); !m.InOrder {
			t.Errorf("%s is not in order", name)
		}
	}
	for _, name := range []string{"transfer", "get_account", "is_locked", "deposits.wait"} {
		if m := New(Core{}).Find(name); m.InOrder {
			t.Errorf("%s is in order", name)
		}
	}
}
