package events

import (
	"testing"
	"testing/synctest"
	"time"

	"billfold/rpcserver"
)

// What a scan finds is published in one piece when it is over, or soon while it takes long.
func TestEventsOfAScanAreGathered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var pieces []int
		g := gathered{publish: func(events ...rpcserver.Event) { pieces = append(pieces, len(events)) }}
		for range 3 {
			g.add(rpcserver.Event{Topic: "balances"})
		}
		if len(pieces) != 0 {
			t.Fatal("an event did not wait for the others")
		}
		g.release()
		g.release()
		g.add(rpcserver.Event{Topic: "blocks"})
		g.add(rpcserver.Event{Topic: "balances"})
		time.Sleep(gatherTime)
		synctest.Wait()
		g.add(rpcserver.Event{Topic: "deposits"})
		g.release()
		time.Sleep(gatherTime)
		if len(pieces) != 3 || pieces[0] != 3 || pieces[1] != 2 || pieces[2] != 1 {
			t.Errorf("the pieces have %v events", pieces)
		}
	})
}
