package payout_test

import (
	"errors"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/usertext"
	"billfold/walletcore/payout"
)

// sign returns a receipt of three payments with these rows, as a program with the payer's key would make it.
func sign(t *testing.T, rows ...int) string {
	t.Helper()
	key := ledger.DeriveKey("payer", 0)
	r := payout.Receipt{Head: payout.NewHead(planOf(0, 0, 0), "alice")}
	for _, n := range rows {
		r.Rows = append(r.Rows, payout.ReceiptRow{Row: n, Account: "bobby", Amount: "1", Asset: "DCT", Block: 7, State: "irreversible"})
	}
	text, err := r.Sign(key.Public(), func(b []byte) (ledger.Signature, error) { return key.SignBuffer(b), nil })
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A signature makes no receipt right: each row is one of the plan, and none is in it twice.
func TestReceiptsListEachRowOnce(t *testing.T) {
	for _, c := range []struct {
		rows []int
		ok   bool
	}{
		{[]int{1, 2, 3}, true}, {[]int{1}, true}, {[]int{3}, true}, {nil, true},
		{[]int{0}, false}, {[]int{-1, 1}, false}, {[]int{4}, false}, {[]int{1, 1}, false}, {[]int{2, 1}, false}, {[]int{1, 2, 4}, false},
	} {
		if _, err := payout.ReadReceipt([]byte(sign(t, c.rows...))); (err == nil) != c.ok {
			t.Errorf("rows %v: %v", c.rows, err)
		}
	}
}

// A receipt that another program opened and saved is the same one; with another word in it, it is not.
func TestAReceiptThatWasSavedAgainIsTheSame(t *testing.T) {
	text := sign(t, 1, 2, 3)
	for how, saved := range map[string]string{
		"CRLF": strings.ReplaceAll(text, "\n", "\r\n"), "CR": strings.ReplaceAll(text, "\n", "\r"), "a mark": usertext.Mark + text,
		"a mark and CRLF": usertext.Mark + strings.ReplaceAll(text, "\n", "\r\n"), "no last line end": strings.TrimSuffix(text, "\n"),
		"blank lines": strings.ReplaceAll(text, "\n", "\n\n") + "\n", "blanks at line ends": strings.ReplaceAll(text, "\n", " \u00a0\n"), "an end of DOS": text + "\x1a",
	} {
		r, err := payout.ReadReceipt([]byte(saved))
		if err != nil || len(r.Rows) != 3 {
			t.Errorf("with %s: %v", how, err)
		}
		if _, err := payout.ReadHead([]byte(saved)); err != nil {
			t.Errorf("the head with %s: %v", how, err)
		}
		if _, err := payout.ReadReceipt([]byte(strings.Replace(saved, `"bobby"`, `"bobbz"`, 1))); err == nil || !strings.Contains(err.Error(), "changed") {
			t.Errorf("with %s and another account: %v", how, err)
		}
	}
	for _, none := range []string{"", "\n", "\x1a"} {
		if _, err := payout.ReadReceipt([]byte(none)); err == nil {
			t.Errorf("%q is a receipt", none)
		}
	}
}

func TestReceiptsOfAnotherFormAreRefused(t *testing.T) {
	text := sign(t, 1)
	head, rest, _ := strings.Cut(text, "\n")
	for what, changed := range map[string]string{
		"another version":        strings.Replace(head, `"version":1`, `"version":2`, 1) + "\n" + rest,
		"something after a line": head + ` {}` + "\n" + rest,
		"an unknown member":      strings.Replace(head, `{`, `{"x":1,`, 1) + "\n" + rest,
		"no signature":           head + "\n",
	} {
		if changed == text {
			t.Fatalf("%s: the receipt has another form than this test knows: %s", what, head)
		}
		if _, err := payout.ReadReceipt([]byte(changed)); err == nil {
			t.Errorf("with %s it is read", what)
		}
	}
	spreadsheet := `"` + strings.ReplaceAll(head, `"`, `""`) + `"`
	for _, c := range []struct{ text, want string }{
		{text + text, "line 3 of the receipt is not a payment: it is a signature, and more follows it"},
		{strings.TrimSuffix(head+"\n"+text, "\n"), "line 2 of the receipt is not a payment: another receipt begins there"},
		{strings.Join(strings.SplitAfter(text, "\n")[:2], ""), "the last line of the receipt is not a signature: the receipt was cut off"},
		{text[:len(text)-9], "the last line of the receipt is not a signature: it was cut off or changed"},
		{spreadsheet + "\n" + rest, "its first line is something else: a spreadsheet changed it"},
		{strings.Replace(text, `{"row":1`, `"{""row"":1`, 1), "line 2 of the receipt is not a payment: a spreadsheet changed it"},
	} {
		if _, err := payout.ReadReceipt([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := payout.ReadHead([]byte(strings.Replace(head, `"version":1`, `"version":2`, 1))); err == nil {
		t.Error("the head of another version is read")
	}
}

func TestAReceiptThatCannotBeSignedIsNone(t *testing.T) {
	r := payout.Receipt{Head: payout.NewHead(planOf(0), "alice")}
	no := errors.New("the wallet is locked")
	text, err := r.Sign(ledger.DeriveKey("payer", 0).Public(), func([]byte) (ledger.Signature, error) { return ledger.Signature{}, no })
	if text != "" || !errors.Is(err, no) {
		t.Errorf("%q, %v", text, err)
	}
}
