package keystore

import (
	"encoding/json"
	"strings"
	"testing"
)

// A wallet.json that cannot be read is told as what it is: another file, damaged and where, or without keys. A right password is never told as wrong.
func TestLegacyFilesAreToldAsWhatTheyAre(t *testing.T) {
	keys := legacyCipher(t, "pw", legacyPlain("pw", `"ec_keys":[["`+testKey(0).Public().String()+`","`+testKey(0).WIF()+`"]],`))
	for text, want := range map[string]string{
		"": "it is empty", "<!DOCTYPE html><p>": "it is a web page (HTML)", "account,amount,asset\nbobby,1,DCT\n": "it is a table (CSV)",
		testKey(0).WIF() + "\n":                     "it is a text with a private key in it",
		"PK\x03\x04\x14\x00":                        "it is a zip archive",
		"{\n  \"version\": 1,\n  'cipher_keys': 1}": "line 3, column 3: what stands there is no JSON",
		"{\n\"version\": 1,\n\"cipher_keys\": \"00": "it was cut short: it ends in line 3",
		`{"cipher_keys":""}`:                        "has no keys",
		`{"cipher_keys":"","my_accounts":[]}`:       "has no keys",
	} {
		err := CheckLegacy([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), testKey(0).WIF()) ||
			strings.Contains(err.Error(), "check the path") && strings.Contains(text, "version") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for n := 32; n <= len(keys); n += 32 { // a block of the cipher each
		file, err := json.Marshal(map[string]any{"version": 1, "cipher_keys": keys[:n]})
		must(t, err)
		_, right := ReadLegacy(file, "pw")
		_, wrong := ReadLegacy(file, "pW")
		want(t, wrong, ErrWrongPassword)
		if n == len(keys) {
			must(t, right)
			continue
		}
		if want(t, right, ErrDamaged); !strings.Contains(right.Error(), "the password is right") {
			t.Fatalf("cut to %d of %d: %v", n, len(keys), right)
		}
	}
}

// The reference wallet took the bytes of a terminal, which was not always one of UTF-8.
func TestLegacyPasswordsOfOldTerminals(t *testing.T) {
	for set, typed := range map[string][]string{
		"caf\xe9-old": {"café-old", "cafe\u0301-old", "caf\xe9-old", "\ufeffcafé-old"},
		"café-new":    {"café-new", "cafe\u0301-new", "caf\xe9-new"},
		" blanks ":    {" blanks "},
	} {
		file := []byte(`{"version":1,"cipher_keys":"` + legacyCipher(t, set, legacyPlain(set, `"ec_keys":[],`)) + `"}`)
		for _, password := range typed {
			if _, err := ReadLegacy(file, password); err != nil {
				t.Errorf("%+q for one that was set as %+q: %v", password, set, err)
			}
		}
	}
}
