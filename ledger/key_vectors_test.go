package ledger

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"testing"
)

// keyVectors is testdata/vectors.json: values made by the reference or published
// with its client libraries, each with its source.
type keyVectors struct {
	Signatures []struct {
		WIF                     string
		Digest                  string
		Signature               string
		FirstAttempt            string `json:"first_attempt"`
		FirstAttemptIsCanonical bool   `json:"first_attempt_is_canonical"`
	}
	CanonicalChecks []struct {
		Signature string
		Canonical bool
	} `json:"canonical_checks"`
	Keys []struct {
		WIF            *string
		SecretHex      string `json:"secret_hex"`
		Public         string
		PublicHex      string `json:"public_hex"`
		ElGamalPrivate string `json:"el_gamal_private"`
		ElGamalPublic  string `json:"el_gamal_public"`
	}
	KeyDerivation []struct {
		Prefix     string
		Sequence   int
		WIF        string
		Public     string
		ThenWIF    string `json:"then_sequence_0_wif"`
		ThenPublic string `json:"then_sequence_0_public"`
	} `json:"key_derivation"`
	BrainKeys []struct {
		BrainKey   string `json:"brain_key"`
		Normalize  bool
		Normalized *string
		Sequence   int
		WIF        string
		Public     string
	} `json:"brain_keys"`
	Memos         []memoVector
	SharedSecrets []struct {
		PrivateWIF  string `json:"private_wif"`
		OtherPublic string `json:"other_public"`
		Nonce       string
		MessageKey  string `json:"sha512_of_nonce_and_secret"`
	} `json:"shared_secrets"`
	ElGamal []struct {
		WIF     string
		Private string
		Public  string
	} `json:"el_gamal"`
	PublicKeyOrder struct {
		Input  []PublicKey
		Sorted []PublicKey `json:"sorted_by_reference"`
	} `json:"public_key_order"`
	Misc []struct {
		PrivateWIF  string `json:"private_wif"`
		OtherPublic string `json:"other_public"`
		Text        string
		Message     string
	}
}

type memoVector struct {
	PrivateWIF  *string `json:"private_wif"`
	OtherPublic *string `json:"other_public"`
	Nonce       string
	Text        string
	Message     string
}

func loadKeyVectors(t testing.TB) keyVectors {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v keyVectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int{
		"signatures": len(v.Signatures), "canonical": len(v.CanonicalChecks), "keys": len(v.Keys),
		"derivation": len(v.KeyDerivation), "brain keys": len(v.BrainKeys), "memos": len(v.Memos),
		"secrets": len(v.SharedSecrets), "el gamal": len(v.ElGamal), "order": len(v.PublicKeyOrder.Sorted), "misc": len(v.Misc),
	} {
		if n == 0 {
			t.Fatalf("no vectors of kind %s", name)
		}
	}
	return v
}

func mustWIF(t testing.TB, wif string) PrivateKey {
	t.Helper()
	key, err := ParseWIF(wif)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func mustPublic(t testing.TB, text string) PublicKey {
	t.Helper()
	key, err := ParsePublicKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func mustHex(t testing.TB, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustUint(t testing.TB, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
