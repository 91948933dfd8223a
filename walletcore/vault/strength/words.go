package strength

import (
	"fmt"
	"math"
	"time"
)

// Verdict holds what a person reads about a password.
type Verdict struct {
	Weak bool   // it is guessed in less than a year
	Text string // a sentence without a full stop
}

// A password that is guessed in less than weakYears is weak, one in less than strongYears fair.
const (
	weakYears, strongYears = 1, 100

	secondsPerYear = 365.25 * 24 * 3600
)

// Judge estimates how long somebody who has the key file and a graphics card that tries perSecond passwords a second needs to guess a
// password.
func (e *Estimator) Judge(password string, perSecond float64) Verdict {
	return judge(e.Guesses(password), perSecond, "whoever has the file needs %s to guess it").ofPhrase(password)
}

// brainKeysPerSecond is the number of brain keys that a graphics card tries in a second against the public keys on the ledger, which
// everybody can see: nothing slows that down, unlike a password's key file.
const brainKeysPerSecond = 100e6

// JudgeBrainKey estimates how long somebody who looks for the keys of any account needs to guess a brain key, in the form in which it
// is used.
func JudgeBrainKey(words string) Verdict {
	return judge(New().Guesses(words), brainKeysPerSecond, "anybody needs %s to guess them").ofPhrase(words)
}

// ofPhrase returns the verdict with the reason if the text is weak because everybody knows it.
func (v Verdict) ofPhrase(text string) Verdict {
	if _, known := phraseGuesses(text); known && v.Weak {
		v.Text = "easy to guess: a phrase that everybody knows"
	}
	return v
}

// judge is Judge for what takes so many guesses (as a power of ten), of which half are enough on average. sentence has a place for how
// long that is.
func judge(guesses, perSecond float64, sentence string) Verdict {
	seconds := math.Pow(10, guesses) / 2 / perSecond
	word, years := "strong", seconds/secondsPerYear
	switch {
	case seconds < 1:
		return Verdict{Weak: true, Text: "easy to guess: among the first that anybody tries"}
	case years < weakYears:
		word = "weak"
	case years < strongYears:
		word = "fair"
	}
	return Verdict{Weak: word == "weak", Text: word + ": " + fmt.Sprintf(sentence, length(seconds))}
}

// length returns a duration in words that claim no more precision than there is.
func length(seconds float64) string {
	about := func(n float64, unit string) string {
		if n < 1.5 {
			return "about 1 " + unit
		}
		return fmt.Sprintf("about %.0f %ss", n, unit)
	}
	switch day := (24 * time.Hour).Seconds(); {
	case seconds < 90:
		return about(seconds, "second")
	case seconds < 90*60:
		return about(seconds/60, "minute")
	case seconds < 2*day:
		return about(seconds/3600, "hour")
	case seconds < 60*day:
		return about(seconds/day, "day")
	case seconds < 2*secondsPerYear:
		return about(seconds/day/30.4, "month")
	case seconds < 1000*secondsPerYear:
		return about(seconds/secondsPerYear, "year")
	case seconds < 1e6*secondsPerYear:
		return "thousands of years"
	}
	return "more than a million years"
}
