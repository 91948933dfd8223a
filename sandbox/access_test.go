package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// accessFile is in the node's own format: admin has a password and everything,
// everybody else reads only.
func accessFile(t *testing.T, password string) *Access {
	t.Helper()
	sum := sha256.Sum256([]byte(password + "salty"))
	b64 := base64.StdEncoding.EncodeToString
	a, err := ReadAccess(fmt.Appendf(nil, `{"permission_map":[
	["admin",{"password_hash_b64":%q,"password_salt_b64":%q,"allowed_apis":["database_api","network_broadcast_api","history_api","network_node_api","crypto_api","messaging_api","monitoring_api"]}],
	["*",{"password_hash_b64":"*","password_salt_b64":"*","allowed_apis":["database_api","history_api"]}]]}`, b64(sum[:]), b64([]byte("salty"))))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAccessIsGrantedByUserAndPassword(t *testing.T) {
	s := start(t, Options{Access: accessFile(t, "s3cret")})
	var ok bool
	guest := dial(t, s)
	guest.get(&ok, 1, "login", "somebody", "anything")
	if !ok {
		t.Error("a user who is not listed is not taken for everybody")
	}
	guest.get(nil, 1, "history")
	guest.refused(204, 1, "network_broadcast")
	guest.refused(204, 1, "network_node")
	guest.get(&ok, 1, "login", "admin", "wrong")
	if ok {
		t.Error("a wrong password is accepted")
	}
	guest.refused(204, 1, "network_node")
	guest.get(nil, "history", "info")

	admin := dial(t, s)
	admin.refused(204, 1, "database")
	admin.get(&ok, 1, "login", "admin", "s3cret")
	for _, set := range []string{"database", "network_broadcast", "history", "network_node", "crypto", "messaging", "monitoring"} {
		admin.get(nil, 1, set)
		var name string
		admin.get(&name, set+"_api", "info")
		if !ok || name != set+"_api" {
			t.Errorf("%s answers %q", set, name)
		}
	}
}

func TestWithoutAccessFileEverythingButNetworkNodeIsOpen(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	c.get(nil, 1, "login", "", "")
	for _, set := range []string{"database", "network_broadcast", "history", "crypto", "messaging", "monitoring"} {
		c.get(nil, 1, set)
	}
	c.refused(204, 1, "network_node")
}

func TestNobodyIsAdmittedWhereNobodyIsListed(t *testing.T) {
	a, err := ReadAccess([]byte(`{"permission_map":[["bot",{"allowed_apis":["history"]}],["bot",{}]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := a.admit("somebody", ""); ok {
		t.Error("somebody who is not listed is admitted")
	}
	if sets, ok := a.admit("bot", "any"); !ok || len(sets) != 1 || sets[0] != &historySet {
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
		if sets, ok := a.admit(user, password); !ok && len(sets) > 0 {
			t.Errorf("%v are granted to who is not admitted", sets)
		}
	})
}
