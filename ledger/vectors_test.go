package ledger

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"billfold/ledger/codec"
)

// vectors is testdata/vectors.json: values made by, or read back with, the
// reference implementation.
type vectors struct {
	Operations []struct {
		Op      OpCode          `json:"op"`
		Name    string          `json:"name"`
		JSON    json.RawMessage `json:"json"`
		Hex     string          `json:"hex"`
		Virtual bool            `json:"virtual"`
	} `json:"operations"`
	DefaultOperations []struct {
		Op      OpCode          `json:"op"`
		Name    string          `json:"name"`
		JSON    json.RawMessage `json:"json"`
		Hex     string          `json:"hex"`
		Virtual bool            `json:"virtual"`
	} `json:"default_operations"`
	DefaultFeeParameters []struct {
		Op   OpCode          `json:"op"`
		JSON json.RawMessage `json:"json"`
		Hex  string          `json:"hex"`
	} `json:"default_fee_parameters"`
	Transactions []struct {
		Name                string          `json:"name"`
		ChainID             ChainID         `json:"chain_id"`
		JSON                json.RawMessage `json:"json"`
		Hex                 string          `json:"hex"`
		ID                  TransactionID   `json:"id"`
		SigDigest           string          `json:"sig_digest"`
		Signatures          []madeSignature `json:"signatures"`
		ReferenceSignatures []madeSignature `json:"reference_signatures"`
		SDKSignatureDigest  string          `json:"sdk_signature_digest"`
	} `json:"transactions"`
	MessagingPayloads []struct {
		Operation json.RawMessage `json:"operation"`
		Hex       string          `json:"hex"`
	} `json:"messaging_payloads"`
	BlockRefs []struct {
		BlockID        BlockID `json:"block_id"`
		RefBlockNum    uint16  `json:"ref_block_num"`
		RefBlockPrefix uint32  `json:"ref_block_prefix"`
	} `json:"block_refs"`
	Names []struct {
		Name  string `json:"name"`
		Valid bool   `json:"valid"`
	} `json:"names"`
	Symbols []struct {
		Symbol string `json:"symbol"`
		Valid  bool   `json:"valid"`
	} `json:"symbols"`
	Amounts []struct {
		Precision uint8       `json:"precision"`
		Text      string      `json:"text"`
		Amount    json.Number `json:"amount"`
		Back      string      `json:"amount_to_string"`
		Error     string      `json:"error"`
		Code      int         `json:"code"`
	} `json:"amounts"`
	AmountRendering []struct {
		Precision uint8       `json:"precision"`
		Amount    json.Number `json:"amount"`
		Text      string      `json:"text"`
	} `json:"amount_rendering"`
	AmountsGivenAsJSONNumbers []struct {
		Precision  uint8  `json:"precision"`
		JSONNumber string `json:"json_number"`
	} `json:"amounts_given_as_json_numbers"`
	JSONNumbers []struct {
		Input    string `json:"input"`
		Rendered string `json:"rendered"`
		Raw      string `json:"raw_variant_hex"`
		Error    string `json:"error"`
	} `json:"json_numbers"`
	Varints []struct {
		Value uint64 `json:"value"`
		Hex   string `json:"hex"`
	} `json:"varints"`
	Times []struct {
		Input    string `json:"input"`
		Seconds  uint32 `json:"seconds"`
		Rendered string `json:"rendered"`
		Error    string `json:"error"`
	} `json:"times"`
	VoteIDs []struct {
		Text   string `json:"text"`
		Uint32 uint32 `json:"uint32"`
		Hex    string `json:"hex"`
	} `json:"vote_ids"`
	ChainIDs []struct {
		Network string  `json:"network"`
		ChainID ChainID `json:"chain_id"`
	} `json:"chain_ids"`
}

// madeSignature is a signature with the key that made it.
type madeSignature struct {
	WIF       string    `json:"wif"`
	Signature Signature `json:"signature"`
}

func loadVectors(t testing.TB) *vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	v := new(vectors)
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
	return v
}

// sameJSON compares by value, member order included only where lists are.
func sameJSON(t testing.TB, got, want []byte) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("not JSON: %v: %s", err, got)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("JSON differs\n got %s\nwant %s", got, want)
	}
}

// checkOperation reads op from its JSON and its bytes and writes both again.
func checkOperation(t *testing.T, opJSON []byte, opHex string) {
	t.Helper()
	var fromJSON, fromBytes Operation
	if err := codec.Unmarshal(opJSON, &fromJSON); err != nil {
		t.Fatal(err)
	}
	if fromJSON.Raw != nil {
		t.Errorf("something in it is not known: %s", fromJSON.Raw)
	}
	packed, err := codec.Pack(fromJSON)
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(packed); got != opHex {
		t.Fatalf("bytes differ\n got %s\nwant %s", got, opHex)
	}
	if err := codec.Unpack(packed, &fromBytes); err != nil {
		t.Fatal(err)
	}
	for _, op := range []Operation{fromJSON, fromBytes} {
		text, err := codec.Marshal(op)
		if err != nil {
			t.Fatal(err)
		}
		sameJSON(t, text, opJSON)
	}
}

func TestOperationVectors(t *testing.T) {
	for _, v := range loadVectors(t).Operations {
		t.Run(v.Name, func(t *testing.T) {
			checkOperation(t, v.JSON, v.Hex)
			if OpName(v.Op) != v.Name {
				t.Errorf("name is %q, want %q", OpName(v.Op), v.Name)
			}
		})
	}
}

func TestDefaultOperationVectors(t *testing.T) {
	seen := map[OpCode]bool{}
	defer func() {
		for i := range operations {
			if !seen[OpCode(i)] {
				t.Errorf("no vector exercises operation %d", i)
			}
		}
	}()
	for _, v := range loadVectors(t).DefaultOperations {
		seen[v.Op] = true
		t.Run(v.Name, func(t *testing.T) {
			op := Operation{Code: v.Op, Body: NewBody(v.Op)}
			packed, err := codec.Pack(op)
			if err != nil || hex.EncodeToString(packed) != v.Hex {
				t.Errorf("bytes of the default differ: %x, want %s (%v)", packed, v.Hex, err)
			}
			text, _ := codec.Marshal(op)
			sameJSON(t, text, v.JSON)
			if v.Op.IsVirtual() != v.Virtual {
				t.Errorf("virtual is %v", v.Op.IsVirtual())
			}
		})
	}
}

func TestFeeParameterVectors(t *testing.T) {
	for _, v := range loadVectors(t).DefaultFeeParameters {
		f := DefaultFee(v.Op)
		packed, err := codec.Pack(f)
		if err != nil || hex.EncodeToString(packed) != v.Hex {
			t.Errorf("%d: bytes %x, want %s (%v)", v.Op, packed, v.Hex, err)
		}
		text, _ := codec.Marshal(f)
		sameJSON(t, text, v.JSON)
		var again FeeParameters
		if err := codec.Unmarshal(v.JSON, &again); err != nil || again != f {
			t.Errorf("%d: read back %+v, want %+v (%v)", v.Op, again, f, err)
		}
	}
}

func TestTransactionVectors(t *testing.T) {
	for _, v := range loadVectors(t).Transactions {
		t.Run(v.Name, func(t *testing.T) {
			var tx Transaction
			if err := codec.Unmarshal(v.JSON, &tx); err != nil {
				t.Fatal(err)
			}
			packed, err := tx.Pack()
			if err != nil || hex.EncodeToString(packed) != v.Hex {
				t.Fatalf("bytes %x, want %s (%v)", packed, v.Hex, err)
			}
			if id, _ := tx.ID(); id != v.ID {
				t.Errorf("id %s, want %s", id, v.ID)
			}
			digest, _ := tx.Digest(v.ChainID)
			if hex.EncodeToString(digest[:]) != v.SigDigest {
				t.Errorf("digest %x, want %s", digest, v.SigDigest)
			}
			for _, sig := range v.ReferenceSignatures {
				key := mustWIF(t, sig.WIF)
				if got := key.SignAsReference(digest); got != sig.Signature {
					t.Errorf("signed %s, the reference makes %s", got, sig.Signature)
				}
				if own, err := RecoverKey(digest, key.Sign(digest)); err != nil || own != key.Public() {
					t.Errorf("what is signed recovers %s (%v)", own, err)
				}
			}
			if v.SDKSignatureDigest == "" {
				for _, sig := range v.Signatures {
					if key, err := RecoverKey(digest, sig.Signature); err != nil || key != mustWIF(t, sig.WIF).Public() {
						t.Errorf("signature %s recovers %s (%v)", sig.Signature, key, err)
					}
				}
			}
			var again Transaction
			if err := codec.Unpack(packed, &again); err != nil {
				t.Fatal(err)
			}
			text, _ := codec.Marshal(again)
			sameJSON(t, text, withoutSignatures(t, v.JSON))
		})
	}
}

func withoutSignatures(t *testing.T, tx json.RawMessage) []byte {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(tx, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "signatures")
	out, _ := json.Marshal(m)
	return out
}

func TestMessagingPayloadVectors(t *testing.T) {
	for _, v := range loadVectors(t).MessagingPayloads {
		checkOperation(t, v.Operation, v.Hex)
	}
}

func TestBlockRefVectors(t *testing.T) {
	for _, v := range loadVectors(t).BlockRefs {
		num, prefix := BlockRef(v.BlockID)
		if num != v.RefBlockNum || prefix != v.RefBlockPrefix {
			t.Errorf("%s: %d %d, want %d %d", v.BlockID, num, prefix, v.RefBlockNum, v.RefBlockPrefix)
		}
	}
}

func TestNameVectors(t *testing.T) {
	for _, v := range loadVectors(t).Names {
		if err := ValidAccountName(v.Name); (err == nil) != v.Valid {
			t.Errorf("name %q: valid should be %v, got %v", v.Name, v.Valid, err)
		}
	}
	for _, v := range loadVectors(t).Symbols {
		if err := ValidSymbol(v.Symbol); (err == nil) != v.Valid {
			t.Errorf("symbol %q: valid should be %v, got %v", v.Symbol, v.Valid, err)
		}
	}
}

// Where the reference takes nothing for zero, or ignores a minus, this program
// refuses (docs/differences.md).
func TestAmountVectors(t *testing.T) {
	stricter := map[string]error{"": ErrAmountSyntax, "1-2": ErrAmountSyntax, "-1.5": ErrAmountNegative}
	byCode := map[int]error{0: ErrAmountSyntax, 10: ErrAmountLimit, 13: ErrAmountOverflow}
	for _, v := range loadVectors(t).Amounts {
		got, err := ParseAmount(v.Text, v.Precision)
		switch {
		case v.Error != "":
			if !errors.Is(err, byCode[v.Code]) {
				t.Errorf("%q: %d %v, want the fault %v", v.Text, got, err, byCode[v.Code])
			}
		case stricter[v.Text] != nil:
			if !errors.Is(err, stricter[v.Text]) {
				t.Errorf("%q: %d %v, want the fault %v", v.Text, got, err, stricter[v.Text])
			}
		case err != nil || v.Amount.String() != FormatDecimals(got, 0):
			t.Errorf("%q at %d: %d %v, want %s", v.Text, v.Precision, got, err, v.Amount)
		case FormatAmount(got, v.Precision) != v.Back:
			t.Errorf("%q back: %q, want %q", v.Text, FormatAmount(got, v.Precision), v.Back)
		}
	}
}

func TestParseAmountRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"1.123456789": ErrAmountDigits, ".": ErrAmountSyntax, "-": ErrAmountSyntax, "-1": ErrAmountNegative, "1e5": ErrAmountSyntax,
		" 1": ErrAmountSyntax, "abc": ErrAmountSyntax, "١": ErrAmountSyntax, "1..2": ErrAmountSyntax, "0x10": ErrAmountSyntax,
		"99999999999999999999": ErrAmountOverflow, "73197775.77456891": ErrAmountLimit,
	} {
		if got, err := ParseAmount(text, 8); !errors.Is(err, want) {
			t.Errorf("%q: %d %v, want %v", text, got, err, want)
		}
	}
}

func TestAmountRenderingVectors(t *testing.T) {
	for _, v := range loadVectors(t).AmountRendering {
		amount, err := v.Amount.Int64()
		if err != nil {
			t.Fatal(err)
		}
		got := FormatAmount(amount, v.Precision)
		if amount >= 0 && got != v.Text {
			t.Errorf("%d at %d: %q, want %q", amount, v.Precision, got, v.Text)
		}
		if amount < 0 && got[0] != '-' {
			t.Errorf("%d at %d: %q has lost its sign", amount, v.Precision, got)
		}
	}
}

// The digits of a JSON number count, not what a double makes of them.
func TestAmountDigitsOfJSONNumbersAreKept(t *testing.T) {
	for _, v := range loadVectors(t).AmountsGivenAsJSONNumbers {
		if _, err := ParseAmount(v.JSONNumber, v.Precision); err != nil {
			t.Errorf("%s: %v", v.JSONNumber, err)
		}
	}
	if got, _ := ParseAmount("1000.03", 8); got != 100003000000 {
		t.Errorf("1000.03 is %d", got)
	}
}

func TestJSONNumberVectors(t *testing.T) {
	// Not standard JSON, or a reference habit that would change text.
	lax := map[string]bool{"[1,2,]": true, `"\u0041"`: true}
	for _, v := range loadVectors(t).JSONNumbers {
		var value Variant
		err := codec.Unmarshal([]byte(v.Input), &value)
		if v.Error != "" || v.Input == "[1,2,]" {
			if err == nil {
				t.Errorf("%s: read, but it should be refused", v.Input)
			}
			continue
		}
		if lax[v.Input] {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", v.Input, err)
			continue
		}
		packed, err := codec.Pack(value)
		if err != nil || hex.EncodeToString(packed) != v.Raw {
			t.Errorf("%s: packed %x, want %s (%v)", v.Input, packed, v.Raw, err)
		}
		text, _ := codec.Marshal(value)
		if string(text) != v.Rendered {
			t.Errorf("%s: written %s, want %s", v.Input, text, v.Rendered)
		}
	}
}

func TestSmallVectors(t *testing.T) {
	all := loadVectors(t)
	for _, v := range all.Varints {
		if got := hex.EncodeToString(codec.AppendVarint(nil, v.Value)); got != v.Hex {
			t.Errorf("varint %d: %s, want %s", v.Value, got, v.Hex)
		}
	}
	for _, v := range all.Times {
		got, err := ParseTime(v.Input)
		if (err != nil) != (v.Error != "") || uint32(got) != v.Seconds {
			t.Errorf("time %q: %d %v, want %d %q", v.Input, got, err, v.Seconds, v.Error)
		}
		if err == nil && got.String() != v.Rendered {
			t.Errorf("time %q: written %q, want %q", v.Input, got, v.Rendered)
		}
	}
	for _, v := range all.VoteIDs {
		got, err := ParseVoteID(v.Text)
		packed, _ := codec.Pack(got)
		if err != nil || uint32(got) != v.Uint32 || hex.EncodeToString(packed) != v.Hex || got.String() != v.Text {
			t.Errorf("vote id %q: %d %x %v", v.Text, got, packed, err)
		}
	}
	if len(all.ChainIDs) == 0 || all.ChainIDs[0].ChainID.String() != MainnetChainID {
		t.Errorf("main net's chain id differs: %v", all.ChainIDs)
	}
}
