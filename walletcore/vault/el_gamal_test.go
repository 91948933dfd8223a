package vault

import (
	"testing"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// The reference restored this key from these parts (docs/protocol/content-engine.md 2).
func TestContentKeyOfARecordedPurchase(t *testing.T) {
	v := alone(t, "alice")
	owner := ledger.DeriveKey("CONTENT ENGINE VECTOR BRAIN KEY ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE", 0)
	active := ledger.DeriveKey(owner.WIF(), 0)
	reader := ledger.BigInteger{S: "2666174343625525878343400272501611482479814367162843191699331127267751874220813350998699219585244364304571423968155870806615842314457245779974751278604225."}
	part := func(c, d string) ledger.Ciphertext {
		return ledger.Ciphertext{C1: ledger.BigInteger{S: c}, D1: ledger.BigInteger{S: d}}
	}
	parts := []ledger.Ciphertext{
		part("685288320202539812056459055189484114346053121365726399270025416124484176758266353819297396638601048706577403136007634363057938998357426573360657495350294.",
			"9895972486123277225555089860450166536541586301389093306662040413982701869470577532130863360402166760183925812518581957282429829035918789530187287174477239."),
		part("1389970163018667576186371110348462122215183846819594143910217262535278835430930732937165038265961410020237965124244351534110795022757087016393938375876830.",
			"9234727853176826150061717334218782861359257141566763544607803873462773699267670303880228187493131807524541406259101340063810850829109010033056329704971859."),
	}
	refused := func(code fault.Code, parts []ledger.Ciphertext) {
		t.Helper()
		if text, err := RestoreContentKey(v, "test", reader, parts, 2); fault.CodeOf(err) != code || text != nil {
			t.Errorf("%v, want %s", err, code)
		}
	}
	refused(fault.KeyNotInWallet, parts)
	must(t, v.store.Update(func(c *keystore.Contents) error { return c.AddKey(7, active) }))
	text, err := RestoreContentKey(v, "test", reader, parts, 2)
	if err != nil || string(text) != "549163783212121812798895800433785875170104051439233831688697372637020496649." {
		t.Errorf("%v", err)
	}
	numbers, err := ElGamalOf(v, "test", active.Public())
	if err != nil || numbers.Public != reader || len(numbers.Private.S) < 100 {
		t.Errorf("%v, %v", numbers.Public, err)
	}
	refused(fault.KeyParts, parts[:1])
	refused(fault.KeyParts, []ledger.Ciphertext{parts[1], parts[1]})
	v.Lock()
	refused(fault.Locked, parts)
}
