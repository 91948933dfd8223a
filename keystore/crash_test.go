//go:build unix

package keystore

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
)

// usualTrials is the number of crash trials that run with all other tests; make
// crash runs 10,000. Every 25th kills a real process, the others cut a simulated
// disk's power or let its steps fail.
const (
	usualTrials = 30
	childEvery  = 25

	// labKeys is the maximum number of keys of a wallet: each costs time whenever it is opened.
	labKeys = 5
)

// TestCrash creates, imports, saves and changes passwords while the power fails,
// the process is killed and the disk reports faults. After each such end the
// file must open, and hold what was saved last, or what was just being saved.
//
// CRASH_TRIALS says how many trials, CRASH_SEED which; with CRASH_SEED alone that
// one trial is repeated and tells each step.
func TestCrash(t *testing.T) {
	seed, trials, verbose := crashSettings(t)
	t.Logf("%d trials from seed %d; repeat one with: CRASH_SEED=… make crash", trials, seed)
	c := &crashCount{}
	lab := newLab(t)
	for n := range uint64(trials) {
		trial := &crashTrial{lab: lab, seed: seed + n, count: c, log: func(string, ...any) {}}
		if verbose {
			trial.log = t.Logf
		}
		if err := trial.run(t); err != nil {
			c.lost++
			t.Errorf("CRASH_SEED=%d: %v", trial.seed, err)
		}
		c.trials++
	}
	t.Logf("%+v", *c)
	t.Logf("%d trials from seed %d, keys lost: %d", c.trials, seed, c.lost)
	if trials >= usualTrials && (c.powerCuts == 0 || c.kills == 0 || c.faults == 0 || c.saved == 0 || c.half == 0) {
		t.Error("the trials did not try what they should")
	}
}

// TestTrialsNoticeADiskThatLies runs the same trials where syncing does nothing:
// trials that find no loss there would find none anywhere.
func TestTrialsNoticeADiskThatLies(t *testing.T) {
	lab, lost := newLab(t), 0
	const trials = 25
	for seed := range uint64(trials) {
		trial := &crashTrial{lab: lab, seed: seed*childEvery + 1, count: &crashCount{}, lies: true, log: func(string, ...any) {}}
		if trial.run(t) != nil {
			lost++
		}
	}
	if lost < trials/5 {
		t.Fatalf("only %d of %d trials noticed it", lost, trials)
	}
}

func crashSettings(t *testing.T) (seed uint64, trials int, verbose bool) {
	var fresh [8]byte
	rand.Read(fresh[:])
	seed, trials = binary.LittleEndian.Uint64(fresh[:])>>16, usualTrials
	if text := os.Getenv("CRASH_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		must(t, err)
		seed, trials, verbose = n, 1, true
	}
	if text := os.Getenv("CRASH_TRIALS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		trials, verbose = n, verbose && n == 1
	}
	return seed, trials, verbose
}

type crashCount struct {
	trials, powerCuts, kills, faults, saved, refused, half, tornRenames, lost int
}

// crashLab holds what all trials use.
type crashLab struct {
	keys       []ledger.PrivateKey
	publics    []ledger.PublicKey
	legacy     *Legacy
	legacyKeys []ledger.PublicKey
}

func newLab(t testing.TB) *crashLab {
	lab := &crashLab{}
	for n := range labKeys {
		lab.keys = append(lab.keys, testKey(n))
		lab.publics = append(lab.publics, lab.keys[n].Public())
	}
	var err error
	lab.legacy, err = ReadLegacy(mustRead(t, "testdata/wallet-legacy.json"), "pass123")
	must(t, err)
	for _, public := range lab.legacy.Secrets.PublicKeys()[2:] { // each costs time in each trial
		lab.legacy.Secrets.RemoveKey(public)
	}
	lab.legacyKeys = lab.legacy.Secrets.PublicKeys()
	return lab
}

// crashState is the expected state of a wallet. The zero state is no wallet.
type crashState struct {
	password string
	keys     string // their numbers, as letters in order
	legacy   bool
}

func (s crashState) with(key int) crashState {
	letters := []rune(s.keys + string(rune('a'+key)))
	slices.Sort(letters)
	s.keys = string(slices.Compact(letters))
	return s
}

func (s crashState) without(key int) crashState {
	s.keys = strings.ReplaceAll(s.keys, string(rune('a'+key)), "")
	return s
}

func (s crashState) exists() bool { return s.password != "" }

// check wants exactly this state in an unlocked store.
func (s crashState) check(lab *crashLab, store *Store) error {
	expected := map[ledger.PublicKey]bool{}
	for _, letter := range s.keys {
		n := int(letter - 'a')
		if key, ok := store.Key(lab.publics[n]); !ok || !key.Equal(lab.keys[n]) {
			return fmt.Errorf("key %d is lost", n)
		}
		expected[lab.publics[n]] = true
	}
	if s.legacy {
		for _, public := range lab.legacyKeys {
			original, _ := lab.legacy.Secrets.Key(public)
			if key, ok := store.Key(public); !ok || !key.Equal(original) {
				return fmt.Errorf("the imported key %s is lost", public)
			}
			expected[public] = true
		}
	}
	if held := store.PublicKeys(); len(held) != len(expected) {
		return fmt.Errorf("it holds %d keys instead of %d", len(held), len(expected))
	}
	return nil
}

// crashAct is one thing a person does to a wallet.
type crashAct struct {
	kind string // create, import, save, remove, password, strengthen, reopen
	key  int
	text string
}

// nextAct chooses what is done to a wallet in this state.
func nextAct(rng *mathrand.Rand, s crashState) crashAct {
	key, text := rng.IntN(labKeys), fmt.Sprintf("password %d", rng.IntN(1000))
	if !s.exists() {
		return crashAct{[]string{"create", "create import"}[rng.IntN(8)/7], key, text}
	}
	kind := []string{"save", "save", "save", "remove", "password", "password", "import", "strengthen", "reopen"}[rng.IntN(9)]
	if kind == "import" && rng.IntN(3) > 0 { // it is large: seldom
		kind = "save"
	}
	return crashAct{kind, key, text}
}

// after returns the state that the act leads to.
func (a crashAct) after(s crashState) crashState {
	switch a.kind {
	case "create":
		return crashState{password: a.text}.with(a.key)
	case "create import":
		return crashState{password: a.text, legacy: true}
	case "import":
		s.legacy = true
	case "save":
		return s.with(a.key)
	case "remove":
		return s.without(a.key)
	case "password":
		s.password = a.text
	}
	return s
}

// do does it. The store is the same as before, unless it was made or opened again.
func (a crashAct) do(lab *crashLab, path string, opts *Options, s *Store, before crashState) (*Store, error) {
	switch a.kind {
	case "create":
		secrets := &Secrets{}
		if _, err := secrets.AddKey(lab.keys[a.key]); err != nil {
			return nil, err
		}
		return Create(path, a.text, Public{}, secrets, opts)
	case "create import":
		return Create(path, a.text, lab.legacy.Public, lab.legacy.Secrets, opts)
	case "import":
		return s, s.Update(func(c *Contents) error { return takeOver(c, lab.legacy) })
	case "save":
		return s, s.Update(func(c *Contents) error { return c.AddKey(7, lab.keys[a.key]) })
	case "remove":
		return s, s.Update(func(c *Contents) error { c.Secrets.RemoveKey(lab.publics[a.key]); return nil })
	case "password":
		if a.key%2 == 0 {
			return s, s.SetPassword(a.text)
		}
		return s, s.ChangePassword(before.password, a.text)
	case "strengthen":
		stronger := *opts
		stronger.Params.MemoryKiB += 8
		stronger.Params.Time = uint32(1 + a.key%3)
		opts = &stronger
	}
	again, err := OpenWith(path, opts)
	if err == nil {
		err = again.Unlock(before.password)
	}
	if err != nil {
		return s, err
	}
	return again, nil
}

func takeOver(c *Contents, legacy *Legacy) error {
	c.Public.ChainID = legacy.Public.ChainID
	for _, public := range legacy.Secrets.PublicKeys() {
		key, _ := legacy.Secrets.Key(public)
		if _, err := c.Secrets.AddKey(key); err != nil {
			return err
		}
	}
	return c.Secrets.AddElGamal(ledger.ElGamalKey{Private: big.NewInt(5), Public: big.NewInt(7)})
}

// crashTrial is one life story of a wallet, decided by its seed.
type crashTrial struct {
	lab   *crashLab
	seed  uint64
	count *crashCount
	lies  bool
	log   func(format string, args ...any)

	rng  *mathrand.Rand
	path string
	opts *Options

	store    *Store
	possible []crashState // what the disk may hold; the first is what was saved for sure
	formers  []crashFormer
}

// crashFormer is a state whose password was changed, for sure.
type crashFormer struct {
	state crashState
	at    time.Time
}

func (c *crashTrial) run(t *testing.T) error {
	c.rng = mathrand.New(mathrand.NewPCG(c.seed, 1))
	c.opts = cheap()
	c.opts.freeTries = true
	c.possible = []crashState{{}}
	if c.seed%childEvery == 0 {
		return c.runChildren(t)
	}
	return c.runDisk()
}

// open finds out what the disk holds, and that it is one of the possible states.
func (c *crashTrial) open() error {
	c.store = nil
	s, err := OpenWith(c.path, c.opts)
	if errors.Is(err, ErrNotFound) && slices.Contains(c.possible, crashState{}) {
		c.possible = []crashState{{}}
		return nil
	}
	if err != nil {
		return fmt.Errorf("the file does not open: %w", err)
	}
	for _, state := range c.possible {
		if !state.exists() || s.Unlock(state.password) != nil {
			continue
		}
		if err = state.check(c.lab, s); err == nil {
			c.store = s
			c.possible = []crashState{state}
			return nil
		}
		s.Lock()
	}
	return fmt.Errorf("it opens with none of %+v: %v", c.possible, err)
}
