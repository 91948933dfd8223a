package custody

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// The reference made these packages, signatures and proofs (docs/protocol/content-engine.md 3).
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
		own, err := Prove(r.data["flow"], bytes.NewReader(pkg), int64(len(pkg)), bytes.NewReader(signatures), op.Proof.Seed)
		if err != nil || fmt.Sprint(own) != fmt.Sprint(*op.Proof) {
			t.Errorf("own proof:\n%v\n%v\n%v", own, *op.Proof, err)
		}
	}
}

// One bit changed in what a proof consists of, or in what it is checked with, and it verifies no more.
func TestChangedProofsAreRefused(t *testing.T) {
	r := readRecorded(t)
	for i, op := range r.proofs {
		refused := func(what string, bit int, change func(data *ledger.CustodyData, proof *ledger.CustodyProof)) {
			t.Helper()
			data, proof := r.data["flow"], *op.Proof
			proof.Mus = slices.Clone(proof.Mus)
			change(&data, &proof)
			if VerifyProof(data, proof) == nil {
				t.Errorf("proof %d verifies with bit %d of %s changed", i, bit, what)
			}
		}
		for bit := range 8 * PointSize {
			refused("sigma", bit, func(_ *ledger.CustodyData, p *ledger.CustodyProof) { p.Sigma[bit/8] ^= 1 << (bit % 8) })
			refused("the public key", bit, func(d *ledger.CustodyData, _ *ledger.CustodyProof) { d.PubKey[bit/8] ^= 1 << (bit % 8) })
		}
		for bit := i; bit < 160; bit += 9 {
			refused("the seed", bit, func(_ *ledger.CustodyData, p *ledger.CustodyProof) { p.Seed[bit/8] ^= 1 << (bit % 8) })
		}
		for bit := range 32 {
			refused("the block", bit, func(_ *ledger.CustodyData, p *ledger.CustodyProof) { p.ReferenceBlock ^= 1 << bit })
		}
		for bit := i; bit < 32; bit += 2 {
			refused("n", bit, func(d *ledger.CustodyData, _ *ledger.CustodyProof) { d.N ^= 1 << bit })
		}
		for bit := i; bit < 128; bit += 13 {
			refused("u_seed", bit, func(d *ledger.CustodyData, _ *ledger.CustodyProof) { d.USeed[bit/8] ^= 1 << (bit % 8) })
		}
		for j := range sectors {
			bit := 4*(i+j) + j%4
			refused(fmt.Sprint("mu ", j), bit, func(_ *ledger.CustodyData, p *ledger.CustodyProof) {
				n, _ := new(big.Int).SetString(p.Mus[j], 16)
				p.Mus[j] = fmt.Sprintf("%030x", n.SetBit(n, bit, 1-n.Bit(bit)))
			})
		}
	}
}

// Numbers of a proof have one form, and there are as many as there are sectors.
func TestNumbersOfProofsHaveOneForm(t *testing.T) {
	r := readRecorded(t)
	good := r.proofs[0].Proof.Mus
	first, _ := new(big.Int).SetString(good[0], 16)
	for name, mus := range map[string][]string{
		"none": nil, "one less": good[1:], "one more": append(slices.Clone(good), good[0]), "a hundred": slices.Repeat(good, 5),
		"upper case": replaced(good, strings.ToUpper(good[0])), "short": replaced(good, strings.TrimPrefix(good[0], "0")), "empty": replaced(good, ""),
		"more than r": replaced(good, fmt.Sprintf("%030x", first.Add(first, groupOrder))), "r": replaced(good, fmt.Sprintf("%030x", groupOrder)),
		"huge": replaced(good, strings.Repeat("f", 1<<20)), "signed": replaced(good, "-"+good[0][1:]), "spelt": replaced(good, "0x"+good[0][2:]),
	} {
		proof := *r.proofs[0].Proof
		proof.Mus = mus
		if err := VerifyProof(r.data["flow"], proof); !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A number of zeroes, 0, is not r as well.
func TestNumbersOfZeroesHaveOneForm(t *testing.T) {
	pkg, secret := make([]byte, MessageSize), mustSecret(t)
	var signatures bytes.Buffer
	data, err := secret.Sign(context.Background(), bytes.NewReader(pkg), MessageSize, 0, &signatures, Options{})
	if err != nil {
		t.Fatal(err)
	}
	proof, err := Prove(data, bytes.NewReader(pkg), MessageSize, bytes.NewReader(signatures.Bytes()), ledger.Hash160{7})
	if err != nil || VerifyProof(data, proof) != nil || proof.Mus[0] != strings.Repeat("0", muDigits) {
		t.Fatalf("%v, %v", proof, err)
	}
	proof.Mus[0] = fmt.Sprintf("%030x", groupOrder)
	if err := VerifyProof(data, proof); !errors.Is(err, ErrProof) {
		t.Error(err)
	}
}

func replaced(mus []string, first string) []string {
	return append([]string{first}, mus[1:]...)
}

// Points outside the group, which pairings do not tell from points inside, are refused wherever points are read.
func TestPointsOutsideTheGroupAreRefused(t *testing.T) {
	r := readRecorded(t)
	digest := sha256.Sum256([]byte("a point of another order"))
	outside := pointOf(&digest)
	var order2, order4, tooLarge [PointSize]byte
	primeQ.FillBytes(tooLarge[:elementSize])
	new(big.Int).Sub(primeQ, big.NewInt(1)).FillBytes(order4[:elementSize])
	generator.put(&order2)
	order2[elementSize] = 2
	points := map[string][PointSize]byte{"zeroes": {}, "q": tooLarge, "order 4": order4, "a third parity": order2}
	var own, sum [PointSize]byte
	outside.put(&own)
	points["another order"] = own
	var signature affine
	signature.setBytes((*[PointSize]byte)(r.signature["flow"]))
	signature.add(&outside, &generator)
	signature.put(&sum)
	points["signature and another"] = sum
	// Times an even number, a point of order 2 vanishes: half of the random weights would let it pass.
	signature.setBytes((*[PointSize]byte)(r.signature["flow"]))
	signature.add(&affine{}, &generator)
	signature.put(&sum)
	points["signature and order 2"] = sum
	for name, b := range points {
		signatures := append(slices.Clone(b[:]), r.signature["flow"][PointSize:]...)
		for range 4 {
			wantWrong(t, r.data["flow"], r.packages["flow"], signatures, 0, name)
		}
		proof, data := *r.proofs[0].Proof, r.data["flow"]
		proof.Sigma = b
		if err := VerifyProof(data, proof); !errors.Is(err, ErrProof) {
			t.Errorf("%s as a proof: %v", name, err)
		}
		data.PubKey = b
		if err := VerifyProof(data, *r.proofs[0].Proof); !errors.Is(err, ErrData) {
			t.Errorf("%s as a public key: %v", name, err)
		}
		if err := verify(data, r.packages["flow"], r.signature["flow"]); !errors.Is(err, ErrData) {
			t.Errorf("%s as a public key of a package: %v", name, err)
		}
	}
	var a affine
	if !a.setBytes(&own) || a.inGroup() || !a.isOnCurve() {
		t.Error("the point of another order is no example of one")
	}
	none := r.data["flow"]
	none.N = 0
	if err := VerifyProof(none, *r.proofs[0].Proof); !errors.Is(err, ErrData) {
		t.Errorf("no signatures: %v", err)
	}
}

func TestProofsOfDamagedFiles(t *testing.T) {
	r := readRecorded(t)
	data, pkg, signatures, seed := r.data["flow"], r.packages["flow"], r.signature["flow"], r.proofs[0].Proof.Seed
	prove := func(pkg []byte, size int, signatures []byte) error {
		_, err := Prove(data, bytes.NewReader(pkg), int64(size), bytes.NewReader(signatures), seed)
		return err
	}
	for name, err := range map[string]error{
		"no package": prove(nil, len(pkg), signatures), "no signatures": prove(pkg, len(pkg), nil), "half a signature": prove(pkg, len(pkg), signatures[:PointSize/2]),
		"another size": prove(pkg, len(pkg)-MessageSize, signatures),
	} {
		if !errors.Is(err, ErrSize) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var wrong *SignatureError
	if err := prove(pkg, len(pkg), make([]byte, len(signatures))); !errors.As(err, &wrong) {
		t.Errorf("zeroes for signatures: %v", err)
	}
}

// FuzzProof checks proofs with hostile parts: none verifies but the recorded one, whatever its numbers are.
func FuzzProof(f *testing.F) {
	r := readRecorded(f)
	good := r.proofs[0].Proof
	public := r.data["flow"].PubKey
	f.Add(good.Sigma[:], good.Seed[:], good.Mus[3], uint32(64), public[:])
	f.Add(make([]byte, PointSize), make([]byte, 20), strings.Repeat("f", 30), ^uint32(0), []byte{})
	f.Fuzz(func(t *testing.T, sigma, seed []byte, mu string, n uint32, public []byte) {
		data, proof := r.data["flow"], *good
		proof.Mus = slices.Clone(proof.Mus)
		proof.Mus[3] = mu
		copy(proof.Sigma[:], sigma)
		copy(proof.Seed[:], seed)
		copy(data.PubKey[:], public)
		data.N = n
		proof.ReferenceBlock = heightOf(proof.Seed)
		same := proof.Sigma == good.Sigma && proof.Seed == good.Seed && mu == good.Mus[3] && n == 64 && data == r.data["flow"]
		if err := VerifyProof(data, proof); (err == nil) != same {
			t.Errorf("%v %v: %v", data, proof, err)
		}
	})
}

// FuzzPoint reads points: what is accepted is on the curve and has no other form.
func FuzzPoint(f *testing.F) {
	r := readRecorded(f)
	f.Add(r.signature["flow"][:PointSize])
	f.Add(make([]byte, PointSize))
	f.Add(append(make([]byte, elementSize), 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		var given, again [PointSize]byte
		copy(given[:], b)
		var a affine
		if !a.setBytes(&given) {
			return
		}
		if a.put(&again); again != given || !a.isOnCurve() {
			t.Errorf("%x became %x", given, again)
		}
		var p point
		p.set(&a)
		if back := affines([]point{p})[0]; back != a && !p.x.isZero() {
			t.Errorf("%x became %x", a, back)
		}
	})
}
