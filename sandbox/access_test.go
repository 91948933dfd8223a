package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"testing"

	"billfold/sandbox/api"
)

// accessFile is in the node's own format: admin has a password and everything,
// everybody else reads only.
func accessFile(t *testing.T, password string) *api.Access {
	t.Helper()
	sum := sha256.Sum256([]byte(password + "salty"))
	b64 := base64.StdEncoding.EncodeToString
	a, err := api.ReadAccess(fmt.Appendf(nil, `{"permission_map":[
	["admin",{"password_hash_b64":%q,"password_salt_b64":%q,"allowed_apis":["database_api","network_broadcast_api","history_api","network_node_api","crypto_api","messaging_api","monitoring_api"]}],
	["*",{"password_hash_b64":"*","password_salt_b64":"*","allowed_apis":["database_api","history_api"]}]]}`, b64(sum[:]),
		b64([]byte("salty"))))
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
