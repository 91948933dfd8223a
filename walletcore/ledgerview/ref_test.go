package ledgerview

import (
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// An account has no name where its own id stands in its place; what looks like another id is a name.
func TestAnAccountWithoutAName(t *testing.T) {
	for name, want := range map[string]bool{"1.2.17": true, "1.2.18": false, "1.2.x": false, "bobby": false, "": false, "1.2.17 ": false} {
		if got := (AccountRef{ID: 17, Name: name}).IsUnnamed(); got != want {
			t.Errorf("%q is no name: %v", name, got)
		}
	}
}

// A part of an object is shown as people read it: text without quotes, an authority by its members, and what is not known as that.
func TestPartsOfObjectsAreShown(t *testing.T) {
	authority := ledger.SingleKeyAuthority(ledger.DeriveKey("a", 0).Public())
	part, err := codec.Marshal(authority)
	if err != nil {
		t.Fatal(err)
	}
	for is, want := range map[string]string{"": "not known", `"a link"`: "a link", "7": "7", "true": "true", "[1,2]": "[1,2]", string(part): AuthorityText(authority)} {
		if got := partText(is); got != want {
			t.Errorf("%s is shown as %q, want %q", is, got, want)
		}
	}
	was, now := ledger.ObjectState{"link": `"a"`, "votes": "[]"}, ledger.ObjectState{"link": `"b"`, "votes": "[]"}
	account := AccountRef{ID: 17, Name: "bobby"}
	if got := StateChanges("the miner", account, was, now); len(got) != 1 || got[0].What != "link" || got[0].Was != "a" || got[0].Now != "b" || got[0].Of != "the miner" || got[0].Account != account {
		t.Errorf("the changes are %+v", got)
	}
}
