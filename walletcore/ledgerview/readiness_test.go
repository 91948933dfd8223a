package ledgerview

import (
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
)

// Whatever is wrong with a daemon or its chain says why, and what ends it; a condition or a doubt that is added has to say so, too.
func TestEachDistrustEnds(t *testing.T) {
	relied := map[daemonclient.Condition]bool{daemonclient.Ready: true, daemonclient.Behind: true, daemonclient.RolledBack: true}
	told := map[string]bool{}
	check := func(what string, d Distrust) {
		t.Helper()
		if d.Why == "" || d.Ends == "" || told[d.Why] || strings.HasSuffix(d.String(), ".") || strings.Contains(d.String(), "://") {
			t.Errorf("%s: %+v", what, d)
		}
		told[d.Why] = true
	}
	for c := daemonclient.Condition(0); c.String() != "unknown"; c++ {
		d := distrustOf(&daemonclient.Status{Condition: c, URL: "ws://node.example"})
		if relied[c] {
			if d != (Distrust{}) {
				t.Errorf("%s: %+v", c, d)
			}
			continue
		}
		check(c.String(), d)
	}
	for kind := LacksBlock; kind <= Unproven; kind++ {
		check("doubt", Doubt{Kind: kind, Daemon: "ws://node.example", Block: 69, Head: 46}.distrust())
	}
	if d := (Doubt{}).distrust(); d != (Distrust{}) {
		t.Errorf("no doubt: %+v", d)
	}
}

// A head that was seen after the proof shows that the daemon is below it; one from before does not, and neither does another daemon's.
func TestAHeadBelowWhatIsProven(t *testing.T) {
	c := &Chain{}
	head := func(num uint32) (id ledger.BlockID) {
		id[2], id[3] = byte(num>>8), byte(num)
		return id
	}
	another := head(69)
	another[19] = 1
	before := time.Now().Add(-time.Second)
	c.Prove(head(69))
	after := time.Now().Add(time.Second)
	for name, want := range map[string]struct {
		d    Doubt
		kind DoubtKind
	}{
		"below":         {c.doubtOf("a", head(46), after), BelowProven},
		"seen before":   {c.doubtOf("a", head(68), before), NoDoubt},
		"as many":       {c.doubtOf("a", head(69), after), NoDoubt},
		"another one":   {c.doubtOf("a", another, after), LacksBlock},
		"not known yet": {c.doubtOf("a", ledger.BlockID{}, after), NoDoubt},
	} {
		if want.d.Kind != want.kind {
			t.Errorf("%s: %+v", name, want.d)
		}
	}
	c.position.setDoubt(Doubt{Kind: LacksBlock, Daemon: "a", Block: 69})
	if c.doubtOf("a", head(90), after).Kind != LacksBlock || c.doubtOf("b", head(90), after).Kind != NoDoubt {
		t.Error("a doubt is not that of its daemon alone")
	}
}
