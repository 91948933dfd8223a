package vault

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"billfold/keystore"
	"billfold/ledger"
)

// A history of 10,000 memos, one counterpart, opened with the cached secret on
// one core and on all.
func BenchmarkOpenHistory(b *testing.B) {
	const rows = 10_000
	own, other := ledger.DeriveKey("bench", 0), ledger.DeriveKey("bench", 1)
	memos := make([]ledger.Memo, rows)
	for i := range memos {
		var err error
		if memos[i], err = ledger.EncryptMemo(other, own.Public(), uint64(i+1), "rent november, thank you"); i == 0 && err != nil {
			b.Fatal(err)
		}
		if i == 200 { // the cipher text repeats from here: what is measured is opening
			for j := i + 1; j < rows; j++ {
				memos[j] = memos[j%200]
			}
			break
		}
	}
	v, keys := &Vault{secrets: newSharedSecrets(maxSecrets)}, new(keystore.Secrets)
	if _, err := keys.AddKey(own); err != nil {
		b.Fatal(err)
	}
	open := func(i int) {
		if _, state := v.decryptWith(keys, &memos[i]); state != MemoOpen {
			b.Errorf("memo %d is in state %d", i, state)
		}
	}
	for _, cores := range []int{1, runtime.NumCPU()} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			for b.Loop() {
				onAllCores(rows, open)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/memo")
		})
	}
}

// onAllCores runs work for 0 … n-1, as many at a time as there are cores.
func onAllCores(n int, work func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for c := range workers {
		wg.Go(func() {
			for i := c; i < n; i += workers {
				work(i)
			}
		})
	}
	wg.Wait()
}
