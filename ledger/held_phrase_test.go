package ledger

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEverydayWords compares everyday_words.bin with the lists that it is made from; GOLDEN=update makes it anew.
func TestEverydayWords(t *testing.T) {
	bits, words := make([]byte, (len(referenceHashes())+7)/8), englishList()
	for _, list := range []string{"english", "passwords", "male_names", "female_names"} {
		text, err := os.ReadFile(filepath.Join("..", "walletcore", "vault", "strength", "lists", list+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		words = append(words[:len(words):len(words)], strings.Fields(strings.ToLower(string(text)))...)
	}
	often := 0
	for _, word := range words {
		if at, found := referencePlace(word); found && bits[at/8]&(1<<(at%8)) == 0 {
			bits[at/8] |= 1 << (at % 8)
			often++
		}
	}
	if os.Getenv("GOLDEN") == "update" {
		if err := os.WriteFile("everyday_words.bin", bits, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(bits, everydayWords) {
		t.Errorf("everyday_words.bin is not of the lists, which have %d of the reference's %d words", often, len(referenceHashes()))
	}
}

// Words that people write one behind the other are no phrase, though each is on the reference's list; of phrases that are drawn from that list, whole
// or the first twelve words, hardly one in a hundred passes as such words.
func TestDrawnWordsAreToldFromChosenOnes(t *testing.T) {
	for _, text := range []string{
		"table chair lamp window door carpet mirror glass plate kettle towel candle vase pillow spoon knife",
		"house tree river mountain bottle garden flower pencil apple horse school teacher doctor hospital bridge letter",
		"hammer screw nail saw drill wrench ladder bucket shovel rake spade axe chisel anvil rope chain",
		"apple pear plum cherry peach apricot quince fig grape lemon lime orange banana melon mango kiwi",
		"invoice deposit refund rent salary bonus loan interest fee tax gift donation ticket order parcel freight",
		"Monday Tuesday deposit rent March April May June July August September October November December January",
		"red green blue yellow black white brown orange purple pink grey silver gold violet scarlet olive",
	} {
		if got := SecretIn(strings.ToUpper(text)); got != PhraseHeld { // as cli_wallet writes a brain key
			t.Errorf("in %q in capitals is %q", text, got)
		}
		for _, text := range []string{text, "for: " + text + "."} {
			if got := SecretIn(text); got != "" {
				t.Errorf("in %q is %s", text, got)
			}
		}
	}
	drawn, passed := 5000, map[int]int{}
	random := rand.New(rand.NewPCG(1, 2))
	for range drawn {
		var often []bool
		for range 16 {
			at := random.IntN(len(referenceHashes()))
			often = append(often, everydayWords[at/8]&(1<<(at%8)) != 0)
		}
		for _, words := range []int{12, 16} { // what inARow does with words of these places, of which there are but hashes
			held := false
			for first := 0; first+12 <= words; first++ {
				n := 0
				for _, is := range often[first : first+12] {
					if is {
						n++
					}
				}
				held = held || n <= phraseWords/2
			}
			if !held {
				passed[words]++
			}
		}
	}
	if passed[16] > drawn/200 || passed[12] > drawn/100 {
		t.Errorf("of %d drawn phrases %d are not found, and of their first twelve words %d", drawn, passed[16], passed[12])
	}
}
