package api

import (
	"slices"
	"strings"
	"testing"
)

func TestNobodyIsAdmittedWhereNobodyIsListed(t *testing.T) {
	a, err := ReadAccess([]byte(`{"permission_map":[["bot",{"allowed_apis":["history"]}],["bot",{}]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := a.login("somebody", ""); ok {
		t.Error("somebody who is not listed is admitted")
	}
	if sets, ok := a.login("bot", "any"); !ok || len(sets) != 1 || sets[0] != "history" {
		t.Errorf("bot gets %v %v, want history alone", sets, ok)
	}
}

func TestAccessFilesThatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{
		`nonsense`:                   "cannot be read",
		`{"permission_map":[["x"]]}`: "entry 1",
		`{"permission_map":[["x",{"allowed_apis":["nope_api"]}]]}`:                                               `no set "nope_api"`,
		`{"permission_map":[["x",{"password_hash_b64":"AAAA","password_salt_b64":""}]]}`:                         "password hash",
		`{"permission_map":[["x",{"password_hash_b64":"*"}],["y",{"password_hash_b64":"%","allowed_apis":[]}]]}`: "entry 2",
	} {
		if _, err := ReadAccess([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

func FuzzReadAccess(f *testing.F) {
	f.Add([]byte(`{"permission_map":[["*",{"password_hash_b64":"*","allowed_apis":["database_api"]}]]}`), "user", "password")
	f.Fuzz(func(t *testing.T, data []byte, user, password string) {
		a, err := ReadAccess(data)
		if err != nil {
			return
		}
		if sets, ok := a.login(user, password); !ok && len(sets) > 0 {
			t.Errorf("%v are granted to who is not admitted", sets)
		}
	})
}

// Whatever the login set can enable, a permission can grant, and nothing else.
func TestEverySetCanBeGranted(t *testing.T) {
	for name := range loginSet.methods {
		if want := name != "info" && name != "login"; slices.Contains(grantable(), name) != want {
			t.Errorf("%s can be granted: %v", name, !want)
		}
	}
	for _, name := range grantable() {
		if loginSet.Method(name) == nil {
			t.Errorf("%s can be granted, but not enabled", name)
		}
	}
}
