package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"

	"pgregory.net/rapid"
)

// recorded records what the reference did with one content (docs/protocol/content-engine.md 4): published with two seeders,
// bought twice, restored.
type recorded struct {
	pairs      []ledger.ElGamalKey // of the seeders
	generated  ledgerKeys          // generate_content_keys
	key        string              // restore_encryption_key
	submission ledger.ContentSubmitOp
	purchases  []ledger.RequestToBuyOp
	deliveries []ledger.DeliverKeysOp
}

type ledgerKeys struct {
	Key    string
	Parts  []ledger.Ciphertext
	Quorum uint32
}

func readRecorded(t testing.TB) (r recorded) {
	t.Helper()
	data, err := os.ReadFile("testdata/flow.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Seeders map[string]struct {
			Private string `json:"private_key"`
			Public  string `json:"public_key"`
		}
		Generated  ledgerKeys
		Key        string
		Operations [][2]json.RawMessage
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	r.generated, r.key = file.Generated, file.Key
	for _, id := range []string{"1.2.16", "1.2.4"} {
		r.pairs = append(r.pairs, ledger.ElGamalKey{Private: number(t, file.Seeders[id].Private), Public: number(t, file.Seeders[id].Public)})
	}
	for _, op := range file.Operations {
		switch string(op[0]) {
		case "20":
			decode(t, op[1], &r.submission)
		case "21":
			r.purchases = append(r.purchases, ledger.RequestToBuyOp{})
			decode(t, op[1], &r.purchases[len(r.purchases)-1])
		case "25":
			r.deliveries = append(r.deliveries, ledger.DeliverKeysOp{})
			decode(t, op[1], &r.deliveries[len(r.deliveries)-1])
		}
	}
	if len(r.purchases) != 2 || len(r.deliveries) != 4 || len(r.submission.KeyParts) != 2 {
		t.Fatalf("recorded: %d purchases, %d deliveries", len(r.purchases), len(r.deliveries))
	}
	return r
}

func decode(t testing.TB, data []byte, into any) {
	t.Helper()
	if err := codec.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func number(t testing.TB, text string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(strings.TrimSuffix(text, "."), 10)
	if !ok {
		t.Fatalf("%q", text)
	}
	return n
}

// recordedBuyer is the pair of the first buyer's active key.
func recordedBuyer() ledger.ElGamalKey {
	owner := ledger.DeriveKey("CONTENT ENGINE VECTOR BRAIN KEY ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE", 0)
	return ledger.DeriveKey(owner.WIF(), 0).ElGamal()
}

func TestContentKeyIsRestored(t *testing.T) {
	r := readRecorded(t)
	key, err := ContentKey(recordedBuyer(), []ledger.Ciphertext{r.deliveries[0].Key, r.deliveries[1].Key}, 2)
	if err != nil || string(key.Text()) != r.key || string(key.Hex()) != r.generated.Key {
		t.Errorf("%s %s, %v", key.Text(), key.Hex(), err)
	}
	for name, parts := range map[string][]ledger.Ciphertext{"generate_content_keys": r.generated.Parts, "submit_content": r.submission.KeyParts} {
		var shares []Share
		for i, part := range parts {
			s, err := Open(r.pairs[i], part)
			if err != nil || s.Place() != uint32(i)+1 {
				t.Fatalf("%s: share %d, %v", name, s.Place(), err)
			}
			shares = append(shares, s)
		}
		if key, err := Restore(shares, 2); err != nil || string(key.Text()) != r.key {
			t.Errorf("%s: %s, %v", name, key.Text(), err)
		}
	}
	none, err := ContentKey(recordedBuyer(), nil, 0)
	if err != nil || string(none.Text()) != "0." {
		t.Errorf("content without seeders: %s, %v", none.Text(), err)
	}
}

// Parts that do not make one key yield none.
func TestContentKeyOfWrongPartsIsRefused(t *testing.T) {
	r, buyer := readRecorded(t), recordedBuyer()
	parts := []ledger.Ciphertext{r.deliveries[0].Key, r.deliveries[1].Key}
	public := text(buyer.Public)
	of := func(place uint32, value *big.Int) ledger.Ciphertext {
		g := newGroup()
		message := new(big.Int).Lsh(big.NewInt(int64(place)), shareBits)
		part, _, err := g.encrypt(message.Add(message, value), buyer.Public)
		if err != nil {
			t.Fatal(err)
		}
		return part
	}
	if _, err := ContentKey(buyer, []ledger.Ciphertext{parts[0], of(2, big.NewInt(1))}, 2); err != nil {
		t.Fatalf("of does not make parts of %s: %v", public.S, err)
	}
	for name, c := range map[string]struct {
		parts  []ledger.Ciphertext
		quorum uint32
		want   error
	}{
		"too few":            {parts[:1], 2, ErrMissing},
		"the same twice":     {[]ledger.Ciphertext{parts[0], parts[0]}, 2, ErrDamaged},
		"of another key":     {[]ledger.Ciphertext{parts[0], parts[1], of(3, big.NewInt(5))}, 2, ErrDamaged},
		"of another key 2":   {[]ledger.Ciphertext{parts[0], parts[1], {C1: parts[1].D1, D1: parts[1].C1}}, 2, ErrDamaged},
		"a quorum too big":   {parts, 4_000_000_000, ErrMissing},
		"parts, no quorum":   {parts, 0, ErrDamaged},
		"too many":           {make([]ledger.Ciphertext, maxShares+1), 2, ErrDamaged},
		"place 0":            {[]ledger.Ciphertext{parts[0], of(0, big.NewInt(1))}, 2, ErrDamaged},
		"place too large":    {[]ledger.Ciphertext{parts[0], of(maxShares+1, big.NewInt(1))}, 2, ErrDamaged},
		"value of modulus":   {[]ledger.Ciphertext{parts[0], of(2, modulus())}, 2, ErrDamaged},
		"of another reader":  {r.submission.KeyParts, 2, ErrDamaged},
		"one place, 2 times": {[]ledger.Ciphertext{of(1, big.NewInt(1)), of(1, big.NewInt(2))}, 2, ErrDamaged},
	} {
		if key, err := ContentKey(buyer, c.parts, c.quorum); !errors.Is(err, c.want) || !key.IsZero() {
			t.Errorf("%s: %s, %v", name, key.Text(), err)
		}
	}
}

func TestDeliveriesOfTheReferenceVerify(t *testing.T) {
	r := readRecorded(t)
	for i, d := range r.deliveries {
		part, seeder, buyer := r.submission.KeyParts[i%2], text(r.pairs[i%2].Public), r.purchases[i/2].PubKey
		if err := VerifyDelivery(part, d.Key, seeder, buyer, d.Proof); err != nil {
			t.Errorf("delivery %d: %v", i, err)
		}
		part2, proof, err := Deliver(r.pairs[i%2], part, buyer)
		if err != nil {
			t.Fatal(err)
		}
		if err := VerifyDelivery(part, part2, seeder, buyer, proof); err != nil {
			t.Errorf("own delivery %d: %v", i, err)
		}
		if number(t, proof.S.S).BitLen() > 512 || number(t, proof.R.S).BitLen() > 512 {
			t.Error("the answers are not reduced, so they reveal bits of the private number")
		}
	}
}

// numbersOf returns every number that a proof of delivery is verified with.
func numbersOf(part, delivered *ledger.Ciphertext, seeder, buyer *ledger.BigInteger, proof *ledger.DeliveryProof) map[string]*ledger.BigInteger {
	return map[string]*ledger.BigInteger{
		"part.C1": &part.C1, "part.D1": &part.D1, "key.C1": &delivered.C1, "key.D1": &delivered.D1, "seeder": seeder, "buyer": buyer,
		"G1": &proof.G1, "G2": &proof.G2, "G3": &proof.G3, "s": &proof.S, "r": &proof.R,
	}
}

// One bit changed in any number of a delivery, or a number that is none of the group, and it verifies no more.
func TestChangedDeliveriesAreRefused(t *testing.T) {
	r := readRecorded(t)
	prime, _ := ledger.ElGamalGroup()
	for i, d := range r.deliveries {
		part, seeder, buyer := r.submission.KeyParts[i%2], text(r.pairs[i%2].Public), r.purchases[i/2].PubKey
		for name, v := range numbersOf(&part, &d.Key, &seeder, &buyer, &d.Proof) {
			was := *v
			for _, bit := range []int{0, 1, 100, 255, 509} {
				n := number(t, was.S)
				*v = text(n.SetBit(n, bit, 1-n.Bit(bit)))
				if VerifyDelivery(part, d.Key, seeder, buyer, d.Proof) == nil {
					t.Errorf("delivery %d verifies with bit %d of %s changed", i, bit, name)
				}
			}
			for _, degenerate := range []string{"", ".", "0.", "1.", text(prime).S, text(new(big.Int).Sub(prime, big.NewInt(1))).S, "-3.", "0x5", "1e9.",
				text(new(big.Int).Add(prime, number(t, was.S))).S + "0", strings.Repeat("9", 1<<20), "12..", " 12."} {
				*v = ledger.BigInteger{S: degenerate}
				if VerifyDelivery(part, d.Key, seeder, buyer, d.Proof) == nil {
					t.Errorf("delivery %d verifies with %s = %.20q", i, name, degenerate)
				}
			}
			*v = was
		}
		if VerifyDelivery(part, d.Key, seeder, buyer, d.Proof) != nil {
			t.Fatal("the test did not put everything back")
		}
	}
}

// Seeders who deliver something else can satisfy two of the three equations of a proof, whichever these are.
func TestEachEquationOfADeliveryCounts(t *testing.T) {
	r, g := readRecorded(t), newGroup()
	part, pair, buyer := r.submission.KeyParts[0], r.pairs[0], r.purchases[0].PubKey
	public, reader, random := text(pair.Public), number(t, buyer.S), big.NewInt(123456789)
	message, err := g.decrypt(pair, part)
	if err != nil {
		t.Fatal(err)
	}
	wrong := new(big.Int).Add(pair.Private, big.NewInt(1))
	other, err := g.decrypt(ledger.ElGamalKey{Private: wrong, Public: pair.Public}, part)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		private, message, hint *big.Int
		good                   bool
	}{
		"honest":                 {pair.Private, message, random, true},
		"another private number": {wrong, other, random, false},
		"another hint":           {pair.Private, message, big.NewInt(5), false},
		"another share":          {pair.Private, other, random, false},
	} {
		delivered := ledger.Ciphertext{C1: text(g.product(c.message, g.power(reader, random))), D1: text(g.power(g.generator, c.hint))}
		b1, b2 := big.NewInt(1111), big.NewInt(2222)
		proof := ledger.DeliveryProof{G1: text(g.power(g.generator, b1)), G2: text(g.power(g.generator, b2)),
			G3: text(g.product(g.power(number(t, part.D1.S), b1), g.inverse(g.power(reader, b2))))}
		s, err := newStatement(g, part, delivered, public, buyer, proof)
		if err != nil {
			t.Fatal(err)
		}
		h := s.challenge()
		proof.S = text(b1.Add(b1, new(big.Int).Mul(c.private, h)))
		proof.R = text(b2.Add(b2, new(big.Int).Mul(random, h)))
		if err := VerifyDelivery(part, delivered, public, buyer, proof); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What hides nothing is not encrypted for, decrypted or delivered.
func TestDegenerateNumbersAreRefused(t *testing.T) {
	r := readRecorded(t)
	prime, _ := ledger.ElGamalGroup()
	shares, err := Split(mustKey(t), 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []*big.Int{big.NewInt(0), big.NewInt(1), new(big.Int).Sub(prime, big.NewInt(1)), prime, new(big.Int).Add(prime, big.NewInt(5))} {
		bad, good := text(n), r.submission.KeyParts[0]
		if _, err := Encrypt(shares[0], bad); !errors.Is(err, ErrNumber) {
			t.Errorf("encrypted for %s: %v", bad.S, err)
		}
		if _, err := Parts(mustKey(t), []ledger.BigInteger{text(r.pairs[0].Public), bad}, 2); !errors.Is(err, ErrNumber) {
			t.Errorf("parts for %s: %v", bad.S, err)
		}
		for _, part := range []ledger.Ciphertext{{C1: bad, D1: good.D1}, {C1: good.C1, D1: bad}} {
			if _, err := Open(r.pairs[0], part); !errors.Is(err, ErrNumber) {
				t.Errorf("opened %v: %v", part, err)
			}
			if _, _, err := Deliver(r.pairs[0], part, r.purchases[0].PubKey); !errors.Is(err, ErrNumber) {
				t.Errorf("delivered %v: %v", part, err)
			}
		}
		if _, _, err := Deliver(r.pairs[0], good, bad); !errors.Is(err, ErrNumber) {
			t.Errorf("delivered to %s: %v", bad.S, err)
		}
	}
}

func mustKey(t testing.TB) Key {
	t.Helper()
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Any quorum of the shares restores the key; fewer restore another.
func TestSharesRestoreTheKey(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seeders := rapid.IntRange(2, 12).Draw(rt, "seeders")
		quorum := rapid.IntRange(2, seeders).Draw(rt, "quorum")
		order := rapid.Permutation(places(seeders)).Draw(rt, "order")
		key := mustKey(t)
		shares, err := Split(key, seeders, uint32(quorum))
		if err != nil {
			rt.Fatal(err)
		}
		var some []Share
		for _, i := range order[:rapid.IntRange(quorum, seeders).Draw(rt, "given")] {
			some = append(some, shares[i])
		}
		if got, err := Restore(some, uint32(quorum)); err != nil || !got.Equal(key) {
			rt.Errorf("%d of %d shares, quorum %d: %v", len(some), seeders, quorum, err)
		}
		if quorum > 2 {
			if got, err := Restore(some[:quorum-1], uint32(quorum-1)); err != nil || got.Equal(key) {
				rt.Errorf("%d shares restore a key of quorum %d: %v", quorum-1, quorum, err)
			}
		}
	})
}

func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestQuorum(t *testing.T) {
	for seeders, want := range map[int]uint32{0: 0, -1: 0, 1: 2, 2: 2, 3: 2, 8: 2, 9: 3, 12: 4} {
		if got := Quorum(seeders); got != want {
			t.Errorf("%d seeders: %d, want %d", seeders, got, want)
		}
	}
	for _, c := range []struct {
		shares int
		quorum uint32
	}{{1, 2}, {2, 1}, {2, 0}, {2, 3}, {0, 2}, {-1, 2}, {maxShares + 1, 2}, {2, 1 << 31}} {
		if _, err := Split(mustKey(t), c.shares, c.quorum); !errors.Is(err, ErrQuorum) {
			t.Errorf("%d shares with quorum %d: %v", c.shares, c.quorum, err)
		}
	}
}

func TestGeneratedKeysAreForTheSeeders(t *testing.T) {
	r := readRecorded(t)
	keys, err := GenerateContentKeys([]ledger.BigInteger{text(r.pairs[0].Public), text(r.pairs[1].Public)})
	if err != nil || keys.Quorum != 2 || len(keys.Parts) != 2 || len(keys.Key) != 2*KeySize {
		t.Fatalf("%+v, %v", keys, err)
	}
	var shares []Share
	for i, part := range keys.Parts {
		s, err := Open(r.pairs[i], part)
		if err != nil {
			t.Fatal(err)
		}
		shares = append(shares, s)
	}
	key, err := Restore(shares, 2)
	if err != nil || string(key.Hex()) != string(keys.Key) {
		t.Errorf("%s is not %s: %v", key.Hex(), keys.Key, err)
	}
	answer, err := codec.Marshal(keys)
	if err != nil || !strings.HasPrefix(string(answer), `{"key":"`+string(keys.Key)+`","parts":[{"C1":{"s":"`) {
		t.Errorf("%.80s, %v", answer, err)
	}
	if _, err := GenerateContentKeys([]ledger.BigInteger{text(r.pairs[0].Public)}); !errors.Is(err, ErrQuorum) {
		t.Errorf("one seeder: %v", err)
	}
}

func TestKeyTexts(t *testing.T) {
	r := readRecorded(t)
	for _, given := range []string{r.key, strings.TrimSuffix(r.key, "."), "0x" + r.generated.Key} {
		if key, err := ParseKey(given); err != nil || string(key.Text()) != r.key {
			t.Errorf("%s: %s, %v", given, key.Text(), err)
		}
	}
	above := new(big.Int).Lsh(big.NewInt(1), 256)
	for _, given := range []string{"", ".", "0", "0.", "zz", "0x", "0x0", "-1", "+1", " 1", "1 ", "1..", "0x12.", "1_000", above.String(), text(above).S, r.generated.Key,
		strings.Repeat("1", 1<<20)} {
		if _, err := ParseKey(given); !errors.Is(err, ErrKeyText) {
			t.Errorf("%.80q: %v", given, err)
		}
	}
	large, err := ParseKey(modulus().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Split(large, 2, 2); !errors.Is(err, ErrKeyRange) {
		t.Errorf("a key that no shares restore: %v", err)
	}
	if _, err := Split(Key{}, 2, 2); !errors.Is(err, ErrKeyRange) {
		t.Errorf("the key 0: %v", err)
	}
}

// No verb prints a key or a share, alone or as a field, and wiping one wipes its copies.
func TestKeysAreHiddenAndWiped(t *testing.T) {
	key, err := ParseKey("81985529216486895")
	if err != nil {
		t.Fatal(err)
	}
	shares, err := Split(key, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	value := shares[0].number().String()
	type holder struct {
		key   Key
		share Share
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		for _, v := range []any{key, &key, holder{key, shares[0]}, &holder{key, shares[0]}, shares, shares[0]} {
			got := fmt.Sprintf(verb, v)
			for _, secret := range []string{"81985529216486895", "123456789abcdef", "1 35 69 103", value} {
				if strings.Contains(strings.ToLower(got), secret) {
					t.Errorf("%s of %T: %s", verb, v, got)
				}
			}
		}
	}
	if _, err := json.Marshal(holder2{key}); err == nil {
		t.Error("a key was marshalled")
	}
	if _, err := json.Marshal(shares); err == nil {
		t.Error("a share was marshalled")
	}
	copied, copiedShare := key, shares[0]
	key.Wipe()
	shares[0].Wipe()
	if !copied.IsZero() || copiedShare.number().Sign() != 0 {
		t.Error("a copy was not wiped")
	}
}

type holder2 struct{ Key Key }

// FuzzDelivery puts hostile texts in the place of each number of a recorded delivery.
func FuzzDelivery(f *testing.F) {
	f.Add(uint8(0), "1.")
	f.Add(uint8(9), strings.Repeat("9", 300))
	r := readRecorded(f)
	names := []string{"part.C1", "part.D1", "key.C1", "key.D1", "seeder", "buyer", "G1", "G2", "G3", "s", "r"}
	f.Fuzz(func(t *testing.T, which uint8, hostile string) {
		part, seeder, buyer, d := r.submission.KeyParts[0], text(r.pairs[0].Public), r.purchases[0].PubKey, r.deliveries[0]
		v := numbersOf(&part, &d.Key, &seeder, &buyer, &d.Proof)[names[int(which)%len(names)]]
		was := *v
		v.S = hostile
		err := VerifyDelivery(part, d.Key, seeder, buyer, d.Proof)
		if err == nil && number(t, hostile).Cmp(number(t, was.S)) != 0 {
			t.Errorf("%q in the place of %s", hostile, was.S)
		}
		if _, err := Open(r.pairs[0], part); err == nil && part != r.submission.KeyParts[0] && number(t, hostile).Cmp(number(t, was.S)) != 0 {
			t.Errorf("%q opens", hostile)
		}
	})
}

// FuzzKeyText reads keys from hostile texts.
func FuzzKeyText(f *testing.F) {
	for _, s := range []string{"1.", "0x1", "115792089237316195423570985008687907853269984665640564039457584007913129639936."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, hostile string) {
		key, err := ParseKey(hostile)
		if err != nil {
			return
		}
		again, err := ParseKey(string(key.Text()))
		if err != nil || !again.Equal(key) || key.IsZero() {
			t.Errorf("%q: %s, %v", hostile, key.Text(), err)
		}
	})
}
