package walletcore_test

import (
	"strings"
	"testing"

	"billfold/walletcore/paylink"
)

func TestLinks(t *testing.T) {
	for text, want := range map[string]paylink.Link{
		"dcore:alice":                {To: "alice"},
		"DCORE:1.2.17?amount=5":      {To: "1.2.17", Amount: "5"},
		"dcore:alice?":               {To: "alice"},
		"dcore:alice?asset=ALX.GOLD": {To: "alice", Asset: "ALX.GOLD"},
		"dcore:alice?amount=12.5&asset=DCT&memo=rent%20for%20n%C2%BA%203%20%26%204": {
			To: "alice", Amount: "12.5", Asset: "DCT", Memo: "rent for nº 3 & 4"},
		"dcore:alice?memo=a+b": {To: "alice", Memo: "a b"}, "dcore:alice?amount=5&memo=thanks!": {To: "alice", Amount: "5", Memo: "thanks!"},
		// As the mobile wallets write them: Android's order, then that of iOS, which leaves + ; $ , / : ? @ as they are.
		"decent:bobby?asset=DCT&amount=1.4&memo=some%20text%20%3D%20and%20so%20on": {
			To: "bobby", Amount: "1.4", Asset: "DCT", Memo: "some text = and so on"},
		"decent:bobby?asset=&amount=&memo=":              {To: "bobby"},
		"decent:all-txs?amount=1.2&asset=ALX&memo=1+2;3": {To: "all-txs", Amount: "1.2", Asset: "ALX", Memo: "1+2;3"},
		"decent:bobby?amount=&asset=DCT&memo=a%20=%20b%20$%20,%20/%20:%20?%20@%20%26%20": {
			To: "bobby", Asset: "DCT", Memo: "a = b $ , / : ? @ & "},
		"Decent://bobby?amount=5": {To: "bobby", Amount: "5"},
		"decent:1.2.17":           {To: "1.2.17"},
	} {
		got, err := paylink.Parse(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if again, err := paylink.Parse(got.String()); err != nil || again != got {
			t.Errorf("%s: written as %s it is %+v, %v", text, got, again, err)
		}
	}
}

func TestBadLinks(t *testing.T) {
	for text, why := range map[string]string{
		"alice":                           `begins with "dcore:"`,
		"bitcoin:alice":                   `begins with "dcore:"`,
		"decentral:alice":                 `begins with "dcore:" or "decent:"`,
		"decent:":                         "names no account",
		"decent:alice?amount=1&amount=2":  "says amount twice",
		"decent:alice?amout=1":            `not known: "amout"`,
		"dcore:":                          "names no account",
		"dcore:Alice":                     "names no account",
		"dcore://alice":                   "names no account",
		"dcore:1.3.0":                     "names no account",
		"dcore:al%zz":                     "not an account",
		"dcore:alice?amout=5":             `not known: "amout"`,
		"dcore:alice?amount=5&amount=6":   "says amount twice",
		"dcore:alice?amount=5&Amount=50":  `not known: "Amount"`,
		"dcore:alice?memo=%ff":            "not text",
		"dcore:alice?memo=%f":             "damaged",
		"dcore:alice?a;b":                 "damaged",
		"dcore:alice?amount=5&asset=DCT.": "ends with ., which belongs to the text around it", "dcore:alice?asset=DCT&amount=5,": "ends with ,, which", "dcore:alice.": "ends with .,",
		"decent:alice?amount=5!": "ends with !, which", "dcore:alice?amount=5…": "ends with …, which", "dcore:alice?amount=5&asset=DCT?": "ends with ?,",
		"dcore:alice?memo=" + strings.Repeat("x", 4096): "at most",
	} {
		if l, err := paylink.Parse(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.60s: %+v, %v", text, l, err)
		}
	}
}

// A link is read without the marks that a text has around it. What stands beside it otherwise never becomes part of the payment.
func TestLinksInTexts(t *testing.T) {
	want := paylink.Link{To: "alice", Amount: "5", Memo: "rent"}
	const link = "dcore:alice?amount=5&memo=rent"
	for _, text := range []string{" " + link + "\r\n", "\ufeff" + link, "“" + link + "”", "<" + link + ">", `"` + link + `"`, "(" + link + ")", "«\u00a0" + link + "\u00a0»",
		"dcore%3Aalice?amount=5&memo=rent", "DCORE%3aalice?amount=5&amp;memo=rent", "dcore%3Aalice%3Famount%3D5%26memo%3Drent", "DCORE%3aalice%3famount%3d5%26memo%3dren%2574", "„<" + link + ">“"} {
		if got, err := paylink.Parse(text); err != nil || got != want || !paylink.Is(text) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for text, why := range map[string]string{
		link + "\nRegards, Bob": "text follows the payment link", link + "\r\n" + link: "text follows the payment link", link + " thanks": "its character 31",
		link + "\x00x": "text follows the payment link", link + "\u2028x": "text follows the payment link", link + "\tx": "text follows the payment link",
		link + ")": "ends with )", link + ">": "ends with >", link + "”": "ends with ”",
		"Pay me: " + link: "inside this text", "pay “" + link + "”": "inside this text", "=" + link: "inside this text",
	} {
		if l, err := paylink.Parse(text); err == nil || !strings.Contains(err.Error(), why) || !paylink.Is(text) {
			t.Errorf("%q: %+v, %v, want %s", text, l, err, why)
		}
	}
	for _, text := range []string{"alice", "/srv/dcore:x/a.csv", "mydcore:alice", "dcore", "to dcore: now"} {
		if paylink.Is(text) {
			t.Errorf("%q is taken for a link", text)
		}
	}
}

// FuzzPaymentLink checks that a parsed link, written again, parses to the same.
func FuzzPaymentLink(f *testing.F) {
	f.Add("dcore:alice?amount=12.5&asset=DCT&memo=rent%20%26")
	f.Add("dcore:1.2.17?memo=+")
	f.Add("decent:bobby?asset=&amount=1.4&memo=1+2;3")
	f.Add("DCORE:bobby?asset=&amount=%31")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := paylink.Parse(text)
		if err != nil {
			return
		}
		if again, err := paylink.Parse(l.String()); err != nil || again != l {
			t.Fatalf("%q is %+v, written %q it is %+v: %v", text, l, l, again, err)
		}
	})
}
