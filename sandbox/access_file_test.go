package sandbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"billfold/sandbox"
	"billfold/sandbox/api"
	"billfold/sandbox/chain/nodeerr"
)

// login is a connection after a login: whether that was good, and which sets the connection can enable.
func login(t testing.TB, a *api.Access, user, password string) (sets []string, ok bool) {
	t.Helper()
	s := api.NewSession(&api.Node{Access: a, Developer: api.NewSet("developer", nil)}, nil)
	set, fault := s.Find(json.RawMessage(`"login"`))
	if fault != nil {
		t.Fatal(fault)
	}
	args, err := json.Marshal([]string{user, password})
	if err != nil {
		t.Fatal(err)
	}
	var both []json.RawMessage
	if err := json.Unmarshal(args, &both); err != nil {
		t.Fatal(err)
	}
	answer, err := set.Method("login")(s, both)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range loginMethods(t) {
		if name == "login" || name == "info" {
			continue
		}
		_, err := set.Method(name)(s, nil)
		if err == nil {
			sets = append(sets, name)
		} else if no, ok := errors.AsType[*nodeerr.Error](err); !ok || no.Code != nodeerr.CodeAPINotAvailable {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return sets, answer.(bool)
}

// loginMethods are the names of what the login set holds.
func loginMethods(t testing.TB) (names []string) {
	t.Helper()
	set, fault := api.NewSession(&api.Node{}, nil).Find(json.RawMessage(`1`))
	if fault != nil {
		t.Fatal(fault)
	}
	for _, entry := range set.Listing() {
		names = append(names, entry.([]any)[0].(string))
	}
	return names
}

func TestNobodyIsAdmittedWhereNobodyIsListed(t *testing.T) {
	a, err := api.ReadAccess([]byte(`{"permission_map":[["bot",{"allowed_apis":["history"]}],["bot",{}]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := login(t, a, "somebody", ""); ok {
		t.Error("somebody who is not listed is admitted")
	}
	if sets, ok := login(t, a, "bot", "any"); !ok || len(sets) != 1 || sets[0] != "history" {
		t.Errorf("bot gets %v %v, want history alone", sets, ok)
	}
}

func TestAccessFilesThatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{
		`nonsense`: "cannot be read",
		`{"permission_map":[["x",{"allowed_api":["history_api"]}]]}`: `there is no member "allowed_api"`, `{"permission_maps":[]}`: `there is no member "permission_maps"`,
		`{"permission_map":[["x",{"allowed_apis":[],"allowed_apis":["database_api"]}]]}`: `the member "allowed_apis" is given twice`, `{"permission_map":[],"permission_map":[]}`: "is given twice",
		"\xff\xfe{\x00}\x00":                                       "UTF-16",
		`{"permission_map":[["x"]]}`:                               "entry 1",
		`{"permission_map":[["x",{"allowed_apis":["nope_api"]}]]}`: `no set "nope_api"`,
		`{"permission_map":[["x",{"password_hash_b64":"AAAA","password_salt_b64":""}]]}`:                         "password hash",
		`{"permission_map":[["x",{"password_hash_b64":"*"}],["y",{"password_hash_b64":"%","allowed_apis":[]}]]}`: "entry 2",
	} {
		if _, err := api.ReadAccess([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// A byte order mark that an editor added changes nothing: not who may do what, nor which chain a genesis begins.
func TestMarksInFilesOfTheNode(t *testing.T) {
	if _, err := api.ReadAccess([]byte("\ufeff{\"permission_map\":[[\"x\",{}]]}")); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile("testdata/genesis.json")
	if err != nil {
		t.Fatal(err)
	}
	plain, err1 := sandbox.ReadGenesis(text)
	marked, err2 := sandbox.ReadGenesis(append([]byte("\ufeff"), text...))
	if err1 != nil || err2 != nil || plain.ChainID() != marked.ChainID() {
		t.Errorf("with a mark the genesis begins another chain: %v, %v", err1, err2)
	}
	for old, wrong := range map[string]string{`"max_core_supply"`: `"max_core_suply":1,"max_core_supply"`, `"initial_timestamp"`: `"initial_timestamp":"2016-01-01T00:00:00","initial_timestamp"`} {
		if _, err := sandbox.ReadGenesis([]byte(strings.Replace(string(text), old, wrong, 1))); err == nil || !strings.Contains(err.Error(), "max_core_suply") && !strings.Contains(err.Error(), "initial_timestamp") {
			t.Errorf("with %s: %v", wrong, err)
		}
	}
}

func FuzzReadAccess(f *testing.F) {
	f.Add([]byte(`{"permission_map":[["*",{"password_hash_b64":"*","allowed_apis":["database_api"]}]]}`), "user", "password")
	f.Fuzz(func(t *testing.T, data []byte, user, password string) {
		a, err := api.ReadAccess(data)
		if err != nil {
			return
		}
		if sets, ok := login(t, a, user, password); !ok && len(sets) > 0 {
			t.Errorf("%v are granted to who is not admitted", sets)
		}
	})
}

// Whatever the login set can enable, a permission can grant, and nothing else.
func TestEverySetCanBeGranted(t *testing.T) {
	names := loginMethods(t)
	if len(names) != 9 {
		t.Errorf("the login set holds %v", names)
	}
	for _, name := range append(names, "developer", "wallet", "account_by_key", "asset", "*", "") {
		a, err := api.ReadAccess(fmt.Appendf(nil, `{"permission_map":[["bot",{"allowed_apis":[%q]}]]}`, name))
		if want := name != "info" && name != "login" && slices.Contains(names, name); (err == nil) != want {
			t.Errorf("%s can be granted: %v", name, !want)
		}
		if err != nil {
			continue
		}
		if sets, ok := login(t, a, "bot", ""); !ok || !slices.Equal(sets, []string{name}) {
			t.Errorf("%s can be granted, and %v enabled", name, sets)
		}
	}
}
