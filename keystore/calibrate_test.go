package keystore

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"billfold/internal/stories"

	"pgregory.net/rapid"
)

// The clock of this machine is used, with as much memory as two tries at the floor take; the program as it is shipped, with all that
// it may take, is a story of cmd/billfold.
func TestRealWalletsAreCalibrated(t *testing.T) {
	stories.Long(t)
	p := Calibrate(2 * minMemoryKiB)
	t.Logf("this machine: %+v", p)
	if !p.Strong() || !p.affordable() {
		t.Fatal("out of its own range:", p)
	}
	found := floorParams() // a machine that is good for more costs this test a second
	if s := filled(t, &Options{calibrate: func(uint32) Params { return found }}); s.Params() != found {
		t.Fatal("a new file costs", s.Params(), "and not what was measured:", found)
	}
	if opts := (*Options)(nil).withDefaults(); opts.calibrate == nil || opts.AllowWeak {
		t.Fatal("without options nothing is measured")
	}
}

// machine reports how long a try takes on a made-up machine that does so many KiB per ms.
func machine(speed float64, noise func() float64) func(Params) time.Duration {
	return func(p Params) time.Duration {
		return time.Duration(float64(p.MemoryKiB) * float64(p.Time) / speed * noise() * float64(time.Millisecond))
	}
}

func TestCalibrateOnEveryMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		speed := rapid.Float64Range(1, 20_000).Draw(t, "KiB per ms")
		most := rapid.Uint32Range(0, usualMostKiB).Draw(t, "memory")
		measure := machine(speed, func() float64 { return 1 })
		p := calibrate(measure, most)
		if !p.Strong() || !p.affordable() || p.MemoryKiB > max(most, minMemoryKiB) {
			t.Fatal("out of range:", p)
		}
		took := measure(p)
		if fast := took < shortestTry && p.Time < maxTime && uint64(p.MemoryKiB)*uint64(p.Time) < maxWorkKiB-usualMostKiB; fast {
			t.Fatal(p, "takes only", took)
		}
		if slow := took > longestTry && p != floorParams(); slow {
			t.Fatal(p, "takes", took)
		}
	})
}

func TestCalibrateOnABusyMachineEndsAndKeepsTheFloor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tries := 0
		noise := func() float64 { tries++; return rapid.Float64Range(0.01, 100).Draw(t, "noise") }
		if p := calibrate(machine(500, noise), usualMostKiB); !p.Strong() || !p.affordable() || tries > 3 {
			t.Fatal(p, "after", tries)
		}
	})
}

func TestParametersAreNeverLowered(t *testing.T) {
	draw := func(t *rapid.T, name string) Params {
		return Params{rapid.Uint32().Draw(t, name+" memory"), rapid.Uint32().Draw(t, name+" time"), rapid.Uint8().Draw(t, name+" threads")}
	}
	rapid.Check(t, func(t *rapid.T) {
		now, found := draw(t, "now"), draw(t, "found")
		o := Options{AllowWeak: rapid.Bool().Draw(t, "weak"), calibrate: func(uint32) Params { return found }}
		took := time.Duration(rapid.Int64().Draw(t, "took"))
		next := o.raised(now, took, 0)
		if next.MemoryKiB < now.MemoryKiB || next.Time < now.Time || next.Threads != now.Threads {
			t.Fatal(now, "became", next)
		}
		if next != now && !next.affordable() {
			t.Fatal(next, "cannot be opened")
		}
	})
}

// stronger returns the options that cheap files are raised to in tests.
func stronger() *Options {
	return &Options{Params: Params{MemoryKiB: 64, Time: 2, Threads: 1}, AllowWeak: true}
}

func TestUnlockStrengthensAWeakerFile(t *testing.T) {
	weak := filled(t, cheap())
	contents, before := dump(t, weak), mustRead(t, weak.Path())
	s, err := OpenWith(weak.Path(), stronger())
	must(t, err)
	want(t, s.Unlock("wrong"), ErrWrongPassword)
	if !bytes.Equal(mustRead(t, s.Path()), before) {
		t.Fatal("a wrong password changed the file")
	}
	must(t, s.Unlock(password))
	if s.Params() != stronger().Params || s.Health().Upgrade != nil {
		t.Fatal("the file costs", s.Params(), s.Health().Upgrade)
	}
	if !bytes.Equal(mustRead(t, versionName(s.Path(), 1)), before) {
		t.Fatal("the old version was not kept")
	}
	must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }))
	if again := reopened(t, s.Path(), password); again.Params() != stronger().Params || len(again.PublicKeys()) != 3 {
		t.Fatal("the file was lowered again, or lost something")
	}
	if old := reopened(t, versionName(s.Path(), 2), password); dump(t, old) != contents {
		t.Fatal("the old version has other contents")
	}
}

func TestAFileThatCannotBeStrengthenedStillUnlocks(t *testing.T) {
	weak := filled(t, cheap())
	before := mustRead(t, weak.Path())
	opts := stronger()
	opts.disk = fullDisk{}
	s, err := OpenWith(weak.Path(), opts)
	must(t, err)
	must(t, s.Unlock(password))
	if dump(t, s) != dump(t, weak) || !errors.Is(s.Health().Upgrade, ErrDiskFull) {
		t.Fatal("the contents differ, or nothing is told:", s.Health().Upgrade)
	}
	if !bytes.Equal(mustRead(t, s.Path()), before) {
		t.Fatal("the file was changed")
	}
}

func TestOnlyAFastMachineStrengthensAGoodFile(t *testing.T) {
	found := Params{MemoryKiB: 256 * 1024, Time: 3, Threads: 4}
	o := Options{calibrate: func(uint32) Params { return found }}
	if got := o.raised(floorParams(), 10*time.Millisecond, 0); got != found {
		t.Error("a fast machine leaves", got)
	}
	if got := o.raised(floorParams(), 300*time.Millisecond, 0); got != floorParams() {
		t.Error("a usual machine makes", got)
	}
	weak := Params{MemoryKiB: 1024, Time: 1, Threads: 4}
	if got := o.raised(weak, time.Hour, 0); got != found {
		t.Error("under the floor it stays", got)
	}
	o.AllowWeak = true
	if got := o.raised(weak, 0, 0); got != weak {
		t.Error("a throw-away wallet became", got)
	}
}

// A file of very many keys leaves the memory to them.
func TestALargeFileIsTriedInLittleMemory(t *testing.T) {
	t.Parallel()
	asked := uint32(0)
	o := Options{calibrate: func(maxKiB uint32) Params {
		asked = maxKiB
		return floorParams()
	}}
	for size, want := range map[int]uint32{largeFile - 1: usualMostKiB, largeFile: largeMostKiB} {
		if o.raised(floorParams(), 0, size); asked != want {
			t.Errorf("a file of %d bytes may take %d KiB", size, asked)
		}
		_, err := o.params(size)
		if must(t, err); asked != want {
			t.Errorf("a new file of %d bytes may take %d KiB", size, asked)
		}
	}
}
