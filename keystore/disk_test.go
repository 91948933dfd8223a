package keystore

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"
)

var errPower = errors.New("the power is gone")

// simDisk is a disk that keeps what was synced apart from what was not, so that
// losing power loses the rest, in part and in any order. It is worse than real
// ones: entries of a folder that were not synced are lost one by one, whatever
// their order; with torn renames the new name may be gone before it names the
// file; what was written but not synced may be cut, zeroes, or gone.
type simDisk struct {
	rng   *rand.Rand
	names map[string]*simFile // what programs see
	saved map[string]*simFile // what survives for sure
	later []entryChanges      // what the folder was told since it was synced

	faults  float64 // how likely a step fails
	ordered bool    // the folder's changes last in the order in which they were made
	torn    bool    // renames are not atomic
	noLinks bool
	noSync  bool // the folder refuses to be synced
	lies    bool // syncing does nothing: to see that the trials notice

	now time.Time // of its clock

	left     int // steps until the power fails; negative = it stays
	dead     bool
	steps    int
	injected int
	log      func(format string, args ...any)
}

type simFile struct {
	data, synced []byte
	at           time.Time
}

// entryChanges are the parts of one operation on the folder; a nil file removes.
type entryChanges struct {
	parts  []entryChange
	atomic bool
}

type entryChange struct {
	name string
	file *simFile
}

func newSimDisk(rng *rand.Rand) *simDisk {
	return &simDisk{
		rng: rng, names: map[string]*simFile{}, saved: map[string]*simFile{}, left: -1,
		now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), ordered: rng.IntN(2) == 0, torn: rng.IntN(2) == 0, noLinks: rng.IntN(4) == 0,
		log: func(string, ...any) {},
	}
}

// how a step goes.
type outcome struct {
	err   error
	after bool // the error comes although it was done
	part  bool // the power failed in the middle of it
}

func (d *simDisk) step(what, name string) outcome {
	if d.dead {
		return outcome{err: errPower}
	}
	d.steps++
	if d.left--; d.left == 0 {
		d.dead = true
		d.log("%d %s %s: power fails", d.steps, what, name)
		return outcome{err: errPower, part: true}
	}
	if d.rng.Float64() >= d.faults {
		return outcome{}
	}
	d.injected++
	fault := []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS}[d.rng.IntN(3)]
	o := outcome{err: &fs.PathError{Op: what, Path: name, Err: fault}, after: d.rng.IntN(3) == 0}
	d.log("%d %s %s: %v, done all the same: %v", d.steps, what, name, fault, o.after)
	return o
}

// does reports whether the step has its effect.
func (o outcome) does(rng *rand.Rand) bool {
	return o.err == nil || o.after || (o.part && rng.IntN(2) == 0)
}

func (d *simDisk) Open(name string) (io.ReadCloser, error) {
	if o := d.step("read", name); o.err != nil {
		return nil, o.err
	}
	f, ok := d.names[name]
	if !ok {
		return nil, missing("open", name)
	}
	return io.NopCloser(bytes.NewReader(bytes.Clone(f.data))), nil
}

func (d *simDisk) WriteNew(name string, data []byte) error {
	o := d.step("write", name)
	if d.names[name] != nil {
		return &fs.PathError{Op: "open", Path: name, Err: syscall.EEXIST}
	}
	if o.err != nil && !o.part && d.dead {
		return o.err
	}
	f := &simFile{data: bytes.Clone(data), at: d.now}
	d.change(entryChanges{parts: []entryChange{{name, f}}, atomic: true})
	if o.err != nil {
		f.data = f.data[:d.rng.IntN(len(data)+1)]
		if d.rng.IntN(2) == 0 {
			f.synced = f.data
		}
		return o.err
	}
	if d.faults > 0 && d.rng.Float64() < d.faults/2 { // a bad sector that nobody noticed
		f.data[d.rng.IntN(len(f.data))] ^= 1 << d.rng.IntN(8)
		d.injected++
		d.log("%d write %s: another byte than given", d.steps, name)
	}
	if !d.lies {
		f.synced = f.data
	}
	return nil
}

func (d *simDisk) Rename(from, to string) error {
	o := d.step("rename", from)
	f, ok := d.names[from]
	if !ok && o.err == nil {
		return missing("rename", from)
	}
	whole := []entryChange{{to, nil}, {to, f}, {from, nil}}
	switch {
	case !ok || o.err != nil && !o.part && d.dead:
	case o.does(d.rng):
		d.change(entryChanges{parts: whole, atomic: !d.torn})
	case d.torn: // it failed in the middle: the old name may be gone
		d.change(entryChanges{parts: whole[:d.rng.IntN(2)], atomic: true})
	}
	return o.err
}

func (d *simDisk) Link(from, to string) error {
	o := d.step("link", to)
	switch f := d.names[from]; {
	case o.err != nil && !o.does(d.rng) || d.dead && !o.part:
		return o.err
	case d.noLinks:
		return errors.ErrUnsupported
	case d.names[to] != nil:
		return &fs.PathError{Op: "link", Path: to, Err: syscall.EEXIST}
	case f == nil:
		return missing("link", from)
	default:
		d.change(entryChanges{parts: []entryChange{{to, f}}, atomic: true})
	}
	return o.err
}

func (d *simDisk) Remove(name string) error {
	o := d.step("remove", name)
	if d.names[name] == nil && o.err == nil {
		return missing("remove", name)
	}
	if o.does(d.rng) && !(d.dead && !o.part) {
		d.change(entryChanges{parts: []entryChange{{name, nil}}, atomic: true})
	}
	return o.err
}

func (d *simDisk) MakeFolder(name string) error { return d.step("mkdir", name).err }

func (d *simDisk) SyncFolder(name string) error {
	o := d.step("sync", name)
	if d.noSync && o.err == nil {
		return &fs.PathError{Op: "sync", Path: name, Err: syscall.EIO}
	}
	if o.does(d.rng) && !d.lies && !(d.dead && !o.part) {
		d.saved, d.later = maps.Clone(d.names), nil
	}
	return o.err
}

func (d *simDisk) Modified(name string) (time.Time, error) {
	f := d.names[name]
	switch {
	case d.dead:
		return time.Time{}, errPower
	case f == nil:
		return time.Time{}, missing("stat", name)
	}
	return f.at, nil
}

func (d *simDisk) Lock(string) (func(), error) {
	if d.dead {
		return nil, errPower
	}
	return func() {}, nil
}

func missing(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: syscall.ENOENT} }

func (d *simDisk) change(c entryChanges) {
	c.apply(d.names, len(c.parts))
	d.later = append(d.later, c)
}

func (c entryChanges) apply(names map[string]*simFile, parts int) {
	for _, p := range c.parts[:parts] {
		if names[p.name] = p.file; p.file == nil {
			delete(names, p.name)
		}
	}
}

// crash takes the power away: of what was not synced some is there, some not.
// Then the machine starts again.
func (d *simDisk) crash() {
	survive := d.rng.IntN(len(d.later) + 1)
	for i, c := range d.later {
		parts := len(c.parts)
		switch {
		case d.ordered && i < survive, !d.ordered && d.rng.IntN(2) == 0:
		case !c.atomic && (i == survive || !d.ordered):
			parts = d.rng.IntN(parts + 1)
		default:
			parts = 0
		}
		c.apply(d.saved, parts)
	}
	for _, name := range sortedNames(d.saved) {
		if f := d.saved[name]; !bytes.Equal(f.data, f.synced) {
			f.data = d.unsynced(f)
		}
		d.saved[name].synced = d.saved[name].data
	}
	d.names, d.later = maps.Clone(d.saved), nil
	d.dead, d.left = false, -1
}

// unsynced returns what is found of data that was not synced.
func (d *simDisk) unsynced(f *simFile) []byte {
	switch d.rng.IntN(4) {
	case 0:
		return f.synced
	case 1:
		return f.data[:d.rng.IntN(len(f.data)+1)]
	case 2:
		data := bytes.Clone(f.data)
		clear(data[d.rng.IntN(len(data)+1):])
		return data
	}
	return f.data
}

func sortedNames(names map[string]*simFile) []string { return slices.Sorted(maps.Keys(names)) }
