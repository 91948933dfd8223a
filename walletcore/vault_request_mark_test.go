package walletcore_test

import (
	"slices"
	"testing"

	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
)

// A mark reveals nothing without a key of the wallet, and depends on each word of the request.
func TestMarksOfRequests(t *testing.T) {
	s := testwallet.Open(t, "alice")
	pub := testwallet.Key("alice").Public()
	words := []string{"transfer", "alice", "bobby", "1", "DCT", "for order 77", "false"}
	mark, err := s.Vault.MarkRequest(words, pub)
	testwallet.Must(t, err)
	if !s.Vault.IsMarked(mark, words) || len(mark) > 160 {
		t.Errorf("the mark %q is not known", mark)
	}
	for i := range words {
		other := slices.Clone(words)
		if other[i] += " "; s.Vault.IsMarked(mark, other) {
			t.Errorf("word %d does not count", i)
		}
	}
	if s.Vault.IsMarked(mark, slices.Concat(words[:5], []string{words[5] + words[6]})) || s.Vault.IsMarked("", words) ||
		s.Vault.IsMarked(pub.String(), words) {
		t.Error("something else passes for the mark")
	}
	if _, err := s.Vault.MarkRequest(words, testwallet.Key("bobby").Public()); fault.CodeOf(err) != fault.KeyNotInWallet {
		t.Error(err)
	}
	s.Vault.Lock()
	if s.Vault.IsMarked(mark, words) {
		t.Error("a locked wallet knows marks")
	}
}
