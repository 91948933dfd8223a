package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/testwallet"
)

// TestADaemonGrantsByUser runs the wallet on a daemon that takes payments from one user only, as decentd does with a permission map.
func TestADaemonGrantsByUser(t *testing.T) {
	t.Parallel()
	folder := testwallet.Folder(t)
	granted := writeFile(t, folder, "access.json", accessFile(`["database_api","history_api"]`))
	right, wrong := writeFile(t, folder, "right", "\ufeffs3cret\r\n"), writeFile(t, folder, "wrong", "secret\n")
	ledger := start(t, "sandbox", "--listen", "127.0.0.1:0", "--api-access", granted)
	node := ledger.line(`(ws://127\.0\.0\.1:\d+)`)
	for name, c := range map[string]struct {
		flags []string
		ready string // how /readyz begins
	}{
		"nobody":                  {nil, "not ready: login refused: the daemon takes no payments from this login"},
		"the user":                {[]string{"--daemon-user", "exchange", "--daemon-password-file", right}, onlyKeyless},
		"with the wrong secret":   {[]string{"--daemon-user", "exchange", "--daemon-password-file", wrong}, "not ready: login refused: the daemon does not know this user or password"},
		"without a secret":        {[]string{"--daemon-user", "exchange"}, "not ready: login refused: the daemon does not know this user or password"},
		"somebody else, like all": {[]string{"--daemon-user", "somebody"}, "not ready: login refused: the daemon takes no payments from this login"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"--data-dir", filepath.Join(testwallet.Folder(t), "wallet"), "--daemon-url", node, "--rpc-http=127.0.0.1:0"}, c.flags...)
			remote{t, start(t, args...).line(`^wallet API over HTTP on (http://\S+)$`)}.isReady(c.ready)
		})
	}
}

// TestADaemonsPasswordIsReadAnew corrects the password of a running wallet, which logs in with its next attempt. At a daemon that grants
// nothing without a user, nobody gets in.
func TestADaemonsPasswordIsReadAnew(t *testing.T) {
	t.Parallel()
	folder := testwallet.Folder(t)
	granted := writeFile(t, folder, "access.json", accessFile(`[]`))
	password := writeFile(t, folder, "password", "not-this-one\n")
	node := start(t, "sandbox", "--listen", "127.0.0.1:0", "--api-access", granted).line(`(ws://127\.0\.0\.1:\d+)`)
	flags := func(more ...string) []string {
		return append([]string{"--data-dir", filepath.Join(testwallet.Folder(t), "wallet"), "--daemon-url", node, "--rpc-http=127.0.0.1:0"}, more...)
	}
	nobody := remote{t, start(t, flags()...).line(`^wallet API over HTTP on (http://\S+)$`)}
	nobody.isReady("not ready: login refused: the daemon lets this login read nothing")
	api := remote{t, start(t, flags("--daemon-user=exchange", "--daemon-password-file="+password)...).line(`^wallet API over HTTP on (http://\S+)$`)}
	api.isReady("not ready: login refused: the daemon does not know this user or password")
	if wrong := api.call("get_account", "alice"); wrong.Error == nil || !strings.Contains(wrong.Error.Message, "login refused") ||
		strings.Contains(wrong.Error.Message, "not-this-one") {
		t.Errorf("a call is told %+v", wrong.Error)
	}
	must(t, os.Remove(password))
	api.isReady("not ready: login refused: the file with the password cannot be read")
	writeFile(t, folder, "password", "s3cret\n")
	api.isReady(onlyKeyless)
}

// accessFile returns the text of a node's file of grants: all calls to exchange with the password s3cret, and these sets to everybody.
func accessFile(everybody string) string {
	sum := sha256.Sum256([]byte("s3cret" + "salt"))
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf(`{"permission_map":[
		["exchange",{"password_hash_b64":%q,"password_salt_b64":%q,"allowed_apis":["database_api","history_api","network_broadcast_api"]}],
		["*",{"password_hash_b64":"*","password_salt_b64":"*","allowed_apis":%s}]]}`, b64(sum[:]), b64([]byte("salt")), everybody)
}

// TestDaemonUsersThatCannotBe refuses users and passwords that go with no daemon.
func TestDaemonUsersThatCannotBe(t *testing.T) {
	t.Parallel()
	folder := testwallet.Folder(t)
	one, two := "ws://127.0.0.1:1", "ws://127.0.0.1:2"
	for name, c := range map[string]struct {
		users, files []string
		want         string
	}{
		"three for two": {[]string{"a", "b", "c"}, nil, "--daemon-user is given 3 times for 2 daemons"},
		"three files":   {[]string{"a"}, []string{"x", "y", "z"}, "--daemon-password-file is given 3 times for 2 daemons"},
		"no such file":  {[]string{"a"}, []string{filepath.Join(folder, "none")}, "the password for the daemon at " + one},
		"a key":         {[]string{"a"}, []string{writeFile(t, folder, "k", ledger.DeriveKey("misplaced", 0).WIF()+"\n")}, "k has a private key in it, which is sent to nobody"},
		"one each":      {[]string{"a", "-"}, []string{writeFile(t, folder, "p", "pw"), "-"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &settings{daemonURLs: []string{one, two}, daemonUsers: c.users, daemonPasswords: c.files}
			err := s.checkDaemonUsers()
			switch {
			case c.want == "":
				at, _ := s.daemonUserAt(one)
				if other, _ := s.daemonUserAt(two); err != nil || at != (daemonclient.User{Name: "a", Password: "pw"}) || other != (daemonclient.User{}) {
					t.Errorf("%v, %v and %v", err, at.Name, other.Name)
				}
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func writeFile(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
