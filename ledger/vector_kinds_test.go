package ledger

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// exercisedBy says which test reads each kind of vector.
var exercisedBy = map[string]string{
	"operations":                    "TestOperationVectors",
	"default_operations":            "TestDefaultOperationVectors",
	"default_fee_parameters":        "TestFeeParameterVectors",
	"transactions":                  "TestTransactionVectors",
	"signatures":                    "TestSignVectors",
	"canonical_checks":              "TestIsCanonicalVectors",
	"keys":                          "TestPrivateKeyVectors",
	"key_derivation":                "TestDeriveKeyVectors",
	"brain_keys":                    "TestBrainKeyVectors",
	"memos":                         "TestMemoVectors",
	"shared_secrets":                "TestSharedSecretVectors",
	"messaging_payloads":            "TestMessagePayloadsFromInput",
	"el_gamal":                      "TestElGamalVectors",
	"wallet_files":                  "TestLegacyVectors", // package keystore, from a copy of its own
	"block_refs":                    "TestBlockRefVectors",
	"names":                         "TestNameVectors",
	"symbols":                       "TestNameVectors",
	"amounts":                       "TestAmountVectors",
	"amount_rendering":              "TestAmountRenderingVectors",
	"amounts_given_as_json_numbers": "TestAmountDigitsOfJSONNumbersAreKept",
	"json_numbers":                  "TestJSONNumberVectors",
	"public_key_order":              "TestComparePublicKeysIsTheOrderOfTheReference",
	"varints":                       "TestSmallVectors",
	"times":                         "TestSmallVectors",
	"vote_ids":                      "TestSmallVectors",
	"chain_ids":                     "TestSmallVectors",
	"misc":                          "TestMemoCipherWithEmptyNonceText",
}

// A new kind of vector, or one whose test was renamed away, fails here.
func TestEveryVectorKindIsExercised(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var kinds map[string]json.RawMessage
	if err := json.Unmarshal(data, &kinds); err != nil {
		t.Fatal(err)
	}
	tests := testNames(t, ".", filepath.Join("..", "keystore"))
	for kind, raw := range kinds {
		if kind == "schema_version" || kind == "about" {
			continue
		}
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) == 0 {
			t.Errorf("there is no vector of kind %s", kind)
		}
		if name := exercisedBy[kind]; !tests[name] {
			t.Errorf("no test exercises the vectors of kind %s (%s)", kind, name)
		}
	}
	for kind := range exercisedBy {
		if _, there := kinds[kind]; !there {
			t.Errorf("there are no vectors of kind %s", kind)
		}
	}
}

func testNames(t *testing.T, dirs ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range declared.FindAllSubmatch(text, -1) {
				names[string(m[1])] = true
			}
		}
	}
	return names
}
