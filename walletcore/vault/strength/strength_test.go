package strength

import (
	"maps"
	"strings"
	"testing"
)

func TestGuesses(t *testing.T) {
	e := New("merchant-7")
	for password, want := range map[string][2]float64{ // powers of ten, from and to
		"password": {0, 1}, "Password1": {0, 3.5}, "12345678": {0, 2}, "qwertzuiop": {0, 4}, "aaaaaaaaaa": {0, 3}, "abcabcabcabc": {0, 5}, "hunter2": {0, 5},
		"drowssap": {0, 3}, "p@ssw0rd": {0, 2}, "1998-11-21": {0, 5}, "21.11.1998": {0, 5}, "merchant-7": {0, 1}, "Merchant-72026!": {0, 8}, "billfold": {0, 1},
		"michael1985": {0, 5}, "correct horse battery stable": {14, 40}, "Correct-Horse-Battery-Staple": {0, 1}, "may the force be with you!": {0, 2}, "ToBeOrNotToBe1": {1, 3}, "9fK2!mQz7@Lp": {13, 17}, "zmrwkqpxjv": {9, 13.1}, "x": {0, 1.5},
	} {
		if got := e.Guesses(password); got < want[0] || got > want[1] {
			t.Errorf("%q takes 10^%.1f guesses, want 10^%v", password, got, want)
		}
	}
	if e.Guesses("") != 0 {
		t.Error("nothing takes a guess")
	}
}

// A list that cannot be read would make every estimate too high.
func TestListsAreThere(t *testing.T) {
	e := New()
	for _, word := range []string{"password", "you", "james", "mary", "smith"} {
		if place, _ := e.rank(word); place != 1 {
			t.Errorf("%s is guessed as number %d", word, place)
		}
	}
}

// Every word has the least of its places in the lists.
func TestListsAreReadWhole(t *testing.T) {
	want := words{}
	for name, size := range map[string]int{"passwords": 7141, "english": 32545, "male_names": 1004, "female_names": 3815, "surnames": 40583} {
		text, err := files.ReadFile("lists/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		list := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if len(list) != size {
			t.Errorf("%s has %d words", name, len(list))
		}
		for i, word := range list {
			if was, known := want[word]; len(word) > 2 && (!known || i+1 < was) {
				want[word] = i + 1
			}
		}
	}
	e := New()
	if got := *e.listed; !maps.Equal(got, want) {
		t.Errorf("%d words were read, not %d, or in other places", len(got), len(want))
	}
	if want := (words{"billfold": 1, "wallet": 2, "decent": 3, "dcore": 4}); !maps.Equal(e.known, want) {
		t.Errorf("of its own it knows %v", e.known)
	}
}

func TestJudge(t *testing.T) {
	for guesses, want := range map[float64]string{
		0: "easy to guess: among the first that anybody tries", 3: "easy to guess: ",
		7:  "weak: whoever has the file needs about 33 minutes to guess it",
		10: "weak: whoever has the file needs about 23 days", 11: "weak: whoever has the file needs about 8 months",
		12: "fair: whoever has the file needs about 6 years", 14: "strong: whoever has the file needs about 634 years",
		16: "strong: whoever has the file needs thousands of years", 30: "strong: whoever has the file needs more than a million years",
	} {
		if v := judge(guesses, 2500, "whoever has the file needs %s to guess it"); !strings.HasPrefix(v.Text, want) || v.Weak != (guesses < 12) {
			t.Errorf("10^%v: %+v", guesses, v)
		}
	}
}

// A phrase that everybody knows is told so, unless enough stands beside it.
func TestAKnownPhraseIsTold(t *testing.T) {
	e := New()
	for password, known := range map[string]bool{
		"correct horse battery staple": true, "Hasta la vista, baby!": true, "live-long-and-prosper 1": true,
		"live long and prosper 8352917740163528": false, "live long and wander": false, "": false,
	} {
		if v := e.Judge(password, 2500); strings.HasSuffix(v.Text, "a phrase that everybody knows") != known || known && !v.Weak {
			t.Errorf("%q: %+v", password, v)
		}
	}
	if v := JudgeBrainKey("NOT YOUR KEYS NOT YOUR COINS"); !v.Weak || !strings.HasSuffix(v.Text, "a phrase that everybody knows") {
		t.Errorf("%+v", v)
	}
}

// A brain key is guessed without a key file, so what is strong for a password may be weak for it.
func TestJudgeBrainKey(t *testing.T) {
	for words, weak := range map[string]bool{
		"": true, "SUNSHINE": true, "CORRECT HORSE BATTERY": true,
		"PRIMATE OVERTLY UNSPEEDY TOMCOD GALEI HOLMIUM DARTLING QUIRK SLENDER WRACKED BOOKISH ANTHEM PELTA OSMOSE VIZARD KITTEN": false,
	} {
		if v := JudgeBrainKey(words); v.Weak != weak || strings.Contains(v.Text, "file") {
			t.Errorf("%q: %+v", words, v)
		}
	}
}

// Longer is never weaker but by what makes it a known word, and no text takes long
// or breaks it.
func FuzzGuesses(f *testing.F) {
	e := New()
	for _, text := range []string{"", "a", "horse", "\x00\xff", "漢字漢字", strings.Repeat("ab", 100), "ſſſ", "İ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := e.Guesses(text); !(got >= 0 && got < 200) {
			t.Fatalf("%q takes 10^%v guesses", text, got)
		}
	})
}
