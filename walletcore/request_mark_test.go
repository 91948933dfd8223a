package walletcore

import (
	"slices"
	"testing"

	"billfold/walletcore/fault"
)

// A mark says nothing to who has no key of the wallet, and each word counts.
func TestMarksOfRequests(t *testing.T) {
	s := open(t, "alice")
	pub := keyOf("alice").Public()
	words := []string{"transfer", "alice", "bobby", "1", "DCT", "for order 77", "false"}
	mark, err := s.wallet.Vault.MarkRequest(words, pub)
	must(t, err)
	if !s.wallet.Vault.IsMarked(mark, words) || len(mark) > 160 {
		t.Errorf("the mark %q is not known", mark)
	}
	for i := range words {
		other := slices.Clone(words)
		if other[i] += " "; s.wallet.Vault.IsMarked(mark, other) {
			t.Errorf("word %d does not count", i)
		}
	}
	if s.wallet.Vault.IsMarked(mark, slices.Concat(words[:5], []string{words[5] + words[6]})) || s.wallet.Vault.IsMarked("", words) ||
		s.wallet.Vault.IsMarked(pub.String(), words) {
		t.Error("something else passes for the mark")
	}
	if _, err := s.wallet.Vault.MarkRequest(words, keyOf("bobby").Public()); fault.CodeOf(err) != fault.KeyNotInWallet {
		t.Error(err)
	}
	s.wallet.Vault.Lock()
	if s.wallet.Vault.IsMarked(mark, words) {
		t.Error("a locked wallet knows marks")
	}
}
