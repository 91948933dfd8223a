package linear

import (
	"strings"
	"testing"
)

// No word that a phrase asks for is also a command at the prompt.
func TestAskedPhraseWordsAreNoCommands(t *testing.T) {
	phrase := strings.Fields("A B C D E F G H I J K L M N O P")
	if hasPromptWord(phrase) {
		t.Error("the asked words are no commands, yet one is found")
	}
	for i, word := range phrase {
		phrase[i] = "QUIT"
		if want := i == 2 || i == 8 || i == 13; hasPromptWord(phrase) != want {
			t.Errorf("quit as word %d: %t", i+1, !want)
		}
		phrase[i] = word
	}
}
