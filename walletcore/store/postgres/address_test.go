package postgres

import (
	"strings"
	"testing"
)

func TestALineThatOthersCouldReadIsRefused(t *testing.T) {
	for address, fits := range map[string]bool{
		"postgres://billfold@127.0.0.1:5432/wallet":                                true,
		"postgres://billfold@localhost/wallet":                                     true,
		"postgres://billfold@[::1]:5432/wallet":                                    true,
		"postgres://billfold@/wallet?host=/run/postgresql":                         true,
		"postgresql://billfold@db.example/wallet":                                  true,
		"postgres://billfold@db.example/wallet?sslmode=verify-full":                true,
		"postgres://billfold@a.example,b.example/wallet?target_session_attrs=any":  true,
		"postgres://billfold@db.example/wallet?sslmode=require":                    false,
		"postgres://billfold@db.example/wallet?sslmode=verify-ca":                  false,
		"postgres://billfold@db.example/wallet?sslmode=prefer":                     false,
		"postgres://billfold@db.example/wallet?sslmode=disable":                    false,
		"postgres://billfold@127.0.0.1,db.example/wallet?sslmode=disable":          false,
		"postgres://billfold@/wallet?host=db.example&sslmode=disable":              false,
		"mysql://billfold@db.example/wallet":                                       false,
		"db.example":                                                               false,
		"postgres://billfold:secret%zz@db.example/wallet":                          false,
		"postgres://billfold:secret@db.example/wallet?sslmode=require":             false,
		"postgres://billfold@db.example/wallet?password=secret&sslmode=no-such-it": false,
	} {
		err := CheckAddress(address)
		if (err == nil) != fits {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%v tells the password", err)
		}
	}
}

func TestAPasswordInAnAddressIsSeen(t *testing.T) {
	for address, has := range map[string]bool{
		"postgres://billfold@db.example/wallet":            false,
		"postgres://billfold:x@db.example/wallet":          true,
		"postgres://billfold:@db.example/wallet":           true,
		"postgres://db.example/wallet?password=x":          true,
		"postgres://db.example/wallet?passfile=%2Fsecrets": false,
	} {
		if HasPassword(address) != has {
			t.Errorf("%s: %v", address, !has)
		}
	}
}
