package daemonclient_test

import (
	"testing"

	"billfold/daemonclient"
)

// A daemon that is asked by hand where heads are not watched is not judged by the head of then ever after.
func TestACheckByHandDoesNotMakeTheHeadAge(t *testing.T) {
	n := says(t, "21")
	c := start(t, daemonclient.Config{URL: n.url})
	await(t, c, "online", allOnline)
	c.Check()
	await(t, c, "asked", func(daemonclient.Status) bool { return n.count("get_dynamic_global_properties") > 0 })
	await(t, c, "measured", func(s daemonclient.Status) bool { return s.Daemons[0].Latency > 0 })
	if s := c.Status(); s.HeadTime != 0 || s.HeadAge != 0 || s.Stale || s.Daemons[0].HeadAge != 0 {
		t.Errorf("after a check by hand the head is from %s, %v old, stale %v", s.HeadTime, s.HeadAge, s.Stale)
	}
}
