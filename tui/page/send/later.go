package send

import (
	"context"

	"billfold/tui/screen"
	"billfold/walletcore/build"
)

// later is what was under review, as of now.
type later struct {
	built  screen.Built // another one where it is graver: keys may have changed that it was built for
	now    build.Review
	graver bool
}

// lookAgain reviews what was built as of now; ok is false where it cannot be reviewed again.
func lookAgain(ctx context.Context, built screen.Built, shown build.Review) (found later, ok bool, err error) {
	by, can := built.(screen.Rereader)
	if !can {
		return found, false, nil
	}
	now, err := by.Again(ctx)
	if err != nil || !now.Graver(shown) {
		return later{built, now, false}, true, err
	}
	anew, err := by.Anew(ctx)
	if err != nil {
		return found, true, err
	}
	return later{anew, anew.Review(), true}, true, nil
}
