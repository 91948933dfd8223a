package send

import (
	"context"

	"billfold/tui/screen"
	"billfold/walletcore/build"
)

// rereadResult is what was under review, reviewed again.
type rereadResult struct {
	built  screen.Built // built again if the review is graver: the keys that it was built for may have changed
	review build.Review
	graver bool
}

// rereadBuilt reviews again what was built; shown is its present review. ok is false if it cannot be reviewed again.
func rereadBuilt(ctx context.Context, built screen.Built, shown build.Review) (found rereadResult, ok bool, err error) {
	by, can := built.(screen.Rereader)
	if !can {
		return found, false, nil
	}
	now, err := by.Rereview(ctx)
	if err != nil || !now.Graver(shown) {
		return rereadResult{built, now, false}, true, err
	}
	anew, err := by.Rebuild(ctx)
	if err != nil {
		return found, true, err
	}
	return rereadResult{anew, anew.Review(), true}, true, nil
}
