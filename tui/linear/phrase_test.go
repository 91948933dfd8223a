package linear

import (
	"strings"
	"testing"
)

// No word that is asked for does something else when it is typed.
func TestWordsOfAPhraseAreHeardAsAnswers(t *testing.T) {
	phrase := strings.Fields("A B C D E F G H I J K L M N O P")
	if hasPromptWord(phrase) {
		t.Error("letters are no words of their own")
	}
	for i, word := range phrase {
		phrase[i] = "QUIT"
		if want := i == 2 || i == 8 || i == 13; hasPromptWord(phrase) != want {
			t.Errorf("quit as word %d: %t", i+1, !want)
		}
		phrase[i] = word
	}
}
