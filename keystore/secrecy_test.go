package keystore

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"billfold/ledger"
)

// leaks looks for the canaries: a secret in any form it might be printed in.
func leaks(text string) string {
	text = strings.ToLower(text)
	for n := range 5 {
		secret := secretOf(testKey(n))
		for _, form := range []string{
			testKey(n).WIF(), hex.EncodeToString(secret[:]), string(secret[:]),
			strings.Trim(fmt.Sprint(secret), "[]"), fmt.Sprintf("%#v", secret)[10:], testKey(n).ElGamal().Private.String(),
		} {
			if strings.Contains(text, strings.ToLower(form)) {
				return form
			}
		}
	}
	for _, form := range []string{password, "123456789.", hex.EncodeToString([]byte(password))} {
		if strings.Contains(text, form) {
			return form
		}
	}
	return ""
}

func TestNothingPrintedShowsASecret(t *testing.T) {
	s := filled(t, cheap())
	legacy := &Legacy{Secrets: &Secrets{}, Public: s.Public()}
	var shown []any
	must(t, s.Update(func(c *Contents) error {
		copied := Contents{Secrets: &Secrets{}}
		must(t, copied.AddKey(34, testKey(0)))
		must(t, legacy.Secrets.SetPendingMiner("x", testKey(4)))
		shown = append(
			shown,
			copied,
			&copied,
			copied.Secrets,
			struct{ S *Secrets }{copied.Secrets},
			struct{ s *Secrets }{copied.Secrets},
			copied.Secrets.PendingMiners(),
		)
		return nil
	}))
	shown = append(
		shown,
		s,
		struct{ S *Store }{s},
		struct{ s *Store }{s},
		legacy,
		[]*Legacy{legacy},
		s.Public(),
		legacy.Secrets.PendingMiners(),
	)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		for _, v := range shown {
			if form := leaks(fmt.Sprintf(verb, v)); form != "" {
				t.Errorf("%s of %T shows %q", verb, v, form)
			}
		}
	}
	for _, v := range shown {
		out, err := json.Marshal(v)
		if form := leaks(string(out) + fmt.Sprint(err)); form != "" {
			t.Errorf("JSON of %T shows %q", v, form)
		}
		var log strings.Builder
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		if form := leaks(log.String()); form != "" {
			t.Errorf("the log of %T shows %q", v, form)
		}
	}
}

func TestNoErrorShowsASecret(t *testing.T) {
	s := filled(t, cheap())
	_, created := Create(s.Path(), password, Public{}, nil, cheap())
	_, legacy := ReadLegacy([]byte(`{"cipher_keys":"00","pending_miner_registrations":[["x","`+testKey(0).WIF()+`"]]}`), password)
	_, pending := ReadLegacy([]byte(`{"cipher_keys":"","pending_miner_registrations":[["x","`+testKey(0).WIF()+`x"]]}`), password)
	for _, err := range []error{
		created, legacy, pending, s.Unlock(password + "x"), s.ChangePassword(password+"x", password), s.ChangePassword(password, ""),
		s.Update(func(c *Contents) error { return c.AddKey(1, ledger.PrivateKey{}) }),
	} {
		if err == nil {
			t.Fatal("an error was expected")
		}
		if form := leaks(fmt.Sprintf("%v %+v %#v", err, err, err)); form != "" {
			t.Errorf("%v shows %q", err, form)
		}
	}
}

func TestTheFileHoldsNoSecretInClear(t *testing.T) {
	s := filled(t, cheap())
	if form := leaks(string(mustRead(t, s.Path()))); form != "" {
		t.Fatalf("the file shows %q", form)
	}
}

func TestLeaksFindsTheCanaries(t *testing.T) {
	secret := secretOf(testKey(3))
	for _, text := range []string{
		testKey(0).WIF(), fmt.Sprint(secret), fmt.Sprintf("%x", secret), fmt.Sprintf("%#v", secret), "x " + password,
	} {
		if leaks("before "+text+" after") == "" {
			t.Error("not found:", text)
		}
	}
}

func secretOf(k ledger.PrivateKey) (secret [32]byte) {
	k.PutSecret(&secret)
	return secret
}
