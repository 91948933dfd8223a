package ledger

import (
	"errors"
	"math/big"
	"testing"
)

// The reference restored this key (protocol/content-engine.md): bought content of two seeders, who encrypted their
// parts for the buyer.
const recordedContentKey = "549163783212121812798895800433785875170104051439233831688697372637020496649."

func recordedParts() []Ciphertext {
	part := func(c, d string) Ciphertext { return Ciphertext{C1: BigInteger{S: c}, D1: BigInteger{S: d}} }
	return []Ciphertext{
		part("685288320202539812056459055189484114346053121365726399270025416124484176758266353819297396638601048706577403136007634363057938998357426573360657495350294.",
			"9895972486123277225555089860450166536541586301389093306662040413982701869470577532130863360402166760183925812518581957282429829035918789530187287174477239."),
		part("1389970163018667576186371110348462122215183846819594143910217262535278835430930732937165038265961410020237965124244351534110795022757087016393938375876830.",
			"9234727853176826150061717334218782861359257141566763544607803873462773699267670303880228187493131807524541406259101340063810850829109010033056329704971859."),
	}
}

// recordedBuyer is the pair of the buyer's active key.
func recordedBuyer() ElGamalKey {
	owner := DeriveKey("CONTENT ENGINE VECTOR BRAIN KEY ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE", 0)
	return DeriveKey(owner.WIF(), 0).ElGamal()
}

func TestContentKeyIsRestored(t *testing.T) {
	key, err := recordedBuyer().ContentKey(recordedParts(), 2)
	if err != nil || BigText(key) != recordedContentKey {
		t.Errorf("%v, %v", key, err)
	}
	none, err := recordedBuyer().ContentKey(nil, 0)
	if err != nil || none.Sign() != 0 {
		t.Errorf("content without seeders: %v, %v", none, err)
	}
}

// Parts that do not make one key yield none.
func TestContentKeyOfWrongPartsIsRefused(t *testing.T) {
	parts, buyer := recordedParts(), recordedBuyer()
	huge := BigInteger{S: elGamalPrime + "."}
	for name, c := range map[string]struct {
		parts  []Ciphertext
		quorum uint32
		want   error
	}{
		"too few":          {parts[:1], 2, ErrKeyPartMissing},
		"the same twice":   {[]Ciphertext{parts[0], parts[0]}, 2, ErrKeyPartDamaged},
		"of another key":   {[]Ciphertext{parts[0], parts[1], {C1: parts[1].D1, D1: parts[1].C1}}, 2, ErrKeyPartDamaged},
		"no number":        {[]Ciphertext{parts[0], {C1: BigInteger{S: "-1."}, D1: parts[1].D1}}, 2, ErrKeyPartDamaged},
		"zero":             {[]Ciphertext{parts[0], {C1: parts[1].C1, D1: BigInteger{S: "0."}}}, 2, ErrKeyPartDamaged},
		"above the prime":  {[]Ciphertext{parts[0], {C1: huge, D1: parts[1].D1}}, 2, ErrKeyPartDamaged},
		"empty":            {[]Ciphertext{parts[0], {}}, 2, ErrKeyPartDamaged},
		"a quorum too big": {parts, 4_000_000_000, ErrKeyPartMissing},
	} {
		if key, err := buyer.ContentKey(c.parts, c.quorum); !errors.Is(err, c.want) || key != nil {
			t.Errorf("%s: %v, %v", name, key, err)
		}
	}
}

// Any quorum of the points of a polynomial yields its value at 0.
func TestSharesMakeTheSecret(t *testing.T) {
	order, _ := new(big.Int).SetString(shareModulus, 10)
	secret, second := big.NewInt(0).Sub(order, big.NewInt(7)), big.NewInt(123456789)
	var points []keyPoint
	for x := int64(1); x <= 4; x++ {
		y := new(big.Int).Mul(second, big.NewInt(x))
		y.Add(y, secret).Mod(y, order)
		points = append(points, keyPoint{big.NewInt(x), y})
	}
	for from := range 3 {
		for to := from + 2; to <= 4; to++ {
			if got, ok := secretOf(points[from:to]); !ok || got.Cmp(secret) != 0 {
				t.Errorf("points %d to %d: %v", from, to, got)
			}
		}
	}
}
