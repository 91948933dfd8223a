package reconcile

import (
	"testing"

	"billfold/ledger"
)

// What follows from balances counts where the block that has come changed nothing of it, or several blocks in a row did not, and never
// within a block. An account that an operation created needs no block if its operations add up to what it holds.
func TestAMomentOfRest(t *testing.T) {
	type at struct {
		block uint32
		holds int64
	}
	for name, c := range map[string]struct {
		created bool
		read    []at
		reached int // which reading is the first that counts; -1 = none
	}{
		"adds up":                 {true, []at{{7, 0}}, 0},
		"created, does not":       {true, []at{{7, 5}, {7, 5}, {8, 5}, {8, 5}, {8, 5}, {9, 5}, {9, 5}, {9, 5}}, 7},
		"opening":                 {false, []at{{7, 0}, {7, 0}, {7, 0}, {8, 0}, {8, 0}, {8, 0}, {8, 0}, {9, 0}}, 7},
		"within one block":        {false, []at{{7, 0}, {7, 0}, {7, 0}, {8, 0}, {8, 0}, {8, 0}, {8, 0}, {8, 0}, {8, 0}}, -1},
		"brought by a block":      {false, []at{{7, 9}, {7, 8}, {8, 9}, {8, 9}, {9, 9}, {9, 9}, {9, 9}, {9, 9}, {10, 9}, {10, 9}}, 9},
		"all the time":            {false, []at{{7, 9}, {7, 8}, {8, 9}, {8, 8}, {9, 7}, {9, 6}, {10, 9}, {10, 8}, {11, 8}}, -1},
		"steady after each block": {false, []at{{1, 9}, {1, 8}, {2, 9}, {2, 7}, {3, 9}, {3, 8}, {4, 9}, {4, 8}, {5, 9}, {6, 9}, {7, 9}, {8, 9}}, 11},
		"steady but for one":      {false, []at{{1, 9}, {1, 8}, {2, 9}, {2, 7}, {3, 6}, {4, 9}, {4, 8}, {5, 9}, {6, 9}, {7, 9}, {8, 9}}, -1},
	} {
		r, got := &rest{}, -1
		for i, read := range c.read {
			b := &books{created: c.created, days: sheet{}}
			b.head, b.held = read.block, map[ledger.AssetID]int64{0: read.holds, 5: 0}
			if r.reached(b) {
				got = i
				break
			}
		}
		if got != c.reached {
			t.Errorf("%s: reading %d counts, not %d", name, got, c.reached)
		}
	}
}
