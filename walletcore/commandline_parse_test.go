package walletcore_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"billfold/walletcore/commandline"
)

// The second column is the method and its parameters as one JSON list.
func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		`info`:                                  `["info"]`,
		`transfer alice bobby 10 DCT "hi" true`: `["transfer","alice","bobby",10,"DCT","hi",true]`,
		`transfer "1.2.11" "1.2.4" 1000.03 DCT "" 1`: `["transfer","1.2.11","1.2.4","1000.03","DCT","",1]`,
		"  get_block\t0x10 ":                         `["get_block","0x10"]`,
		`x 0b101 0o17 007 -5 +5 1e5 5. 1.2.3`:        `["x","0b101","0o17","007",-5,"+5","1e5","5.","1.2.3"]`,
		`x true false null True`:                     `["x",true,false,null,"True"]`,
		`x 'as it "is\'`:                             `["x","as it \"is\\"]`,
		`x "a\"b\u00e9\n"`:                           `["x","a\"bé\n"]`,
		`x [alice, bobby,1.3.0] {}`:                  `["x",["alice","bobby","1.3.0"],{}]`,
		`x {"a": {b:[1,'2 ']}, c : null}`:            `["x",{"a":{"b":[1,"2 "]},"c":null}]`,
		`x a/b_c-d+e.f https://a:1/?b=c,d`:           `["x","a/b_c-d+e.f","https://a:1/?b=c,d"]`,
		`x 123456789012345678901234567890`:           `["x",123456789012345678901234567890]`,
		`x []`:                                       `["x",[]]`,
		`x "—a" '“b”' it’s -5 -time`:                 `["x","—a","“b”","it’s",-5,"-time"]`,
	} {
		c, err := commandline.Parse(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		name, _ := json.Marshal(c.Method)
		got, _ := json.Marshal(append([]json.RawMessage{name}, c.Params...))
		if string(got) != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
}

func TestParseErrorsHaveAPosition(t *testing.T) {
	for line, want := range map[string]string{
		``: "column 1: a line begins", `5 alice`: "column 1: a line begins", `["x"]`: "column 1: a line begins",
		`x "secret`: "column 3: this quote is not closed", `x 'secret`: "column 3: this quote",
		"x \"a\tb\"": "column 5: a tab in a text is written as \\t", `x "a\q"`: "column 3: this text is not written as JSON", `x [1,2`: "column 3: this bracket is not closed",
		`x [1 2]`: "column 6: a comma is missing", `x {a}`: "column 5: a colon", `x {1:2}`: "column 4: the name of a member is text",
		`x "a\ud83d"`: "column 3: a text holds half a character", `x {"\udc00":1}`: "column 4: a text holds half", "é \xed\xa0\xbd": "column 3: this is not text in UTF-8",
		`x ]`: "column 3: a value is missing", `x [,]`: "column 4: a value is missing", `x "a""b"`: "column 6: a blank is missing",
		`é "ü"b`: "column 6: a blank", `x ` + strings.Repeat("[", 100): "too deep", `x [1,`: "this bracket is not closed",
		`x "a" —b`: "column 7: this word has a dash of a word processor in front (U+2014)", `x [1,−5]`: "column 6: this word has a dash", `x --dry-run`: "column 3: a line takes no options",
		`x “a b”`: "column 3: this word has a quote of a word processor in it (U+201C); write \" as on a keyboard", `x a b”`: "column 5: this word has a quote", `x {a: «b}`: "column 7: this word has a quote",
		`x ‘a b’`: "column 3: this word has", `x „a b“`: "column 3: this word has",
		"x 1\r# y": "column 4: a line ends here", "x\vy": "column 2: a line ends here", "# a\u2029x": "column 4: a line ends here", "# a\x1atransfer": "column 4: a line ends here", "# a\x00b": "column 4: a line", "#\x1cb": "column 2: a line", "# c\ufeffis_new": "column 4: a line", "x 'a\u0085b'": "column 5: a line ends here",
	} {
		_, err := commandline.Parse(line)
		var at *commandline.SyntaxError
		if !errors.As(err, &at) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestBegun(t *testing.T) {
	for line, want := range map[string][]string{ // head, last, words
		``: {"", ""}, `tra`: {"", "tra"}, `transfer `: {"transfer ", "", "transfer"},
		`transfer alice bo`: {"transfer alice ", "bo", "transfer", "alice"},
		`x "a b" 'c d' 5 `:  {`x "a b" 'c d' 5 `, "", "x", "a b", "c d", "5"},
		`x "half te`:        {"x ", `"half te`, "x"},
	} {
		b := commandline.ParsePartial(line)
		if got := append([]string{b.Head, b.Last}, b.Words...); !slices.Equal(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// FuzzCommandLine checks that any line is parsed, or refused with a sentence; that parameters are
// JSON, and that parameters written as words parse to the same.
func FuzzCommandLine(f *testing.F) {
	for _, line := range []string{`transfer alice bobby 10 DCT "hi" true`, `x {"a":[1,'b']} 0x1f`, `x "`, "x \xff", `# x`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		commandline.ParsePartial(line)
		c, err := commandline.Parse(line)
		if err == nil {
			for _, p := range c.Params {
				if !json.Valid(p) {
					t.Fatalf("%q: %q is not JSON", line, p)
				}
			}
		}
		words := strings.Fields(strings.ToValidUTF8(line, "?"))
		if len(words) == 0 {
			return
		}
		again, err := commandline.Parse("m " + commandline.Write(words))
		if err != nil || len(again.Params) != len(words) {
			t.Fatalf("%q: %v", words, err)
		}
		for i, p := range again.Params {
			if asTyped(p) != words[i] {
				t.Fatalf("%q became %s", words[i], p)
			}
		}
	})
}

// asTyped returns a parameter as a person types it.
func asTyped(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
