package terminal

import "testing"

func TestBackgroundAnswers(t *testing.T) {
	for text, want := range map[string][2]bool{
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c": {true, true},
		"\x1b]11;rgb:1111/1414/1b1b\a\x1b[?1;2c":     {false, true},
		"\x1b]11;rgb:fd/f6/e3\x1b\\":                 {true, true},
		"\x1b[?62;c":                                 {false, false},
		"\x1b]11;rgb:ffff/ffff":                      {false, false},
		"\x1b]11;rgb:zz/00/00\a":                     {false, false},
		"":                                           {false, false},
	} {
		if light, ok := parseBackground(text); light != want[0] || ok != want[1] {
			t.Errorf("%q: light %v, ok %v", text, light, ok)
		}
	}
	if !answerComplete("\x1b]11;rgb:0/0/0\a\x1b[?62;22c") || answerComplete("\x1b]11;rgb:cc/cc/cc\a") {
		t.Error("the end of the answer is recognised in the wrong place")
	}
}

func FuzzBackground(f *testing.F) {
	f.Add("\x1b]11;rgb:ffff/0/12\a")
	f.Add("\x1b]11;rgb:/ /\x1b")
	f.Fuzz(func(t *testing.T, text string) {
		if light, ok := parseBackground(text); light && !ok {
			t.Fatalf("%q is light although it is no answer", text)
		}
	})
}
