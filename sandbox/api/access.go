package api

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger/usertext"
)

// Access lists the API sets that each user may use. Make it with ReadAccess.
type Access struct {
	users map[string]permission // "*" stands for everybody who is not listed
}

// permission describes what one user may use. If hash is nil, any password is accepted.
type permission struct {
	hash, salt []byte // SHA-256 of password and salt
	sets       []string
}

// everybody is the user name that stands for all who are not listed.
const everybody = "*"

// ReadAccess parses the file of the node's option api-access:
//
//	{"permission_map": [["user", {"password_hash_b64": "…", "password_salt_b64": "…",
//	  "allowed_apis": ["database_api", …]}], …]}
//
// The hash is SHA-256 of password and salt, and "*" accepts any password. The
// defaults of an entry are the node's: any password, and all sets except
// network_node and monitoring.
func ReadAccess(data []byte) (*Access, error) {
	var doc struct {
		Map [][]json.RawMessage `json:"permission_map"`
	}
	data, err := usertext.DecodeJSON(data)
	if err == nil {
		err = strict(data, &doc)
	}
	if err != nil {
		return nil, fmt.Errorf("the access file cannot be read: %w; it is JSON with a permission_map of [user, {…}] pairs", err)
	}
	a := &Access{users: map[string]permission{}}
	for i, pair := range doc.Map {
		if err := a.add(pair); err != nil {
			return nil, fmt.Errorf("entry %d of the access file cannot be used: %v", i+1, err)
		}
	}
	return a, nil
}

// errNoPair is the fault of an entry.
var errNoPair = errors.New("it is not a pair of a user's name and what the user may do")

// strict reads an object, and refuses members that it does not know or that are given twice: a misspelt one would grant everything.
func strict(data []byte, into any) error {
	if why := usertext.JSONFault(data); why != "" {
		return errors.New(why)
	}
	if name := usertext.RepeatedMember(data); name != "" {
		return fmt.Errorf("the member %q is given twice", name)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		return nil
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("there is no member %s", name)
	}
	return errors.New("it has another form")
}

func (a *Access) add(pair []json.RawMessage) error {
	var user string
	entry := struct {
		Hash string   `json:"password_hash_b64"`
		Salt string   `json:"password_salt_b64"`
		Sets []string `json:"allowed_apis"`
	}{"*", "*", []string{"database_api", "network_broadcast_api", "history_api", "crypto_api", "messaging_api"}}
	if len(pair) != 2 || json.Unmarshal(pair[0], &user) != nil {
		return errNoPair
	}
	if err := strict(pair[1], &entry); err != nil {
		return fmt.Errorf("%w: %w", errNoPair, err)
	}
	p := permission{sets: entry.Sets}
	for _, name := range entry.Sets {
		if !slices.Contains(grantable(), strings.TrimSuffix(name, "_api")) {
			return fmt.Errorf("there is no set %q; the node has names such as database_api and history_api", name)
		}
	}
	if entry.Hash != "*" {
		var err error
		if p.hash, err = base64.StdEncoding.DecodeString(entry.Hash); err == nil {
			p.salt, err = base64.StdEncoding.DecodeString(entry.Salt)
		}
		if err != nil || len(p.hash) != sha256.Size {
			return fmt.Errorf("the password hash of %q is not SHA-256 in base64, or its salt is not base64", user)
		}
	}
	if _, listed := a.users[user]; !listed {
		a.users[user] = p
	}
	return nil
}

// OpenAccess returns the access without a file: everybody may use everything except
// network_node.
func OpenAccess() *Access {
	sets := slices.DeleteFunc(grantable(), func(name string) bool { return name == "network_node" })
	return &Access{users: map[string]permission{everybody: {sets: sets}}}
}

// login returns the names of the sets that the user may use, or false if the
// password is wrong or there is no such user.
func (a *Access) login(user, password string) ([]string, bool) {
	p, ok := a.users[user]
	if !ok {
		p, ok = a.users[everybody]
	}
	if !ok {
		return nil, false
	}
	if p.hash != nil {
		sum := sha256.Sum256(append([]byte(password), p.salt...))
		if subtle.ConstantTimeCompare(sum[:], p.hash) != 1 {
			return nil, false
		}
	}
	return p.sets, true
}

// grantable returns the names of the sets that a login may grant.
func grantable() []string {
	return []string{"database", "network_broadcast", "history", "network_node", "crypto", "messaging", "monitoring"}
}
