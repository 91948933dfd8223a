package custody

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func mustSecret(t testing.TB) Secret {
	t.Helper()
	s, err := NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// noise returns a package that no two tests share.
func noise(size int) []byte {
	out := make([]byte, size)
	for i := range out {
		out[i] = byte(rand.Uint32())
	}
	return out
}

// Whatever is in a package of any size, its signatures verify, proofs made of them as well, and the rest of the signatures that are made after
// an interruption are those that would have been made without.
func TestSignaturesVerify(t *testing.T) {
	patterns := map[string]func(size int) []byte{
		"noise":  noise,
		"zeroes": func(size int) []byte { return make([]byte, size) },
		"ones":   func(size int) []byte { return bytes.Repeat([]byte{0xff}, size) },
		"halves": func(size int) []byte { return bytes.Repeat([]byte{0x80, 0x20, 0x08, 0x02}, size/4+1)[:size] },
	}
	for name, pattern := range patterns {
		for _, size := range []int{1, 16, 319, 320, 321, 5 * MessageSize, 16*MessageSize - 1, 40*MessageSize + 7, (roundSize+3)*MessageSize + 1} {
			if size > MessageSize*roundSize && name != "noise" {
				continue
			}
			t.Run(fmt.Sprint(name, size), func(t *testing.T) {
				pkg, secret := pattern(size), mustSecret(t)
				var signatures bytes.Buffer
				data, err := secret.Sign(context.Background(), iotest.HalfReader(bytes.NewReader(pkg)), int64(size), 0, &signatures, Options{})
				if err != nil || signatures.Len() != int(data.N)*PointSize {
					t.Fatalf("%d bytes for %d signatures, %v", signatures.Len(), data.N, err)
				}
				if err := verify(data, pkg, signatures.Bytes()); err != nil {
					t.Error(err)
				}
				proof, err := Prove(data, bytes.NewReader(pkg), int64(size), bytes.NewReader(signatures.Bytes()), [20]byte{1, 2, 3})
				if err != nil {
					t.Fatal(err)
				}
				if err := VerifyProof(data, proof); err != nil {
					t.Error(err)
				}
				kept, err := ParseSecret(secret.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				first := data.N / 2
				var rest bytes.Buffer
				again, err := kept.Sign(context.Background(), bytes.NewReader(pkg[first*MessageSize:]), int64(size), first, &rest, Options{Workers: 1})
				if err != nil || again != data || !bytes.Equal(rest.Bytes(), signatures.Bytes()[first*PointSize:]) {
					t.Errorf("after an interruption: %v, %v", again, err)
				}
			})
		}
	}
}

func TestPackagesOfOtherSizesAreRefused(t *testing.T) {
	secret, pkg := mustSecret(t), noise(3*MessageSize)
	for _, size := range []int64{0, -1, 1, 320, 959, 961, 1 << 30, 320 << 32, 1<<63 - 1} {
		if _, err := secret.Sign(context.Background(), bytes.NewReader(pkg), size, 0, io.Discard, Options{}); !errors.Is(err, ErrSize) {
			t.Errorf("signed as %d bytes: %v", size, err)
		}
	}
	if _, err := secret.Sign(context.Background(), bytes.NewReader(nil), 960, 4, io.Discard, Options{}); !errors.Is(err, ErrSize) {
		t.Errorf("signed from behind the end: %v", err)
	}
	var signatures bytes.Buffer
	data, err := secret.Sign(context.Background(), bytes.NewReader(pkg), 960, 0, &signatures, Options{})
	if err != nil {
		t.Fatal(err)
	}
	full := signatures.Bytes()
	for name, given := range map[string][]byte{"none": {}, "one less": full[:2*PointSize], "cut": full[:len(full)-1], "one more": append(bytes.Clone(full), full[:PointSize]...)} {
		if err := verify(data, pkg, given); !errors.Is(err, ErrSize) {
			t.Errorf("signatures, %s: %v", name, err)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := secret.Sign(context.Background(), iotest.ErrReader(broken), 960, 0, io.Discard, Options{}); !errors.Is(err, broken) {
		t.Errorf("a broken disk: %v", err)
	}
}

// endless is a package that takes no memory, and how often it was read from.
type endless struct{ read int64 }

func (e *endless) Read(b []byte) (int, error) {
	e.read += int64(len(b))
	return len(b), nil
}

// Making the signatures of a package of 4 GiB ends soon after its context does, and until then has taken no more memory than that of a small one.
func TestSigningStopsInBoundedMemory(t *testing.T) {
	const size = 4 << 30
	ctx, cancel := context.WithCancel(context.Background())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out counter
	progress := 0
	_, err := mustSecret(t).Sign(ctx, &endless{}, size, 0, &out, Options{Progress: func(done, all uint32) {
		if all != size/MessageSize+1 || int64(done)*PointSize != int64(out) {
			t.Errorf("%d of %d signatures are finished, %d bytes written", done, all, out)
		}
		if progress++; progress == 4 {
			cancel()
		}
	}})
	runtime.ReadMemStats(&after)
	if !errors.Is(err, context.Canceled) || progress != 4 || out%PointSize != 0 {
		t.Errorf("%v after %d steps", err, progress)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 4<<20 {
		t.Errorf("%d bytes were allocated", taken)
	}
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// No signature allocates memory: what a package of any size takes is taken at its start.
func TestSignaturesDoNotAllocate(t *testing.T) {
	sg, message := newSigner(mustSecret(t)), noise(taskSize*MessageSize)
	batch, into := new(signBatch), make([]byte, taskSize*PointSize)
	if n := testing.AllocsPerRun(3, func() { batch.sign(sg, 7, message, into) }); n > 0 {
		t.Errorf("%f allocations", n)
	}
}

func TestSecretsAreHiddenAndWiped(t *testing.T) {
	secret := mustSecret(t)
	kept := secret.Bytes()
	type holder struct{ secret Secret }
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{secret, &secret, holder{secret}, &holder{secret}} {
			got := fmt.Sprintf(verb, v)
			for _, shown := range []string{fmt.Sprintf("%x", kept[:4]), fmt.Sprintf("%d %d %d", kept[0], kept[1], kept[2])} {
				if strings.Contains(got, shown) {
					t.Errorf("%s of %T: %s", verb, v, got)
				}
			}
		}
	}
	if _, err := json.Marshal(secret); err == nil {
		t.Error("a secret was marshalled")
	}
	shared := secret
	secret.Wipe()
	if _, err := shared.Data(320); !errors.Is(err, ErrSecret) {
		t.Errorf("a copy was not wiped: %v", err)
	}
	if _, err := (Secret{}).Sign(context.Background(), bytes.NewReader([]byte{1}), 1, 0, io.Discard, Options{}); !errors.Is(err, ErrSecret) {
		t.Errorf("no secret: %v", err)
	}
	order := make([]byte, SecretSize)
	groupOrder.FillBytes(order[:hashSize])
	for name, b := range map[string][]byte{"nothing": nil, "short": kept[:30], "long": append(kept, 0), "zero": make([]byte, SecretSize), "r": order} {
		if _, err := ParseSecret(b); !errors.Is(err, ErrSecret) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The digits that signatures are made with are of the same number.
func TestDigits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		message := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0, 0xff, 0x80})), MessageSize, MessageSize).Draw(rt, "message")
		numbers := sectorDigits(message)
		for j := range sectors {
			sum := zero
			base := elementOf("1024")
			for k := digits - 1; k >= 0; k-- {
				digit := numbers[k][j]
				if digit < -halfDigit || digit > halfDigit {
					rt.Fatalf("digit %d", digit)
				}
				var d element
				d.setLimbs(&[4]uint64{uint64(max(digit, -digit))})
				if digit < 0 {
					d.negate(&d)
				}
				sum.mul(&sum, &base)
				sum.add(&sum, &d)
			}
			var b [elementSize]byte
			copy(b[sectorSize:], message[j*sectorSize:(j+1)*sectorSize])
			var want element
			want.setBytes(&b)
			if sum != want {
				rt.Errorf("sector %d of %x", j, message)
			}
		}
	})
}
