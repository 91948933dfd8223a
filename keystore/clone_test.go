package keystore

import (
	"reflect"
	"testing"

	"billfold/ledger"
)

// Whoever changes what the store returned changes nothing in the store.
func TestACopyOfThePublicPartSharesNothing(t *testing.T) {
	made := func() Public {
		return Public{Accounts: []Account{{ID: 1, Name: "alice"}}, Keys: []ledger.PublicKey{testKey(1).Public()},
			AccountKeys: []AccountKeys{{Account: 1, Keys: []ledger.PublicKey{testKey(1).Public()}}},
			Waiting:     []Registration{{Name: "carol"}}}
	}
	for i := range reflect.TypeFor[Public]().NumField() {
		if f := reflect.ValueOf(made()).Field(i); f.Kind() == reflect.Slice && f.Len() == 0 {
			t.Errorf("%s is not tried", reflect.TypeFor[Public]().Field(i).Name)
		}
	}
	p := made()
	c := p.clone()
	c.AccountKeys[0].Keys[0] = testKey(2).Public()
	c.AccountKeys[0].Account = 2
	c.Accounts[0].Name, c.Keys[0], c.Waiting[0].Name = "mallory", testKey(2).Public(), "mallory"
	if !reflect.DeepEqual(p, made()) {
		t.Errorf("with its copy it became %+v", p)
	}
}
