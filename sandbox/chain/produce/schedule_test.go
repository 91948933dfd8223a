package produce

import "testing"

func TestMissedSlotsAreNoted(t *testing.T) {
	for _, c := range []struct {
		old    string
		missed uint64
		want   string
	}{
		{"0", 0, "1"}, {"1", 0, "3"}, {"1", 2, "12"}, {"5", 128, "0"},
		{"340282366920938463463374607431768211455", 1, "340282366920938463463374607431768211454"},
	} {
		if got := slotsFilled(c.old, c.missed); got != c.want {
			t.Errorf("%s and %d missed: %s, want %s", c.old, c.missed, got, c.want)
		}
	}
	for _, c := range []struct {
		old    uint32
		missed uint64
		want   uint32
	}{{7, 0, 4}, {4, 0, 3}, {1, 0, 0}, {0, 0, 0}, {3, 2, 11}, {5, 1 << 40, 1<<32 - 1}} {
		if got := missedCount(c.old, c.missed, false); got != c.want {
			t.Errorf("%d and %d missed: %d, want %d", c.old, c.missed, got, c.want)
		}
	}
}
