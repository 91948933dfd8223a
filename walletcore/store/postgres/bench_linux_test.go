package postgres_test

import (
	"encoding/binary"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// BenchmarkJournal measures new payments by one and by 64 callers, next to the database and half a millisecond away from it.
func BenchmarkJournal(b *testing.B) {
	c := storetest.Start(b)
	line := c.Relay()
	line.Delay(500 * time.Microsecond)
	url := c.Database()
	if err := (postgres.Options{MayLose: true}).Init(b.Context(), url, store.NewID(), nil); err != nil {
		b.Fatal(err)
	}
	var next atomic.Uint32
	for name, address := range map[string]string{"near": url, "0.5 ms away": line.URL(b, url)} {
		for _, callers := range []int{1, 64} {
			b.Run(name+"/callers="+strconv.Itoa(callers), func(b *testing.B) {
				s, err := postgres.Options{Folder: b.TempDir(), MayLose: true}.Open(b.Context(), address)
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				add(b, s, callers, &next)
			})
		}
	}
}

func add(b *testing.B, s *store.Store, callers int, next *atomic.Uint32) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	b.ResetTimer()
	for range callers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				n := next.Add(1)
				e := payment(n, "order "+strconv.Itoa(int(n)))
				e.Bytes = binary.BigEndian.AppendUint64(make([]byte, 200), uint64(n))
				if err := s.Journal.Add(b.Context(), e); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "payments/s")
}
