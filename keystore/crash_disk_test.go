//go:build unix

package keystore

import (
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// runDisk lives through up to three ends on a simulated disk: the power fails,
// or only the process is killed. The last is always a power failure.
func (c *crashTrial) runDisk() error {
	d := newSimDisk(c.rng)
	d.log, d.lies = c.log, c.lies
	c.path, c.opts.disk = "/wallet/keys", d
	c.opts.now = func() time.Time { return d.now }
	for lives := 1 + c.rng.IntN(3); lives > 0; lives-- {
		d.faults = []float64{0, 0, 0.02, 0.1}[c.rng.IntN(4)]
		d.left = 1 + c.rng.IntN(160)
		if err := c.live(d); err != nil {
			return err
		}
		c.count.faults += d.injected
		d.injected, d.faults = 0, 0
		end := c.powerCut
		if lives > 1 && c.rng.IntN(3) == 0 {
			end = c.kill
		}
		if err := end(d); err != nil {
			return err
		}
	}
	return c.checkFormers(d)
}

// checkFormers wants, for each password that was changed within the last 30 days, the
// file that opened with it.
func (c *crashTrial) checkFormers(d *simDisk) error {
	for _, f := range c.formers {
		if d.now.Sub(f.at) > oldPasswordTime || c.holdsFormer(f.state, d) {
			continue
		}
		return fmt.Errorf(
			"no file opens any more with %q, which was changed at %s; it is %s; the disk has %v",
			f.state.password,
			f.at,
			d.now,
			sortedNames(d.names),
		)
	}
	return nil
}

func (c *crashTrial) holdsFormer(state crashState, d *simDisk) bool {
	for n := 1; n <= maxOldPasswordFiles; n++ {
		f := d.names[oldPasswordName(c.path, n)]
		if f == nil {
			continue
		}
		m, err := parseFile(f.data)
		if err != nil {
			return false // none is half a file
		}
		key, err := m.unwrap(state.password)
		if err != nil {
			continue
		}
		secrets, err := m.unlock(key)
		if err == nil && state.check(c.lab, &Store{file: m, secrets: secrets}) == nil {
			return true
		}
	}
	return false
}

func (c *crashTrial) powerCut(d *simDisk) error {
	c.count.powerCuts++
	d.crash()
	return c.restart(d)
}

// kill ends the process alone: what was not synced is there and may still be
// lost. The folder may refuse to be synced while the file is opened.
func (c *crashTrial) kill(d *simDisk) error {
	c.log("the process is killed")
	c.count.kills++
	d.dead, d.left = false, -1
	if d.noSync = c.rng.IntN(2) == 0; !d.noSync {
		return c.look()
	}
	err := c.look()
	if d.noSync = false; errors.Is(err, ErrFile) { // a torn rename could not be completed for sure
		err = c.look()
	}
	return err
}

// look opens the file while what is seen may not have been synced: it lasts
// only with the next confirmed change.
func (c *crashTrial) look() error {
	unsure := slices.Clone(c.possible)
	if err := c.open(); err != nil {
		return err
	}
	c.possible = append(c.possible, slices.DeleteFunc(unsure, func(s crashState) bool { return s == c.possible[0] })...)
	return nil
}

// live does things until the power fails.
func (c *crashTrial) live(d *simDisk) error {
	for range 12 {
		before := c.possible[0]
		act := nextAct(c.rng, before)
		c.log("%+v in %+v", act, c.possible)
		store, err := act.do(c.lab, c.path, c.opts, c.store, before)
		if d.dead {
			c.maybe(act.after(before))
			return nil
		}
		c.log("it answers: %v", err)
		if err == nil {
			c.count.saved++
			c.store = store
			if act.kind == "password" {
				c.formers = append(c.formers, crashFormer{before, d.now})
			}
			d.now = d.now.Add(time.Duration(c.rng.IntN(6*24)) * time.Hour)
			if act.kind != "reopen" && act.kind != "strengthen" { // those promise nothing new
				c.possible = []crashState{act.after(before)}
			}
			if err := c.possible[0].check(c.lab, c.store); err != nil {
				return fmt.Errorf("after %+v: %w", act, err)
			}
			continue
		}
		if err := c.refused(d, act, before, err); err != nil {
			return fmt.Errorf("after %+v: %w", act, err)
		}
		if d.dead {
			return nil
		}
	}
	return nil
}

// maybe notes a state that the disk may hold.
func (c *crashTrial) maybe(s crashState) {
	if c.count.half++; !slices.Contains(c.possible, s) {
		c.possible = append(c.possible, s)
	}
}

// refused looks at a wallet after an error: nothing has changed, neither in
// memory nor on the disk, unless the error said otherwise.
func (c *crashTrial) refused(d *simDisk, act crashAct, before crashState, refusal error) error {
	c.count.refused++
	if c.store != nil {
		if err := before.check(c.lab, c.store); err != nil {
			return fmt.Errorf("the memory changed: %w", err)
		}
	}
	if strings.Contains(refusal.Error(), "old or the new contents") {
		c.maybe(act.after(before))
	}
	faults, left := d.faults, d.left
	d.faults, d.left = 0, -1
	defer func() { d.faults, d.left = faults, left }()
	if err := c.look(); err != nil {
		return fmt.Errorf("it answered %w: %w", refusal, err)
	}
	return nil
}

// restart opens the file after the power came back. It may fail once more meanwhile.
func (c *crashTrial) restart(d *simDisk) error {
	torn := d.names[c.path] == nil && d.names[versionName(c.path, 1)] != nil
	if c.rng.IntN(3) == 0 {
		d.left = 1 + c.rng.IntN(12)
		if _, err := OpenWith(c.path, c.opts); err != nil && !d.dead && !errors.Is(err, ErrNotFound) {
			return err
		}
		d.crash()
	}
	if err := c.open(); err != nil {
		return fmt.Errorf("after the power came back: %w; the disk has %v", err, sortedNames(d.names))
	}
	if torn {
		c.count.tornRenames++
	}
	for n := 1; n <= versionsKept; n++ {
		if f := d.names[versionName(c.path, n)]; f != nil {
			if _, err := parseFile(f.data); err != nil {
				return fmt.Errorf("version %d is not whole: %w", n, err)
			}
		}
	}
	return nil
}

// A process is killed while it adds a key, at each step of that; the next one adds
// the key again and is told that it is there: then it is there after a power
// failure, too. The folder may refuse to be synced when the file is opened.
func TestAKeyThatIsAddedAgainLasts(t *testing.T) {
	lab := newLab(t)
	for seed := range uint64(12) {
		for step := 1; lab.addedAgain(t, seed, step); step++ {
		}
	}
}

// addedAgain answers false when adding a key has no such step.
func (lab *crashLab) addedAgain(t *testing.T, seed uint64, step int) (reached bool) {
	d := newSimDisk(mathrand.New(mathrand.NewPCG(seed, uint64(step))))
	opts := cheap()
	opts.disk, opts.freeTries = d, true
	s, err := Create("/wallet/keys", password, Public{}, nil, opts)
	must(t, err)
	add := func(c *Contents) error { return c.AddKey(7, lab.keys[0]) }
	d.left = step
	_ = s.Update(add)
	reached = d.dead
	d.dead, d.left = false, -1
	d.noSync = true
	if s, err = OpenWith(s.Path(), opts); err != nil {
		return reached // a torn rename could not be completed for sure, and that was told
	}
	must(t, s.Unlock(password))
	d.noSync = false
	must(t, s.Update(add))
	d.crash()
	s, err = OpenWith(s.Path(), opts)
	must(t, err)
	must(t, s.Unlock(password))
	if _, held := s.Key(lab.publics[0]); !held {
		t.Fatalf("step %d, seed %d: the key was confirmed and is lost", step, seed)
	}
	return reached
}
