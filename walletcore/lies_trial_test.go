package walletcore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

const (
	// In the everyday suite, as many lies are told as fit into usualTime, each with this
	// few payments, reads and deposits, or with fewer if they take longer: some lies delay each of them.
	usualOperations = 10
	usualTime       = time.Second / 2
	maxMemory       = 200_000_000 // bytes
)

// TestLies tries every lie of the table on a wallet, alone and in random pairs. A lying daemon stands between the wallet and a ledger, and
// whatever it claims, nothing is signed that was not asked for, and no wrong outcome is reported.
//
//	wallet, its files ── ws ──► liar ── ws ──► sandbox
//	                             │ lies: one table, a file per kind
//	the requests, what the liar saw broadcast, and the sandbox's blocks are compared
//
// LIES_OPERATIONS is the number of payments, reads and deposits in all,
// LIES_SEED selects pairs and payments, LIES_ONLY is the lie (or two, with a comma) to
// tell, LIES_TIMES the number of times. In the everyday suite it tells only some lies, others each time.
func TestLies(t *testing.T) {
	seed := rand.Uint64()
	if n, err := strconv.ParseUint(os.Getenv("LIES_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("repeat with LIES_SEED=%d", seed)
	plan := planOfLies(t, seed)
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in the program, whatever the suite sets
	memory := watchMemory()
	results := make([]*result, len(plan))
	var wg sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	usual, began := os.Getenv("LIES_OPERATIONS")+os.Getenv("LIES_ONLY") == "", time.Now()
	for i, p := range plan {
		wg.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			if usual && time.Since(began) > usualTime {
				return
			}
			if usual {
				p.until = time.Now().Add(usualTime)
			}
			t.Run(p.name(), func(t *testing.T) { results[i] = p.play(t, memory) })
		})
	}
	wg.Wait()
	if os.Getenv("LIES_OPERATIONS") != "" && os.Getenv("LIES_ONLY") == "" {
		results = append(results, tellUntold(t, results, memory, seed)...)
	}
	report(t, results, memory.stop())
}

// maxTries is the maximum number of further tries of a lie that by chance was never told,
// with twice as many operations each time.
const maxTries = 5

// tellUntold tries the lies that were never told, each alone: the question that they answer
// was not asked. A lie that is still untold after that is one that no wallet ever hears.
func tellUntold(t *testing.T, results []*result, memory *memory, seed uint64) (more []*result) {
	luck := rand.New(rand.NewPCG(seed, 2))
	for n := range maxTries {
		told := toldAtAll(append(slices.Clone(results), more...))
		for _, l := range table() {
			if told[l.name] > 0 {
				continue
			}
			p := performance{lies: []lie{l}, operations: usualOperations << (n + 1), seed: luck.Uint64()}
			t.Run(p.name(), func(t *testing.T) { more = append(more, p.play(t, memory)) })
		}
	}
	return more
}

// performance is one telling of one lie, or of two together.
type performance struct {
	lies       []lie
	operations int
	seed       uint64
	until      time.Time // when no more operations start; zero: all do
}

func (p performance) name() string {
	names := make([]string, len(p.lies))
	for i, l := range p.lies {
		names[i] = l.name
	}
	return strings.Join(names, "+")
}

// planOfLies returns the performances of a run.
func planOfLies(t *testing.T, seed uint64) (plan []performance) {
	luck := rand.New(rand.NewPCG(seed, 1))
	if only := os.Getenv("LIES_ONLY"); only != "" {
		return onlyThese(t, only, luck)
	}
	operations, err := strconv.Atoi(os.Getenv("LIES_OPERATIONS"))
	if err != nil {
		for _, l := range table() {
			plan = append(plan, performance{lies: []lie{l}, operations: usualOperations, seed: luck.Uint64()})
		}
		luck.Shuffle(len(plan), func(i, j int) { plan[i], plan[j] = plan[j], plan[i] })
		return plan
	}
	each := max(usualOperations, operations/(2*len(table())))
	for _, l := range table() {
		plan = append(plan, performance{lies: []lie{l}, operations: each, seed: luck.Uint64()})
	}
	for len(plan)*each <= operations {
		a, b := table()[luck.IntN(len(table()))], table()[luck.IntN(len(table()))]
		if a.large { // its answers are not read by another liar, whose memory would count as the wallet's
			a, b = b, a
		}
		// What a wallet sees first it trusts until a person forgets it, so no other lie may be what it sees first.
		if a.name != b.name && a.first == b.first {
			plan = append(plan, performance{lies: []lie{a, b}, operations: each, seed: luck.Uint64()})
		}
	}
	return plan
}

func onlyThese(t *testing.T, only string, luck *rand.Rand) (plan []performance) {
	var lies []lie
	for _, name := range strings.Split(only, ",") {
		for _, l := range table() {
			if l.name == name {
				lies = append(lies, l)
			}
		}
	}
	if len(lies) == 0 {
		t.Fatalf("no lie is called %q", only)
	}
	times, _ := strconv.Atoi(os.Getenv("LIES_TIMES"))
	operations, _ := strconv.Atoi(os.Getenv("LIES_OPERATIONS"))
	for range max(1, times) {
		plan = append(plan, performance{lies: lies, operations: max(operations, usualOperations), seed: luck.Uint64()})
	}
	return plan
}

// result is the result of one performance.
type result struct {
	performance
	told, requests, refused, made int
	found                         *findings
	peak                          uint64
	took                          time.Duration
}

func (p performance) play(t *testing.T, m *memory) *result {
	began := time.Now()
	m.begin()
	s := newScene(t, p.seed)
	s.until = p.until
	s.play(p.lies, p.operations)
	r := &result{performance: p, told: s.liar.toldSoFar(), found: s.found, peak: m.peakNow(), took: time.Since(began)}
	for _, q := range s.requests {
		if r.requests++; q.err != nil {
			r.refused++
		}
		r.made += len(q.made)
	}
	for what, list := range map[string][]string{
		"signed otherwise than asked": s.found.signed, "wrong finality": s.found.finality, "answered for another": s.found.others,
		"hangs": s.found.hangs, "not what must happen": s.found.must,
	} {
		if len(list) > 0 {
			t.Errorf("%s: %s: %d, the first: %s", p.name(), what, len(list), list[0])
		}
	}
	if r.peak > maxMemory {
		t.Errorf("%s: memory: %d MB", p.name(), r.peak/1e6)
	}
	return r
}

// report writes the table.
func report(t *testing.T, results []*result, peak uint64) {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "lie\ttold\tpayments\trefused\tsent\tsigned otherwise\twrong finality\tof another\thangs\tnot as it must\tMB\ttook")
	var sum result
	tellings := 0
	sum.found = &findings{}
	for _, r := range results {
		if r == nil {
			continue
		}
		f := r.found
		tellings++
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%v\n", r.name(), r.told, r.requests, r.refused, r.made,
			len(f.signed), len(f.finality), len(f.others), len(f.hangs), len(f.must), r.peak/1e6, r.took.Round(10*time.Millisecond))
		sum.operations += r.operations
		sum.requests += r.requests
		sum.found.signed = append(sum.found.signed, f.signed...)
		sum.found.finality = append(sum.found.finality, f.finality...)
		sum.found.others = append(sum.found.others, f.others...)
		sum.found.hangs = append(sum.found.hangs, f.hangs...)
	}
	w.Flush()
	if os.Getenv("LIES_OPERATIONS") != "" {
		for name, times := range toldAtAll(results) {
			if times == 0 {
				t.Errorf("%s: it was never told", name)
			}
		}
	}
	if testing.Verbose() {
		t.Logf("\n%s", out.String())
	}
	t.Logf(
		"%d lies, %d tellings, %d operations: signed otherwise than asked %d, wrong finality told %d, answered for another %d, hangs %d, memory at most %d MB",
		len(table()),
		tellings,
		sum.operations,
		len(sum.found.signed),
		len(sum.found.finality),
		len(sum.found.others),
		len(sum.found.hangs),
		peak/1e6,
	)
}

// toldAtAll returns how often each lie was told alone.
func toldAtAll(results []*result) map[string]int {
	told := map[string]int{}
	for _, r := range results {
		if r != nil && len(r.lies) == 1 {
			told[r.name()] += r.told
		}
	}
	return told
}

// memory watches the heap of this process, which includes the liar and the ledger.
type memory struct {
	mu         sync.Mutex
	peak, here uint64
	quit, done chan struct{}
}

func watchMemory() *memory {
	m := &memory{quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(m.done)
		for {
			select {
			case <-m.quit:
				return
			case <-time.After(10 * time.Millisecond):
			}
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			m.mu.Lock()
			m.peak, m.here = max(m.peak, now.HeapAlloc), max(m.here, now.HeapAlloc)
			m.mu.Unlock()
		}
	}()
	return m
}

func (m *memory) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.here = 0
}

func (m *memory) peakNow() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.here
}

func (m *memory) stop() uint64 {
	close(m.quit)
	<-m.done
	return m.peak
}
