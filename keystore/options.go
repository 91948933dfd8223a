package keystore

import (
	"fmt"
	"time"
)

// Options change how a file is made and opened. A nil *Options means the defaults.
type Options struct {
	// Params is the cost of trying a password in new files, and the least in files that are unlocked; zero means that
	// Calibrate decides.
	Params Params

	// AllowWeak accepts parameters under 64 MiB and three passes, and leaves files that have them as they are. For
	// tests and throw-away wallets only: the password of such a file is quickly guessed.
	AllowWeak bool

	disk       disk                       // nil = the real disk
	calibrate  func(maxKiB uint32) Params // nil = Calibrate
	lockMemory func([]byte) error
	freeTries  bool // wrong passwords are not counted
	now        func() time.Time
}

// withDefaults returns the options with their defaults filled in, even for nil.
func (o *Options) withDefaults() Options {
	var own Options
	if o != nil {
		own = *o
	}
	if own.disk == nil {
		own.disk = osDisk{}
	}
	if own.calibrate == nil {
		own.calibrate = Calibrate
	}
	if own.now == nil {
		own.now = time.Now
	}
	if own.lockMemory == nil {
		own.lockMemory = lockMemory
	}
	return own
}

// params returns the cost for a new file of about size bytes.
func (o Options) params(size int) (Params, error) {
	if o.Params == (Params{}) {
		return o.calibrate(maxTryMemoryKiB(size)), nil
	}
	if !o.Params.affordable() || (!o.Params.Strong() && !o.AllowWeak) {
		return Params{}, &Error{Kind: ErrWeak,
			Message: fmt.Sprintf(
				"The key derivation parameters (%d KiB, %d passes, %d threads) are out of range",
				o.Params.MemoryKiB,
				o.Params.Time,
				o.Params.Threads,
			),
			Hint: fmt.Sprintf("use %d to %d KiB and at least %d passes", minMemoryKiB, maxMemoryKiB, minTime)}
	}
	return o.Params, nil
}

// raised returns what a file of size bytes should cost that costs now, if one try took that long here: never less in
// any respect, and now itself if it is good enough.
func (o Options) raised(now Params, took time.Duration, size int) Params {
	switch {
	case o.Params != Params{}:
		return now.atLeast(o.Params)
	case now.Strong() && took >= clearlyTooFast, o.AllowWeak && !now.Strong():
		return now
	}
	return now.atLeast(o.calibrate(maxTryMemoryKiB(size)))
}

// Cost returns what trying a password costs at least in files made with these options: what was set, or what any real
// wallet gets.
func (o *Options) Cost() Params {
	if own := o.withDefaults(); own.Params != (Params{}) {
		return own.Params
	}
	return floorParams()
}
