package strength

import (
	"fmt"
	"math"
	"time"
)

// Verdict holds what a person reads about a password.
type Verdict struct {
	Weak bool   // it resists less than a year
	Text string // a sentence without a full stop
}

// A password that resists less than weakYears is weak, one that resists less than strongYears fair.
const (
	weakYears, strongYears = 1, 100

	secondsPerYear = 365.25 * 24 * 3600
)

// Judge estimates how long a password of so many guesses (as a power of ten) resists somebody who has the key file and
// tries perSecond passwords a second. On average half of the guesses are enough.
func Judge(guesses, perSecond float64) Verdict {
	seconds := math.Pow(10, guesses) / 2 / perSecond
	word, years := "strong", seconds/secondsPerYear
	switch {
	case years < weakYears:
		word = "weak"
	case years < strongYears:
		word = "fair"
	}
	return Verdict{Weak: word == "weak", Text: fmt.Sprintf("%s: resists %s against one graphics card that tries about %s a second",
		word, length(seconds), rounded(perSecond))}
}

// brainKeysPerSecond is the number of brain keys that a graphics card tries per second against the public keys on the
// ledger, which everybody can see: nothing slows that down, unlike a password's key file.
const brainKeysPerSecond = 100e6

// JudgeBrainKey estimates how long a brain key, in the form in which it is used, resists
// somebody who looks for the keys of any account.
func JudgeBrainKey(words string) Verdict { return Judge(New().Guesses(words), brainKeysPerSecond) }

// length returns a duration in words that claim no more precision than there is.
func length(seconds float64) string {
	about := func(n float64, unit string) string {
		if n < 1.5 {
			return "about 1 " + unit
		}
		return fmt.Sprintf("about %.0f %ss", n, unit)
	}
	switch day := (24 * time.Hour).Seconds(); {
	case seconds < 1:
		return "less than a second"
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

// rounded returns a number with two significant figures.
func rounded(n float64) string {
	const million = 1e6
	if n >= million {
		return rounded(n/million) + " million"
	}
	unit := math.Pow(10, max(math.Floor(math.Log10(max(n, 1)))-1, 0))
	return fmt.Sprintf("%.0f", math.Round(n/unit)*unit)
}
