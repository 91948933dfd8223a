package custody

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// The reference made these packages, signatures and proofs (protocol/content-engine.md).
var recordedPackages = []string{"flow", "package-B"}

type recorded struct {
	data                map[string]ledger.CustodyData
	packages, signature map[string][]byte
	proofs              []ledger.ProofOfCustodyOp // of flow
}

func readRecorded(t testing.TB) recorded {
	t.Helper()
	var file struct {
		Flow     ledger.CustodyData        `json:"flow"`
		PackageB ledger.CustodyData        `json:"package-B"`
		Proofs   []ledger.ProofOfCustodyOp `json:"proofs"`
	}
	if err := codec.Unmarshal(read(t, "recorded.json"), &file); err != nil {
		t.Fatal(err)
	}
	r := recorded{
		data:     map[string]ledger.CustodyData{"flow": file.Flow, "package-B": file.PackageB},
		packages: map[string][]byte{}, signature: map[string][]byte{}, proofs: file.Proofs,
	}
	for _, name := range recordedPackages {
		r.packages[name], r.signature[name] = read(t, name+".aes"), read(t, name+".cus")
	}
	if len(r.proofs) != 2 {
		t.Fatalf("%d proofs", len(r.proofs))
	}
	return r
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func verify(data ledger.CustodyData, pkg, signatures []byte) error {
	return Verify(context.Background(), data, bytes.NewReader(pkg), int64(len(pkg)), bytes.NewReader(signatures), Options{})
}

func TestSignaturesOfTheReferenceVerify(t *testing.T) {
	r := readRecorded(t)
	for _, name := range recordedPackages {
		if err := verify(r.data[name], r.packages[name], r.signature[name]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One bit changed anywhere, and the signature that it belongs to is named.
func TestChangedSignaturesAreRefused(t *testing.T) {
	r := readRecorded(t)
	for _, name := range recordedPackages {
		data, pkg, signatures := r.data[name], r.packages[name], r.signature[name]
		for bit := 3; bit < 8*len(signatures); bit += 8*PointSize*7 + 17 {
			wantWrong(t, data, pkg, flip(signatures, bit), uint32(bit/8/PointSize), fmt.Sprintf("%s, bit %d of the signatures", name, bit))
		}
		for bit := 5; bit < 8*len(pkg); bit += 8*MessageSize*9 + 777 {
			wantWrong(t, data, flip(pkg, bit), signatures, uint32(bit/8/MessageSize), fmt.Sprintf("%s, bit %d of the package", name, bit))
		}
		for bit := range 8 * PointSize {
			changed := data
			changed.PubKey[bit/8] ^= 1 << (bit % 8)
			if verify(changed, pkg, signatures) == nil {
				t.Errorf("%s verifies with bit %d of the public key changed", name, bit)
			}
		}
		changed := data
		changed.USeed[3] ^= 1
		wantWrong(t, changed, pkg, signatures, 0, name+", another seed")
	}
}

func flip(data []byte, bit int) []byte {
	out := bytes.Clone(data)
	out[bit/8] ^= 1 << (bit % 8)
	return out
}

func wantWrong(t *testing.T, data ledger.CustodyData, pkg, signatures []byte, index uint32, what string) {
	t.Helper()
	var wrong *SignatureError
	if err := verify(data, pkg, signatures); !errors.As(err, &wrong) || wrong.Index != index {
		t.Errorf("%s: %v, want signature %d", what, err, index)
	}
}

func TestProofsOfTheReferenceVerify(t *testing.T) {
	r := readRecorded(t)
	for i, op := range r.proofs {
		if err := VerifyProof(r.data["flow"], *op.Proof); err != nil {
			t.Errorf("proof %d: %v", i, err)
		}
		pkg, signatures := r.packages["flow"], r.signature["flow"]
		own, err := Prove(r.data["flow"], bytes.NewReader(pkg), int64(len(pkg)), bytes.NewReader(signatures), op.Proof.ReferenceBlock, op.Proof.Seed)
		if err != nil || fmt.Sprint(own) != fmt.Sprint(*op.Proof) {
			t.Errorf("own proof:\n%v\n%v\n%v", own, *op.Proof, err)
		}
	}
}
