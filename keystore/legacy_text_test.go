package keystore

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A wallet.json that cannot be read is told as what it is: another file, damaged and where, or without keys.
func TestLegacyFilesAreToldAsWhatTheyAre(t *testing.T) {
	for text, want := range map[string]string{
		"": "it is empty", strings.Repeat("\x00", 99): "it has zero bytes and nothing else", "{\n \x00\x00}": "line 2, column 2: a zero byte stands there", `{"cipher_keys":""}` + "\x00": "column 19: a zero byte stands there",
		"<!DOCTYPE html><p>": "it is a web page (HTML)", "account,amount,asset\nbobby,1,DCT\n": "it is a table (CSV)",
		`{"items":[{"password":"` + testKey(0).WIF() + `"}]}`:  "it is a text with a private key in it",
		testKey(0).WIF() + "\n":                                "it is a text with a private key in it",
		"PK\x03\x04\x14\x00":                                   "it is a zip archive",
		"{\n  \"version\": 1,\n  'cipher_keys': 1}":            "line 3, column 3: what stands there is no JSON",
		"{\n\"version\": 1,\n\"cipher_keys\": \"00":            "it was cut short: it ends in line 3",
		`{"cipher_keys":""}`:                                   "has no keys",
		"{\"cipher_keys\":\"\"}\n{\"cipher_keys\":\"\"}\n":     "two wallets, one after the other: the second begins in line 2",
		`{"cipher_keys":"","my_accounts":[],"Cipher_keys":""}`: `its member "Cipher_keys" occurs twice`,
		`{\rtf1\ansi "cipher_keys"}`:                           "it is a document of a word processor (RTF)",
		`{"cipher_keys":"","my_accounts":[]}`:                  "has no keys",
	} {
		err := CheckLegacy([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), testKey(0).WIF()) ||
			strings.Contains(err.Error(), "check the path") && strings.Contains(text, "version") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Whatever is missing of a file of either version, or was altered, the right password is never told as wrong: where nothing that it decrypts shows
// that it is right, too little is left for any password. A file as it was written is read, whichever version it says it has.
func TestDamageIsNoWrongPassword(t *testing.T) {
	holder := &Secrets{}
	for n := range 3 {
		_, err := holder.AddKey(testKey(n))
		must(t, err)
	}
	text := legacyPlain("pw", `"ec_keys":[["`+testKey(0).Public().String()+`","`+testKey(0).WIF()+`"],["`+testKey(1).Public().String()+`","`+testKey(1).WIF()+`"]],`)
	for format, plain := range map[string][]byte{"JSON": text, "binary": oldForm(holder, "pw")} {
		whole := legacyCipher(t, "pw", plain)
		const block = 32 // in hex digits
		try := func(what, keys string, damaged bool) {
			for version := range 2 {
				file, err := json.Marshal(map[string]any{"version": version, "cipher_keys": keys})
				must(t, err)
				_, right := ReadLegacy(file, "pw")
				_, wrong := ReadLegacy(file, "pW")
				switch short := len(keys) < 5*block; {
				case damaged && !errors.Is(right, ErrDamaged), !damaged && right != nil:
					t.Errorf("%s, %s: with the right password it is %v", format, what, right)
				case short != (CheckLegacy(file) != nil):
					t.Errorf("%s, %s: before a password is asked for, it is %v", format, what, CheckLegacy(file))
				case !short && !errors.Is(wrong, ErrWrongPassword):
					t.Errorf("%s, %s: with a wrong password it is %v", format, what, wrong)
				}
			}
		}
		try("whole", whole, false)
		for n := block; n < len(whole); n += block {
			try(fmt.Sprintf("cut behind %d of %d", n, len(whole)), whole[:n], true)
			if n+5*block <= len(whole) { // else only padding may be left
				try(fmt.Sprintf("cut before %d of %d", n, len(whole)), whole[n:], true)
			}
			if n > block {
				try(fmt.Sprintf("without the block at %d of %d", n, len(whole)), whole[:n-block]+whole[n:], true)
			}
			try(fmt.Sprintf("zeros at %d of %d", n, len(whole)), whole[:n]+strings.Repeat("0", block)+whole[min(n+block, len(whole)):], true)
		}
		try("zeros at the start", strings.Repeat("0", block)+whole[block:], true)
	}
	lost := `{"cipher_keys":"","my_accounts":[{"id":"1.2.4","name":"a","options":{"memo_key":"` + testKey(0).Public().String() + `"}}]}`
	if err := CheckLegacy([]byte(lost)); !errors.Is(err, ErrDamaged) {
		t.Errorf("accounts without cipher_keys: %v", err)
	}
}

// The reference wallet took the bytes of a terminal, which was not always one of UTF-8.
func TestLegacyPasswordsOfOldTerminals(t *testing.T) {
	for set, typed := range map[string][]string{
		"caf\xe9-old": {"café-old", "cafe\u0301-old", "caf\xe9-old", "\ufeffcafé-old"},
		"café-new":    {"café-new", "cafe\u0301-new", "caf\xe9-new"},
		" blanks ":    {" blanks "},
	} {
		file := []byte(`{"version":1,"cipher_keys":"` + legacyCipher(t, set, legacyPlain(set, `"ec_keys":[["`+testKey(0).Public().String()+`","`+testKey(0).WIF()+`"]],`)) + `"}`)
		for _, password := range typed {
			if _, err := ReadLegacy(file, password); err != nil {
				t.Errorf("%+q for one that was set as %+q: %v", password, set, err)
			}
		}
	}
}
