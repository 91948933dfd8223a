package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore/store"
)

// The error names every invalid line of a file, and no claim is made.
func TestClaimsOfAFileAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claims.csv")
	id := func(digit string) string { return strings.Repeat(digit, 40) }
	must(t, os.WriteFile(path, []byte("order-1,"+id("a")+"\n\n\"order, 2\", "+id("b")+"\n,"+id("c")+"\n"), 0o600))
	list, err := readClaims(path)
	must(t, err)
	if len(list) != 3 || list[1].Key != "order, 2" || list[1].ID != id("b") || list[1].Line != 3 || list[2].Key != "" || list[2].Line != 4 {
		t.Errorf("%+v", list)
	}
	must(t, os.WriteFile(path, []byte("#7,"+id("a")+"\n"), 0o600))
	if list, err := readClaims(path); err != nil || list[0].Key != "#7" {
		t.Errorf("a key may begin like that: %+v (%v)", list, err)
	}
	must(t, os.WriteFile(path, []byte("order-1\norder-2,nothing\nx,"+id("a")+"\ny,"+id("a")+"\n"), 0o600))
	_, err = readClaims(path)
	for _, want := range []string{
		"line 1: write a request key", "line 2: \"nothing\" is not the id", "line 4: payment " + id("a") + " is on line 3",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it does not say %q: %v", want, err)
		}
	}
	must(t, os.WriteFile(path, []byte("\ufefforder-1,"+id("a")+"\r\n"), 0o600)) // as spreadsheets write it
	if list, err := readClaims(path); err != nil || list[0].Key != "order-1" {
		t.Errorf("behind a mark of the file's beginning it reads %+v (%v)", list, err)
	}
	for _, key := range []string{" x", "x ", "\u202ex", "x\u200b", "x\ufeff", "x\t", strings.Repeat("k", store.LongestKey+1)} {
		must(t, os.WriteFile(path, []byte("y,"+id("b")+"\n\""+key+"\","+id("a")+"\n"), 0o600))
		if _, err := readClaims(path); err == nil || !strings.Contains(err.Error(), "line 2: ") {
			t.Errorf("%q is a key that no request has, or nobody sees: %v", key, err)
		}
	}
	must(t, os.WriteFile(path, nil, 0o600))
	if _, err := readClaims(path); err == nil {
		t.Error("an empty file is used")
	}
}

// Flags and arguments that do not go together are refused.
func TestClaimArguments(t *testing.T) {
	for _, x := range []struct {
		how  claimOptions
		args string
		fits bool
	}{
		{claimOptions{}, "key id", true}, {claimOptions{}, "id", false}, {claimOptions{none: true}, "id", true}, {claimOptions{none: true}, "key id", false},
		{claimOptions{file: "f"}, "", true}, {claimOptions{file: "f", try: true}, "", true}, {claimOptions{file: "f"}, "key", false},
		{claimOptions{file: "f", undo: true}, "", false}, {claimOptions{undo: true}, "key", true}, {claimOptions{undo: true, none: true}, "id", true},
		{claimOptions{undo: true}, "key id", false}, {claimOptions{undo: true, try: true}, "key", false},
	} {
		if err := x.how.check(strings.Fields(x.args)); (err == nil) != x.fits {
			t.Errorf("%+v %s: %v", x.how, x.args, err)
		}
	}
}

// A claim for a key of a payout that no payout would ask under is refused: the plan, run again, would pay everybody once more.
func TestAClaimForAPayoutNamesItsKey(t *testing.T) {
	id := strings.Repeat("0a", 20)
	const plan = "payout/8d99b56c5b0f8c8d4f1b3c6a7e2d9f10"
	for key, fits := range map[string]bool{
		plan + "/1/1": true, plan + "/2/51/r2": true, plan + "/3/3": true, "order 7": true, "payouts": true, "payout/3b1c2e0d/1/1": true, // if it is known
		plan + "/1": false, plan: false, "payout/": false, plan + "/1/": false, plan + "/1/x": false, plan + "/01/1": false, plan + "/1/1/r1": false,
		plan + "/1/2": false, plan + "/2/52": false, plan + "/0/1": false, plan + "/1/1/r0": false, plan + "/1/1/r2/x": false, plan + "//1/1": false,
		"payout//1/1": false, plan + "/+1/1": false, plan + "/3/2": false, plan + "/1/1 ": false,
	} {
		if _, err := claimOf(key, id); (err == nil) != fits {
			t.Errorf("%s: %v", key, err)
		}
	}
}
